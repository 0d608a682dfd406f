/* The scheduler's plan of one command: stages by position and scope of its ops (MODEL.md section
 * 6). It knows kinds, scopes, shapes and the pinned flag; no recipe. */
#ifndef KS_DEVICE_PLAN_H
#define KS_DEVICE_PLAN_H

#include "base/arena.h"
#include "base/status.h"
#include "contract/command.h"
#include "contract/stage.h"
#include "device/machine.h"

/* Which bytes a stage touches; with the command's handles it gives addresses. */
typedef enum ks_stage_role {
    KS_STAGE_WHOLE,  /* one op on whole tensors: pre, single, post, primitives */
    KS_STAGE_READ_A, /* DMA_READ of a tile of a */
    KS_STAGE_READ_B,
    KS_STAGE_FETCH,
    KS_STAGE_GEMM,
    KS_STAGE_TILE_MATH, /* K_TILE or OUTPUT_TILE op on the accumulator */
    KS_STAGE_STORE,
    KS_STAGE_WRITE_TILE, /* DMA_WRITE of an output tile */
    KS_STAGE_WRITE_WHOLE /* DMA_WRITE of the whole output, after post-loop ops */
} ks_stage_role;

typedef struct ks_stage {
    ks_stage_role role;
    ks_row_kind kind;
    ks_phase phase;
    ks_server server;
    uint32_t op;              /* index in the command's ops; the gemm's for stages that serve it */
    uint64_t m, n, k;         /* tile indices, or KS_NO_INDEX */
    uint64_t mt, nt, kt;      /* extents of that tile, 0 outside the loop */
    uint64_t row, col, depth; /* its first element along m, n, k */
    uint64_t step, out_tile;  /* t counts (m, n, k), o counts (m, n) */
    uint64_t bytes, elements;
    ks_work work;                    /* what its service depends on */
    uint64_t service_ticks;          /* occupancy; of a DMA stage completion is dma_latency later */
    uint32_t first_dep, dep_count;   /* in plan->deps: stages it waits for */
    uint32_t first_next, next_count; /* in plan->nexts: stages that wait for it */
} ks_stage;

typedef struct ks_plan {
    uint32_t stage_count;
    const ks_stage *stages;
    const uint32_t *deps, *nexts;
    /* What the command moves and computes. */
    uint64_t read_bytes, write_bytes, macs, math_elements;
    /* Buffer counts that slot numbers of the op_log are taken by. */
    uint64_t stream_buffers, operand_buffers, acc_buffers;
} ks_plan;

/* The constants that a plan depends on are gemm_tile_*, *_buffers and stream_in_prologue; those
 * that its services depend on are all others of the engines. ks_plan_shape leaves the services out
 * (service_ticks is 0). KS_OK; KS_NO_MEMORY; KS_INPUT when a figure is not below 2^63 (the point's
 * `overflow`). */
KS_CHECKED ks_status ks_plan_shape(const ks_command *command, const ks_machine *machine,
                                   ks_arena *arena, ks_plan *plan);
KS_CHECKED ks_status ks_plan_build(const ks_command *command, const ks_machine *machine,
                                   ks_arena *arena, ks_plan *plan);

/* True when both commands have one plan: same kinds, scopes, shapes, formats, places. */
bool ks_plan_is_shared(const ks_command *a, const ks_command *b);

#endif
