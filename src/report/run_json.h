/* run.json: what is not reproducible about a run lives here and nowhere else. */
#ifndef KS_REPORT_RUN_JSON_H
#define KS_REPORT_RUN_JSON_H

#include "report/json.h"
#include "result/tally.h"

typedef struct ks_run_facts {
    const char *sweep, *file, *mode, *oplog;
    const char *where, *const *sets; /* the command line's; where NULL: none */
    size_t set_count;
    const ks_digest *sweep_digest, *calibration_digest, *models_digest; /* NULL: no file */
    const ks_digest *golden_digest, *observed_digest;                   /* likewise */
    const ks_digest *points_digest;  /* of points.csv; NULL: it did not come to its end */
    const ks_digest *program_digest; /* of the program's file */
    const char *calibration_file;    /* NULL: MODEL.md's defaults */
    int threads;
    bool is_complete;
    bool is_left_out; /* --fail-fast: a sweep before it was red, and it was not begun */
    int exit_code;
    const char *started; /* UTC, ISO 8601 */
    double wall_seconds;
    ks_account account;
} ks_run_facts;

/* Schema, program and host: how every run.json begins, within its first brace. */
void ks_run_json_put_program(ks_json *json);

/* One run, or several with their verdict together. */
void ks_run_json_print(ks_text *out, const ks_run_facts *runs, size_t count, int exit_code);

#endif
