/* What `list -v` adds. */
#ifndef KS_CLI_LIST_MORE_H
#define KS_CLI_LIST_MORE_H

#include "sweep/grid.h"

/* Costs of points that are planned, by kernel. All zero is none. */
typedef struct ks_list_costs {
    struct {
        uint64_t points;
        double seconds; /* on one thread */
    } kernels[64];      /* by kernel of the table */
    bool has_most;
    double most_seconds;
    ks_point most; /* the costliest point, the first of several */
} ks_list_costs;

void ks_list_costs_take(ks_list_costs *costs, const ks_sweep *sweep, const ks_point *point);

/* To standard output: values of every axis, conditions of the rules, gates, costs. */
void ks_list_more_print(const ks_sweep *sweep, const ks_list_costs *costs);

#endif
