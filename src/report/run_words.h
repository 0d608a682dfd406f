/* The verdict of a run in words. */
#ifndef KS_REPORT_RUN_WORDS_H
#define KS_REPORT_RUN_WORDS_H

#include "report/run_json.h"

/* What the exit code of these runs together means. Not `clean` where nothing was compared. */
void ks_run_words_print(ks_text *out, const ks_run_facts *runs, size_t count, int exit_code);

#endif
