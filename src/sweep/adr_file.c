#include "sweep/adr_file.h"

#include <stdlib.h>
#include <string.h>

#include "sweep/adr_reader.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- the head ---- */

static ks_status read_into(ks_adr_reader *r, const ks_tree *root) {
    const ks_status status = ks_reader_line(&r->common, root, "into", true, &r->adr->into);
    const size_t length = status ? 0 : strlen(r->adr->into);
    if (status || (length > 3 && strcmp(r->adr->into + length - 3, ".md") == 0)) return status;
    return ks_reader_expected(&r->common, root, ks_tree_find(root, "into"), "into",
                              "a Markdown file: reports/adr/NAME.md");
}

static ks_status read_head(ks_adr_reader *r, const ks_tree *root) {
    static const char *const keys[] = {"table",   "about",  "into",     "results", "gates", "rows",
                                       "columns", "tables", "findings", "also",    "study"};
    ks_status status =
        ks_tree_expect_keys(root, "a table file", keys, COUNT(keys), "", r->common.error);
    if (status) return status;
    status = ks_reader_name(&r->common, root, "table", &r->adr->name);
    if (!status) status = ks_reader_line(&r->common, root, "about", false, &r->adr->about);
    return status ? status : read_into(r, root);
}

static ks_status read_paths(ks_adr_reader *r, const ks_tree *root, const char *key,
                            const char *expected, const ks_adr_path **out, size_t *count) {
    const ks_tree *list;
    const ks_status status = ks_reader_list(&r->common, root, key, false, expected, &list);
    if (status || !list) return status;
    ks_adr_path *paths = ks_reader_take(&r->common, list->count, sizeof *paths);
    if (!paths) return KS_NO_MEMORY;
    *out = paths;
    for (const ks_tree *item = list->first; item; item = item->next) {
        if (item->kind != KS_TREE_SCALAR || item->length == 0 || strchr(item->text, '\n'))
            return ks_reader_expected(&r->common, item, item, key, expected);
        for (size_t i = 0; i < *count; i++)
            if (strcmp(paths[i].text, item->text) == 0)
                return ks_place_fail(r->common.error, &item->place,
                                     "found '%s' a second time, expected each of %s once",
                                     item->text, key);
        paths[(*count)++] = (ks_adr_path){item->text, item->place};
    }
    return KS_OK;
}

static ks_status read_sources(ks_adr_reader *r, const ks_tree *root) {
    static const char *const EXPECTED = "a list of sweep files and report folders";
    ks_adr *adr = r->adr;
    ks_status status = read_paths(r, root, "results", EXPECTED, &adr->results, &adr->result_count);
    if (!status && adr->result_count == 0)
        return ks_reader_expected(&r->common, root, NULL, "results", EXPECTED);
    if (!status)
        status = read_paths(r, root, "study", "a list of report folders of studies", &adr->studies,
                            &adr->study_count);
    return status;
}

/* ---- findings and alternatives ---- */

static ks_status refuse_gate(ks_adr_reader *r, const ks_tree *item) {
    const char **names = ks_reader_take(&r->common, r->adr->gate_count + 1, sizeof *names);
    if (!names) return KS_NO_MEMORY;
    for (size_t g = 0; g < r->adr->gate_count; g++) names[g] = r->adr->gates[g].name;
    return ks_reader_unknown(&r->common, &item->place, item->text,
                             "the name of a gate of this table", names, r->adr->gate_count);
}

static ks_status read_carriers(ks_adr_reader *r, const ks_tree *map, ks_adr_finding *finding) {
    static const char *const EXPECTED = "a list of names of gates that carry the sentence";
    const ks_tree *list;
    const ks_status status = ks_reader_list(&r->common, map, "gates", true, EXPECTED, &list);
    if (status) return status;
    size_t *gates = ks_reader_take(&r->common, list->count, sizeof *gates);
    if (!gates) return KS_NO_MEMORY;
    finding->gates = gates;
    for (const ks_tree *item = list->first; item; item = item->next) {
        size_t g = 0;
        if (item->kind != KS_TREE_SCALAR)
            return ks_reader_expected(&r->common, item, item, "gates", EXPECTED);
        while (g < r->adr->gate_count && strcmp(r->adr->gates[g].name, item->text) != 0) g++;
        if (g == r->adr->gate_count) return refuse_gate(r, item);
        gates[finding->gate_count++] = g;
    }
    return KS_OK;
}

static ks_status read_findings(ks_adr_reader *r, const ks_tree *root) {
    static const char *const keys[] = {"text", "gates"};
    const ks_tree *list;
    ks_status status = ks_reader_list(&r->common, root, "findings", false,
                                      "a list of {text: SENTENCE, gates: [NAME]}", &list);
    if (status || !list) return status;
    ks_adr_finding *findings = ks_reader_take(&r->common, list->count, sizeof *findings);
    if (!findings) return KS_NO_MEMORY;
    r->adr->findings = findings;
    for (const ks_tree *item = list->first; item && !status; item = item->next) {
        ks_adr_finding *finding = &findings[r->adr->finding_count++];
        status = ks_tree_expect_keys(item, "a finding", keys, COUNT(keys), "", r->common.error);
        if (!status) status = ks_reader_line(&r->common, item, "text", true, &finding->text);
        if (!status) status = read_carriers(r, item, finding);
    }
    return status;
}

enum { MOST_OPS = 1000 };

/* [[3, 2], [6]]: two commands, of two ops and of one, with so many handles each. */
static ks_status read_dispatch(ks_adr_reader *r, const ks_tree *map, ks_adr_also *also) {
    static const char *const EXPECTED =
        "a list of commands, each the list of its ops' handles: [[3, 2], [6]]";
    const ks_tree *list;
    ks_status status = ks_reader_list(&r->common, map, "dispatch", false, EXPECTED, &list);
    if (status || !list) return status;
    uint64_t *handles = ks_reader_take(&r->common, MOST_OPS, sizeof *handles);
    size_t *op_counts = ks_reader_take(&r->common, list->count, sizeof *op_counts), total = 0;
    if (!handles || !op_counts) return KS_NO_MEMORY;
    also->handles = handles;
    also->op_counts = op_counts;
    for (const ks_tree *command = list->first; command; command = command->next) {
        if (command->kind != KS_TREE_LIST || command->count == 0)
            return ks_reader_expected(&r->common, command, command, "dispatch", EXPECTED);
        op_counts[also->command_count++] = command->count;
        for (const ks_tree *op = command->first; op && !status; op = op->next) {
            if (total == MOST_OPS)
                return ks_reader_expected(&r->common, op, op, "dispatch", "at most 1000 ops");
            status = ks_tree_whole(op, "the handles of an op", 0, 1000000, &handles[total++],
                                   r->common.error);
        }
        if (status) return status;
    }
    return KS_OK;
}

static ks_status read_alsos(ks_adr_reader *r, const ks_tree *root) {
    static const char *const keys[] = {"title", "why", "dispatch"};
    const ks_tree *list;
    ks_status status =
        ks_reader_list(&r->common, root, "also", false,
                       "a list of {title: TEXT, why: TEXT, dispatch: [[3, 2], [6]]}", &list);
    if (status || !list) return status;
    ks_adr_also *alsos = ks_reader_take(&r->common, list->count, sizeof *alsos);
    if (!alsos) return KS_NO_MEMORY;
    r->adr->alsos = alsos;
    for (const ks_tree *item = list->first; item && !status; item = item->next) {
        ks_adr_also *also = &alsos[r->adr->also_count++];
        status =
            ks_tree_expect_keys(item, "an alternative", keys, COUNT(keys), "", r->common.error);
        if (!status) status = ks_reader_line(&r->common, item, "title", true, &also->title);
        if (!status) status = ks_reader_line(&r->common, item, "why", true, &also->why);
        if (!status) status = read_dispatch(r, item, also);
    }
    return status;
}

/* ---- the whole ---- */

static ks_status read_parts(ks_adr_reader *r, const ks_tree *root) {
    static ks_status (*const parts[])(ks_adr_reader *, const ks_tree *) = {
        read_head, read_sources, ks_adr_read_gates, ks_adr_read_tables, read_findings, read_alsos,
    };
    for (size_t i = 0; i < COUNT(parts); i++) {
        const ks_status status = parts[i](r, root);
        if (status) return status;
    }
    if (r->adr->gate_count || r->adr->table_count) return KS_OK;
    return ks_place_fail(r->common.error, &root->place,
                         "found neither gates nor rows and columns, expected something to show");
}

static ks_adr_box *new_box(const char *file, const ks_kernel_table *kernels) {
    ks_adr_box *box = calloc(1, sizeof *box);
    ks_sweep_box *common = box ? ks_reader_box_new(file, kernels) : NULL;
    if (!common) {
        free(box);
        return NULL;
    }
    common->sweep.mode = KS_MODE_DATA; /* a twin gate may be asked */
    *box = (ks_adr_box){.adr = {.file = common->sweep.file, .kernels = kernels}, .common = common};
    return box;
}

/* `bytes` NULL: read the file. */
static ks_status read_table(const char *file, const char *bytes, size_t length,
                            const ks_kernel_table *kernels, const ks_sweep_options *options,
                            ks_adr **out, ks_error *error) {
    ks_adr_box *box = new_box(file, kernels);
    *out = NULL;
    if (!box) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    ks_adr_reader r = {.adr = &box->adr,
                       .common = {.box = box->common,
                                  .sweep = &box->common->sweep,
                                  .arena = box->common->arena,
                                  .options = options,
                                  .takes_any_model = true,
                                  .error = error}};
    const ks_tree *root;
    ks_status status =
        bytes ? ks_tree_parse(box->adr.file, bytes, length, r.common.arena, &root, error)
              : ks_tree_read(box->adr.file, r.common.arena, &root, NULL, error);
    if (!status) status = read_parts(&r, root);
    if (status)
        ks_adr_free(&box->adr);
    else
        *out = &box->adr;
    return status;
}

ks_status ks_adr_read(const char *path, const ks_kernel_table *kernels,
                      const ks_sweep_options *options, ks_adr **out, ks_error *error) {
    return read_table(path, NULL, 0, kernels, options, out, error);
}

ks_status ks_adr_parse(const char *file, const char *bytes, size_t length,
                       const ks_kernel_table *kernels, const ks_sweep_options *options,
                       ks_adr **out, ks_error *error) {
    return read_table(file, bytes, length, kernels, options, out, error);
}

void ks_adr_free(ks_adr *adr) {
    ks_adr_box *box = (ks_adr_box *)adr;
    if (!box) return;
    ks_sweep_free((ks_sweep *)box->common);
    free(box);
}
