#include "run/adr_points.h"

#include <string.h>

#include "base/file.h"
#include "run/adr_verify.h"
#include "run/report_folder.h"

enum { MOST_BYTES = 1 << 28 };

/* The findings begin with the KEY of the first row that the simulator does not give. */
static ks_status say_finding(const ks_adr_points_source *source, const ks_adr_rows *rows,
                             const char *findings, ks_error *error) {
    const size_t key = (size_t)(strstr(findings, ": ") - findings),
                 length = strcspn(findings, "\n");
    size_t row = 0;
    while (row < rows->count &&
           (strncmp(rows->items[row].key, findings, key) != 0 || rows->items[row].key[key] != '\0'))
        row++;
    return ks_fail(error, KS_FAILED, "%s:%zu: edited: %.*s; run it again", source->path, row + 2,
                   (int)length, findings);
}

static ks_status say_edit(const ks_adr_points_source *source, const ks_adr_rows *rows,
                          const ks_adr_collect_options *options, ks_error *error) {
    ks_adr_stored found = {.rows = *rows};
    ks_text findings = {0};
    size_t count = 0;
    ks_adr_inputs_add(&found.inputs, source->name, "mode", source->mode);
    ks_status status = ks_adr_verify(&found, options, &findings, &count, error);
    if (!status && count)
        status = say_finding(source, rows, ks_text_string(&findings), error);
    else if (!status)
        status = ks_fail(error, KS_FAILED,
                         "%s:1: edited: found other bytes than the run wrote, expected the xxh128 "
                         "%s of its run.json; run it again",
                         source->path, source->digest);
    ks_adr_inputs_free(&found.inputs);
    ks_text_free(&findings);
    return status;
}

/* Rows of an edited file, which are not those of the table. */
static ks_status refuse_edit(const ks_adr_points_source *source, const ks_text *bytes,
                             const ks_kernel_table *kernels, const ks_adr_collect_options *options,
                             ks_error *error) {
    ks_adr_rows rows;
    ks_status status = ks_adr_rows_begin(&rows, kernels)
                           ? ks_adr_rows_parse_points(&rows, source->name, source->path,
                                                      ks_text_string(bytes), bytes->length, error)
                           : ks_fail(error, KS_NO_MEMORY, "out of memory");
    if (status == KS_INPUT) status = KS_FAILED; /* it was readable when the run wrote it */
    if (!status) status = say_edit(source, &rows, options, error);
    ks_adr_rows_free(&rows);
    return status;
}

ks_status ks_adr_points_take(ks_adr_rows *rows, const ks_adr_points_source *source,
                             const ks_adr_collect_options *options, ks_error *error) {
    ks_text bytes = {0};
    ks_status status = ks_file_read(source->path, MOST_BYTES, &bytes, error);
    const ks_digest digest = ks_digest_of(ks_text_string(&bytes), bytes.length);
    if (!status)
        status = ks_report_folder_is_digest(source->digest, &digest)
                     ? ks_adr_rows_parse_points(rows, source->name, source->path,
                                                ks_text_string(&bytes), bytes.length, error)
                     : refuse_edit(source, &bytes, rows->kernels, options, error);
    ks_text_free(&bytes);
    return status;
}
