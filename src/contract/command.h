/* The flat composite command and the program that PE_CPU runs: all that the device is told. */
#ifndef KS_CONTRACT_COMMAND_H
#define KS_CONTRACT_COMMAND_H

#include <stddef.h>

#include "contract/op.h"

#define KS_NO_TILE UINT64_MAX

/* A composite: ordered ops, at most one of kind gemm, no head or epilogue in the type. A
 * primitive: one op, one stage of its own engine. */
typedef struct ks_command {
    uint32_t index; /* issue order, from 0; also its completion handle */
    bool is_composite;
    bool is_data_op; /* false: timed, moves no data */
    uint32_t op_count;
    const ks_op *ops;
    uint32_t rw_count;
    const ks_handle *const *rw_handles; /* state carried from composite to composite */
    /* Whole-handle byte ranges for hazards: operands read; outs and rw_handles written. */
    uint32_t read_count, write_count;
    const ks_range *reads, *writes;
    uint64_t tile; /* the context tile it belongs to, or KS_NO_TILE for set-up and end */
} ks_command;

/* True when one of them writes what the other reads or writes (RAW, WAR, WAW). */
bool ks_command_conflicts(const ks_command *earlier, const ks_command *later);

/* Index of the gemm op, or -1. */
int ks_command_gemm_index(const ks_command *command);

typedef enum ks_instruction_kind { KS_DISPATCH, KS_WAIT } ks_instruction_kind;

typedef struct ks_instruction {
    ks_instruction_kind kind;
    uint32_t command; /* dispatched, or waited for */
} ks_instruction;

/* Commands and instructions that come `count` times more right after themselves, each time with
 * the numbers of their commands moved on: the program's loop over equal tiles, its middle left
 * out. Addresses of the left-out tiles are their own; what meets what depends on distance only. */
typedef struct ks_repeat {
    uint64_t count; /* 0: every command of the program is there; else even */
    uint32_t first_command, command_count;
    size_t first_instruction, instruction_count;
} ks_repeat;

/* What a kernel's calls became. Everything is owned by the arena it was lowered into. */
typedef struct ks_program {
    uint32_t command_count;
    const ks_command *const *commands; /* by index */
    size_t instruction_count;
    const ks_instruction *instructions;
    ks_repeat repeat;        /* one context tile */
    uint64_t tile_count;     /* context tiles; 1 for a bench */
    bool is_one_tile;        /* a bench: every command counts as the tile's */
    uint64_t tcm_peak_bytes; /* highest end of an allocation */
    /* TCM tensors whose final values belong to the result, before OUT (m, l, O of a decode). */
    uint32_t result_count;
    const ks_handle *const *results;
} ks_program;

#endif
