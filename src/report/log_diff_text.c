#include "report/log_diff_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/decimal.h"

enum { FIELD_LINES = 3 };

void ks_text_add_change(ks_text *out, int64_t ticks) {
    if (ticks > 0) ks_text_add_char(out, '+');
    if (ticks < 0) ks_text_add_char(out, '-');
    ks_text_add_decimal(out, ticks < 0 ? 0 - (uint64_t)ticks : (uint64_t)ticks);
}

const char *ks_log_change_name(ks_log_change change) {
    static const char *const names[] = {
        [KS_LOG_SAME] = "same",       [KS_LOG_WORK] = "work",   [KS_LOG_OPERANDS] = "operands",
        [KS_LOG_SERVICE] = "service", [KS_LOG_PAUSE] = "pause", [KS_LOG_MISSING] = "missing",
        [KS_LOG_EXTRA] = "extra",     [KS_LOG_START] = "start", [KS_LOG_ORDER] = "order",
    };
    return names[change];
}

/* ---- rows ---- */

static void add_tile(ks_text *out, const ks_log_line *line) {
    ks_text_add_string(out, line->m);
    if (*line->n) ks_text_add_format(out, ",%s", line->n);
    if (*line->k) ks_text_add_format(out, ",%s", line->k);
}

void ks_log_line_print(ks_text *out, const ks_log_line *line) {
    ks_text command = {0}, tile = {0};
    ks_text_add_format(&command, "%" PRIu64 ".%s", line->cmd, line->stage);
    add_tile(&tile, line);
    ks_text_add_format(out, "%7" PRIu64 "  %-9s %-7s %-9s %-10s %-8s %-9s %12s %12s", line->seq,
                       ks_text_string(&command), line->server, line->kind, line->op, line->phase,
                       ks_text_string(&tile), line->start, line->end);
    ks_text_free(&command);
    ks_text_free(&tile);
}

/* `row 19: MATH rmax on math, cmd 5 stage 0, tile 0,0,0`. */
static void add_row(ks_text *out, const ks_log_line *line) {
    ks_text_add_format(out, "row %" PRIu64 ": %s%s%s on %s, cmd %" PRIu64, line->seq, line->kind,
                       *line->op ? " " : "", line->op, line->server, line->cmd);
    if (strcmp(line->stage, "-1") != 0) ks_text_add_format(out, " stage %s", line->stage);
    ks_text_add_format(out, ", phase %s", line->phase);
    if (!*line->m) return;
    ks_text_add_string(out, *line->k ? ", tile m,n,k " : ", tile m,n ");
    add_tile(out, line);
}

static void add_context(ks_text *out, const char *mark, const ks_log_line *line) {
    ks_text_add_format(out, "%-4s", mark);
    ks_log_line_print(out, line);
    ks_text_add_char(out, '\n');
}

static void print_context(ks_text *out, const ks_log_diff *diff) {
    for (size_t i = 0; i < diff->before_count; i++) add_context(out, "", &diff->before[i]);
    if (diff->has_expected) add_context(out, "exp", &diff->expected);
    if (diff->has_got) add_context(out, "got", &diff->got);
    for (size_t i = 0; i < diff->after_count; i++) add_context(out, "", &diff->after[i]);
}

/* ---- what changed ---- */

static void print_fields(ks_text *out, const ks_log_diff *diff) {
    const size_t lines = diff->field_count > FIELD_LINES ? FIELD_LINES - 1 : diff->field_count;
    for (size_t i = 0; i < lines; i++)
        ks_text_add_format(out, "  %-8s expected %s, got %s\n", diff->fields[i].name,
                           *diff->fields[i].expected ? diff->fields[i].expected : "nothing",
                           *diff->fields[i].got ? diff->fields[i].got : "nothing");
    if (lines == diff->field_count) return;
    ks_text_add_string(out, "  and also");
    for (size_t i = lines; i < diff->field_count; i++)
        ks_text_add_format(out, "%s %s %s -> %s", i == lines ? "" : ",", diff->fields[i].name,
                           diff->fields[i].expected, diff->fields[i].got);
    ks_text_add_char(out, '\n');
}

static void print_service(ks_text *out, const ks_log_diff *diff) {
    if (!diff->has_expected || !diff->has_got) return;
    if (diff->service_ticks[0] == diff->service_ticks[1]) return;
    ks_text_add_string(out, "  it takes ");
    ks_text_add_decimal(out, (uint64_t)diff->service_ticks[1]);
    ks_text_add_string(out, " cycles instead of ");
    ks_text_add_decimal(out, (uint64_t)diff->service_ticks[0]);
    ks_text_add_format(out, "; of the rows of %s %" PRIu64 " in %" PRIu64 " changed, by ",
                       diff->got.server, diff->server_rows_changed, diff->server_rows);
    ks_text_add_change(out, diff->server_least_ticks);
    if (diff->server_most_ticks != diff->server_least_ticks) {
        ks_text_add_string(out, " to ");
        ks_text_add_change(out, diff->server_most_ticks);
    }
    ks_text_add_string(out, " cycles\n");
}

/* ---- why it starts when it does ---- */

static bool is_same_starter(const ks_log_diff *diff) {
    const ks_log_starter *a = &diff->starters[0], *b = &diff->starters[1];
    return a->is_there && b->is_there && a->row.cmd == b->row.cmd &&
           strcmp(a->row.stage, b->row.stage) == 0 && strcmp(a->row.kind, b->row.kind) == 0 &&
           strcmp(a->row.start, b->row.start) == 0;
}

static void print_starter(ks_text *out, const char *who, const ks_log_starter *starter,
                          const ks_log_line *row) {
    ks_text_add_format(out, "  %s %s", who, row->start);
    if (starter->is_there) {
        ks_text_add_format(out, ", when %s ", starter->relation);
        add_row(out, &starter->row);
        ks_text_add_char(out, '\n');
    } else {
        ks_text_add_string(out, strcmp(row->start, "0") == 0 ? ", with the point\n"
                                                             : "; no row ends then\n");
    }
}

static void print_starters(ks_text *out, const ks_log_diff *diff) {
    const bool is_together = diff->has_expected && diff->has_got &&
                             strcmp(diff->expected.start, diff->got.start) == 0 &&
                             (is_same_starter(diff) || !diff->starters[0].is_there);
    if (diff->has_expected)
        print_starter(out, is_together ? "in both it starts at" : "expected at", &diff->starters[0],
                      &diff->expected);
    if (diff->has_got && !is_together) print_starter(out, "got at", &diff->starters[1], &diff->got);
    if (!diff->has_blocker) return;
    ks_text_add_format(out, "  at %s %s is taken until %s by ", diff->expected.start,
                       diff->blocker.server, diff->blocker.end);
    add_row(out, &diff->blocker);
    ks_text_add_char(out, '\n');
}

/* ---- how it goes on ---- */

static void print_drift(ks_text *out, const ks_log_diff *diff) {
    ks_text_add_string(out, "drift of ends:");
    for (size_t i = 0; i < diff->mark_count; i++) {
        ks_text_add_string(out, i ? ", " : " ");
        ks_text_add_change(out, diff->marks[i].late_ticks);
        ks_text_add_format(out, " at row %" PRIu64, diff->marks[i].seq);
    }
    if (!diff->mark_count) ks_text_add_string(out, " no later row is in both");
    if (diff->is_drift_constant) ks_text_add_string(out, "; constant");
    if (diff->is_drift_growing) ks_text_add_string(out, "; never falls");
    if (diff->is_drift_shrinking) ks_text_add_string(out, "; never rises");
    if (diff->mark_count && !diff->is_drift_constant) {
        ks_text_add_string(out, "; largest ");
        ks_text_add_change(out, diff->most_late.late_ticks);
        ks_text_add_format(out, " at row %" PRIu64, diff->most_late.seq);
    }
    ks_text_add_string(out, "\nlast end: ");
    ks_text_add_decimal(out, diff->total_ticks[0]);
    ks_text_add_string(out, " -> ");
    ks_text_add_decimal(out, diff->total_ticks[1]);
    ks_text_add_string(out, " cycles, ");
    ks_text_add_change(out, (int64_t)(diff->total_ticks[1] - diff->total_ticks[0]));
    if (diff->total_ticks[0])
        ks_text_add_format(out, " (%+.3f %%)",
                           100 * (double)(int64_t)(diff->total_ticks[1] - diff->total_ticks[0]) /
                               (double)diff->total_ticks[0]);
    ks_text_add_char(out, '\n');
}

/* ---- the whole ---- */

static const char *sentence_of(ks_log_change change) {
    static const char *const sentences[] = {
        [KS_LOG_SAME] = "nothing differs",
        [KS_LOG_WORK] = "the same stage does something else",
        [KS_LOG_OPERANDS] = "the same work on other operands",
        [KS_LOG_SERVICE] = "its service changed",
        [KS_LOG_PAUSE] = "only WAIT and STALL rows differ",
        [KS_LOG_MISSING] = "the row is missing",
        [KS_LOG_EXTRA] = "nobody expected this row",
        [KS_LOG_START] = "its start moved",
        [KS_LOG_ORDER] = "equal rows stand in another order",
    };
    return sentences[change];
}

void ks_log_diff_print_first(ks_text *out, const ks_log_diff *diff) {
    if (diff->change == KS_LOG_SAME) return;
    ks_text_add_format(out, "first divergence, %s: ", sentence_of(diff->change));
    add_row(out, diff->has_expected ? &diff->expected : &diff->got);
    ks_text_add_char(out, '\n');
    print_fields(out, diff);
    print_service(out, diff);
}

static void print(ks_text *out, const ks_log_diff *diff, const char *key, bool has_context) {
    if (diff->change == KS_LOG_SAME) return;
    ks_text_add_format(out,
                       "op_logs differ: %" PRIu64 " rows expected, %" PRIu64 " got: %" PRIu64
                       " changed, %" PRIu64 " missing, %" PRIu64 " extra%s\n",
                       diff->row_counts[0], diff->row_counts[1], diff->changed, diff->missing,
                       diff->extra,
                       diff->is_pause_ahead ? " (WAIT or STALL rows before it among them)" : "");
    if (*key) ks_text_add_format(out, "point: %s\n", key);
    ks_log_diff_print_first(out, diff);
    print_starters(out, diff);
    if (has_context) print_context(out, diff);
    print_drift(out, diff);
}

void ks_log_diff_print(ks_text *out, const ks_log_diff *diff, const char *key) {
    print(out, diff, key, true);
}

void ks_log_diff_print_short(ks_text *out, const ks_log_diff *diff) { print(out, diff, "", false); }
