/* The verbs. Each returns the exit code of INTERFACE: 0, 1, 2, 3 or 4. */
#ifndef KS_CLI_VERBS_H
#define KS_CLI_VERBS_H

#include <stdatomic.h>

#include "cli/options.h"

/* Set by SIGINT, SIGTERM, SIGHUP. */
extern atomic_int ks_is_stopped;

int ks_verb_run(const ks_options *options);
int ks_verb_list(const ks_options *options);
int ks_verb_show(const ks_options *options);
int ks_verb_diff(const ks_options *options);
int ks_verb_selftest(const ks_options *options);
int ks_verb_study(const ks_options *options);
int ks_verb_adr(const ks_options *options);
int ks_verb_bless(const ks_options *options);

/* `kernsweep: message` on standard error; the exit code of the status. */
int ks_say_error(ks_status status, const ks_error *error);
/* Standard output to its end: 3 when it could not be written, though not when its reader went away. */
int ks_close_stdout(int exit_code);

/* The worst of two exit codes, in the order 2, 3, 1, 4, 0. */
int ks_worst_code(int a, int b);

#endif
