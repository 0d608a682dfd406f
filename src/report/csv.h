/* points.csv, gates.csv and winners.csv: RFC 4180, UTF-8, LF. */
#ifndef KS_REPORT_CSV_H
#define KS_REPORT_CSV_H

#include "result/record.h"
#include "result/tally.h"

/* `params`: `,name` for every parameter that has a column. Lines end with LF. */
void ks_points_csv_header(ks_text *out, const char *params);
void ks_points_csv_line(ks_text *out, const ks_record *record);

extern const char ks_gates_csv_header[];
void ks_gates_csv_line(ks_text *out, const ks_gate_line *line);

extern const char ks_winners_csv_header[];
void ks_winners_csv_line(ks_text *out, const ks_winner_line *line);

#endif
