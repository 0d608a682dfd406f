/* The points of a sweep, one index each, made when asked for: memory does not grow with the grid.
 * Index order: axes in file order, zips after them, the last varies fastest. */
#ifndef KS_SWEEP_GRID_H
#define KS_SWEEP_GRID_H

#include "sweep/sweep_file.h"

typedef struct ks_grid ks_grid;

#define KS_GRID_MAX_POINTS UINT64_C(10000000) /* default of --max-points */

/* The sweep must outlive the grid. KS_INPUT: more points than the limit, a shape that a kernel
 * needs and nobody sets. A grid may be asked from several threads at once. */
KS_CHECKED ks_status ks_grid_new(const ks_sweep *sweep, uint64_t max_points, ks_grid **out,
                                 ks_error *error);
void ks_grid_free(ks_grid *grid); /* NULL is fine */
uint64_t ks_grid_size(const ks_grid *grid);

typedef enum ks_cell_status {
    KS_CELL_RUN,
    KS_CELL_NOT_WHERE,      /* `where` does not hold */
    KS_CELL_NOT_OPTION,     /* --where does not hold */
    KS_CELL_EXCLUDED,       /* by exclude rule `rule` */
    KS_CELL_NOT_APPLICABLE, /* equals an earlier one but for shapes that its kernel does not take */
    KS_CELL_DUPLICATE,      /* equals an earlier one */
    KS_CELL_STATUS_COUNT
} ks_cell_status;

typedef struct ks_cell {
    ks_cell_status status;
    size_t rule;
    ks_point point;
    const char *label; /* its own model, whatever its status; the sweep's; "" without a model */
} ks_cell;

/* index < size. KS_INPUT: a rule divides by zero. */
KS_CHECKED ks_status ks_grid_at(const ks_grid *grid, uint64_t index, ks_cell *cell,
                                ks_error *error);
/* Of an index that runs: appends its models' labels, joined by `|`; nothing without models. */
void ks_grid_labels(const ks_grid *grid, uint64_t index, ks_text *out);
/* The first expect rule that matches; -1: none. `label` as ks_grid_labels gives it; "" or NULL: none. */
int ks_grid_expect(const ks_grid *grid, const ks_point *point, const char *label);
/* The index that runs this point, if one does. */
bool ks_grid_find(const ks_grid *grid, const ks_point *point, uint64_t *index);
/* Whether points.csv has a column for it: swept, set, or calibrated away from the default. */
bool ks_grid_shows(const ks_grid *grid, ks_name name);

typedef struct ks_rule_count {
    uint64_t matched; /* points for which `when` holds, and (of exclude) where and --where do */
    uint64_t removed; /* of exclude: those that no earlier rule removed */
} ks_rule_count;

typedef struct ks_grid_count {
    uint64_t total;
    uint64_t cells[KS_CELL_STATUS_COUNT];
    ks_rule_count *excludes; /* by rule of the sweep */
    ks_rule_count *expects;
    ks_names taken; /* parameters and constants that a kernel of the grid has */
} ks_grid_count;

/* One pass over the grid. KS_INPUT: a rule removes everything, or nothing is left. */
KS_CHECKED ks_status ks_grid_count_new(const ks_grid *grid, ks_grid_count **out, ks_error *error);
void ks_grid_count_free(ks_grid_count *count); /* NULL is fine */

#endif
