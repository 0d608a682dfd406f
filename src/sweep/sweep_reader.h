/* A sweep file while it is read; for sweep_*.c alone. */
#ifndef KS_SWEEP_SWEEP_READER_H
#define KS_SWEEP_SWEEP_READER_H

#include "sweep/sweep_file.h"
#include "sweep/tree_read.h"

typedef struct ks_expr_link {
    ks_expr *expr;
    struct ks_expr_link *next;
} ks_expr_link;

/* What a ks_sweep is inside. */
typedef struct ks_sweep_box {
    ks_sweep sweep; /* first: the caller's pointer */
    ks_arena *arena;
    ks_expr_link *exprs; /* all of them, to be freed */
} ks_sweep_box;

typedef struct ks_sweep_reader {
    ks_sweep_box *box;
    ks_sweep *sweep; /* box's */
    ks_arena *arena; /* box's */
    const ks_sweep_options *options;
    ks_model_file models; /* read when the first model is named */
    bool has_models;
    bool takes_any_model; /* labels are not looked up */
    struct {
        ks_place place;
        const char *section; /* NULL: not set yet */
    } claims[KS_NAME_ALL];
    ks_error *error;
} ks_sweep_reader;

/* Each takes the root of the file and fills its part of the sweep. */
ks_status ks_sweep_read_head(ks_sweep_reader *r, const ks_tree *root);
ks_status ks_sweep_read_calibration(ks_sweep_reader *r, const ks_tree *root);
ks_status ks_sweep_read_axes(ks_sweep_reader *r, const ks_tree *root);
ks_status ks_sweep_read_sets(ks_sweep_reader *r); /* --set */
ks_status ks_sweep_read_rules(ks_sweep_reader *r, const ks_tree *root);
ks_status ks_sweep_read_gates(ks_sweep_reader *r, const ks_tree *root);
ks_status ks_sweep_read_tolerance(ks_sweep_reader *r, const ks_tree *root);
/* name, then expr or twin, and when, of one gate; `gates`: those before it. */
ks_status ks_sweep_read_question(ks_sweep_reader *r, const ks_tree *map, const ks_gate *gates,
                                 ks_gate *gate);

/* `pool: seed` of a gate: figures of error alone, and no side that fixes the seed. */
ks_status ks_sweep_read_pool(ks_sweep_reader *r, const ks_tree *map, ks_gate *gate);

/* FOLDER-of-the-sweep/NAME, else sweeps/NAME; *path is NULL when neither is there. */
ks_status ks_sweep_beside(ks_sweep_reader *r, const char *name, const char **path);
ks_status ks_sweep_read_models(ks_sweep_reader *r, const ks_place *asked);

/* One axis of a name's values: fills `axis` (with room for one more column, two of a model). */
ks_status ks_sweep_add_column(ks_sweep_reader *r, ks_axis *axis, const char *section, ks_name name,
                              const ks_place *place, const ks_tree *values);
ks_status ks_sweep_new_axis(ks_sweep_reader *r, ks_axis_origin origin, ks_axis **out);

ks_status ks_sweep_read_expr(ks_sweep_reader *r, const ks_tree *node, ks_expr_form form,
                             const ks_expr **out);
/* One of `words`; `index` is untouched when `node` is NULL. */
ks_status ks_sweep_read_word(ks_sweep_reader *r, const ks_tree *node, const char *what,
                             const char *const *words, size_t count, size_t *index);

#endif
