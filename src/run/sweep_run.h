/* One sweep from its file to its report folder. */
#ifndef KS_RUN_SWEEP_RUN_H
#define KS_RUN_SWEEP_RUN_H

#include "base/digest.h"
#include "run/folder.h"
#include "run/gates.h"
#include "run/runner.h"
#include "run/winners.h"

/* How results become text; the report room fills it in. Lines end with LF. */
typedef struct ks_formats {
    void (*points_header)(ks_text *out, const char *params);
    void (*points_line)(ks_text *out, const ks_record *record);
    const char *gates_header;
    void (*gates_line)(ks_text *out, const ks_gate_line *line);
    const char *winners_header;
    void (*winners_line)(ks_text *out, const ks_winner_line *line);
} ks_formats;

/* A sweep's golden in its run; the golden room's words, which cli brings. */
typedef struct ks_golden_hooks {
    void *self;
    ks_golden_state (*compare)(const void *self, const ks_record *record,
                               const ks_log_blocks *blocks, ks_text *cells, ks_change *change);
    /* What stands in observed.csv: its head, a line a point in grid order, and the end of a run
     * that got there. */
    void (*observed_begin)(void *self, ks_text *out);
    void (*observed_line)(void *self, const ks_record *record, ks_text *out);
    void (*observed_end)(void *self, ks_text *out);
} ks_golden_hooks;

typedef struct ks_sweep_run_options {
    const ks_kernel_table *kernels;
    const ks_isa *isa; /* of mode data; NULL: the best of this machine */
    const ks_formats *formats;
    int threads;
    bool is_fail_fast;
    bool is_left_out;              /* no point runs, and no gate is asked: KS_FAILED */
    const ks_golden_hooks *golden; /* NULL: none is wanted, and there is no observed.csv */
    ks_oplog_mode oplog;
    bool is_exact_full;    /* see ks_job */
    const ks_spoil *spoil; /* of selftest; NULL: none */
    uint64_t cache_bytes;  /* of mode data: see ks_data_cache_new */
    const atomic_int *is_stopped;
    ks_digest *points_digest; /* of points.csv, filled in */
    void *self;
    /* Every point that ran in grid order, then every gate's group. KS_OK or KS_NO_MEMORY. */
    ks_status (*point)(void *self, const ks_record *record);
    ks_status (*gate)(void *self, const ks_gate_line *line);
    void (*progress)(void *self, const ks_progress *progress);
} ks_sweep_run_options;

/* Runs the sweep's points and writes points.csv, gates.csv, winners.csv and observed.csv into the folder, which
 * has begun; it is not ended. `account` is right whatever the status; see ks_run for that. */
KS_CHECKED ks_status ks_sweep_run(const ks_sweep *sweep, const ks_grid *grid, uint64_t planned,
                                  const ks_folder *folder, const ks_sweep_run_options *options,
                                  ks_account *account, ks_error *error);

#endif
