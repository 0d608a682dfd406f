/* A sweep file with the command line's --set and --where applied: what is asked for, checked. */
#ifndef KS_SWEEP_SWEEP_FILE_H
#define KS_SWEEP_SWEEP_FILE_H

#include "sweep/calibration_file.h"
#include "sweep/expr.h"

typedef enum ks_mode { KS_MODE_DISPATCH, KS_MODE_TIMING, KS_MODE_DATA } ks_mode;
typedef enum ks_oplog_mode { KS_OPLOG_NONE, KS_OPLOG_HASH, KS_OPLOG_FULL } ks_oplog_mode;
const char *ks_mode_name(ks_mode mode);
const char *ks_oplog_mode_name(ks_oplog_mode mode);

/* Names that move together, in `count` steps. A model is its G and d, and a label. */
typedef enum ks_axis_origin { KS_FROM_AXES, KS_FROM_ZIP, KS_FROM_SET } ks_axis_origin;

typedef struct ks_axis_column {
    ks_name name; /* never KS_NAME_MODEL */
    const uint64_t *values;
    ks_place place;
} ks_axis_column;

typedef struct ks_axis {
    ks_axis_origin origin; /* a set has one step */
    uint32_t count;
    size_t column_count;
    ks_axis_column *columns;
    const char *const *labels; /* of a model, by step; NULL: none */
    ks_names names;            /* of the columns, and model */
} ks_axis;

typedef struct ks_rule {
    ks_place place;
    const ks_expr *when;
    const char
        *verdict;    /* of `expect`: fail, infeasible, error, doubt, timeout or crash; else NULL */
    const char *why; /* "" when not said */
} ks_rule;

typedef struct ks_gate {
    const char *name;
    ks_place place;
    const ks_expr *expr; /* a COMPARISON; NULL for a twin gate */
    const ks_expr *when; /* NULL: every group */
    const int *twins;    /* kernels; of a twin gate */
    size_t twin_count;
    bool pools_seeds; /* its columns are those of all seeds together */
    bool expects_fail;
    const char *why; /* "" when not said */
} ks_gate;

/* How far results of a dtype may be off. */
typedef struct ks_limit {
    bool is_twice_plain;
    double limit; /* absolute and relative; 0 for twice_plain */
} ks_limit;

typedef struct ks_sweep {
    const char *file;
    const char *name; /* FAMILY.TIER */
    const char *about;
    ks_mode mode;
    ks_oplog_mode oplog;
    ks_axis axes[KS_NAME_ALL]; /* axes, zips, sets, in this order */
    size_t axis_count;
    ks_names set_names;           /* all names that the axes set; model too */
    ks_point base;                /* defaults and calibration */
    const char *calibration_path; /* NULL: MODEL.md's defaults */
    ks_calibration_file calibration;
    const ks_expr *where, *where_option; /* NULL: none */
    ks_place where_place, where_option_place;
    const ks_rule *excludes, *expects;
    size_t exclude_count, expect_count;
    const ks_gate *gates;
    size_t gate_count;
    ks_limit tolerance[KS_DTYPE_COUNT];
    bool wants_golden, pins_logs; /* its golden keeps whole op_logs too */
    ks_place golden_place;        /* where it says so; where it says nothing, `line` is 0 */
    ks_digest digest, calibration_digest,
        models_digest; /* of the bytes; all 0 where there is no file */
    const ks_kernel_table *kernels;
} ks_sweep;

typedef struct ks_sweep_options {
    const char *const *sets; /* "NAME=VALUES"; NULL: none */
    size_t set_count;
    const char *where;             /* NULL: none */
    const ks_expr_column *columns; /* that gates may name */
    size_t column_count;
} ks_sweep_options;

/* Reads `path` ("-": standard input), its calibration and its models. Every complaint is KS_INPUT,
 * `FILE:LINE:COLUMN: found X, expected Y (did you mean Z?)`. Kernels and columns must outlive it. */
KS_CHECKED ks_status ks_sweep_read(const char *path, const ks_kernel_table *kernels,
                                   const ks_sweep_options *options, ks_sweep **out,
                                   ks_error *error);
/* The same from memory; `file` is what messages say and where calibration and models are looked for. */
KS_CHECKED ks_status ks_sweep_parse(const char *file, const char *bytes, size_t length,
                                    const ks_kernel_table *kernels, const ks_sweep_options *options,
                                    ks_sweep **out, ks_error *error);
void ks_sweep_free(ks_sweep *sweep); /* NULL is fine */

#endif
