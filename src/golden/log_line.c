#include <stdlib.h>

#include "base/decimal.h"
#include "golden/log_diff.h"

static const char *number(ks_arena *arena, uint64_t value, bool *is_fine) {
    char text[KS_DECIMAL_TEXT_MAX];
    ks_u64_print(text, value);
    const char *copy = ks_arena_text(arena, text);
    *is_fine = *is_fine && copy;
    return copy ? copy : "";
}

static const char *index_text(ks_arena *arena, uint64_t index, bool *is_fine) {
    return index == KS_NO_INDEX ? "" : number(arena, index, is_fine);
}

static const char *cycles(ks_arena *arena, uint64_t ticks, bool *is_fine) {
    char text[KS_DECIMAL_TEXT_MAX];
    ks_decimal_print(text, ticks);
    const char *copy = ks_arena_text(arena, text);
    *is_fine = *is_fine && copy;
    return copy ? copy : "";
}

bool ks_log_line_of(const ks_log *log, size_t seq, ks_arena *arena, ks_log_line *line) {
    const ks_log_row *row = &log->rows[seq];
    bool is_fine = true;
    *line = (ks_log_line){
        .seq = seq,
        .cmd = row->cmd,
        .stage = row->stage == KS_CPU_STAGE ? "-1" : number(arena, (uint64_t)row->stage, &is_fine),
        .server = ks_server_name(row->server),
        .kind = ks_row_kind_name(row->kind),
        .op = row->op,
        .phase = ks_phase_name(row->phase),
        .m = index_text(arena, row->m, &is_fine),
        .n = index_text(arena, row->n, &is_fine),
        .k = index_text(arena, row->k, &is_fine),
        .start = cycles(arena, row->start, &is_fine),
        .end = cycles(arena, row->end, &is_fine),
        .bytes = number(arena, row->bytes, &is_fine),
        .elements = number(arena, row->elements, &is_fine),
        .reads = row->reads,
        .writes = row->writes,
    };
    return is_fine;
}
