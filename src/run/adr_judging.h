/* A table file while it is judged; for adr_*.c alone. */
#ifndef KS_RUN_ADR_JUDGING_H
#define KS_RUN_ADR_JUDGING_H

#include "run/adr_judge.h"

typedef struct ks_adr_judging {
    const ks_adr *adr;
    const ks_adr_stored *stored;
    ks_adr_block *block;
    ks_names varying; /* names in which two results differ */
    const char *hole; /* why the block is not whole */
    ks_error *error;
} ks_adr_judging;

void *ks_adr_judging_take(ks_adr_judging *j, size_t count, size_t item_bytes); /* NULL: said */
/* The text's own copy in the block; its text is freed. NULL: said. */
const char *ks_adr_judging_keep(ks_adr_judging *j, ks_text *text);

ks_status ks_adr_judge_facts(ks_adr_judging *j); /* sources, calibrations, whether it is whole */
ks_status ks_adr_judge_gates(ks_adr_judging *j);
ks_status ks_adr_judge_grids(ks_adr_judging *j);
ks_status ks_adr_judge_others(ks_adr_judging *j);

/* The value of a result; a cell without one is KS_EXPR_NOTHING. */
ks_expr_value ks_adr_figure_of(const ks_adr_row *row, size_t column);

#endif
