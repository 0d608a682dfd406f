#include "sweep/study_file.h"

#include <stdlib.h>
#include <string.h>

#include "sweep/key.h"
#include "sweep/study_reader.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

size_t ks_study_find(const ks_study *study, const char *name) {
    size_t i = 0;
    while (i < study->constant_count &&
           strcmp(ks_constant_describe(study->constants[i].constant)->name, name) != 0)
        i++;
    return i;
}

/* ---- the head ---- */

static ks_status read_head(ks_study_reader *r, const ks_tree *root) {
    static const char *const keys[] = {"study",   "about",     "base",    "calibration",
                                       "kernels", "constants", "figures", "methods"};
    ks_status status = ks_tree_expect_keys(root, "a study", keys, COUNT(keys), "", r->common.error);
    if (status) return status;
    status = ks_reader_name(&r->common, root, "study", &r->study->name);
    if (!status) status = ks_reader_line(&r->common, root, "about", false, &r->study->about);
    return status ? status : ks_sweep_read_calibration(&r->common, root);
}

/* ---- kernels and base ---- */

static ks_status read_kernel(ks_study_reader *r, const ks_tree *item, int *kernels) {
    ks_error why;
    uint64_t value;
    if (item->kind != KS_TREE_SCALAR)
        return ks_reader_expected(&r->common, item, item, "kernels", "the name of a kernel");
    if (ks_value_parse(KS_P_kernel, r->study->kernel_table, item->text, item->length, &value, &why))
        return ks_place_fail(r->common.error, &item->place, "%s", why.text);
    for (size_t i = 0; i < r->study->kernel_count; i++)
        if (kernels[i] == (int)value)
            return ks_place_fail(r->common.error, &item->place,
                                 "found '%s' a second time, expected each kernel once", item->text);
    kernels[r->study->kernel_count++] = (int)value;
    return KS_OK;
}

static ks_status read_kernels(ks_study_reader *r, const ks_tree *root) {
    const ks_tree *list;
    ks_status status = ks_reader_list(&r->common, root, "kernels", true,
                                      "a list of kernels: [decode_opt2, decode_opt3]", &list);
    if (status) return status;
    int *kernels = ks_reader_take(&r->common, list->count, sizeof *kernels);
    if (!kernels) return KS_NO_MEMORY;
    r->study->kernels = kernels;
    for (const ks_tree *item = list->first; item && !status; item = item->next)
        status = read_kernel(r, item, kernels);
    return status;
}

static ks_status check_shapes(ks_study_reader *r, const ks_tree *base, ks_names names) {
    ks_names wanted = 0;
    for (size_t i = 0; i < r->study->kernel_count; i++)
        wanted |= ks_task_shapes(r->study->kernel_table->kernels[r->study->kernels[i]].task);
    for (ks_name name = 0; name < KS_NAME_COUNT; name++) {
        const ks_names bit = KS_NAME_BIT(name);
        if ((wanted & bit) && !(names & bit))
            return ks_place_fail(r->common.error, &base->place,
                                 "found no %s in base, expected the shapes of every kernel",
                                 ks_name_text(name));
        if ((names & KS_NAMES_SHAPES & bit) && !(wanted & bit))
            return ks_place_fail(r->common.error, &base->place,
                                 "found %s in base, expected a shape that one of the kernels takes",
                                 ks_name_text(name));
    }
    return KS_OK;
}

static ks_status read_base(ks_study_reader *r, const ks_tree *root) {
    static const char *const EXPECTED = "a KEY without its kernel: \"G=8 TILE=64 d=128 S=4096\"";
    const ks_tree *base = ks_tree_find(root, "base");
    ks_error why = {{0}};
    ks_names names;
    if (!base || base->kind != KS_TREE_SCALAR || !base->length)
        return ks_reader_expected(&r->common, root, base, "base", EXPECTED);
    const ks_status status =
        ks_key_parse_part(base->text, "KEY", r->study->kernel_table,
                          &r->common.sweep->base.calibration, &r->study->base, &names, &why);
    if (status) return ks_place_fail(r->common.error, &base->place, "%s", why.text);
    if (names & KS_NAME_BIT(KS_P_kernel))
        return ks_place_fail(r->common.error, &base->place,
                             "found a kernel in base, expected it in kernels");
    return check_shapes(r, base, names);
}

/* ---- the whole ---- */

static ks_status read_parts(ks_study_reader *r, const ks_tree *root) {
    static ks_status (*const parts[])(ks_study_reader *, const ks_tree *) = {
        read_head,
        read_kernels,
        read_base,
        ks_study_read_constants,
        ks_study_read_figures,
        ks_study_read_methods,
    };
    for (size_t i = 0; i < COUNT(parts); i++) {
        const ks_status status = parts[i](r, root);
        if (status) return status;
    }
    r->study->calibration_path = r->common.sweep->calibration_path;
    r->study->calibration_digest = r->common.sweep->calibration_digest;
    return KS_OK;
}

static ks_study_box *new_box(const char *file, const ks_kernel_table *kernels) {
    ks_study_box *box = calloc(1, sizeof *box);
    ks_sweep_box *common = box ? ks_reader_box_new(file, kernels) : NULL;
    if (!common) {
        free(box);
        return NULL;
    }
    *box = (ks_study_box){.study = {.file = common->sweep.file, .kernel_table = kernels},
                          .common = common};
    return box;
}

/* `bytes` NULL: read the file. */
static ks_status read_study(const char *file, const char *bytes, size_t length,
                            const ks_kernel_table *kernels, const ks_study_options *options,
                            ks_study **out, ks_error *error) {
    ks_study_box *box = new_box(file, kernels);
    *out = NULL;
    if (!box) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    const ks_sweep_options common_options = {.columns = options->columns,
                                             .column_count = options->column_count};
    ks_study_reader r = {.study = &box->study,
                         .options = options,
                         .common = {.box = box->common,
                                    .sweep = &box->common->sweep,
                                    .arena = box->common->arena,
                                    .options = &common_options,
                                    .error = error}};
    const ks_tree *root;
    ks_status status;
    if (bytes) {
        box->study.digest = ks_digest_of(bytes, length);
        status = ks_tree_parse(box->study.file, bytes, length, r.common.arena, &root, error);
    } else {
        status = ks_tree_read(box->study.file, r.common.arena, &root, &box->study.digest, error);
    }
    if (!status) status = read_parts(&r, root);
    if (status)
        ks_study_free(&box->study);
    else
        *out = &box->study;
    return status;
}

ks_status ks_study_read(const char *path, const ks_kernel_table *kernels,
                        const ks_study_options *options, ks_study **out, ks_error *error) {
    return read_study(path, NULL, 0, kernels, options, out, error);
}

ks_status ks_study_parse(const char *file, const char *bytes, size_t length,
                         const ks_kernel_table *kernels, const ks_study_options *options,
                         ks_study **out, ks_error *error) {
    return read_study(file, bytes, length, kernels, options, out, error);
}

void ks_study_free(ks_study *study) {
    ks_study_box *box = (ks_study_box *)study;
    if (!box) return;
    ks_sweep_free((ks_sweep *)box->common);
    free(box);
}
