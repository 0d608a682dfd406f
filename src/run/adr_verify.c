#include "run/adr_verify.h"

#include <stdlib.h>
#include <string.h>

typedef struct verifying {
    const ks_adr_stored *stored;
    const ks_adr_collect_options *options;
    ks_worker **workers; /* by thread */
    ks_text *findings;   /* by row; empty: equal */
    atomic_int status;   /* the first failure */
} verifying;

static bool is_stopped(const verifying *v) {
    return atomic_load(&v->status) ||
           (v->options->is_stopped && atomic_load(v->options->is_stopped));
}

/* Figures alone are compared, so the tolerance must not matter. */
static ks_job job_of(const verifying *v, const ks_adr_row *row) {
    const char *mode = ks_adr_inputs_find(&v->stored->inputs, row->source, "mode");
    ks_job job = {.kernels = v->stored->rows.kernels, .isa = v->options->isa};
    job.mode = KS_MODE_TIMING;
    for (int m = KS_MODE_DISPATCH; m <= KS_MODE_DATA; m++)
        if (mode && strcmp(mode, ks_mode_name((ks_mode)m)) == 0) job.mode = (ks_mode)m;
    job.oplog = ks_row_has(&row->row, KS_COL_oplog_xxh128) ? KS_OPLOG_HASH : KS_OPLOG_NONE;
    for (int i = 0; i < KS_DTYPE_COUNT; i++)
        job.tolerance[i] = (ks_tolerance){KS_TOLERANCE_ABSOLUTE, 1e300, 0};
    return job;
}

static void say_cell(ks_text *out, const ks_row *row, ks_column column) {
    if (ks_row_has(row, column))
        ks_row_print_cell(out, row, column);
    else
        ks_text_add_string(out, "nothing");
}

static bool is_same_cell(const ks_row *a, const ks_row *b, ks_column column, ks_text *texts) {
    for (int i = 0; i < 2; i++) {
        ks_text_clear(&texts[i]);
        ks_row_print_cell(&texts[i], i ? b : a, column);
    }
    return strcmp(ks_text_string(&texts[0]), ks_text_string(&texts[1])) == 0;
}

static void compare(const ks_adr_row *stored, const ks_row *now, ks_text *out) {
    ks_text texts[2] = {{0}, {0}};
    const bool was_out = stored->row.verdict == KS_VERDICT_infeasible;
    if (was_out != (now->verdict == KS_VERDICT_infeasible) ||
        (was_out && strcmp(stored->row.reason, now->reason) != 0))
        ks_text_add_format(out, "%s: stored %s %s, simulated %s %s\n", stored->key,
                           ks_verdict_name(stored->row.verdict), stored->row.reason,
                           ks_verdict_name(now->verdict), now->reason);
    for (int c = 0; c < KS_COLUMN_COUNT && !out->length; c++) {
        if (is_same_cell(&stored->row, now, (ks_column)c, texts)) continue;
        ks_text_add_format(out, "%s: %s: stored ", stored->key,
                           ks_column_describe((ks_column)c)->name);
        say_cell(out, &stored->row, (ks_column)c);
        ks_text_add_string(out, ", simulated ");
        say_cell(out, now, (ks_column)c);
        ks_text_add_char(out, '\n');
    }
    for (int i = 0; i < 2; i++) {
        out->has_failed |= texts[i].has_failed;
        ks_text_free(&texts[i]);
    }
}

static void verify_row(void *self, int thread, size_t index) {
    verifying *v = self;
    const ks_adr_row *row = &v->stored->rows.items[index];
    const ks_job job = job_of(v, row);
    ks_error detail = {{0}};
    ks_row now = {.verdict = KS_VERDICT_not_run};
    if (is_stopped(v)) return;
    const ks_status status =
        ks_point_run(v->workers[thread], &job, &row->point, row->key, &now, &detail);
    if (status)
        atomic_store(&v->status, (int)status);
    else
        compare(row, &now, &v->findings[index]);
    if (v->findings[index].has_failed) atomic_store(&v->status, KS_NO_MEMORY);
}

static bool make_room(verifying *v) {
    v->workers = calloc((size_t)v->options->threads, sizeof(ks_worker *));
    v->findings = calloc(v->stored->rows.count + 1, sizeof *v->findings);
    bool is_fine = v->workers && v->findings;
    for (int i = 0; is_fine && i < v->options->threads; i++)
        is_fine = (v->workers[i] = ks_worker_new()) != NULL;
    return is_fine;
}

static void free_room(verifying *v) {
    for (int i = 0; v->workers && i < v->options->threads; i++) ks_worker_free(v->workers[i]);
    for (size_t i = 0; v->findings && i < v->stored->rows.count; i++) ks_text_free(&v->findings[i]);
    free(v->workers);
    free(v->findings);
}

ks_status ks_adr_verify(const ks_adr_stored *stored, const ks_adr_collect_options *options,
                        ks_text *out, size_t *count, ks_error *error) {
    verifying v = {.stored = stored, .options = options};
    *count = 0;
    ks_status status = make_room(&v) ? KS_OK : KS_NO_MEMORY;
    if (!status) {
        ks_run_each(options->threads, stored->rows.count, &v, verify_row);
        status = (ks_status)atomic_load(&v.status);
    }
    for (size_t i = 0; !status && i < stored->rows.count; i++) {
        ks_text_add_string(out, ks_text_string(&v.findings[i]));
        *count += v.findings[i].length > 0;
    }
    const bool is_cut = options->is_stopped && atomic_load(options->is_stopped);
    free_room(&v);
    if (status)
        return ks_fail(error, status, "%s",
                       status == KS_IO ? "a point could not be run" : "out of memory");
    return is_cut ? ks_fail(error, KS_IO, "interrupted") : KS_OK;
}
