/* adr: result tables of decision records. What is stored beside the page is what it says. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_seal.h"
#include "base/file.h"
#include "cli/adr.h"
#include "cli/verbs.h"
#include "kernels/kernels.h"
#include "report/adr_block.h"
#include "run/gates.h"

enum { MOST_STORED_BYTES = 1 << 28, MOST_PAGE_BYTES = 1 << 26 };

/* ---- files ---- */

static ks_status no_memory(ks_error *error) {
    return ks_fail(error, KS_NO_MEMORY, "out of memory");
}

static ks_status name_files(ks_adr_work *w, ks_error *error) {
    const char *into = w->adr->into, *slash = strrchr(into, '/');
    const int folder = slash ? (int)(slash - into) + 1 : 0;
    ks_text_add_format(&w->rows_path, "%.*s%s.results.csv", folder, into, w->adr->name);
    ks_text_add_format(&w->inputs_path, "%.*s%s.inputs.csv", folder, into, w->adr->name);
    ks_text_add_format(&w->robust_path, "%.*s%s.robustness.csv", folder, into, w->adr->name);
    ks_text_add_format(&w->gates_path, "%.*s%s.gates.csv", folder, into, w->adr->name);
    const bool has_failed = w->rows_path.has_failed || w->inputs_path.has_failed ||
                            w->robust_path.has_failed || w->gates_path.has_failed;
    return has_failed ? no_memory(error) : KS_OK;
}

/* New bytes are there whole or not at all. */
static ks_status write_whole(const char *path, const char *bytes, size_t length, ks_error *error) {
    ks_text part = {0};
    ks_text_add_format(&part, "%s.part", path);
    ks_status status =
        part.has_failed ? no_memory(error) : ks_file_write(part.data, bytes, length, error);
    if (!status) status = ks_path_rename(part.data, path, error);
    if (status && !part.has_failed && ks_path_remove(part.data, NULL))
        fprintf(stderr, "kernsweep: '%s' is left\n", part.data);
    ks_text_free(&part);
    return status;
}

static ks_status make_folder_of(const char *path, ks_error *error) {
    const char *slash = strrchr(path, '/');
    ks_text folder = {0};
    if (!slash || slash == path) return KS_OK;
    ks_text_add(&folder, path, (size_t)(slash - path));
    const ks_status status =
        folder.has_failed ? no_memory(error) : ks_folder_make(folder.data, error);
    ks_text_free(&folder);
    return status;
}

/* ---- what is stored ---- */

bool ks_adr_is_stored(const ks_adr_work *w) {
    return ks_path_exists(w->rows_path.data) && ks_path_exists(w->inputs_path.data) &&
           (w->adr->study_count == 0 || ks_path_exists(w->robust_path.data));
}

/* The rows of a stored file without their checks; `digest` (NULL: nobody asks) is of its bytes. */
static ks_status read_sealed(ks_adr_work *w, const char *path, ks_text *csv, ks_digest *digest,
                             ks_error *error) {
    ks_text bytes = {0};
    const ks_status status = ks_file_read(path, MOST_STORED_BYTES, &bytes, error);
    if (!status) ks_csv_unseal(csv, path, ks_text_string(&bytes), bytes.length, &w->edits);
    if (digest) *digest = ks_digest_of(ks_text_string(&bytes), bytes.length);
    ks_text_free(&bytes);
    return !status && (csv->has_failed || w->edits.has_failed) ? no_memory(error) : status;
}

static ks_status load_rows(ks_adr_work *w, ks_error *error) {
    const char *path = w->rows_path.data;
    ks_text csv = {0};
    ks_status status = ks_adr_rows_begin(&w->stored.rows, &ks_kernels) ? KS_OK : no_memory(error);
    if (!status) status = read_sealed(w, path, &csv, &w->stored.digest, error);
    if (!status)
        status = ks_adr_rows_parse(&w->stored.rows, path, ks_text_string(&csv), csv.length, error);
    ks_text_free(&csv);
    return status;
}

static ks_status load_inputs(ks_adr_work *w, ks_error *error) {
    const char *path = w->inputs_path.data;
    ks_text csv = {0};
    ks_status status = read_sealed(w, path, &csv, NULL, error);
    if (!status)
        status =
            ks_adr_inputs_parse(&w->stored.inputs, path, ks_text_string(&csv), csv.length, error);
    ks_text_free(&csv);
    return status;
}

static ks_status load_robust(ks_adr_work *w, ks_error *error) {
    const char *path = w->robust_path.data;
    ks_text csv = {0};
    if (w->adr->study_count == 0) return KS_OK;
    ks_status status = read_sealed(w, path, &csv, NULL, error);
    if (!status)
        status =
            ks_adr_robust_parse(&w->stored.robust, path, ks_text_string(&csv), csv.length, error);
    ks_text_free(&csv);
    return status;
}

/* An edit may make a row unreadable: then it is the edit that is wrong, not the row. */
ks_status ks_adr_load(ks_adr_work *w, ks_error *error) {
    static ks_status (*const parts[])(ks_adr_work *, ks_error *) = {load_rows, load_inputs,
                                                                    load_robust};
    ks_status status = KS_OK;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !status; i++)
        status = parts[i](w, error);
    fputs(ks_text_string(&w->edits), stdout);
    return status == KS_INPUT && w->edits.length ? KS_FAILED : status;
}

static void say_begin(void *self, const char *source, uint64_t points) {
    const ks_adr_work *w = self;
    if (!w->options->is_quiet)
        printf("%s: simulating %" PRIu64 " points of %s\n", w->adr->name, points, source);
}

ks_adr_collect_options ks_adr_collecting(ks_adr_work *w) {
    return (ks_adr_collect_options){.isa = w->options->isa,
                                    .threads = w->options->threads ? w->options->threads
                                                                   : ks_run_threads(),
                                    .is_stopped = &ks_is_stopped,
                                    .self = w,
                                    .begin = say_begin};
}

static ks_status write_sealed(const char *path, const ks_text *csv, ks_digest *digest,
                              ks_error *error) {
    ks_text bytes = {0};
    ks_csv_seal(&bytes, ks_text_string(csv), csv->length);
    if (digest) *digest = ks_digest_of(ks_text_string(&bytes), bytes.length);
    const ks_status status = csv->has_failed || bytes.has_failed
                                 ? no_memory(error)
                                 : write_whole(path, bytes.data, bytes.length, error);
    ks_text_free(&bytes);
    return status;
}

/* Inputs come last: without them nothing counts as stored. */
static ks_status store(ks_adr_work *w, ks_error *error) {
    ks_text csv = {0};
    ks_status status = make_folder_of(w->rows_path.data, error);
    ks_adr_rows_print(&csv, &w->stored.rows);
    if (!status) status = write_sealed(w->rows_path.data, &csv, &w->stored.digest, error);
    ks_text_clear(&csv);
    ks_adr_robust_print(&csv, &w->stored.robust);
    if (!status && w->adr->study_count)
        status = write_sealed(w->robust_path.data, &csv, NULL, error);
    ks_text_clear(&csv);
    ks_adr_inputs_print(&csv, &w->stored.inputs);
    if (!status) status = write_sealed(w->inputs_path.data, &csv, NULL, error);
    ks_text_free(&csv);
    return status;
}

static ks_status collect(ks_adr_work *w, ks_error *error) {
    const ks_adr_collect_options options = ks_adr_collecting(w);
    ks_adr_stored_free(&w->stored);
    ks_status status = ks_adr_rows_begin(&w->stored.rows, &ks_kernels) ? KS_OK : no_memory(error);
    if (!status)
        status = ks_adr_collect(w->adr, &options, &w->stored.rows, &w->stored.inputs, error);
    if (!status) status = ks_adr_take_studies(w, error);
    return status ? status : store(w, error);
}

/* Stored results stand as long as they are of today's inputs. */
static ks_status get_results(ks_adr_work *w, ks_error *error) {
    ks_adr_inputs now = {0};
    ks_text stale = {0};
    const bool is_stored = ks_adr_is_stored(w);
    ks_status status = is_stored && !w->options->collects ? ks_adr_load(w, error) : KS_OK;
    if (!status && w->edits.length)
        status = ks_fail(error, KS_FAILED,
                         "%s: edited rows are no results; `kernsweep adr %s --collect` takes them "
                         "anew",
                         w->adr->name, w->adr->file);
    if (status || !is_stored || w->options->collects) return status ? status : collect(w, error);
    status = ks_adr_inputs_now(w->adr, &w->stored.inputs, &now, error);
    if (!status) status = ks_adr_studies_now(w, &now, error);
    const bool is_stale = !status && ks_adr_inputs_compare(&stale, &w->stored.inputs, &now) > 0;
    fputs(ks_text_string(&stale), stdout);
    if (is_stale) status = collect(w, error);
    ks_adr_inputs_free(&now);
    ks_text_free(&stale);
    return status;
}

/* ---- the page ---- */

ks_status ks_adr_render(ks_adr_work *w, ks_error *error) {
    const ks_status status = ks_adr_judge(w->adr, &w->stored, &w->block, error);
    if (status) return status;
    ks_adr_block_print(&w->text, &w->block);
    ks_adr_groups_print(&w->gates, &w->block);
    return w->text.has_failed || w->gates.has_failed ? no_memory(error) : KS_OK;
}

/* The page, its markers sound, with the block of this table. */
ks_status ks_adr_open_page(ks_adr_work *w, ks_error *error) {
    const char *into = w->adr->into;
    if (!ks_path_exists(into))
        return ks_fail(error, KS_INPUT,
                       "%s: found no such file, expected the page with the block "
                       "of table=%s",
                       into, w->adr->name);
    ks_status status = ks_file_read(into, MOST_PAGE_BYTES, &w->page_bytes, error);
    if (!status)
        status = ks_adr_page_parse(into, ks_text_string(&w->page_bytes), w->page_bytes.length,
                                   &w->page, error);
    if (status) return status;
    w->span = ks_adr_page_find(&w->page, w->adr->name);
    if (w->span) return KS_OK;
    return ks_fail(error, KS_INPUT,
                   "%s: found no block of table=%s, expected the lines `<!-- kernsweep:begin "
                   "table=%s -->` and `<!-- kernsweep:end -->` where it belongs",
                   into, w->adr->name, w->adr->name);
}

/* A page that is not there is made, with nothing but the block. */
static ks_status begin_page(ks_adr_work *w, ks_error *error) {
    if (ks_path_exists(w->adr->into)) return ks_adr_open_page(w, error);
    ks_text_add_format(&w->page_bytes,
                       "# %s\n\n<!-- kernsweep:begin table=%s -->\n"
                       "<!-- kernsweep:end -->\n",
                       w->adr->name, w->adr->name);
    if (w->page_bytes.has_failed) return no_memory(error);
    ks_status status = make_folder_of(w->adr->into, error);
    if (!status)
        status = ks_adr_page_parse(w->adr->into, w->page_bytes.data, w->page_bytes.length, &w->page,
                                   error);
    if (!status) w->span = ks_adr_page_find(&w->page, w->adr->name);
    return status;
}

static ks_status guard_hand_edit(const ks_adr_work *w, ks_error *error) {
    if (w->options->is_forced || !ks_adr_is_edited(w)) return KS_OK;
    return ks_fail(error, KS_FAILED,
                   "%s:%zu: hand edit: the block of table=%s is not what kernsweep wrote; move the "
                   "edit outside of the markers, or write over it with --force",
                   w->adr->into, w->span->begin_line, w->adr->name);
}

static ks_status write_page(ks_adr_work *w, bool *has_changed, ks_error *error) {
    ks_text block = {0}, page = {0};
    ks_adr_block_wrap(&block, w->adr->name, &w->stored.digest, w->text.data, w->text.length);
    ks_adr_page_replace(&page, &w->page, w->span, ks_text_string(&block));
    *has_changed = !ks_path_exists(w->adr->into) || page.length != w->page_bytes.length ||
                   memcmp(ks_text_string(&page), w->page_bytes.data, page.length) != 0;
    ks_status status = KS_OK;
    if (block.has_failed || page.has_failed)
        status = no_memory(error);
    else if (*has_changed)
        status = write_whole(w->adr->into, page.data, page.length, error);
    ks_text_free(&block);
    ks_text_free(&page);
    return status;
}

/* ---- one table ---- */

static void say_missing(const ks_adr_work *w) {
    ks_text keys = {0};
    ks_adr_say_missing(w, &keys);
    fputs(ks_text_string(&keys), stdout);
    ks_text_free(&keys);
}

static ks_status make(ks_adr_work *w, int *code, ks_error *error) {
    bool has_changed = false;
    ks_status status = begin_page(w, error);
    if (!status) status = guard_hand_edit(w, error);
    if (!status) status = get_results(w, error);
    if (!status) status = ks_adr_render(w, error);
    if (!status) status = write_whole(w->gates_path.data, w->gates.data, w->gates.length, error);
    if (!status) status = write_page(w, &has_changed, error);
    if (status) return status;
    say_missing(w);
    if (!w->options->is_quiet)
        printf("%s: %zu stored results, %s %s\n", w->adr->name, w->stored.rows.count, w->adr->into,
               has_changed ? "written" : "is as it was");
    *code = ks_adr_say_result(w);
    return KS_OK;
}

static void free_work(ks_adr_work *w) {
    ks_adr_block_free(&w->block);
    ks_adr_stored_free(&w->stored);
    ks_adr_page_free(&w->page);
    ks_text_free(&w->rows_path);
    ks_text_free(&w->inputs_path);
    ks_text_free(&w->robust_path);
    ks_text_free(&w->gates_path);
    ks_text_free(&w->gates);
    ks_text_free(&w->edits);
    ks_text_free(&w->text);
    ks_text_free(&w->page_bytes);
    ks_adr_free(w->adr);
}

static int do_table(ks_adr_work *w) {
    const bool is_check = w->options->checks || w->options->verifies;
    ks_error error = {{0}};
    int code = 0;
    const ks_status status = is_check ? ks_adr_check(w, &code, &error) : make(w, &code, &error);
    return status ? ks_worst_code(code, ks_say_error(status, &error)) : code;
}

/* Every table is read before the first one is worked on. */
static ks_status read_all(const ks_options *options, ks_adr_work *works, ks_error *error) {
    ks_sweep_options columns = {0};
    columns.column_count = ks_gate_columns(&columns.columns);
    for (size_t i = 0; i < options->argument_count; i++) {
        ks_adr_work *w = &works[i];
        w->options = options;
        ks_status status =
            ks_adr_read(options->arguments[i], &ks_kernels, &columns, &w->adr, error);
        if (!status) status = name_files(w, error);
        for (size_t k = 0; k < i && !status; k++)
            if (strcmp(works[k].rows_path.data, w->rows_path.data) == 0)
                status = ks_fail(error, KS_INPUT,
                                 "%s: found the table '%s', expected another name or page: it is "
                                 "that of %s",
                                 w->adr->file, w->adr->name, works[k].adr->file);
        if (status) return status;
    }
    return KS_OK;
}

/* 0: the options go together. */
static int refuse_options(const ks_options *o) {
    const char *what = NULL;
    if (o->checks_inputs && !o->checks) what = "--inputs goes with --check";
    if ((o->checks || o->verifies) && (o->collects || o->is_forced))
        what = "--check and --verify write nothing; --collect and --force do";
    if (what) fprintf(stderr, "kernsweep: adr: %s\n", what);
    return what ? 2 : 0;
}

int ks_verb_adr(const ks_options *options) {
    ks_error error = {{0}};
    int code = refuse_options(options);
    if (code) return code;
    ks_adr_work *works = calloc(options->argument_count, sizeof *works);
    const ks_status status = works ? read_all(options, works, &error) : no_memory(&error);
    if (status) code = ks_say_error(status, &error);
    for (size_t i = 0; i < options->argument_count && !status; i++)
        code = ks_worst_code(code, do_table(&works[i]));
    for (size_t i = 0; i < options->argument_count && works; i++) free_work(&works[i]);
    free(works);
    return code;
}
