/* The constant parts of op_log lines, made once for each stage of a plan and each set of places in TCM
 * that its commands work on. Seen by op_log/ only, but for the type. */
#ifndef KS_OP_LOG_LOG_TEXTS_H
#define KS_OP_LOG_LOG_TEXTS_H

#include "base/arena.h"
#include "device/timeline.h"

/* Texts are padded: whole blocks may be copied from them. */
enum { KS_TEXT_BLOCK = 64 };

/* A line is seq,cmd,HEAD start,end TAIL: head and tail hold the commas and the LF. An address in HBM
 * is another one for each command: it stands between `tail` and `rest`. */
typedef struct ks_line_text {
    const char *head, *tail, *rest; /* rest NULL: the tail is whole */
    uint32_t head_length, tail_length, rest_length;
    uint32_t op;         /* of the handle in HBM: that op's... */
    int32_t operand;     /* ...operand, or -1: its out */
    uint64_t hbm_offset; /* from the handle's address */
} ks_line_text;

typedef struct ks_log_texts ks_log_texts;

/* Of a program that outlives it. Memory is the arena's. NULL if out of memory. */
ks_log_texts *ks_log_texts_new(const ks_program *program, ks_arena *arena);

/* The parts of the stage's line. KS_OK with `line` NULL: it is not worth it, print the row. */
KS_CHECKED ks_status ks_log_texts_of(ks_log_texts *texts, const ks_event *event,
                                     const ks_line_text **line);

#endif
