/* adr: result tables of decision records. What is stored beside the page is what it says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/adr.h"
#include "cli/verbs.h"
#include "kernels/kernels.h"
#include "report/adr_block.h"
#include "run/gates.h"

enum { MOST_PAGE_BYTES = 1 << 26 };

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
    ks_status status = ks_adr_make_folder_of(w->adr->into, error);
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
        status = ks_adr_write_whole(w->adr->into, page.data, page.length, error);
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
    if (!status) status = ks_adr_get_results(w, error);
    if (!status) status = ks_adr_render(w, error);
    if (!status)
        status = ks_adr_write_whole(w->gates_path.data, w->gates.data, w->gates.length, error);
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
