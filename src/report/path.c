#include "report/path.h"

#include <stdlib.h>

typedef struct path_row {
    ks_path_step step; /* without its share */
    uint64_t occupied_end;
    uint32_t segment;
    bool has_cause, is_cause_occupancy;
    uint32_t cause_cmd, cause_segment;
    int64_t cause_stage;
} path_row;

struct ks_path_log {
    path_row *rows;
    ks_path_step *steps;
    size_t count, room;
};

ks_path_log *ks_path_log_new(void) { return calloc(1, sizeof(ks_path_log)); }

void ks_path_log_free(ks_path_log *log) {
    if (!log) return;
    free(log->rows);
    free(log->steps);
    free(log);
}

ks_status ks_path_log_row(void *self, const ks_op_row *row) {
    ks_path_log *log = self;
    if (row->kind == KS_ROW_STALL || row->kind == KS_ROW_WAIT) return KS_OK; /* never on the path */
    if (log->count == log->room) {
        const size_t room = log->room ? 2 * log->room : 1024;
        path_row *rows = realloc(log->rows, room * sizeof *rows);
        if (!rows) return KS_NO_MEMORY;
        log->rows = rows;
        log->room = room;
    }
    log->rows[log->count++] = (path_row){
        .step = {.seq = row->seq,
                 .cmd = row->cmd,
                 .stage = row->stage,
                 .server = row->server,
                 .kind = row->kind,
                 .op = row->op->kind,
                 .start = row->start,
                 .end = row->end},
        .occupied_end = row->occupied_end,
        .segment = row->segment,
        .has_cause = row->has_cause,
        .is_cause_occupancy = row->is_cause_occupancy,
        .cause_cmd = row->cause_cmd,
        .cause_segment = row->cause_segment,
        .cause_stage = row->cause_stage,
    };
    return KS_OK;
}

static int compare(const void *left, const void *right) {
    const path_row *a = left, *b = right;
    if (a->step.cmd != b->step.cmd) return a->step.cmd < b->step.cmd ? -1 : 1;
    if (a->step.stage != b->step.stage) return a->step.stage < b->step.stage ? -1 : 1;
    return a->segment < b->segment ? -1 : a->segment > b->segment;
}

static const path_row *find_cause(const ks_path_log *log, const path_row *row) {
    const path_row wanted = {.step = {.cmd = row->cause_cmd, .stage = row->cause_stage},
                             .segment = row->cause_stage == KS_CPU_STAGE ? row->cause_segment : 0};
    const path_row *found = bsearch(&wanted, log->rows, log->count, sizeof *log->rows, compare);
    if (!found)
        KS_BUG("row %llu names a cause that is not there", (unsigned long long)row->step.seq);
    return found;
}

/* The row that ended last; of several the smallest (cmd, stage). */
static const path_row *find_last(const ks_path_log *log) {
    const path_row *last = NULL;
    for (size_t i = 0; i < log->count; i++)
        if (!last || log->rows[i].step.end > last->step.end) last = &log->rows[i];
    return last;
}

size_t ks_path_walk(ks_path_log *log, const ks_path_step **steps) {
    size_t count = 0;
    qsort(log->rows, log->count, sizeof *log->rows, compare);
    free(log->steps);
    log->steps = calloc(log->count + 1, sizeof *log->steps);
    *steps = log->steps;
    if (!log->steps) return 0;
    bool is_occupancy = false;
    for (const path_row *row = find_last(log); row;) {
        ks_path_step *step = &log->steps[count++];
        *step = row->step;
        step->occupied_ticks = row->occupied_end - row->step.start;
        step->latency_ticks = is_occupancy ? 0 : row->step.end - row->occupied_end;
        is_occupancy = row->is_cause_occupancy;
        row = row->has_cause ? find_cause(log, row) : NULL;
    }
    for (size_t i = 0; i < count / 2; i++) {
        const ks_path_step other = log->steps[i];
        log->steps[i] = log->steps[count - 1 - i];
        log->steps[count - 1 - i] = other;
    }
    return count;
}
