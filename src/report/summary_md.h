/* summary.md: a run for a person, in Markdown. No clock reading. */
#ifndef KS_REPORT_SUMMARY_MD_H
#define KS_REPORT_SUMMARY_MD_H

#include "result/cause.h"
#include "result/tally.h"

/* Texts are the giver's; "" where there is nothing to say. */
typedef struct ks_summary {
    const char *sweep, *about, *mode;
    int exit_code;
    const char *verdict; /* in words: "a check failed" */
    const ks_account *account;
    const ks_cause_list *causes;
    uint64_t ran;
    const char *rules;    /* what rules said, as ks_summary_rule_print gives it */
    const char *gates;    /* red groups, as ks_red_gate_print gives them */
    const char *notes;    /* lines */
    const char *failures; /* a line: what lies in failures/ */
} ks_summary;

void ks_summary_md_print(ks_text *out, const ks_summary *summary);

/* `- 24 points excluded: why`: what a rule of the sweep did with so many points. */
void ks_summary_rule_print(ks_text *out, uint64_t points, const char *what, const char *why);

/* Text of others inside of Markdown: nothing in it is markup, and it stays on its line. */
void ks_text_add_md(ks_text *out, const char *string);

#endif
