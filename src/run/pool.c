#include "run/pool.h"

typedef enum pooling { NOT, ROOT_MEAN_SQUARE, LARGEST_REAL, LARGEST_COUNT, SUM } pooling;

static const pooling poolings[KS_COLUMN_COUNT] = {
    [KS_COL_max_abs_err] = LARGEST_REAL,
    [KS_COL_max_rel_err] = LARGEST_REAL,
    [KS_COL_rmse] = ROOT_MEAN_SQUARE,
    [KS_COL_max_ulp_err] = LARGEST_COUNT,
    [KS_COL_max_abs_err_full] = LARGEST_REAL,
    [KS_COL_rmse_full] = ROOT_MEAN_SQUARE,
    [KS_COL_nonfinite] = SUM,
};

bool ks_column_can_pool(ks_column column) { return poolings[column] != NOT; }

void ks_pool_add(ks_pool *pool, ks_column column, ks_figure figure, uint64_t elements) {
    switch (poolings[column]) {
    case NOT: break;
    case ROOT_MEAN_SQUARE:
        pool->squares += (double)elements * (figure.real * figure.real);
        pool->weight += (double)elements;
        break;
    case LARGEST_REAL:
        if (figure.real > pool->largest.real) pool->largest = figure;
        break;
    case LARGEST_COUNT:
        if (figure.count > pool->largest.count) pool->largest = figure;
        break;
    case SUM: pool->sum += figure.count; break;
    }
}

ks_figure ks_pool_figure(const ks_pool *pool, ks_column column) {
    switch (poolings[column]) {
    case ROOT_MEAN_SQUARE:
        return (ks_figure){.real =
                               pool->weight > 0 ? __builtin_sqrt(pool->squares / pool->weight) : 0};
    case SUM: return (ks_figure){.count = pool->sum};
    default: return pool->largest;
    }
}
