/* junit.xml of a run, as CI systems read it: a suite of the sweep's points, whose counts are those
 * of the account, and a suite of its gates where it has some. No clock reading.
 *
 * Of each outcome (passed, failed, error, skipped) the first KS_JUNIT_LISTED points are a test case
 * each; the rest is one test case a kernel and outcome, whose name has their number. */
#ifndef KS_REPORT_JUNIT_H
#define KS_REPORT_JUNIT_H

#include <stdio.h>

#include "result/record.h"
#include "result/tally.h"

enum { KS_JUNIT_LISTED = 10000 };

typedef struct ks_junit ks_junit;

/* Writes to `file`, which stays the caller's and must be seekable. NULL: out of memory. */
ks_junit *ks_junit_begin(FILE *file, const char *sweep);
void ks_junit_free(ks_junit *junit); /* NULL is fine */

/* A property of the suite of points: before the first point. */
KS_CHECKED ks_status ks_junit_property(ks_junit *junit, const char *name, const char *value);

/* Every point that ran in grid order, then every gate's group. `reproducer` is the command that
 * shows a red one again. KS_IO or KS_NO_MEMORY. */
KS_CHECKED ks_status ks_junit_point(ks_junit *junit, const ks_record *record,
                                    const char *reproducer);
KS_CHECKED ks_status ks_junit_gate(ks_junit *junit, const ks_gate_line *line,
                                   const char *reproducer);
/* The file is whole then. `red`: what else fails the run ("" or words), as an error of the suite. */
KS_CHECKED ks_status ks_junit_end(ks_junit *junit, const ks_account *account, const char *red);

/* Copies the suites of one such file to another: */
extern const char ks_junit_head[], ks_junit_tail[];

#endif
