#include "run/adr_collect.h"

#include <string.h>

#include "base/decimal.h"
#include "base/file.h"
#include "run/adr_points.h"
#include "run/gates.h"
#include "run/report_folder.h"
#include "sweep/key.h"

enum { MOST_SETS = 64 };

/* A sweep as it was asked for. */
typedef struct asked {
    ks_sweep *sweep;
    ks_grid *grid;
    uint64_t points;
    ks_text sets; /* what its options point to */
} asked;

static ks_status open_sweep(const ks_adr *adr, const char *file, const char *const *sets,
                            size_t set_count, const char *where, asked *out, ks_error *error) {
    ks_sweep_options options = {.sets = sets, .set_count = set_count, .where = where};
    ks_grid_count *count = NULL;
    options.column_count = ks_gate_columns(&options.columns);
    ks_status status = ks_sweep_read(file, adr->kernels, &options, &out->sweep, error);
    if (!status) status = ks_grid_new(out->sweep, KS_GRID_MAX_POINTS, &out->grid, error);
    if (!status) status = ks_grid_count_new(out->grid, &count, error);
    if (!status) out->points = count->cells[KS_CELL_RUN];
    ks_grid_count_free(count);
    return status;
}

static void close_sweep(asked *a) {
    ks_grid_free(a->grid);
    ks_sweep_free(a->sweep);
    ks_text_free(&a->sets);
}

/* ---- sweeps ---- */

typedef struct taking {
    ks_adr_rows *rows;
    const ks_adr_rows *known; /* NULL: none */
    const char *source;
    ks_status status;
    ks_error *error;
} taking;

static bool is_of(const ks_adr_row *row, const char *source) {
    return strcmp(row->source, source) == 0;
}

static bool known(const void *self, const char *key, ks_row *row) {
    const taking *t = self;
    const ks_adr_row *stored = t->known ? ks_adr_rows_find(t->known, key) : NULL;
    if (!stored || !is_of(stored, t->source)) return false;
    *row = stored->row;
    return true;
}

static uint64_t count_known(const taking *t) {
    uint64_t count = 0;
    for (size_t i = 0; t->known && i < t->known->count; i++)
        count += is_of(&t->known->items[i], t->source);
    return count;
}

static void format(const void *self, const ks_record *record, ks_text *line) {
    (void)self, (void)record, (void)line;
}

static ks_status take(void *self, const ks_record *record, const ks_text *line) {
    taking *t = self;
    (void)line;
    t->status =
        ks_adr_rows_add(t->rows, t->source, record->key, record->label, record->row, t->error);
    return t->status;
}

static ks_status run_sweep(const asked *a, const ks_adr_collect_options *o, taking *t) {
    ks_account account;
    ks_error why = {{0}};
    ks_job job = {.kernels = a->sweep->kernels,
                  .isa = o->isa,
                  .mode = a->sweep->mode,
                  .oplog = a->sweep->oplog == KS_OPLOG_FULL ? KS_OPLOG_HASH : a->sweep->oplog};
    for (int i = 0; i < KS_DTYPE_COUNT; i++) {
        const ks_limit *limit = &a->sweep->tolerance[i];
        job.tolerance[i] =
            (ks_tolerance){limit->is_twice_plain ? KS_TOLERANCE_TWICE_PLAIN : KS_TOLERANCE_ABSOLUTE,
                           limit->limit, 0};
    }
    const ks_run_options options = {.job = &job,
                                    .threads = o->threads,
                                    .is_stopped = o->is_stopped,
                                    .self = t,
                                    .known = known,
                                    .format = format,
                                    .take = take};
    const ks_status status = ks_run(a->sweep, a->grid, &options, a->points, &account, &why);
    if (t->status) return t->status;
    return status ? ks_fail(t->error, status, "%s", why.text) : KS_OK;
}

static bool is_same(const ks_adr_collect_options *o, const char *source) {
    return o->rows && ks_adr_inputs_is_same(o->inputs, o->now, source);
}

static ks_status collect_sweep(const ks_adr *adr, const ks_adr_path *path,
                               const ks_adr_collect_options *o, ks_adr_rows *rows,
                               ks_adr_inputs *inputs, ks_error *error) {
    asked a = {0};
    taking t = {.rows = rows, .source = path->text, .error = error};
    if (is_same(o, path->text)) t.known = o->rows;
    ks_status status = open_sweep(adr, path->text, NULL, 0, NULL, &a, error);
    if (!status) {
        ks_adr_inputs_add_sweep(inputs, path->text, a.sweep, a.points);
        const uint64_t count = count_known(&t), left = a.points > count ? a.points - count : 0;
        if (o->begin && left) o->begin(o->self, path->text, left, a.points);
        status = run_sweep(&a, o, &t);
    }
    close_sweep(&a);
    return status;
}

/* ---- report folders ---- */

/* What run.json says of the run; texts live in the tree's arena. */
typedef struct folder_facts {
    const char *file, *commit, *sweep, *calibration, *where, *exit_code, *points;
    bool is_dirty, is_whole;
    const char *sets[MOST_SETS];
    size_t set_count;
} folder_facts;

static bool is_true(const char *text) { return text && strcmp(text, "true") == 0; }

static ks_status read_facts(const ks_report_folder *report, folder_facts *facts, ks_error *error) {
    const char *path = report->path;
    const ks_tree *sweeps = ks_tree_find(report->json, "sweeps");
    if (!sweeps || sweeps->kind != KS_TREE_LIST || sweeps->count != 1 ||
        sweeps->first->kind != KS_TREE_MAP)
        return ks_fail(error, KS_INPUT,
                       "%s/run.json: found no single sweep, expected the report folder of "
                       "one sweep",
                       path);
    const ks_tree *run = sweeps->first, *digests = ks_tree_find(run, "digests"),
                  *set = ks_tree_find(run, "set"), *program = ks_tree_find(report->json, "program");
    *facts = (folder_facts){.file = ks_report_folder_text(run, "file"),
                            .commit = ks_report_folder_text(program, "commit"),
                            .sweep = ks_report_folder_text(digests, "sweep"),
                            .calibration = ks_report_folder_text(digests, "calibration"),
                            .where = ks_report_folder_text(run, "where"),
                            .points = ks_report_folder_text(digests, "points"),
                            .exit_code = ks_report_folder_text(run, "exit_code"),
                            .is_dirty = is_true(ks_report_folder_text(program, "dirty")),
                            .is_whole = is_true(ks_report_folder_text(run, "complete"))};
    for (const ks_tree *item = set ? set->first : NULL; item; item = item->next) {
        if (facts->set_count == MOST_SETS)
            return ks_place_fail(error, &item->place, "found more than %d sets", MOST_SETS);
        facts->sets[facts->set_count++] = item->text;
    }
    if (facts->file && strcmp(facts->file, "-") == 0)
        return ks_fail(error, KS_INPUT,
                       "%s/run.json: found a sweep from standard input, expected one from a file: "
                       "the page names what it was made from",
                       path);
    if (facts->file && facts->commit && facts->sweep && facts->exit_code) return KS_OK;
    return ks_fail(error, KS_INPUT,
                   "%s/run.json: found no file, commit, exit_code or digest of the sweep, expected "
                   "the run.json of a run",
                   path);
}

/* Results of other inputs than today's would be given today's values in the provenance. */
static ks_status check_folder(const char *folder, const folder_facts *facts, const asked *a,
                              ks_error *error) {
    if (!facts->is_whole)
        return ks_fail(error, KS_IO, "%s: the run is not complete, expected all its points",
                       folder);
    if (!ks_report_folder_is_digest(facts->sweep, &a->sweep->digest))
        return ks_fail(error, KS_FAILED,
                       "%s: stale: sweep changed: %s is not the file that it was "
                       "made from; run it again",
                       folder, facts->file);
    const bool had = facts->calibration != NULL, has = a->sweep->calibration_path != NULL;
    if (had == has &&
        (!had || ks_report_folder_is_digest(facts->calibration, &a->sweep->calibration_digest)))
        return KS_OK;
    return ks_fail(error, KS_FAILED,
                   "%s: stale: calibration changed: it was made from other "
                   "values; run it again",
                   folder);
}

static void add_folder(ks_adr_inputs *inputs, const char *source, const folder_facts *facts) {
    ks_text commit = {0};
    ks_text_add_format(&commit, "%.12s%s", facts->commit, facts->is_dirty ? "-dirty" : "");
    ks_adr_inputs_add(inputs, source, "commit", ks_text_string(&commit));
    ks_adr_inputs_add(inputs, source, "exit_code", facts->exit_code);
    inputs->has_failed |= commit.has_failed;
    ks_text_free(&commit);
}

/* --set and --where of the run, so that its grid can be expanded again. */
static void add_options(ks_adr_inputs *inputs, const char *source, const folder_facts *facts) {
    ks_text sets = {0};
    for (size_t i = 0; i < facts->set_count; i++)
        ks_text_add_format(&sets, "%s%s", i ? "\n" : "", facts->sets[i]);
    ks_adr_inputs_add(inputs, source, "set", ks_text_string(&sets));
    ks_adr_inputs_add(inputs, source, "where", facts->where ? facts->where : "");
    inputs->has_failed |= sets.has_failed;
    ks_text_free(&sets);
}

static ks_status take_folder(const ks_adr *adr, const ks_adr_path *path, const folder_facts *facts,
                             const char *points, const ks_adr_collect_options *options,
                             ks_adr_rows *rows, ks_adr_inputs *inputs, ks_error *error) {
    asked a = {0};
    ks_status status =
        open_sweep(adr, facts->file, facts->sets, facts->set_count, facts->where, &a, error);
    if (!status) status = check_folder(path->text, facts, &a, error);
    if (!status) {
        const ks_adr_points_source source = {path->text, points, facts->points ? facts->points : "",
                                             ks_mode_name(a.sweep->mode)};
        ks_adr_inputs_add_sweep(inputs, path->text, a.sweep, a.points);
        add_folder(inputs, path->text, facts);
        add_options(inputs, path->text, facts);
        status = ks_adr_points_take(rows, &source, options, error);
    }
    close_sweep(&a);
    return status;
}

static ks_status collect_folder(const ks_adr *adr, const ks_adr_path *path,
                                const ks_adr_collect_options *options, ks_adr_rows *rows,
                                ks_adr_inputs *inputs, ks_error *error) {
    folder_facts facts;
    ks_report_folder report;
    ks_text points = {0};
    ks_text_add_format(&points, "%s/points.csv", path->text);
    ks_status status = ks_report_folder_open(&report, path->text, error);
    if (!status) status = read_facts(&report, &facts, error);
    if (!status && points.has_failed) status = ks_fail(error, KS_NO_MEMORY, "out of memory");
    if (!status) status = take_folder(adr, path, &facts, points.data, options, rows, inputs, error);
    ks_report_folder_close(&report);
    ks_text_free(&points);
    return status;
}

/* The rows of a folder that was read before, which need not be there any more. */
static bool stands(const ks_adr_collect_options *o, const char *source) {
    const taking t = {.known = o->rows, .source = source};
    if (!is_same(o, source) || !ks_adr_inputs_find(o->inputs, source, "commit")) return false;
    const char *points = ks_adr_inputs_find(o->inputs, source, "points");
    uint64_t planned;
    return !ks_path_exists(source) ||
           (points && ks_u64_parse(points, strlen(points), &planned) && count_known(&t) == planned);
}

static ks_status copy_folder(const ks_adr_collect_options *o, const char *source, ks_adr_rows *rows,
                             ks_adr_inputs *inputs, ks_error *error) {
    for (size_t i = 0; i < o->inputs->count; i++) {
        const ks_adr_input *input = &o->inputs->items[i];
        if (strcmp(input->source, source) == 0)
            ks_adr_inputs_add(inputs, source, input->name, input->value);
    }
    ks_status status = KS_OK;
    for (size_t i = 0; i < o->rows->count && !status; i++) {
        const ks_adr_row *row = &o->rows->items[i];
        if (is_of(row, source))
            status = ks_adr_rows_add(rows, source, row->key, row->label, &row->row, error);
    }
    return status;
}

static ks_status collect_source(const ks_adr *adr, const ks_adr_path *path,
                                const ks_adr_collect_options *options, ks_adr_rows *rows,
                                ks_adr_inputs *inputs, ks_error *error) {
    if (stands(options, path->text)) return copy_folder(options, path->text, rows, inputs, error);
    if (!ks_path_exists(path->text))
        return ks_place_fail(error, &path->place,
                             "found '%s', expected a sweep file or a report folder that is there",
                             path->text);
    return ks_path_is_folder(path->text) ? collect_folder(adr, path, options, rows, inputs, error)
                                         : collect_sweep(adr, path, options, rows, inputs, error);
}

ks_status ks_adr_collect(const ks_adr *adr, const ks_adr_collect_options *options,
                         ks_adr_rows *rows, ks_adr_inputs *inputs, ks_error *error) {
    ks_adr_inputs_add_program(inputs);
    for (size_t i = 0; i < adr->result_count; i++) {
        const ks_status status =
            collect_source(adr, &adr->results[i], options, rows, inputs, error);
        if (status) return status;
    }
    return inputs->has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory") : KS_OK;
}

/* ---- without running ---- */

/* The sets that were joined by line feeds; `joined` is cut up. */
static size_t split_sets(char *joined, const char **sets) {
    size_t count = 0;
    for (char *at = joined; at && count < MOST_SETS;) {
        char *end = strchr(at, '\n');
        sets[count++] = at;
        if (end) *end = '\0';
        at = end ? end + 1 : NULL;
    }
    return count;
}

/* The sweep of a source, as stored inputs know it or as the table file names it. */
static ks_status open_source(const ks_adr *adr, const ks_adr_inputs *stored, const char *source,
                             asked *a, ks_error *error) {
    const char *sets[MOST_SETS];
    const char *commit = ks_adr_inputs_find(stored, source, "commit");
    const char *file = commit ? ks_adr_inputs_find(stored, source, "file") : source;
    const char *set = ks_adr_inputs_find(stored, source, "set");
    const char *where = ks_adr_inputs_find(stored, source, "where");
    if (set && *set) ks_text_add_string(&a->sets, set);
    if (a->sets.has_failed) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    return open_sweep(adr, file ? file : source, sets, split_sets(a->sets.data, sets),
                      where && *where ? where : NULL, a, error);
}

/* What the folder was asked with is what it is compared with. */
static void copy_options(const ks_adr_inputs *stored, ks_adr_inputs *now, const char *source) {
    static const char *const names[] = {"commit", "exit_code", "set", "where"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = ks_adr_inputs_find(stored, source, names[i]);
        if (value) ks_adr_inputs_add(now, source, names[i], value);
    }
}

ks_status ks_adr_inputs_now(const ks_adr *adr, const ks_adr_inputs *stored, ks_adr_inputs *now,
                            ks_error *error) {
    ks_adr_inputs_add_program(now);
    for (size_t i = 0; i < adr->result_count; i++) {
        const char *source = adr->results[i].text;
        asked a = {0};
        if (!ks_adr_inputs_find(stored, source, "file") && ks_path_is_folder(source)) {
            ks_adr_inputs_add(now, source, "points", ""); /* not read yet: it is new to the table */
            continue;
        }
        const ks_status status = open_source(adr, stored, source, &a, error);
        if (!status) {
            ks_adr_inputs_add_sweep(now, source, a.sweep, a.points);
            copy_options(stored, now, source);
        }
        close_sweep(&a);
        if (status) return status;
    }
    return now->has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory") : KS_OK;
}

void ks_adr_list_missing(const ks_adr *adr, const ks_adr_inputs *stored, const char *source,
                         const ks_adr_rows *rows, size_t most, ks_text *out) {
    asked a = {0};
    ks_error error;
    ks_text key = {0};
    size_t said = 0;
    if (!open_source(adr, stored, source, &a, &error)) {
        for (uint64_t i = 0; i < ks_grid_size(a.grid) && said < most; i++) {
            ks_cell cell;
            if (ks_grid_at(a.grid, i, &cell, &error)) break;
            if (cell.status != KS_CELL_RUN) continue;
            ks_text_clear(&key);
            ks_key_print(&key, adr->kernels, &cell.point);
            if (ks_adr_rows_find(rows, ks_text_string(&key))) continue;
            ks_text_add_format(out, "%s\n", ks_text_string(&key));
            said++;
        }
    }
    ks_text_free(&key);
    close_sweep(&a);
}
