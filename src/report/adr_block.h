/* A result block as Markdown: gates, sentences, tables, provenance, how to make it again. No date
 * and no clock: the same results give the same bytes. */
#ifndef KS_REPORT_ADR_BLOCK_H
#define KS_REPORT_ADR_BLOCK_H

#include "result/adr.h"

/* What stands between the markers; ends with LF. */
void ks_adr_block_print(ks_text *out, const ks_adr_block *block);

/* gate,group,value,exact_value,op,limit,exact_limit,result of every group of every gate: nothing is
 * rounded but the doubles. */
void ks_adr_groups_print(ks_text *out, const ks_adr_block *block);

/* What report folders lack, for a terminal; nothing where they are whole and not red. */
void ks_adr_sources_say(ks_text *out, const ks_adr_block *block);
/* One line a gate, for a terminal; `is_quiet`: those that do not hold alone. */
void ks_adr_gates_say(ks_text *out, const ks_adr_block *block, bool is_quiet);

#endif
