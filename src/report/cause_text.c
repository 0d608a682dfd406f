#include "report/cause_text.h"

#include <inttypes.h>
#include <string.h>

#include "report/change_text.h"
#include "report/log_diff_text.h"

void ks_cause_where_print(ks_text *out, const ks_failure_cause *cause, uint64_t ran) {
    const bool is_exact = cause->points == cause->inside;
    if (!is_exact) ks_text_add_format(out, "%" PRIu64 " of the ", cause->points);
    if (!cause->where[0] && is_exact && ran > 1) ks_text_add_string(out, "all ");
    ks_text_add_count(out, is_exact ? cause->points : cause->inside, "point");
    if (cause->where[0]) ks_text_add_format(out, " with %s", cause->where);
}

static void add_move(ks_text *out, const char *name, const ks_cause_move *move) {
    if (!move->points || (!move->least_ticks && !move->most_ticks)) return;
    ks_text_add_format(out, "   %s ", name);
    ks_text_add_change(out, move->least_ticks);
    if (move->least_ticks != move->most_ticks) {
        ks_text_add_string(out, " to ");
        ks_text_add_change(out, move->most_ticks);
    }
    ks_text_add_char(out, '\n');
}

static void add_columns(ks_text *out, uint64_t columns) {
    if (!columns) return;
    ks_text_add_string(out, "   moved:");
    for (int c = 0; c < KS_COLUMN_COUNT; c++)
        if (columns >> c & 1)
            ks_text_add_format(out, " %s", ks_column_describe((ks_column)c)->name);
    ks_text_add_char(out, '\n');
}

static void add_lines(ks_text *out, const char *lines) {
    for (const char *line = lines; line && *line;) {
        const char *end = strchr(line, '\n');
        const size_t length = end ? (size_t)(end - line) : strlen(line);
        ks_text_add_format(out, "   %.*s\n", (int)length, line);
        line += length + (end != NULL);
    }
}

void ks_cause_print(ks_text *out, const ks_failure_cause *cause, size_t number, uint64_t ran) {
    ks_text_add_format(out, "%zu. %s\n   ", number, cause->what);
    ks_cause_where_print(out, cause, ran);
    ks_text_add_char(out, '\n');
    if (cause->why[0]) ks_text_add_format(out, "   the rule says: %s\n", cause->why);
    add_move(out, "total_cycles", &cause->total);
    add_move(out, "dispatch_cycles", &cause->dispatch);
    add_columns(out, cause->columns);
    ks_text_add_format(out, "   %s%s: %s", cause->points > 1 ? "smallest: " : "", cause->key,
                       ks_verdict_name(cause->row->verdict));
    if (cause->row->reason[0]) ks_text_add_format(out, ", %s", cause->row->reason);
    ks_text_add_char(out, '\n');
    if (cause->detail[0]) ks_text_add_format(out, "     %s\n", cause->detail);
    if (cause->change) {
        ks_text_add_string(out, "     ");
        ks_change_print(out, cause->change, cause->row);
        ks_text_add_char(out, '\n');
    }
    add_lines(out, cause->first);
    ks_text_add_format(out, "   %s\n", cause->show);
    if (cause->reproducer[0]) ks_text_add_format(out, "   %s\n", cause->reproducer);
}
