/* A last cell on every row of a CSV file that is kept: 8 hex digits of XXH3-128 of the row up to that
 * cell; in the header they follow `check_`. So an edit by hand shows with its line, and rows still merge and go row by row. */
#ifndef KS_BASE_CSV_SEAL_H
#define KS_BASE_CSV_SEAL_H

#include "base/text.h"

/* Appends the rows of a CSV file, its header first, each with its check. */
void ks_csv_seal(ks_text *out, const char *csv, size_t length);

/* Appends the rows as they were before: every line keeps its number. A row that is not what its check
 * says is kept too, and told in `edits`, a line each up to ten: `PATH:LINE: edited: ...`. A file with
 * CR is left as it is, for its reader to refuse. */
void ks_csv_unseal(ks_text *out, const char *path, const char *csv, size_t length, ks_text *edits);

#endif
