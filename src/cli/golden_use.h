/* A sweep's golden in a run: read and held against the grid before anything runs, asked for every
 * point, and what a bless needs of the run. */
#ifndef KS_CLI_GOLDEN_USE_H
#define KS_CLI_GOLDEN_USE_H

#include "cli/options.h"
#include "golden/golden_file.h"
#include "result/tally.h"
#include "run/sweep_run.h"

typedef struct ks_golden_use ks_golden_use;

/* Sweep and grid must outlive it. `oplog`: what the run makes. KS_INPUT: the golden cannot be
 * parsed, or is that of another sweep. */
KS_CHECKED ks_status ks_golden_use_new(const ks_sweep *sweep, const ks_grid *grid,
                                       ks_oplog_mode oplog, const ks_options *options,
                                       ks_golden_use **out, ks_error *error);
void ks_golden_use_free(ks_golden_use *use); /* NULL is fine */

const ks_golden_hooks *ks_golden_use_hooks(const ks_golden_use *use); /* NULL: none is wanted */
const ks_digest *ks_golden_use_digest(const ks_golden_use *use);      /* NULL: none was read */
/* Of the whole observed.csv of a run that got to its end; else NULL. */
const ks_digest *ks_golden_use_observed(const ks_golden_use *use);

/* After the run: what the golden itself has to answer for. */
void ks_golden_use_settle(const ks_golden_use *use, ks_account *account);
/* In words: which golden, what was not compared; then what is red about the file. */
void ks_golden_use_print(const ks_golden_use *use, const ks_account *account, ks_text *out);
void ks_golden_use_print_red(const ks_golden_use *use, const ks_account *account, ks_text *out);

/* Paths in `text` become those in the project, the folder that holds the goldens' folder: a report is
 * read elsewhere than where the run was. */
void ks_golden_use_shorten(const ks_golden_use *use, ks_text *text);

/* What a sweep's goldens say of themselves, but for `origin`; `defaults` gets the text that the
 * head points to. */
ks_golden_head ks_golden_head_now(const ks_sweep *sweep, ks_text *defaults);
/* The path of the sweep's golden; nothing for standard input. */
void ks_golden_path_of(ks_text *out, const ks_sweep *sweep);

/* Of which points and inputs observed.csv is; in its first line, where bless compares it. */
void ks_golden_origin_print(ks_text *out, const ks_sweep *sweep, const char *extent, bool has_log);

#endif
