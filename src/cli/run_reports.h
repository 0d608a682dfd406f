/* What a run says of its points and gates besides the tables: causes, junit.xml, summary.md,
 * failures/. */
#ifndef KS_CLI_RUN_REPORTS_H
#define KS_CLI_RUN_REPORTS_H

#include "cli/options.h"
#include "result/cause.h"
#include "run/sweep_run.h"

typedef struct ks_run_reports ks_run_reports;

/* Begins junit.xml in the folder. Sweep, grid, count, options and folder must outlive it. */
KS_CHECKED ks_status ks_run_reports_new(const ks_sweep *sweep, const ks_grid *grid,
                                        const ks_grid_count *count, const ks_options *options,
                                        const ks_folder *folder, ks_run_reports **out,
                                        ks_error *error);
void ks_run_reports_free(ks_run_reports *reports); /* NULL is fine */

/* Every point that ran in grid order, then every gate's group. With -v they are printed. */
KS_CHECKED ks_status ks_run_reports_point(ks_run_reports *reports, const ks_record *record);
KS_CHECKED ks_status ks_run_reports_gate(ks_run_reports *reports, const ks_gate_line *line);

typedef struct ks_run_end {
    const ks_account *account;
    int exit_code;
    const char *verdict; /* in words */
    const char *notes;   /* lines for summary.md; "" */
    const char *golden;  /* path of the golden that was compared with; "" */
    const char *red;     /* what is red about the run as a whole, in words; "" */
    const ks_job *job;
} ks_run_end;

/* Writes what is left. KS_INPUT: a rule divides by zero. */
KS_CHECKED ks_status ks_run_reports_end(ks_run_reports *reports, const ks_run_end *end,
                                        ks_error *error);
/* Causes and red gates, for standard output. */
void ks_run_reports_print(ks_text *out, const ks_run_reports *reports);

/* Takes away what an earlier run of several sweeps left of junit.xml, summary.md and run.json in
 * `base`: it would say of a run that is broken off how another one ended. */
KS_CHECKED ks_status ks_run_reports_clear(const char *base, ks_error *error);
/* junit.xml and summary.md of several finished folders, joined in `base`. */
KS_CHECKED ks_status ks_run_reports_join(const char *base, const char *const *folders, size_t count,
                                         const char *headline, ks_error *error);

#endif
