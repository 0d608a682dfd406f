/* From what the device and the numbers say to the figures of a row. */
#ifndef KS_RUN_POINT_FIGURES_H
#define KS_RUN_POINT_FIGURES_H

#include "data/data.h"
#include "device/dispatch.h"
#include "device/timeline.h"
#include "result/row.h"

void ks_figures_of_dispatch(ks_row *row, const ks_program *program,
                            const ks_dispatch_totals *totals);

/* False: a sum is not below 2^63. */
bool ks_figures_of_timeline(ks_row *row, const ks_point *point, const ks_machine *machine,
                            const ks_timeline *timeline);

void ks_figures_of_errors(ks_row *row, const ks_errors *errors);

/* Verdict and reason of the numbers; `detail` for a person. A pass leaves both empty. */
void ks_figures_judge(ks_row *row, const ks_judgement *judgement, ks_error *detail);

#endif
