/* Red gate groups for the summary: the first few of each gate and answer, the rest counted. */
#ifndef KS_CLI_RED_GATES_H
#define KS_CLI_RED_GATES_H

#include "base/text_map.h"
#include "result/tally.h"

enum { KS_RED_GATES_SHOWN = 3, KS_RED_GATES_KINDS = 64 };

typedef struct ks_red_gates {
    ks_text_map *kinds; /* "GATE is ANSWER" */
    uint64_t counts[KS_RED_GATES_KINDS];
    uint64_t groups, more; /* all; of kinds beyond the limit */
    ks_text lines;
} ks_red_gates; /* all zero has none */

void ks_red_gates_free(ks_red_gates *gates);
/* Whether this group is shown; the caller then adds it to `lines`. */
KS_CHECKED ks_status ks_red_gates_take(ks_red_gates *gates, const ks_gate_line *line,
                                       bool *is_shown);
/* Nothing when there is none. */
void ks_red_gates_print(ks_text *out, const ks_red_gates *gates, const char *sweep);

#endif
