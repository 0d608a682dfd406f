/* Stored results held against the simulator of today. */
#ifndef KS_RUN_ADR_VERIFY_H
#define KS_RUN_ADR_VERIFY_H

#include "run/adr_collect.h"
#include "run/adr_judge.h"

/* Simulates the KEY of every stored row and compares every figure, text by text. Appends a line for
 * each row that differs, with its first figure that does; `*count` of them. KS_IO: interrupted. */
KS_CHECKED ks_status ks_adr_verify(const ks_adr_stored *stored,
                                   const ks_adr_collect_options *options, ks_text *out,
                                   size_t *count, ks_error *error);

#endif
