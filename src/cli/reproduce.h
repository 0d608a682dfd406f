/* The line that shows a failure again, to be pasted into a shell. */
#ifndef KS_CLI_REPRODUCE_H
#define KS_CLI_REPRODUCE_H

#include "cli/options.h"
#include "result/record.h"
#include "result/tally.h"
#include "sweep/sweep_file.h"

/* `show` where the KEY says it all; `run` of the sweep where the limit is the sweep's. */
void ks_reproduce_point(ks_text *out, const ks_sweep *sweep, const ks_options *options,
                        const ks_record *record);
/* `run` of the points of the gate's group. */
void ks_reproduce_gate(ks_text *out, const ks_sweep *sweep, const ks_options *options,
                       const ks_gate_line *line);
/* `run` of the points for which `where` holds; "": of all that the options leave. */
void ks_reproduce_where(ks_text *out, const ks_sweep *sweep, const ks_options *options,
                        const char *where);

#endif
