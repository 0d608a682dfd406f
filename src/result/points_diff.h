/* How the points of one report differ from those of another, as reports tell it. "Expected" is the
 * left one. */
#ifndef KS_RESULT_POINTS_DIFF_H
#define KS_RESULT_POINTS_DIFF_H

#include "result/change.h"

enum { KS_DIFF_KERNELS = 64, KS_DIFF_GROUPS = 32 };

/* A column over the points in which it moved. */
typedef struct ks_column_move {
    uint64_t points;
    uint64_t came, went; /* of these: only right, only left has a value */
    bool has_range;      /* COUNT, CYCLES: right minus left, in units or ticks */
    int64_t least, most;
    double least_ratio, most_ratio; /* REAL, both not 0: right / left; 0: none */
} ks_column_move;

/* total_cycles of the points that both have. */
typedef struct ks_kernel_move {
    const char *kernel;
    uint64_t points, changed; /* with total_cycles on both sides; of these with another */
    double mean;              /* geometric, of right / left */
} ks_kernel_move;

/* Changed points that count as one cause. */
typedef struct ks_change_group {
    const char *what;
    uint64_t points;
    const char *key; /* of the one with the fewest rows in its op_log */
} ks_change_group;

typedef struct ks_points_diff {
    uint64_t counts[2]; /* points: left, right */
    uint64_t same, changed, only[2];
    uint64_t not_compared;                  /* bit by ks_column: one side has them nowhere */
    uint64_t verdicts, reasons, invariants; /* points of which these moved */
    ks_column_move columns[KS_COLUMN_COUNT];
    ks_kernel_move kernels[KS_DIFF_KERNELS];
    size_t kernel_count;
    ks_change_group groups[KS_DIFF_GROUPS]; /* the largest first */
    size_t group_count;
    uint64_t more_points; /* changed ones of further groups */
    bool has_first;       /* some op_log or cell changed */
    size_t first[2];      /* that point's line on each side: the fewest rows, then the first */
} ks_points_diff;

#endif
