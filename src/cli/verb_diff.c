/* diff: what A and B are decides how they are compared. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/diff.h"
#include "cli/verbs.h"
#include "golden/log_diff.h"
#include "golden/points_file.h"
#include "report/log_diff_text.h"

ks_diff_kind ks_diff_kind_of(const char *path) {
    char begin[64];
    if (ks_path_is_folder(path)) {
        ks_text points = {0};
        ks_text_add_format(&points, "%s/points.csv", path);
        const bool is_report = !points.has_failed && ks_path_exists(points.data);
        ks_text_free(&points);
        return is_report ? KS_DIFF_FOLDER : KS_DIFF_OTHER;
    }
    FILE *file = fopen(path, "rb");
    const size_t length = file ? fread(begin, 1, sizeof begin, file) : 0;
    if (file) fclose(file);
    if (ks_log_is_one(begin, length)) return KS_DIFF_LOG;
    return ks_points_is_golden(begin, length) ? KS_DIFF_GOLDEN : KS_DIFF_OTHER;
}

ks_status ks_diff_show(const ks_text *out, ks_error *error) {
    if (out->has_failed) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    fputs(ks_text_string(out), stdout);
    return KS_OK;
}

static ks_status print_logs(const ks_options *options, const ks_log_diff *diff, ks_error *error) {
    ks_text out = {0};
    if (options->is_json) {
        ks_json json = ks_json_on(&out);
        ks_log_diff_json(&json, diff, "");
    } else if (diff->change == KS_LOG_SAME) {
        ks_text_add_format(&out, "equal: %llu rows\n", (unsigned long long)diff->row_counts[0]);
    } else {
        ks_log_diff_print(&out, diff, "");
    }
    const ks_status status = ks_diff_show(&out, error);
    ks_text_free(&out);
    return status;
}

static ks_status diff_logs(const ks_options *options, ks_error *error) {
    ks_log logs[2] = {{.rows = NULL}};
    ks_log_diff diff = {.change = KS_LOG_SAME};
    ks_arena *arena = ks_arena_new(1 << 12);
    ks_status status = ks_log_read(options->arguments[0], &logs[0], error);
    if (!status) status = ks_log_read(options->arguments[1], &logs[1], error);
    if (!status) {
        status = arena ? ks_log_compare(&logs[0], &logs[1], arena, &diff) : KS_NO_MEMORY;
        if (status) ks_fail(error, status, "out of memory");
    }
    if (!status && logs[0].count + logs[1].count == 0)
        status = ks_fail(error, KS_INPUT, "found no row in '%s' and none in '%s', expected some",
                         options->arguments[0], options->arguments[1]);
    if (!status) status = print_logs(options, &diff, error);
    if (!status && diff.change != KS_LOG_SAME) status = KS_FAILED;
    ks_arena_free(arena);
    ks_log_free(&logs[0]);
    ks_log_free(&logs[1]);
    return status;
}

static ks_status refuse_options(const ks_options *options, ks_error *error) {
    if (!options->only_changed && !options->against) return KS_OK;
    return ks_fail(error, KS_INPUT, "--%s: found two op_logs, expected report folders or goldens",
                   options->against ? "against" : "only-changed");
}

static ks_status compare(const ks_options *options, ks_error *error) {
    ks_diff_kind kinds[2];
    bool are_points = true;
    for (int i = 0; i < 2; i++) {
        if (!ks_path_exists(options->arguments[i]))
            return ks_fail(error, KS_INPUT, "%s: found no such file or folder",
                           options->arguments[i]);
        if (!ks_path_is_folder(options->arguments[i]) && !ks_path_is_file(options->arguments[i]))
            return ks_fail(error, KS_INPUT, "%s: found %s, expected a file or a folder",
                           options->arguments[i], ks_path_kind(options->arguments[i]));
        kinds[i] = ks_diff_kind_of(options->arguments[i]);
        are_points &= kinds[i] == KS_DIFF_FOLDER || kinds[i] == KS_DIFF_GOLDEN;
    }
    if (options->against && !ks_path_is_folder(options->against))
        return ks_fail(error, KS_INPUT, "--against: found '%s', expected a folder",
                       options->against);
    if (are_points) return ks_diff_points(options, error);
    if (kinds[0] == KS_DIFF_LOG && kinds[1] == KS_DIFF_LOG) {
        const ks_status status = refuse_options(options, error);
        return status ? status : diff_logs(options, error);
    }
    return ks_fail(error, KS_INPUT,
                   "found '%s' and '%s', expected two op_logs, two report folders, or a report "
                   "folder and a golden",
                   options->arguments[0], options->arguments[1]);
}

int ks_verb_diff(const ks_options *options) {
    ks_error error = {{0}};
    return ks_say_error(compare(options, &error), &error);
}
