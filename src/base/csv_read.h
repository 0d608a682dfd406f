/* Reading CSV strictly: what one of our writers would not have written is refused, with its place.
 * UTF-8 without a byte order mark, LF, a line feed at the end, no blank line, every row with as
 * many fields as the first; RFC 4180 quotes, closed. No NUL, no CR. */
#ifndef KS_BASE_CSV_READ_H
#define KS_BASE_CSV_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct ks_csv_field {
    const char *text; /* NUL-terminated */
    size_t length;
} ks_csv_field;

/* A row; fields and texts are valid until the callback returns. */
typedef struct ks_csv_row {
    const char *path; /* for messages */
    size_t line;      /* of its first character, from 1 */
    size_t count;
    const ks_csv_field *fields;
} ks_csv_row;

/* Called for every row in order, the header too. Not KS_OK: reading ends with it. */
typedef ks_status (*ks_csv_take)(void *self, const ks_csv_row *row, ks_error *error);

/* KS_INPUT: not such a file ("PATH:LINE: found X, expected Y"); KS_NO_MEMORY; or what `take`
 * answered. Rows before a fault were taken: what they said must be thrown away. */
KS_CHECKED ks_status ks_csv_parse(const char *path, const char *bytes, size_t length,
                                  ks_csv_take take, void *self, ks_error *error);
/* The same of a file of at most `limit_bytes`; KS_IO where it cannot be read. */
KS_CHECKED ks_status ks_csv_read(const char *path, size_t limit_bytes, ks_csv_take take, void *self,
                                 ks_error *error);

/* Fails with the place of a field (from 0): "PATH:LINE: field N: ...". */
ks_status ks_csv_fail(ks_error *error, const ks_csv_row *row, size_t field, const char *format, ...)
    KS_PRINTF(4, 5);

#endif
