/* The constant parts of op_log lines, made once for each stage of a plan and each set of places in TCM
 * that its commands work on. Seen by op_log/ only, but for the type. */
#ifndef KS_OP_LOG_LOG_TEXTS_H
#define KS_OP_LOG_LOG_TEXTS_H

#include "base/arena.h"
#include "base/text.h"
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

typedef struct ks_line_texts ks_line_texts;

/* Of a command, once one of its stages was asked for. */
typedef struct ks_command_text {
    const ks_line_text *const *lines; /* by stage; NULL: not made yet */
    uint32_t length;
    char number[12]; /* with its comma */
} ks_command_text;

typedef struct ks_log_texts {
    ks_arena *arena;
    ks_line_texts *made;
    ks_command_text *commands;
    ks_text scratch; /* empty between calls */
} ks_log_texts;

/* Of a program that outlives it. Memory is the arena's. NULL if out of memory. */
ks_log_texts *ks_log_texts_new(const ks_program *program, ks_arena *arena);

/* Makes the parts of the stage's line, and the command's text. KS_OK with neither made: it is not
 * worth it, print the row. */
KS_CHECKED ks_status ks_log_texts_make(ks_log_texts *texts, const ks_event *event);

/* NULL: to be made. */
static inline const ks_line_text *ks_log_texts_line(const ks_log_texts *texts,
                                                    const ks_event *event) {
    const ks_line_text *const *lines = texts->commands[event->cmd].lines;
    return lines ? lines[event->stage] : NULL;
}

#endif
