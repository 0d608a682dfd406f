/* The divergence of two op_logs as text for a person, in one screen, and as JSON. */
#ifndef KS_REPORT_LOG_DIFF_TEXT_H
#define KS_REPORT_LOG_DIFF_TEXT_H

#include "base/text.h"
#include "report/json.h"
#include "result/log_diff.h"

enum { KS_LOG_DIFF_LINES = 24 }; /* at most */

/* `key`: the point, "" when nobody knows. Nothing is printed of logs that are equal. */
void ks_log_diff_print(ks_text *out, const ks_log_diff *diff, const char *key);

/* The same in fewer lines: without the rows around it. */
void ks_log_diff_print_short(ks_text *out, const ks_log_diff *diff);

/* What changed first alone: the row, its fields, its service. */
void ks_log_diff_print_first(ks_text *out, const ks_log_diff *diff);

/* An object. */
void ks_log_diff_json(ks_json *json, const ks_log_diff *diff, const char *key);

/* A row as one line without its LF, in columns: seq, command and stage, server, ... */
void ks_log_line_print(ks_text *out, const ks_log_line *line);

/* Ticks with a sign, as cycles: `+1`, `-0.5`, `0`. */
void ks_text_add_change(ks_text *out, int64_t ticks);

const char *ks_log_change_name(ks_log_change change); /* "service", "start", ... */

#endif
