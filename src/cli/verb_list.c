/* list: what a sweep holds, without running it. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/list_more.h"
#include "cli/verbs.h"
#include "kernels/kernels.h"
#include "report/json.h"
#include "result/row.h"
#include "run/cost.h"
#include "run/gates.h"
#include "sweep/grid.h"
#include "sweep/key.h"

typedef struct listing {
    const ks_options *options;
    ks_sweep *sweep;
    ks_grid *grid;
    ks_grid_count *count;
} listing;

static const char *const status_names[KS_CELL_STATUS_COUNT] = {
    [KS_CELL_RUN] = "planned",
    [KS_CELL_NOT_WHERE] = "removed by where",
    [KS_CELL_NOT_OPTION] = "removed by --where",
    [KS_CELL_EXCLUDED] = "excluded",
    [KS_CELL_NOT_APPLICABLE] = "not applicable",
    [KS_CELL_DUPLICATE] = "duplicates",
};

static const char *const status_keys[KS_CELL_STATUS_COUNT] = {
    [KS_CELL_RUN] = "planned",
    [KS_CELL_NOT_WHERE] = "not_where",
    [KS_CELL_NOT_OPTION] = "not_option",
    [KS_CELL_EXCLUDED] = "excluded",
    [KS_CELL_NOT_APPLICABLE] = "not_applicable",
    [KS_CELL_DUPLICATE] = "duplicates",
};

/* ---- names and columns ---- */

static const char *default_of(ks_name name) {
    return name < KS_NAME_CONSTANTS
               ? ks_param_describe((ks_param)name)->default_text
               : ks_constant_describe((ks_constant)(name - KS_NAME_CONSTANTS))->default_text;
}

static const char *about_of(ks_name name) {
    return name < KS_NAME_CONSTANTS
               ? ks_param_describe((ks_param)name)->about
               : ks_constant_describe((ks_constant)(name - KS_NAME_CONSTANTS))->about;
}

static const char *unit_of(ks_name name) {
    return name < KS_NAME_CONSTANTS
               ? ""
               : ks_constant_describe((ks_constant)(name - KS_NAME_CONSTANTS))->unit;
}

static const char *source_of(ks_name name) {
    if (name < KS_NAME_CONSTANTS) return "parameter";
    const bool is_from_adr =
        ks_constant_describe((ks_constant)(name - KS_NAME_CONSTANTS))->is_from_adr;
    return is_from_adr ? "ADR-0065" : "assumption";
}

static const char *default_text(ks_name name) {
    return name == KS_NAME_CONSTANTS + (int)KS_C_gemm_rule ? ks_gemm_rule_name(KS_RULE_MAC)
                                                           : default_of(name);
}

static void print_name(const char *const cells[5]) {
    printf("%-28s %-11s %-12s %-10s %s\n", cells[0], cells[1], cells[2], cells[3], cells[4]);
}

static int list_constants(bool is_json) {
    ks_text out = {0};
    ks_json json = ks_json_on(&out);
    static const char *const keys[] = {"name", "default", "unit", "source", "about"};
    if (is_json) ks_json_begin(&json, '[');
    if (!is_json) print_name(keys);
    for (ks_name name = 0; name < KS_NAME_COUNT; name++) {
        const char *const cells[] = {ks_name_text(name), default_text(name), unit_of(name),
                                     source_of(name), about_of(name)};
        if (!is_json) {
            print_name(cells);
            continue;
        }
        ks_json_begin(&json, '{');
        for (int i = 0; i < 5; i++) ks_json_put_string(&json, keys[i], cells[i]);
        ks_json_end(&json, '}');
    }
    if (is_json) ks_json_end(&json, ']');
    fputs(ks_text_string(&out), stdout);
    ks_text_free(&out);
    return 0;
}

/* Columns of points.csv that are no figures. */
static const char *const text_columns[][2] = {
    {"id", "first 16 hex digits of XXH3-128 of the KEY"},
    {"verdict", "pass, fail, xfail, xpass, infeasible, error, doubt, timeout, crash"},
    {"reason", "`name key=number ...` of a verdict that is not pass"},
    {"model", "labels of the models with this point, joined by |"},
    {"kernel", "then every parameter and constant that the sweep varies or sets"},
};
static const char *const last_columns[][2] = {
    {"golden", "match, mismatch, new (the golden has no such row), none (no golden asked)"},
    {"invariants", "ok, skipped, or the ids that failed, joined by |"},
};

static void print_column(ks_json *json, bool is_json, const char *name, const char *unit,
                         const char *about) {
    if (!is_json) {
        printf("%-26s %-8s %s\n", name, unit, about);
        return;
    }
    ks_json_begin(json, '{');
    ks_json_put_string(json, "name", name);
    ks_json_put_string(json, "unit", unit);
    ks_json_put_string(json, "about", about);
    ks_json_end(json, '}');
}

static int list_columns(bool is_json) {
    ks_text out = {0};
    ks_json json = ks_json_on(&out);
    if (is_json) ks_json_begin(&json, '[');
    for (size_t i = 0; i < sizeof text_columns / sizeof text_columns[0]; i++)
        print_column(&json, is_json, text_columns[i][0], "", text_columns[i][1]);
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        const ks_column_info *info = ks_column_describe((ks_column)c);
        print_column(&json, is_json, info->name, info->unit, info->about);
    }
    for (size_t i = 0; i < sizeof last_columns / sizeof last_columns[0]; i++)
        print_column(&json, is_json, last_columns[i][0], "", last_columns[i][1]);
    if (is_json) ks_json_end(&json, ']');
    fputs(ks_text_string(&out), stdout);
    ks_text_free(&out);
    return 0;
}

/* ---- points ---- */

static ks_status each_point(const listing *l, void *self,
                            void (*take)(void *self, const ks_point *point), ks_error *error) {
    ks_cell cell;
    for (uint64_t i = 0; i < ks_grid_size(l->grid) && !ferror(stdout); i++) {
        const ks_status status = ks_grid_at(l->grid, i, &cell, error);
        if (status) return status;
        if (cell.status == KS_CELL_RUN) take(self, &cell.point);
    }
    return KS_OK;
}

static void print_key(void *self, const ks_point *point) {
    ks_text *key = self;
    ks_text_clear(key);
    ks_key_print(key, &ks_kernels, point);
    puts(ks_text_string(key));
}

static void add_key(void *self, const ks_point *point) {
    ks_text key = {0};
    ks_key_print(&key, &ks_kernels, point);
    ks_json_string(self, ks_text_string(&key));
    ks_text_free(&key);
}

static ks_status list_points(const listing *l, ks_error *error) {
    ks_text out = {0};
    ks_json json = ks_json_on(&out);
    ks_status status;
    if (l->options->is_json) {
        ks_json_begin(&json, '[');
        status = each_point(l, &json, add_key, error);
        ks_json_end(&json, ']');
        if (!status) fputs(ks_text_string(&out), stdout);
    } else {
        status = each_point(l, &out, print_key, error);
    }
    ks_text_free(&out);
    return status;
}

/* ---- the arithmetic ---- */

static void print_axis(const ks_axis *axis) {
    static const char *const origins[] = {
        [KS_FROM_AXES] = "axis", [KS_FROM_ZIP] = "zip", [KS_FROM_SET] = "set"};
    printf("  %-4s ", origins[axis->origin]);
    if (axis->names & KS_NAME_BIT(KS_NAME_MODEL)) printf("model ");
    for (size_t c = 0; c < axis->column_count; c++)
        printf("%s ", ks_name_text(axis->columns[c].name));
    printf("x %" PRIu32 "\n", axis->count);
}

typedef struct estimate {
    const listing *listing;
    double seconds;
    ks_list_costs costs;
} estimate;

static void add_cost(void *self, const ks_point *point) {
    estimate *e = self;
    const ks_kernel *kernel = &ks_kernels.kernels[ks_param_of(point, KS_P_kernel)];
    e->seconds += ks_cost_seconds(kernel, point, e->listing->sweep->mode, e->listing->sweep->oplog);
    ks_list_costs_take(&e->costs, e->listing->sweep, point);
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void print_rule(const listing *l, const char *kind, const ks_rule *rule, const char *what,
                       uint64_t count) {
    printf("  %s rule at %s:%zu %s %" PRIu64 " point%s%s%s%s\n", kind, l->sweep->file,
           rule->place.line, what, count, plural(count), rule->why[0] ? ": " : "", rule->why,
           count ? "" : " - it matches nothing");
}

static void print_arithmetic(const listing *l, double seconds) {
    const ks_sweep *s = l->sweep;
    printf("%s: %s\nmode %s, op_log %s, golden %s, calibration %s\n", s->name, s->about,
           ks_mode_name(s->mode), ks_oplog_mode_name(s->oplog),
           s->pins_logs      ? "oplog"
           : s->wants_golden ? "check"
                             : "none",
           s->calibration_path ? s->calibration_path : "defaults");
    for (size_t i = 0; i < s->axis_count; i++) print_axis(&s->axes[i]);
    printf("grid: %" PRIu64 " point%s\n", l->count->total, plural(l->count->total));
    for (int i = KS_CELL_RUN + 1; i < KS_CELL_STATUS_COUNT; i++)
        if (l->count->cells[i]) printf("  - %" PRIu64 " %s\n", l->count->cells[i], status_names[i]);
    for (size_t i = 0; i < s->exclude_count; i++)
        print_rule(l, "exclude", &s->excludes[i], "removed", l->count->excludes[i].removed);
    for (size_t i = 0; i < s->expect_count; i++)
        print_rule(l, "expect", &s->expects[i], "matches", l->count->expects[i].matched);
    printf("  = %" PRIu64 " planned, %zu gate%s\n", l->count->cells[KS_CELL_RUN], s->gate_count,
           plural(s->gate_count));
    printf(
        "estimate: %.1f s on one thread (a rough figure, from a machine that writes 8 million op_log "
        "records a second)\n",
        seconds);
}

static void print_json(const listing *l, double seconds) {
    ks_text out = {0};
    ks_json json = ks_json_on(&out);
    ks_json_begin(&json, '{');
    ks_json_put_string(&json, "sweep", l->sweep->name);
    ks_json_put_string(&json, "about", l->sweep->about);
    ks_json_put_string(&json, "mode", ks_mode_name(l->sweep->mode));
    ks_json_put_u64(&json, "grid", l->count->total);
    for (int i = 0; i < KS_CELL_STATUS_COUNT; i++)
        ks_json_put_u64(&json, status_keys[i], l->count->cells[i]);
    ks_json_key(&json, "exclude_removed");
    ks_json_begin(&json, '[');
    for (size_t i = 0; i < l->sweep->exclude_count; i++)
        ks_json_u64(&json, l->count->excludes[i].removed);
    ks_json_end(&json, ']');
    ks_json_key(&json, "expect_matched");
    ks_json_begin(&json, '[');
    for (size_t i = 0; i < l->sweep->expect_count; i++)
        ks_json_u64(&json, l->count->expects[i].matched);
    ks_json_end(&json, ']');
    ks_json_key(&json, "estimated_seconds");
    ks_json_double(&json, seconds);
    ks_json_end(&json, '}');
    fputs(ks_text_string(&out), stdout);
    ks_text_free(&out);
}

static ks_status list_sweep(listing *l, ks_error *error) {
    ks_sweep_options sweep_options = {
        .sets = l->options->sets, .set_count = l->options->set_count, .where = l->options->where};
    sweep_options.column_count = ks_gate_columns(&sweep_options.columns);
    ks_status status =
        ks_sweep_read(l->options->arguments[0], &ks_kernels, &sweep_options, &l->sweep, error);
    if (!status) status = ks_grid_new(l->sweep, l->options->max_points, &l->grid, error);
    if (!status) status = ks_grid_count_new(l->grid, &l->count, error);
    if (status) return status;
    if (l->options->shows_points) return list_points(l, error);
    estimate e = {.listing = l};
    status = each_point(l, &e, add_cost, error);
    if (status) return status;
    if (l->options->is_json)
        print_json(l, e.seconds);
    else
        print_arithmetic(l, e.seconds);
    if (!l->options->is_json && l->options->is_verbose) ks_list_more_print(l->sweep, &e.costs);
    return KS_OK;
}

int ks_verb_list(const ks_options *options) {
    ks_error error = {{0}};
    if (options->shows_constants) return list_constants(options->is_json);
    if (options->shows_columns) return list_columns(options->is_json);
    listing l = {.options = options};
    const ks_status status = list_sweep(&l, &error);
    ks_grid_count_free(l.count);
    ks_grid_free(l.grid);
    ks_sweep_free(l.sweep);
    return ks_say_error(status, &error);
}
