/* The account of a run in words, for standard output. */
#ifndef KS_REPORT_ACCOUNT_H
#define KS_REPORT_ACCOUNT_H

#include "result/record.h"
#include "result/tally.h"

/* `planned 96 = 90 pass + 2 fail + ...`, then goldens, invariants and gates; with their LFs. */
void ks_account_print(ks_text *out, const ks_account *account);
/* How the timelines of its points came about, in a line. */
void ks_paths_print(ks_text *out, const ks_account *account);

/* A red gate, and the line that asks it again. */
void ks_red_gate_print(ks_text *out, const ks_gate_line *line, const char *reproducer);

/* One line of -v: verdict, KEY, cycles or reason; a gate's group and answer. */
void ks_point_line_print(ks_text *out, const ks_record *record);
void ks_gate_line_print(ks_text *out, const ks_gate_line *line);

#endif
