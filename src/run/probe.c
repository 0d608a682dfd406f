#include "run/probe.h"

#include <stdlib.h>
#include <string.h>

#include "device/plan.h"
#include "run/point_run.h"

typedef __int128 wide;

/* An end of a row. */
typedef struct row_end {
    uint64_t time, start;     /* ticks; start of its row */
    uint64_t segments, bytes; /* of the row itself: a DISPATCH has 1 and its bytes */
} row_end;

/* A different time at which something ended, with the dispatching on the way to it. */
typedef struct instant {
    uint64_t time, segments, bytes;
} instant;

struct ks_probe {
    const ks_kernel_table *kernels;
    ks_worker *worker;
    ks_point point; /* that ran last */
    row_end *ends;
    size_t end_count, end_room;
    instant *instants; /* the start of the point first */
    size_t instant_count, instant_room;
    bool has_tie; /* an instant of which parts would go apart */

    ks_arena *arena; /* of the works */
    ks_point shape;  /* that they are of */
    ks_work *works;
    size_t work_count, work_room;
};

ks_probe *ks_probe_new(const ks_kernel_table *kernels) {
    ks_probe *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->kernels = kernels;
    p->worker = ks_worker_new();
    p->arena = ks_arena_new(1 << 16);
    if (p->worker && p->arena) return p;
    ks_probe_free(p);
    return NULL;
}

void ks_probe_free(ks_probe *p) {
    if (!p) return;
    ks_worker_free(p->worker);
    ks_arena_free(p->arena);
    free(p->ends);
    free(p->instants);
    free(p->works);
    free(p);
}

/* Room for one more item; false: out of memory. */
static bool make_room(void **items, size_t count, size_t *room, size_t item_bytes) {
    if (count < *room) return true;
    const size_t more = *room ? 2 * *room : 1024;
    void *larger = realloc(*items, more * item_bytes);
    if (!larger) return false;
    *items = larger;
    *room = more;
    return true;
}

/* ---- instants ---- */

static bool add_end(ks_probe *p, const row_end *end) {
    if (!make_room((void **)&p->ends, p->end_count, &p->end_room, sizeof *p->ends)) return false;
    p->ends[p->end_count++] = *end;
    return true;
}

static ks_status take_row(void *self, const ks_op_row *row) {
    ks_probe *p = self;
    if (row->kind == KS_ROW_STALL || row->kind == KS_ROW_WAIT) return KS_OK; /* end with others */
    const bool is_dispatch = row->kind == KS_ROW_DISPATCH;
    row_end end = {row->end, row->start, is_dispatch, is_dispatch ? row->bytes : 0};
    if (!add_end(p, &end)) return KS_NO_MEMORY;
    end.time = row->occupied_end;
    return end.time == row->end || add_end(p, &end) ? KS_OK : KS_NO_MEMORY;
}

static int compare_ends(const void *a, const void *b) {
    const row_end *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

static const instant *find_instant(const ks_probe *p, uint64_t time) {
    size_t low = 0, high = p->instant_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (p->instants[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    if (p->instants[low].time != time) KS_BUG("a row starts when nothing ends");
    return &p->instants[low];
}

/* What the end would be as an instant of its own. */
static instant moved_by(const ks_probe *p, const row_end *end) {
    const instant *start = find_instant(p, end->start);
    return (instant){end->time, start->segments + end->segments, start->bytes + end->bytes};
}

/* A row without length starts at its own instant: it parts from it as soon as it has one. */
static void join_instant(ks_probe *p, const row_end *end, bool *is_open) {
    instant *last = &p->instants[p->instant_count - 1];
    const bool has_length = end->start < end->time;
    if (!has_length) p->has_tie = true;
    if (last->time == end->time) {
        const instant own = has_length ? moved_by(p, end) : *last;
        if (*is_open) *last = own;
        *is_open = false;
        p->has_tie |= own.segments != last->segments || own.bytes != last->bytes;
        return;
    }
    const instant next = has_length ? moved_by(p, end) : (instant){end->time, 0, 0};
    p->instants[p->instant_count++] = next;
    *is_open = !has_length;
}

static ks_status gather_instants(ks_probe *p) {
    bool is_open = false; /* the last instant so far has rows without length alone */
    qsort(p->ends, p->end_count, sizeof *p->ends, compare_ends);
    p->has_tie = false;
    p->instant_count = 0;
    for (size_t i = 0; i <= p->end_count; i++) {
        if (!make_room((void **)&p->instants, p->instant_count, &p->instant_room,
                       sizeof *p->instants))
            return KS_NO_MEMORY;
        if (i == 0)
            p->instants[p->instant_count++] = (instant){0};
        else
            join_instant(p, &p->ends[i - 1], &is_open);
    }
    return KS_OK;
}

ks_status ks_probe_run(ks_probe *p, const ks_point *point, ks_probed *out, ks_error *error) {
    const ks_job job = {.kernels = p->kernels,
                        .mode = KS_MODE_TIMING,
                        .oplog = KS_OPLOG_NONE,
                        .watcher = {p, take_row}};
    ks_row row;
    ks_error detail;
    p->point = *point;
    p->end_count = 0;
    p->instant_count = 0;
    *out = (ks_probed){.has_figures = false};
    ks_status status = ks_point_run(p->worker, &job, point, "", &row, &detail);
    if (!status && row.verdict == KS_VERDICT_crash) status = KS_NO_MEMORY;
    if (status) return ks_fail(error, status, "a point could not be run to its end");
    if (row.verdict != KS_VERDICT_pass) return KS_OK;
    if (gather_instants(p)) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    const instant *last = &p->instants[p->instant_count - 1];
    if (last->time != row.figures[KS_COL_total_cycles].count)
        KS_BUG("something ends after the last command");
    *out = (ks_probed){true, last->time, last->segments, last->bytes};
    return KS_OK;
}

/* ---- how long the order stays ---- */

uint64_t ks_probe_reach(const ks_probe *p, int64_t fixed_ticks, int64_t byte_ticks) {
    uint64_t reach = UINT64_MAX;
    if (p->has_tie || p->instant_count == 0) return 0;
    for (size_t i = 1; i < p->instant_count; i++) {
        const instant *a = &p->instants[i - 1], *b = &p->instants[i];
        const wide rise = ((wide)b->segments - (wide)a->segments) * fixed_ticks +
                          ((wide)b->bytes - (wide)a->bytes) * byte_ticks;
        if (rise >= 0) continue;
        const wide steps = ((wide)(b->time - a->time) - 1) / -rise;
        if (steps < (wide)reach) reach = (uint64_t)steps;
    }
    return reach;
}

/* The least of slope * x over low <= x <= high. */
static wide least(wide slope, wide low, wide high) { return slope * (slope < 0 ? high : low); }

bool ks_probe_holds(const ks_probe *p, const ks_dispatch_box *box) {
    const uint64_t fixed = ks_ticks_of(&p->point.calibration, KS_C_dispatch_fixed_cycles);
    const uint64_t byte = ks_ticks_of(&p->point.calibration, KS_C_dispatch_cycles_per_byte);
    const bool is_point = box->fixed_low == box->fixed_high && box->byte_low == box->byte_high;
    if (is_point) return true;
    if (p->has_tie || p->instant_count == 0) return false;
    for (size_t i = 1; i < p->instant_count; i++) {
        const instant *a = &p->instants[i - 1], *b = &p->instants[i];
        const wide gap = (wide)(b->time - a->time) +
                         least((wide)b->segments - (wide)a->segments, (wide)box->fixed_low - fixed,
                               (wide)box->fixed_high - fixed) +
                         least((wide)b->bytes - (wide)a->bytes, (wide)box->byte_low - byte,
                               (wide)box->byte_high - byte);
        if (gap <= 0) return false;
    }
    return true;
}

/* ---- services ---- */

static bool is_shape(ks_name name) {
    if (name < KS_NAME_CONSTANTS) return true;
    const ks_constant_class of =
        ks_constant_describe((ks_constant)(name - KS_NAME_CONSTANTS))->value_class;
    return of != KS_DECIMAL_FROM_0 && of != KS_DECIMAL_ABOVE_0;
}

static bool has_shape(const ks_point *a, const ks_point *b) {
    for (ks_name name = 0; name < KS_NAME_COUNT; name++)
        if (is_shape(name) && ks_point_get(a, name) != ks_point_get(b, name)) return false;
    return true;
}

static bool add_work(ks_probe *p, const ks_work *work) {
    for (size_t i = p->work_count; i-- > 0;)
        if (memcmp(&p->works[i], work, sizeof *work) == 0) return true;
    if (!make_room((void **)&p->works, p->work_count, &p->work_room, sizeof *p->works))
        return false;
    p->works[p->work_count++] = *work;
    return true;
}

static ks_status add_works(ks_probe *p, const ks_program *program, const ks_machine *machine) {
    for (uint32_t c = 0; c < program->command_count; c++) {
        ks_plan plan;
        bool is_known = false;
        for (uint32_t k = 0; k < c && !is_known; k++)
            is_known = ks_plan_is_shared(program->commands[k], program->commands[c]);
        if (is_known) continue;
        ks_status status = ks_plan_shape(program->commands[c], machine, p->arena, &plan);
        for (uint32_t s = 0; s < plan.stage_count && !status; s++)
            if (!add_work(p, &plan.stages[s].work)) status = KS_NO_MEMORY;
        if (status) return status;
    }
    return KS_OK;
}

/* The different works of the point's shape; none where it has no program. */
static ks_status gather_works(ks_probe *p, const ks_point *point, ks_error *error) {
    const ks_job job = {.kernels = p->kernels, .mode = KS_MODE_DISPATCH, .oplog = KS_OPLOG_NONE};
    ks_row row;
    ks_error detail;
    const ks_machine machine = ks_machine_of(point);
    p->work_count = 0;
    ks_arena_reset(p->arena);
    ks_status status = ks_point_run(p->worker, &job, point, "", &row, &detail);
    const ks_program *program = ks_worker_program(p->worker);
    if (!status && program) status = add_works(p, program, &machine);
    if (status && status != KS_INPUT) return ks_fail(error, status, "out of memory");
    p->shape = *point;
    if (status == KS_INPUT) p->work_count = 0;
    return KS_OK;
}

ks_status ks_probe_same_services(ks_probe *p, const ks_point *a, const ks_point *b, bool *is_same,
                                 ks_error *error) {
    const ks_machine x = ks_machine_of(a), y = ks_machine_of(b);
    *is_same = x.dma_latency_ticks == y.dma_latency_ticks;
    if (p->work_count == 0 || !has_shape(&p->shape, a)) {
        const ks_status status = gather_works(p, a, error);
        if (status) return status;
    }
    if (p->work_count == 0) *is_same = false; /* nothing is known of it */
    for (size_t i = 0; i < p->work_count && *is_same; i++) {
        const uint64_t ticks = ks_work_ticks(&x, &p->works[i]);
        *is_same = ticks != UINT64_MAX && ticks == ks_work_ticks(&y, &p->works[i]);
    }
    return KS_OK;
}
