/* A study file: which constants may be otherwise, what figures and gates hang on them, and by which
 * methods to ask. Read strictly: what is not known is an error. */
#ifndef KS_SWEEP_STUDY_FILE_H
#define KS_SWEEP_STUDY_FILE_H

#include "sweep/sweep_file.h"

/* A constant and the range that it may have. Values are lattice values: ticks. */
typedef struct ks_study_constant {
    ks_constant constant;
    uint64_t base, low, high;  /* low <= base <= high, low < high */
    const char *unit, *source; /* of the range; "" when not said */
    bool is_rate;              /* shown per unit too (1 / value); else a cost */
    ks_place place;
} ks_study_constant;

/* A figure of merit, and the gate on it. A figure that names columns alone is there once a kernel. */
typedef struct ks_study_figure {
    const char *name; /* NAME, or NAME.KERNEL */
    const ks_expr *expr;
    int kernel;            /* of sides without one; -1: there are none */
    const char *gate_text; /* "> 2"; NULL: no gate */
    const char *op;        /* "==", "!=", "<", "<=", ">", ">="; NULL: no gate */
    const ks_expr *limit;
    ks_place place;
} ks_study_figure;

typedef enum ks_method_kind {
    KS_METHOD_OAT,
    KS_METHOD_ELASTICITY,
    KS_METHOD_CENTERED,
    KS_METHOD_GRID,
    KS_METHOD_PAIRS,
    KS_METHOD_LIST,
    KS_METHOD_MORRIS,
    KS_METHOD_SOBOL,
    KS_METHOD_FILTER,
    KS_METHOD_FLIPS,
    KS_METHOD_BOUNDARY,
    KS_METHOD_CERTIFICATE,
    KS_METHOD_WHATIF,
    KS_METHOD_COUNT
} ks_method_kind;
const char *ks_method_name(ks_method_kind kind);

typedef enum ks_box_kind { KS_BOX_PERCENT, KS_BOX_RANGES, KS_BOX_BOUNDS } ks_box_kind;

/* Rules that a what-if study gives up. */
typedef enum ks_whatif_rule {
    KS_WHATIF_D6_2,        /* stream_in_prologue = 1 */
    KS_WHATIF_D6_3,        /* policy = rw_aware */
    KS_WHATIF_DISPATCH,    /* both dispatch constants 0 */
    KS_WHATIF_DMA_LATENCY, /* dma_latency_cycles = 0 */
    KS_WHATIF_COUNT
} ks_whatif_rule;
const char *ks_whatif_name(ks_whatif_rule rule);

typedef struct ks_study_method {
    ks_method_kind kind;
    ks_place place;
    uint64_t
        n; /* sobol, filter: N; morris: r (0: all); centered: steps; grid, pairs, boundary: levels */
    uint64_t p; /* morris: levels */
    uint64_t seed;
    uint64_t resamples, budget, samples;
    bool is_random; /* sequence: random */
    bool has_second_order;
    uint64_t confidence_ticks; /* 0.95 is 9500 */
    uint64_t step_ticks;       /* elasticity: per cent, in ticks */
    ks_box_kind box;
    uint64_t box_ticks;           /* per cent around the base, in ticks */
    const uint64_t *lows, *highs; /* of KS_BOX_BOUNDS, by constant of the study */
    const uint64_t *calibrations; /* list: [i * constant_count + c] */
    size_t calibration_count;
    ks_whatif_rule rules[KS_WHATIF_COUNT]; /* whatif */
    size_t rule_count;
} ks_study_method;

typedef struct ks_study {
    const char *file, *name, *about;
    ks_point base;      /* without a kernel */
    const int *kernels; /* in file order */
    size_t kernel_count;
    const ks_study_constant *constants;
    size_t constant_count;
    const ks_study_figure *figures;
    size_t figure_count;
    const ks_study_method *methods;
    size_t method_count;
    ks_digest digest, calibration_digest; /* of the bytes; all 0 where there is no file */
    const char *calibration_path;         /* NULL: MODEL.md's defaults */
    const ks_kernel_table *kernel_table;
} ks_study;

typedef struct ks_study_options {
    const ks_expr_column *columns; /* that figures may name */
    const bool *is_studied;        /* by column: mode timing gives it without an op_log */
    size_t column_count;
} ks_study_options;

/* As ks_sweep_read and ks_sweep_parse. Kernels and columns must outlive it. */
KS_CHECKED ks_status ks_study_read(const char *path, const ks_kernel_table *kernels,
                                   const ks_study_options *options, ks_study **out,
                                   ks_error *error);
KS_CHECKED ks_status ks_study_parse(const char *file, const char *bytes, size_t length,
                                    const ks_kernel_table *kernels, const ks_study_options *options,
                                    ks_study **out, ks_error *error);
void ks_study_free(ks_study *study); /* NULL is fine */

#endif
