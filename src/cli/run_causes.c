#include "cli/run_causes.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/diff_anchor.h"
#include "cli/reproduce.h"
#include "cli/sweep_axes.h"
#include "report/log_diff_text.h"
#include "run/cost.h"

struct ks_run_causes {
    const ks_sweep *sweep;
    const ks_grid *grid;
    const ks_options *options;
    ks_sweep_axes *axes;
    ks_causes *causes;
    uint64_t end; /* indices below it ran */
    uint32_t steps[KS_NAME_ALL];
};

ks_run_causes *ks_run_causes_new(const ks_sweep *sweep, const ks_grid *grid,
                                 const ks_options *options) {
    ks_run_causes *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    *c = (ks_run_causes){.sweep = sweep, .grid = grid, .options = options};
    c->axes = ks_sweep_axes_new(sweep);
    if (c->axes) c->causes = ks_causes_new(ks_sweep_axes_of(c->axes));
    if (c->causes) return c;
    ks_run_causes_free(c);
    return NULL;
}

void ks_run_causes_free(ks_run_causes *c) {
    if (!c) return;
    ks_causes_free(c->causes);
    ks_sweep_axes_free(c->axes);
    free(c);
}

ks_status ks_run_causes_take(ks_run_causes *c, const ks_record *record) {
    c->end = record->index + 1;
    if (!record->is_red) return KS_OK;
    ks_cell cell;
    const ks_status status = ks_grid_at(c->grid, record->index, &cell, NULL);
    if (status) return status;
    const ks_kernel *kernel = &c->sweep->kernels->kernels[ks_param_of(&cell.point, KS_P_kernel)];
    ks_sweep_axes_steps(c->axes, &cell.point, cell.label, c->steps);
    return ks_causes_take(c->causes, record, c->steps, ks_cost_stages(kernel, &cell.point));
}

/* Calls `visit` for every point that ran. */
static ks_status walk(ks_run_causes *c, void (*visit)(ks_causes *, const uint32_t *),
                      ks_error *error) {
    ks_cell cell;
    for (uint64_t i = 0; i < c->end; i++) {
        const ks_status status = ks_grid_at(c->grid, i, &cell, error);
        if (status) return status;
        if (cell.status != KS_CELL_RUN) continue;
        ks_sweep_axes_steps(c->axes, &cell.point, cell.label, c->steps);
        visit(c->causes, c->steps);
    }
    return KS_OK;
}

static ks_status add_commands(ks_run_causes *c, size_t number, const ks_failure_cause *cause) {
    ks_text show = {0}, all = {0};
    const ks_record record = {.row = cause->row, .key = cause->key, .change = cause->change};
    ks_reproduce_point(&show, c->sweep, c->options, &record);
    if (cause->points > 1) ks_reproduce_where(&all, c->sweep, c->options, cause->where);
    const ks_status status =
        show.has_failed || all.has_failed
            ? KS_NO_MEMORY
            : ks_causes_reproduce(c->causes, number, show.data, ks_text_string(&all));
    ks_text_free(&show);
    ks_text_free(&all);
    return status;
}

ks_status ks_run_causes_end(ks_run_causes *c, ks_cause_list *list, ks_error *error) {
    ks_status status = KS_OK;
    *list = (ks_cause_list){0};
    if (ks_causes_points(c->causes) == 0) return KS_OK;
    status = walk(c, ks_causes_see, error);
    if (!status) status = walk(c, ks_causes_look, error);
    if (!status) status = ks_causes_list(c->causes, list);
    for (size_t i = 0; i < list->count && !status; i++)
        status = add_commands(c, i, &list->causes[i]);
    if (status == KS_NO_MEMORY) ks_fail(error, status, "out of memory");
    return status;
}

static ks_status ask_anchor(ks_run_causes *c, size_t number, const ks_failure_cause *cause,
                            const char *folder, ks_error *error) {
    ks_anchor anchor = {.is_there = false};
    ks_text lines = {0};
    ks_status status = ks_anchor_find(c->options, folder, cause->key, &anchor, error);
    if (!status && anchor.is_there && anchor.diff.change != KS_LOG_SAME) {
        ks_text_add_format(&lines, "anchor: %s\n", ks_text_string(&anchor.key));
        ks_log_diff_print_first(&lines, &anchor.diff);
        status =
            lines.has_failed ? KS_NO_MEMORY : ks_causes_tell_first(c->causes, number, lines.data);
        if (status) ks_fail(error, status, "out of memory");
    }
    ks_text_free(&lines);
    ks_anchor_free(&anchor);
    return status;
}

/* Anchors are a help: one that cannot be read is said, and fails nothing. */
ks_status ks_run_causes_ask_anchors(ks_run_causes *c, const ks_cause_list *list, size_t count,
                                    const char *golden_path, ks_error *error) {
    ks_text folder = {0};
    ks_status status = KS_OK;
    ks_folder_of_file(&folder, golden_path);
    for (size_t i = 0; i < list->count && i < count && !status; i++) {
        const ks_change *change = list->causes[i].change;
        if (!change || !ks_change_has(change, KS_COL_oplog_xxh128)) continue;
        status = ask_anchor(c, i, &list->causes[i], ks_text_string(&folder), error);
    }
    ks_text_free(&folder);
    if (status != KS_INPUT) return status;
    fprintf(stderr, "kernsweep: no anchor was asked: %s\n", error->text);
    error->text[0] = '\0';
    return KS_OK;
}
