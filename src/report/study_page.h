/* What stands around the tables of a study: study.md, and run.json for what is not reproducible. */
#ifndef KS_REPORT_STUDY_PAGE_H
#define KS_REPORT_STUDY_PAGE_H

#include "base/digest.h"
#include "result/table.h"

typedef struct ks_study_facts {
    const char *name, *file, *about;
    const char *base, *kernels; /* KEY without its kernel; names joined by blanks */
    const ks_digest *study_digest, *calibration_digest; /* NULL: no file */
    const char *calibration_file;                       /* NULL: MODEL.md's defaults */

    /* For run.json alone. */
    uint64_t asked, simulated; /* points */
    bool asks_gates;           /* --gate */
    size_t gates_failed;
    const char *robustness, *half_planes; /* line checks of those files; NULL: there is none */
    int threads, exit_code;
    const char *started; /* UTC, ISO 8601 */
    double wall_seconds;
} ks_study_facts;

/* The same bytes for the same inputs, whatever the threads. */
void ks_study_page_print(ks_text *out, const ks_study_facts *facts, const ks_tables *tables);
void ks_study_json_print(ks_text *out, const ks_study_facts *facts);

#endif
