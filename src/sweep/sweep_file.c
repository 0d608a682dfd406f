#include "sweep/sweep_file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/near.h"
#include "sweep/quote.h"
#include "sweep/reader.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *const modes[] = {
    [KS_MODE_DISPATCH] = "dispatch", [KS_MODE_TIMING] = "timing", [KS_MODE_DATA] = "data"};
static const char *const oplog_modes[] = {
    [KS_OPLOG_NONE] = "none", [KS_OPLOG_HASH] = "hash", [KS_OPLOG_FULL] = "full"};

const char *ks_mode_name(ks_mode mode) { return modes[mode]; }
const char *ks_oplog_mode_name(ks_oplog_mode mode) { return oplog_modes[mode]; }

ks_status ks_sweep_read_word(ks_sweep_reader *r, const ks_tree *node, const char *what,
                             const char *const *words, size_t count, size_t *index) {
    char found[KS_QUOTE_MAX];
    if (!node) return KS_OK;
    for (size_t i = 0; i < count && node->kind == KS_TREE_SCALAR; i++)
        if (strcmp(words[i], node->text) == 0) {
            *index = i;
            return KS_OK;
        }
    ks_text list = {0};
    for (size_t i = 0; i < count; i++)
        ks_text_add_format(&list, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", words[i]);
    const char *near = node->kind == KS_TREE_SCALAR ? ks_near(node->text, words, count) : NULL;
    ks_place_fail(r->error, &node->place, "found %s for %s, expected %s%s%s%s",
                  ks_tree_found(found, node), what, ks_text_string(&list),
                  near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
    ks_text_free(&list);
    return KS_INPUT;
}

/* What a report folder, and the folder above several, call their own: NAME, or whatever ends so. */
static bool is_taken_name(const char *name) {
    static const char *const names[] = {"summary.md", "junit.xml", "run.json", "index.html"};
    static const char *const ends[] = {".part", ".prev"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcasecmp(name, names[i]) == 0) return true;
    for (size_t i = 0; i < COUNT(ends); i++)
        if (length > 5 && strcasecmp(name + length - 5, ends[i]) == 0) return true;
    return false;
}

/* FAMILY.TIER: it names files in the golden and report folders. */
static bool is_sweep_name(const ks_tree *node) {
    if (!ks_tree_is_name(node)) return false;
    const char *dot = strchr(node->text, '.');
    return dot && !strstr(node->text, "..") && node->text[node->length - 1] != '.';
}

static ks_status read_name(ks_sweep_reader *r, const ks_tree *root) {
    char found[KS_QUOTE_MAX];
    const ks_tree *node = ks_tree_find(root, "sweep");
    if (!node)
        return ks_place_fail(r->error, &root->place,
                             "found no sweep, expected `sweep: FAMILY.TIER`");
    if (!is_sweep_name(node))
        return ks_place_fail(r->error, &node->place,
                             "found %s for sweep, expected FAMILY.TIER of letters, digits, _ and -",
                             ks_tree_found(found, node));
    if (is_taken_name(node->text))
        return ks_place_fail(r->error, &node->place,
                             "found %s for sweep, expected a name that no report has for itself: "
                             "not summary.md, junit.xml, run.json or index.html, and without "
                             ".part or .prev at its end",
                             ks_tree_found(found, node));
    r->sweep->name = node->text;
    return KS_OK;
}

ks_status ks_sweep_read_head(ks_sweep_reader *r, const ks_tree *root) {
    static const char *const keys[] = {"sweep",  "about", "mode",        "oplog", "axes",
                                       "zip",    "set",   "calibration", "where", "exclude",
                                       "expect", "gates", "tolerance",   "golden"};
    static const char *const golden_words[] = {"check", "none", "oplog"};
    size_t mode = KS_MODE_TIMING, oplog = KS_OPLOG_HASH, golden = 0;
    ks_status status = ks_tree_expect_keys(root, "a sweep", keys, COUNT(keys), "", r->error);
    if (status == KS_OK) status = read_name(r, root);
    if (status == KS_OK) status = ks_reader_line(r, root, "about", false, &r->sweep->about);
    if (status == KS_OK)
        status =
            ks_sweep_read_word(r, ks_tree_find(root, "mode"), "mode", modes, COUNT(modes), &mode);
    if (status == KS_OK)
        status = ks_sweep_read_word(r, ks_tree_find(root, "oplog"), "oplog", oplog_modes,
                                    COUNT(oplog_modes), &oplog);
    if (status == KS_OK)
        status =
            ks_sweep_read_word(r, ks_tree_find(root, "golden"), "golden", golden_words, 3, &golden);
    r->sweep->mode = (ks_mode)mode;
    r->sweep->oplog = mode == KS_MODE_DISPATCH ? KS_OPLOG_NONE : (ks_oplog_mode)oplog;
    r->sweep->wants_golden = golden != 1;
    r->sweep->pins_logs = golden == 2;
    const ks_tree *said = ks_tree_find(root, "golden");
    if (said) r->sweep->golden_place = said->place;
    if (status == KS_OK && golden == 2 && r->sweep->oplog != KS_OPLOG_FULL)
        return ks_place_fail(r->error, &r->sweep->golden_place,
                             "found golden: oplog, which keeps whole op_logs, expected oplog: full "
                             "and mode timing or data beside it");
    return status;
}

ks_status ks_sweep_beside(ks_sweep_reader *r, const char *name, const char **path) {
    const char *file = r->sweep->file, *slash = strrchr(file, '/');
    bool is_found = false;
    ks_text text = {0};
    if (strcmp(file, "-") != 0) {
        if (slash) ks_text_add(&text, file, (size_t)(slash - file) + 1);
        ks_text_add_string(&text, name);
        is_found = ks_path_exists(ks_text_string(&text));
    }
    if (!is_found) {
        ks_text_clear(&text);
        ks_text_add_format(&text, "sweeps/%s", name);
        is_found = ks_path_exists(ks_text_string(&text));
    }
    *path = is_found ? ks_arena_text(r->arena, ks_text_string(&text)) : NULL;
    const bool has_failed = text.has_failed || (is_found && !*path);
    ks_text_free(&text);
    return has_failed ? ks_fail(r->error, KS_NO_MEMORY, "out of memory") : KS_OK;
}

ks_status ks_sweep_read_calibration(ks_sweep_reader *r, const ks_tree *root) {
    char found[KS_QUOTE_MAX];
    ks_sweep *sweep = r->sweep;
    const ks_tree *node = ks_tree_find(root, "calibration");
    ks_calibration_file_default(&sweep->calibration);
    sweep->base = ks_point_default();
    if (!node) return KS_OK;
    if (!ks_tree_is_name(node))
        return ks_place_fail(r->error, &node->place,
                             "found %s for calibration, expected letters, digits, _ . -",
                             ks_tree_found(found, node));
    ks_text name = {0};
    ks_text_add_format(&name, "calibration/%s.yaml", node->text);
    ks_status status = ks_sweep_beside(r, ks_text_string(&name), &sweep->calibration_path);
    if (name.has_failed) status = ks_fail(r->error, KS_NO_MEMORY, "out of memory");
    ks_text_free(&name);
    if (status) return status;
    if (!sweep->calibration_path)
        return ks_place_fail(
            r->error, &node->place,
            "found %s for calibration, expected a file calibration/%s.yaml beside the sweep or in sweeps",
            ks_tree_found(found, node), node->text);
    status = ks_calibration_file_read(sweep->calibration_path, r->arena, &sweep->calibration,
                                      &sweep->calibration_digest, r->error);
    sweep->base.calibration = sweep->calibration.values;
    return status;
}

ks_status ks_sweep_read_models(ks_sweep_reader *r, const ks_place *asked) {
    if (r->has_models) return KS_OK;
    const char *path;
    const ks_status status = ks_sweep_beside(r, "models.yaml", &path);
    if (status) return status;
    if (!path)
        return ks_place_fail(
            r->error, asked,
            "found model, expected a file models.yaml beside the sweep or in sweeps");
    r->has_models = true;
    return ks_model_file_read(path, r->arena, &r->models, &r->sweep->models_digest, r->error);
}

static ks_status keep_expr(ks_sweep_reader *r, ks_expr *expr) {
    ks_expr_link *link = ks_arena_take(r->arena, 1, sizeof *link);
    if (!link) {
        ks_expr_free(expr);
        return ks_fail(r->error, KS_NO_MEMORY, "out of memory");
    }
    *link = (ks_expr_link){expr, r->box->exprs};
    r->box->exprs = link;
    return KS_OK;
}

ks_status ks_sweep_read_expr(ks_sweep_reader *r, const ks_tree *node, ks_expr_form form,
                             const ks_expr **out) {
    static const char *const no_models[] = {NULL};
    const bool may_name_columns = form != KS_EXPR_CONDITION;
    const ks_expr_scope scope = {
        .kernels = r->sweep->kernels,
        .columns = may_name_columns ? r->options->columns : NULL,
        .column_count = may_name_columns ? r->options->column_count : 0,
        .models = r->takes_any_model ? NULL
                  : r->has_models    ? r->models.labels
                                     : no_models,
        .model_count = r->models.count,
    };
    ks_expr *expr;
    const ks_status status = ks_tree_expr(node, form, &scope, &expr, r->error);
    if (status) return status;
    *out = expr;
    return keep_expr(r, expr);
}

static ks_status read_where_option(ks_sweep_reader *r) {
    if (!r->options->where) return KS_OK;
    const ks_tree node = {.kind = KS_TREE_SCALAR,
                          .place = {"--where", 1, 1},
                          .text = r->options->where,
                          .length = strlen(r->options->where),
                          .is_verbatim = true};
    r->sweep->where_option_place = node.place;
    return ks_sweep_read_expr(r, &node, KS_EXPR_CONDITION, &r->sweep->where_option);
}

/* Later parts need what earlier ones set. */
static ks_status read_parts(ks_sweep_reader *r, const ks_tree *root) {
    static ks_status (*const parts[])(ks_sweep_reader *, const ks_tree *) = {
        ks_sweep_read_head,  ks_sweep_read_calibration, ks_sweep_read_axes,
        ks_sweep_read_rules, ks_sweep_read_gates,       ks_sweep_read_tolerance,
    };
    for (size_t i = 0; i < COUNT(parts); i++) {
        const ks_status status = parts[i](r, root);
        if (status) return status;
    }
    return read_where_option(r);
}

static const ks_sweep_options no_options = {0};

/* `bytes` NULL: read the file. */
static ks_status read_sweep(const char *file, const char *bytes, size_t length,
                            const ks_kernel_table *kernels, const ks_sweep_options *options,
                            ks_sweep **out, ks_error *error) {
    ks_sweep_box *box = calloc(1, sizeof *box);
    ks_status status = KS_NO_MEMORY;
    *out = NULL;
    if (!box || !(box->arena = ks_arena_new(65536))) {
        ks_fail(error, status, "out of memory");
        goto done;
    }
    ks_sweep_reader r = {.box = box, .sweep = &box->sweep, .arena = box->arena, .error = error};
    const ks_tree *root;
    r.options = options ? options : &no_options;
    box->sweep.kernels = kernels;
    box->sweep.file = ks_arena_text(box->arena, file);
    if (!box->sweep.file) {
        ks_fail(error, status, "out of memory");
        goto done;
    }
    if (bytes) {
        box->sweep.digest = ks_digest_of(bytes, length);
        status = ks_tree_parse(box->sweep.file, bytes, length, box->arena, &root, error);
    } else {
        status = ks_tree_read(box->sweep.file, box->arena, &root, &box->sweep.digest, error);
    }
    if (status == KS_OK) status = read_parts(&r, root);

done:
    if (status)
        ks_sweep_free((ks_sweep *)box);
    else
        *out = &box->sweep;
    return status;
}

ks_status ks_sweep_read(const char *path, const ks_kernel_table *kernels,
                        const ks_sweep_options *options, ks_sweep **out, ks_error *error) {
    return read_sweep(path, NULL, 0, kernels, options, out, error);
}

ks_status ks_sweep_parse(const char *file, const char *bytes, size_t length,
                         const ks_kernel_table *kernels, const ks_sweep_options *options,
                         ks_sweep **out, ks_error *error) {
    return read_sweep(file, bytes, length, kernels, options, out, error);
}

void ks_sweep_free(ks_sweep *sweep) {
    ks_sweep_box *box = (ks_sweep_box *)sweep;
    if (!box) return;
    for (ks_expr_link *link = box->exprs; link; link = link->next) ks_expr_free(link->expr);
    ks_arena_free(box->arena);
    free(box);
}
