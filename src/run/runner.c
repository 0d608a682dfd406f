#include "run/runner.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/cost.h"
#include "run/pipeline.h"
#include "run/plan_cache.h"
#include "sweep/key.h"

/* Cheap points cost about the same, so few of them will do, and their slots stay in cache. */
enum { WINDOW = 1024, CHEAP_WINDOW = 128, FAIL_FAST_WINDOW = 16, BUNDLE = 8 };

/* One index of the grid and what became of it. Texts keep their memory from window to window. */
typedef struct slot {
    ks_cell cell;
    uint64_t index;
    double cost; /* estimate, in seconds */
    bool has_run;
    ks_row row;
    const ks_rule *rule;
    bool is_red_alone, is_red;
    ks_change change;
    ks_text key, label, params, detail, cells, line;
} slot;

/* Indices that follow each other. A bundle is run by one thread: points so short that taking one is
 * worth noticing, or points that share a plan, which only one thread then makes. */
typedef struct window {
    slot *slots;
    slot **order;    /* slots to run, the longest first */
    size_t *bundles; /* where each begins in `order`; after the last, where that ends */
    size_t count;
} window;

typedef struct runner {
    const ks_sweep *sweep;
    const ks_grid *grid;
    const ks_run_options *options;
    ks_account *account;
    ks_progress progress;
    ks_names shown; /* parameters that points.csv has a column for */
    window windows[KS_PIPELINE_PLACES];
    size_t room; /* slots of a window */
    ks_worker **workers;
    bool has_gap;              /* the next row cannot be handed over any more */
    ks_status status;          /* the first that is not KS_OK */
    atomic_bool has_failed;    /* the same, to be asked while threads run */
    atomic_bool is_red_enough; /* a red row was handed over, and that ends the run */
    ks_error *error;
} runner;

static bool is_stopped(const runner *r) {
    return r->options->is_stopped && atomic_load(r->options->is_stopped);
}

/* ---- a window's points ---- */

static const ks_kernel *kernel_of(const runner *r, const slot *s) {
    return &r->sweep->kernels->kernels[ks_param_of(&s->cell.point, KS_P_kernel)];
}

static ks_status expand(runner *r, slot *s, ks_error *error) {
    const ks_status status = ks_grid_at(r->grid, s->index, &s->cell, error);
    s->has_run = false;
    ks_text_clear(&s->label);
    if (status || s->cell.status != KS_CELL_RUN) return status;
    s->cost = ks_cost_seconds(kernel_of(r, s), &s->cell.point, r->options->job->mode,
                              r->options->job->oplog);
    ks_grid_labels(r->grid, s->index, &s->label);
    return KS_OK;
}

static int compare_costs(const void *left, const void *right) {
    const slot *const *a = left, *const *b = right;
    if ((*a)->cost != (*b)->cost) return (*a)->cost > (*b)->cost ? -1 : 1;
    return (*a)->index < (*b)->index ? -1 : 1;
}

static void print_params(const runner *r, slot *s) {
    ks_text_clear(&s->params);
    const ks_names taken = ks_kernel_names(kernel_of(r, s));
    for (ks_names left = r->shown; left; left &= left - 1) {
        const ks_name name = __builtin_ctzll(left);
        ks_text_add_char(&s->params, ',');
        if (taken & KS_NAME_BIT(name))
            ks_value_print(&s->params, name, r->sweep->kernels, ks_point_get(&s->cell.point, name));
    }
}

static ks_record record_of(const runner *r, const slot *s) {
    return (ks_record){
        .row = &s->row,
        .index = s->index,
        .key = ks_text_string(&s->key),
        .label = ks_text_string(&s->label),
        .kernel = kernel_of(r, s)->name,
        .params = ks_text_string(&s->params),
        .detail = ks_text_string(&s->detail),
        .why = s->rule ? s->rule->why : "",
        .cells = ks_text_string(&s->cells),
        .is_red_alone = s->is_red_alone,
        .is_red = s->is_red,
        .change = s->row.golden == KS_GOLDEN_mismatch ? &s->change : NULL,
    };
}

static void tell_progress(runner *r, const slot *s) {
#pragma omp critical(ks_runner_progress)
    {
        r->progress.ran++;
        r->progress.red += s->is_red;
        if (r->options->progress) r->options->progress(r->options->self, &r->progress);
    }
}

/* The golden pins the point's own verdict, before any rule. */
static void compare(const runner *r, slot *s, const ks_worker *worker) {
    const ks_verdict own = s->row.verdict;
    ks_text_clear(&s->cells);
    s->row.golden = KS_GOLDEN_none;
    s->row.verdict = ks_verdict_expected(own, s->rule, &s->is_red_alone);
    s->is_red = s->is_red_alone;
    if (!r->options->compare) return;
    const ks_verdict expected = s->row.verdict;
    s->row.verdict = own;
    const ks_record record = record_of(r, s);
    s->row.golden = r->options->compare(r->options->self, &record, ks_worker_blocks(worker),
                                        &s->cells, &s->change);
    s->row.verdict = ks_verdict_compared(expected, s->row.golden, &s->is_red);
    if (s->row.verdict == KS_VERDICT_fail && !s->row.reason[0])
        snprintf(s->row.reason, sizeof s->row.reason, "golden columns=%d",
                 ks_change_count(&s->change));
}

static ks_status run_slot(runner *r, slot *s, ks_worker *worker) {
    ks_error detail;
    ks_text_clear(&s->key);
    ks_text_clear(&s->detail);
    ks_text_clear(&s->line);
    ks_key_print(&s->key, r->sweep->kernels, &s->cell.point);
    const char *key = ks_text_string(&s->key);
    detail.text[0] = '\0';
    if (!r->options->known || !r->options->known(r->options->self, key, &s->row)) {
        const ks_status status =
            ks_point_run(worker, r->options->job, &s->cell.point, key, &s->row, &detail);
        if (status) return status;
    }
    if (detail.text[0]) ks_text_add_string(&s->detail, detail.text);
    const int rule = ks_grid_expect(r->grid, &s->cell.point, ks_text_string(&s->label));
    s->rule = rule < 0 ? NULL : &r->sweep->expects[rule];
    compare(r, s, worker);
    print_params(r, s);
    const ks_record record = record_of(r, s);
    r->options->format(r->options->self, &record, &s->line);
    s->has_run = true;
    tell_progress(r, s);
    if (s->key.has_failed || s->label.has_failed || s->params.has_failed || s->detail.has_failed ||
        s->cells.has_failed || s->line.has_failed)
        return KS_NO_MEMORY;
    return KS_OK;
}

static void keep_first_failure(runner *r, ks_status status, const ks_error *error) {
#pragma omp critical(ks_runner_failure)
    if (status && !r->status) {
        r->status = status;
        atomic_store(&r->has_failed, true);
        if (error && error->text[0]) *r->error = *error;
    }
}

/* The longest first, so that no thread waits long at the end. How many there are to run. */
static size_t order_by_cost(window *w) {
    bool is_even = true; /* as in mode dispatch: nothing to sort */
    size_t count = 0;
    for (size_t i = 0; i < w->count; i++) {
        slot *s = &w->slots[i];
        if (s->cell.status != KS_CELL_RUN) continue;
        w->order[count++] = s;
        is_even = is_even && s->cost == w->order[0]->cost;
    }
    if (!is_even) qsort(w->order, count, sizeof(slot *), compare_costs);
    return count;
}

/* Points so short that taking one is worth noticing. */
static bool is_cheap(const ks_job *job) {
    return job->mode == KS_MODE_DISPATCH ||
           (job->mode == KS_MODE_TIMING && job->oplog == KS_OPLOG_NONE);
}

static bool is_same_bundle(const runner *r, const slot *a, const slot *b) {
    if (is_cheap(r->options->job)) return true;
    return r->options->job->mode == KS_MODE_TIMING && kernel_of(r, a) == kernel_of(r, b) &&
           ks_plan_serves(kernel_of(r, a), &a->cell.point, &b->cell.point);
}

/* How many bundles the ordered slots make. */
static size_t bundle(const runner *r, window *w, size_t slot_count) {
    size_t count = 0;
    for (size_t i = 0; i < slot_count; i++) {
        const size_t first = count ? w->bundles[count - 1] : 0;
        const bool is_full = !count || i - first == BUNDLE;
        if (is_full || !is_same_bundle(r, w->order[first], w->order[i])) w->bundles[count++] = i;
    }
    w->bundles[count] = slot_count;
    return count;
}

static size_t begin_window(void *self, uint64_t number, int place) {
    runner *r = self;
    window *w = &r->windows[place];
    const uint64_t first = number * r->room, left = ks_grid_size(r->grid) - first;
    w->count = left < r->room ? (size_t)left : r->room;
    for (size_t i = 0; i < w->count; i++) {
        ks_error error = {{0}};
        w->slots[i].index = first + i;
        keep_first_failure(r, expand(r, &w->slots[i], &error), &error);
    }
    return bundle(r, w, order_by_cost(w));
}

static void run_bundle(void *self, int thread, int place, size_t item) {
    runner *r = self;
    const window *w = &r->windows[place];
    for (size_t i = w->bundles[item]; i < w->bundles[item + 1]; i++) {
        if (atomic_load(&r->has_failed) || is_stopped(r)) return;
        keep_first_failure(r, run_slot(r, w->order[i], r->workers[thread]), NULL);
    }
}

/* ---- in grid order ---- */

static void count(runner *r, const slot *s) {
    r->account->verdicts[s->row.verdict]++;
    r->account->verdicts[KS_VERDICT_not_run]--;
    r->account->red += s->is_red;
    r->account->goldens[s->row.golden]++;
    if (s->row.verdict == KS_VERDICT_infeasible || s->row.verdict == KS_VERDICT_error) return;
    r->account->paths[s->row.path]++;
    r->account->skipped_invariants += strcmp(s->row.invariants, "skipped") == 0;
    const bool is_compared =
        s->row.golden == KS_GOLDEN_match || s->row.golden == KS_GOLDEN_mismatch;
    r->account->bare_points += !is_compared && !ks_row_has(&s->row, KS_COL_nonfinite) &&
                               !ks_row_has(&s->row, KS_COL_oplog_xxh128);
}

static bool is_ruled_out(const slot *s) {
    if (s->cell.status == KS_CELL_RUN)
        return (s->row.verdict == KS_VERDICT_infeasible || s->row.verdict == KS_VERDICT_error) &&
               (s->rule || s->row.golden == KS_GOLDEN_match) && !s->is_red;
    return s->cell.status == KS_CELL_NOT_WHERE || s->cell.status == KS_CELL_NOT_OPTION ||
           s->cell.status == KS_CELL_EXCLUDED;
}

static ks_status hand_over(runner *r, slot *s) {
    ks_status status = KS_OK;
    if (s->has_run) {
        const ks_record record = record_of(r, s);
        count(r, s);
        status = r->options->take(r->options->self, &record, &s->line);
    }
    const bool is_copy =
        s->cell.status == KS_CELL_DUPLICATE || s->cell.status == KS_CELL_NOT_APPLICABLE;
    if (status || is_copy || !r->options->take_index) return status;
    return r->options->take_index(r->options->self, s->index, &s->cell.point,
                                  s->has_run ? ks_text_string(&s->label) : s->cell.label,
                                  s->has_run ? &s->row : NULL, is_ruled_out(s));
}

/* Rows have no gap: nothing follows one that did not run or could not be taken. */
static void end_window(void *self, int place) {
    runner *r = self;
    window *w = &r->windows[place];
    for (size_t i = 0; i < w->count && !r->has_gap; i++) {
        slot *s = &w->slots[i];
        r->has_gap = s->cell.status == KS_CELL_RUN && !s->has_run;
        if (r->has_gap) return;
        const ks_status status = hand_over(r, s);
        r->has_gap = status != KS_OK;
        keep_first_failure(r, status, NULL);
    }
    if (r->options->is_fail_fast && r->account->red) atomic_store(&r->is_red_enough, true);
}

static bool is_over(void *self) {
    runner *r = self;
    return atomic_load(&r->has_failed) || atomic_load(&r->is_red_enough) || is_stopped(r);
}

/* ---- the whole ---- */

int ks_run_threads(void) { return omp_get_num_procs(); }

void ks_run_each(int threads, size_t count, void *self,
                 void (*body)(void *self, int thread, size_t index)) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 4)
    for (size_t i = 0; i < count; i++) body(self, omp_get_thread_num(), i);
}

static size_t room_of(const ks_run_options *options) {
    if (options->is_fail_fast) return FAIL_FAST_WINDOW;
    return is_cheap(options->job) ? CHEAP_WINDOW : WINDOW;
}

static bool make_room(runner *r) {
    bool is_fine = true;
    for (int i = 0; i < KS_PIPELINE_PLACES; i++) {
        window *w = &r->windows[i];
        w->slots = calloc(r->room, sizeof *w->slots);
        w->order = calloc(r->room, sizeof(slot *));
        w->bundles = calloc(r->room + 1, sizeof *w->bundles);
        is_fine = is_fine && w->slots && w->order && w->bundles;
    }
    r->workers = calloc((size_t)r->options->threads, sizeof(ks_worker *));
    is_fine = is_fine && r->workers;
    for (int i = 0; is_fine && i < r->options->threads; i++)
        is_fine = (r->workers[i] = ks_worker_new()) != NULL;
    return is_fine;
}

static void free_window(window *w, size_t room) {
    for (size_t i = 0; w->slots && i < room; i++) {
        slot *s = &w->slots[i];
        ks_text *texts[] = {&s->key, &s->label, &s->params, &s->detail, &s->cells, &s->line};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) ks_text_free(texts[k]);
    }
    free(w->bundles);
    free(w->order);
    free(w->slots);
}

static void free_room(runner *r) {
    for (int i = 0; i < KS_PIPELINE_PLACES; i++) free_window(&r->windows[i], r->room);
    for (int i = 0; r->workers && i < r->options->threads; i++) ks_worker_free(r->workers[i]);
    free(r->workers);
}

static ks_status run_all(runner *r) {
    const uint64_t size = ks_grid_size(r->grid);
    uint64_t begun, ended;
    const ks_pipeline pipeline = {.window_count = (size + r->room - 1) / r->room,
                                  .threads = r->options->threads,
                                  .is_one_by_one = r->options->is_fail_fast,
                                  .self = r,
                                  .begin = begin_window,
                                  .run = run_bundle,
                                  .end = end_window,
                                  .is_over = is_over};
    const ks_status status = ks_pipeline_run(&pipeline, &begun, &ended);
    if (status) return status;
    for (uint64_t i = ended; i < begun; i++) end_window(r, (int)(i % KS_PIPELINE_PLACES));
    if (is_stopped(r)) return ks_fail(r->error, KS_IO, "interrupted");
    if (r->status) return r->status;
    return atomic_load(&r->is_red_enough) && ended < pipeline.window_count ? KS_FAILED : KS_OK;
}

ks_status ks_run(const ks_sweep *sweep, const ks_grid *grid, const ks_run_options *options,
                 uint64_t planned, ks_account *account, ks_error *error) {
    runner r = {.sweep = sweep,
                .grid = grid,
                .options = options,
                .account = account,
                .progress = {.planned = planned},
                .room = room_of(options),
                .error = error};
    *account = (ks_account){.planned = planned, .verdicts = {[KS_VERDICT_not_run] = planned}};
    error->text[0] = '\0';
    for (ks_name name = 0; name < KS_NAME_COUNT; name++)
        if (name != KS_P_kernel && ks_grid_shows(grid, name)) r.shown |= KS_NAME_BIT(name);
    ks_status status = make_room(&r) ? run_all(&r) : KS_NO_MEMORY;
    if (status == KS_NO_MEMORY) ks_fail(error, status, "out of memory");
    free_room(&r);
    return status;
}
