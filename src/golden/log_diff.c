#include "golden/log_diff.h"

#include <string.h>

#include "golden/log_match.h"
#include "golden/log_start.h"

typedef struct comparison {
    const ks_log *logs[2]; /* expected, got */
    ks_log_match match;
    ks_arena *arena;
    ks_log_diff *diff;
    size_t at[2]; /* the divergence, or KS_LOG_NO_ROW */
    bool is_fine; /* memory was enough */
} comparison;

/* ---- two rows ---- */

static bool is_same_work(const ks_log_row *a, const ks_log_row *b) {
    return a->server == b->server && a->kind == b->kind && a->phase == b->phase &&
           strcmp(a->op, b->op) == 0 && a->m == b->m && a->n == b->n && a->k == b->k &&
           a->bytes == b->bytes && a->elements == b->elements;
}

static bool is_same_data(const ks_log_row *a, const ks_log_row *b) {
    return strcmp(a->reads, b->reads) == 0 && strcmp(a->writes, b->writes) == 0;
}

static ks_log_change change_of(const ks_log_row *a, const ks_log_row *b) {
    if (!is_same_work(a, b)) return KS_LOG_WORK;
    if (!is_same_data(a, b)) return KS_LOG_OPERANDS;
    if (a->start != b->start) return KS_LOG_START;
    return a->end == b->end ? KS_LOG_SAME : KS_LOG_SERVICE;
}

/* ---- the first divergence ---- */

typedef struct difference {
    ks_log_change change;
    bool is_pause;
    uint64_t time; /* ticks */
    const ks_log_row *row;
    size_t at[2];
} difference;

static int rank_of(ks_log_change change) {
    if (change == KS_LOG_MISSING || change == KS_LOG_EXTRA) return 1;
    return change == KS_LOG_START ? 2 : 0;
}

static bool comes_before(const difference *a, const difference *b) {
    if (a->is_pause != b->is_pause) return b->is_pause;
    if (a->time != b->time) return a->time < b->time;
    if (rank_of(a->change) != rank_of(b->change)) return rank_of(a->change) < rank_of(b->change);
    if (a->row->cmd != b->row->cmd) return a->row->cmd < b->row->cmd;
    return a->row->stage < b->row->stage;
}

static void take_difference(comparison *c, difference *first, const difference *d) {
    c->diff->changed += d->change != KS_LOG_MISSING && d->change != KS_LOG_EXTRA;
    c->diff->missing += d->change == KS_LOG_MISSING;
    c->diff->extra += d->change == KS_LOG_EXTRA;
    if (first->change == KS_LOG_SAME || comes_before(d, first)) *first = *d;
}

static void look_at_expected(comparison *c, size_t seq, difference *first) {
    const ks_log_row *a = &c->logs[0]->rows[seq];
    const size_t got = c->match.got_of[seq];
    difference d = {KS_LOG_MISSING, ks_log_row_is_pause(a), a->start, a, {seq, got}};
    if (got != KS_LOG_NO_ROW) {
        const ks_log_row *b = &c->logs[1]->rows[got];
        d.change = change_of(a, b);
        if (b->start < d.time) d.time = b->start;
    }
    if (d.change != KS_LOG_SAME) take_difference(c, first, &d);
}

static void look_at_extra(comparison *c, size_t seq, difference *first) {
    const ks_log_row *b = &c->logs[1]->rows[seq];
    if (c->match.expected_of[seq] != KS_LOG_NO_ROW) return;
    const difference d = {KS_LOG_EXTRA, ks_log_row_is_pause(b), b->start, b, {KS_LOG_NO_ROW, seq}};
    take_difference(c, first, &d);
}

/* Equal rows in another order. */
static void look_at_order(comparison *c) {
    for (size_t i = 0; i < c->logs[0]->count; i++) {
        if (c->match.got_of[i] == i) continue;
        c->diff->change = KS_LOG_ORDER;
        c->diff->changed++;
        if (c->at[0] != KS_LOG_NO_ROW) continue;
        c->at[0] = i;
        c->at[1] = c->match.got_of[i];
    }
}

static void find_divergence(comparison *c) {
    difference first = {.change = KS_LOG_SAME, .at = {KS_LOG_NO_ROW, KS_LOG_NO_ROW}};
    for (size_t i = 0; i < c->logs[0]->count; i++) look_at_expected(c, i, &first);
    for (size_t i = 0; i < c->logs[1]->count; i++) look_at_extra(c, i, &first);
    c->diff->change = first.is_pause ? KS_LOG_PAUSE : first.change;
    c->at[0] = first.at[0];
    c->at[1] = first.at[1];
    if (first.change == KS_LOG_SAME) look_at_order(c);
}

/* Whether a WAIT or STALL in front of the divergence differs. */
static bool is_pause_ahead(const comparison *c) {
    if (c->diff->change == KS_LOG_PAUSE) return false;
    const size_t end = c->at[0] != KS_LOG_NO_ROW ? c->at[0] : 0;
    for (size_t i = 0; i < end; i++) {
        const size_t got = c->match.got_of[i];
        if (ks_log_row_is_pause(&c->logs[0]->rows[i]) &&
            (got == KS_LOG_NO_ROW || change_of(&c->logs[0]->rows[i], &c->logs[1]->rows[got])))
            return true;
    }
    return false;
}

/* ---- in words ---- */

static void put_line(comparison *c, int side, size_t seq, ks_log_line *line) {
    c->is_fine = ks_log_line_of(c->logs[side], seq, c->arena, line) && c->is_fine;
}

static void add_field(ks_log_diff *diff, const char *name, const char *expected, const char *got) {
    if (strcmp(expected, got) == 0) return;
    diff->fields[diff->field_count++] = (ks_log_field){name, expected, got};
}

static void list_fields(ks_log_diff *diff) {
    const ks_log_line *a = &diff->expected, *b = &diff->got;
    add_field(diff, "server", a->server, b->server);
    add_field(diff, "kind", a->kind, b->kind);
    add_field(diff, "op", a->op, b->op);
    add_field(diff, "phase", a->phase, b->phase);
    add_field(diff, "m", a->m, b->m);
    add_field(diff, "n", a->n, b->n);
    add_field(diff, "k", a->k, b->k);
    add_field(diff, "bytes", a->bytes, b->bytes);
    add_field(diff, "elements", a->elements, b->elements);
    add_field(diff, "reads", a->reads, b->reads);
    add_field(diff, "writes", a->writes, b->writes);
    add_field(diff, "start", a->start, b->start);
    add_field(diff, "end", a->end, b->end);
}

static void put_starter(comparison *c, int side) {
    if (c->at[side] == KS_LOG_NO_ROW) return;
    const ks_log_start start = ks_log_start_of(c->logs[side], c->at[side]);
    ks_log_starter *starter = &c->diff->starters[side];
    starter->relation = start.relation;
    if (start.seq == KS_LOG_NO_ROW) return;
    starter->is_there = true;
    put_line(c, side, start.seq, &starter->row);
}

/* A row that starts late found its server taken: by whom. */
static void put_blocker(comparison *c) {
    if (c->diff->change != KS_LOG_START) return;
    const ks_log_row *row = &c->logs[0]->rows[c->at[0]];
    if (c->logs[1]->rows[c->at[1]].start <= row->start) return;
    const size_t holder = ks_log_holder(c->logs[1], row, row->start);
    if (holder == KS_LOG_NO_ROW) return;
    c->diff->has_blocker = true;
    put_line(c, 1, holder, &c->diff->blocker);
}

static void put_context(comparison *c) {
    const int side = c->at[1] != KS_LOG_NO_ROW;
    const ks_log *log = c->logs[side];
    const size_t at = c->at[side];
    ks_log_diff *diff = c->diff;
    const size_t first = at > KS_LOG_CONTEXT ? at - KS_LOG_CONTEXT : 0;
    for (size_t i = first; i < at; i++) put_line(c, side, i, &diff->before[diff->before_count++]);
    for (size_t i = at + 1; i < log->count && diff->after_count < KS_LOG_CONTEXT; i++)
        put_line(c, side, i, &diff->after[diff->after_count++]);
}

/* ---- figures ---- */

static void count_server(comparison *c) {
    ks_log_diff *diff = c->diff;
    if (c->at[0] == KS_LOG_NO_ROW || c->at[1] == KS_LOG_NO_ROW) return;
    for (int side = 0; side < 2; side++)
        diff->service_ticks[side] = ks_log_row_ticks(&c->logs[side]->rows[c->at[side]]);
    const ks_server server = c->logs[1]->rows[c->at[1]].server;
    for (size_t i = 0; i < c->logs[0]->count; i++) {
        const ks_log_row *a = &c->logs[0]->rows[i];
        const size_t got = c->match.got_of[i];
        if (got == KS_LOG_NO_ROW || a->server != server || ks_log_row_is_pause(a)) continue;
        const int64_t more = ks_log_row_ticks(&c->logs[1]->rows[got]) - ks_log_row_ticks(a);
        diff->server_rows++;
        if (!more) continue;
        if (!diff->server_rows_changed || more < diff->server_least_ticks)
            diff->server_least_ticks = more;
        if (!diff->server_rows_changed || more > diff->server_most_ticks)
            diff->server_most_ticks = more;
        diff->server_rows_changed++;
    }
}

static int64_t size_of(int64_t ticks) { return ticks < 0 ? -ticks : ticks; }

/* The rows that both logs have, from the divergence on: how late each ends. */
static bool next_late(const comparison *c, size_t *seq, ks_log_mark *mark) {
    for (; *seq < c->logs[0]->count; ++*seq) {
        const size_t got = c->match.got_of[*seq];
        const ks_log_row *a = &c->logs[0]->rows[*seq];
        if (got == KS_LOG_NO_ROW || ks_log_row_is_pause(a)) continue;
        *mark = (ks_log_mark){*seq, (int64_t)(c->logs[1]->rows[got].end - a->end)};
        ++*seq;
        return true;
    }
    return false;
}

static size_t drift_begin(const comparison *c) {
    if (c->at[0] != KS_LOG_NO_ROW) return c->at[0];
    const uint64_t time = c->logs[1]->rows[c->at[1]].start;
    size_t seq = 0;
    while (seq < c->logs[0]->count && c->logs[0]->rows[seq].start < time) seq++;
    return seq;
}

static uint64_t last_end(const ks_log *log) {
    uint64_t end = 0;
    for (size_t i = 0; i < log->count; i++)
        if (!ks_log_row_is_pause(&log->rows[i]) && log->rows[i].end > end) end = log->rows[i].end;
    return end;
}

static uint64_t shape_drift(const comparison *c, size_t begin) {
    ks_log_diff *diff = c->diff;
    ks_log_mark mark, last = {0, 0};
    uint64_t count = 0;
    bool is_growing = true, is_shrinking = true;
    for (size_t seq = begin; next_late(c, &seq, &mark); count++) {
        if (count && mark.late_ticks < last.late_ticks) is_growing = false;
        if (count && mark.late_ticks > last.late_ticks) is_shrinking = false;
        if (!count || size_of(mark.late_ticks) > size_of(diff->most_late.late_ticks))
            diff->most_late = mark;
        last = mark;
    }
    diff->is_drift_constant = count && is_growing && is_shrinking;
    diff->is_drift_growing = count && is_growing && !is_shrinking;
    diff->is_drift_shrinking = count && is_shrinking && !is_growing;
    return count;
}

static void measure_drift(comparison *c) {
    ks_log_diff *diff = c->diff;
    const size_t begin = drift_begin(c);
    const uint64_t count = shape_drift(c, begin);
    const uint64_t wanted = count < KS_LOG_MARKS ? count : KS_LOG_MARKS;
    ks_log_mark mark;
    size_t seq = begin;
    for (uint64_t i = 0; i < count && next_late(c, &seq, &mark); i++)
        if (wanted == 1 || i == diff->mark_count * (count - 1) / (wanted - 1))
            diff->marks[diff->mark_count++] = mark;
}

ks_status ks_log_compare(const ks_log *expected, const ks_log *got, ks_arena *arena,
                         ks_log_diff *diff) {
    comparison c = {.logs = {expected, got}, .arena = arena, .diff = diff, .is_fine = true};
    *diff = (ks_log_diff){.row_counts = {expected->count, got->count}};
    const ks_status status = ks_log_match_rows(expected, got, &c.match);
    if (status) return status;
    diff->total_ticks[0] = last_end(expected);
    diff->total_ticks[1] = last_end(got);
    find_divergence(&c);
    if (diff->change != KS_LOG_SAME) {
        diff->has_expected = c.at[0] != KS_LOG_NO_ROW;
        diff->has_got = c.at[1] != KS_LOG_NO_ROW;
        if (diff->has_expected) put_line(&c, 0, c.at[0], &diff->expected);
        if (diff->has_got) put_line(&c, 1, c.at[1], &diff->got);
        if (diff->has_expected && diff->has_got) list_fields(diff);
        diff->is_pause_ahead = is_pause_ahead(&c);
        put_starter(&c, 0);
        put_starter(&c, 1);
        put_blocker(&c);
        put_context(&c);
        count_server(&c);
        measure_drift(&c);
    }
    ks_log_match_free(&c.match);
    return c.is_fine ? KS_OK : KS_NO_MEMORY;
}
