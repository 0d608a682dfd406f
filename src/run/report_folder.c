#include "run/report_folder.h"

#include <string.h>

#include "base/file.h"
#include "base/line_checks.h"

enum { MOST_BYTES = 1 << 26 };

static const char OWN_CHECKS[] = "\n  \"line_checks\": ";

static ks_status path_in(ks_text *path, const char *folder, const char *name, ks_error *error) {
    ks_text_add_format(path, "%s/%s", folder, name);
    return path->has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory") : KS_OK;
}

static ks_status refuse_edit(const char *path, size_t line, ks_error *error) {
    return ks_fail(error, KS_FAILED,
                   "%s:%zu: edited: found a line that is not what kernsweep wrote, expected its "
                   "check; run it again",
                   path, line);
}

/* The checks are of the lines before them, up to the line feed. */
static ks_status check_own_lines(const ks_report_folder *report, const char *path,
                                 const ks_text *bytes, ks_error *error) {
    const char *checks = ks_report_folder_text(report->json, "line_checks");
    const char *text = ks_text_string(bytes), *end = strstr(text, OWN_CHECKS);
    if (!checks || !end)
        return ks_fail(error, KS_INPUT,
                       "%s: found no line_checks, expected a run.json as this version writes it",
                       path);
    const size_t line = ks_line_checks_find(checks, text, (size_t)(end - text) + 1);
    return line ? refuse_edit(path, line, error) : KS_OK;
}

ks_status ks_report_folder_open(ks_report_folder *report, const char *path, ks_error *error) {
    ks_text name = {0}, bytes = {0};
    *report = (ks_report_folder){.path = path, .arena = ks_arena_new(1 << 14)};
    ks_status status = report->arena ? path_in(&name, path, "run.json", error)
                                     : ks_fail(error, KS_NO_MEMORY, "out of memory");
    if (!status) status = ks_file_read(name.data, MOST_BYTES, &bytes, error);
    if (!status)
        status = ks_tree_parse(name.data, ks_text_string(&bytes), bytes.length, report->arena,
                               &report->json, error);
    if (!status && report->json->kind != KS_TREE_MAP)
        status = ks_fail(error, KS_INPUT, "%s: found no map, expected a run.json", name.data);
    if (!status) status = check_own_lines(report, name.data, &bytes, error);
    ks_text_free(&name);
    ks_text_free(&bytes);
    return status;
}

void ks_report_folder_close(ks_report_folder *report) {
    ks_arena_free(report->arena);
    *report = (ks_report_folder){0};
}

const char *ks_report_folder_text(const ks_tree *map, const char *key) {
    const ks_tree *node = map && map->kind == KS_TREE_MAP ? ks_tree_find(map, key) : NULL;
    const bool is_text = node && node->kind == KS_TREE_SCALAR && strcmp(node->text, "null") != 0;
    return is_text ? node->text : NULL;
}

bool ks_report_folder_is_digest(const char *hex, const ks_digest *digest) {
    char own[KS_DIGEST_HEX];
    ks_digest_print(own, digest);
    return strcmp(hex, own) == 0;
}

ks_status ks_report_folder_read(const ks_report_folder *report, const char *name, ks_text *out,
                                ks_error *error) {
    const char *checks = ks_report_folder_text(ks_tree_find(report->json, "lines"), name);
    ks_text path = {0};
    ks_status status = path_in(&path, report->path, name, error);
    if (!status && !checks)
        status = ks_fail(error, KS_INPUT, "%s/run.json: found no line checks of %s, expected some",
                         report->path, name);
    if (!status) status = ks_file_read(path.data, MOST_BYTES, out, error);
    const size_t line = status ? 0 : ks_line_checks_find(checks, ks_text_string(out), out->length);
    if (line) status = refuse_edit(path.data, line, error);
    ks_text_free(&path);
    return status;
}
