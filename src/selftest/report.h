/* points.csv and gates.csv of a run, as cells. Seen by selftest/ only. */
#ifndef KS_SELFTEST_REPORT_H
#define KS_SELFTEST_REPORT_H

#include "base/arena.h"
#include "base/status.h"

typedef struct ks_sheet {
    size_t columns, rows; /* without the header */
    char **header;
    char ***cells; /* by row and column */
} ks_sheet;

typedef struct ks_report {
    ks_sheet points, gates;
} ks_report;

/* Of a report folder. Everything lives in the arena. */
KS_CHECKED ks_status ks_report_read(const char *folder, ks_arena *arena, ks_report *report,
                                    ks_error *error);

/* The cell of a column; "" where there is no such column. */
const char *ks_sheet_cell(const ks_sheet *sheet, size_t row, const char *column);

#endif
