/* What studies say of gates: the lines of robustness.csv, kept beside the results as they are. */
#ifndef KS_RUN_ADR_ROBUST_H
#define KS_RUN_ADR_ROBUST_H

#include "base/arena.h"
#include "base/exact.h"
#include "base/text.h"
#include "result/adr.h"

/* X(column): those of robustness.csv, then those of half-planes.csv, "" where a figure has none. */
#define KS_ADR_ROBUST_MAP(X) \
    X(figure)                \
    X(gate)                  \
    X(base_value)            \
    X(limit)                 \
    X(verdict)               \
    X(method)                \
    X(box)                   \
    X(radius_percent)        \
    X(nearest_flip_constant) \
    X(nearest_flip_value)    \
    X(nearest_flip_percent)  \
    X(worst_corner)          \
    X(passes_where)          \
    X(range_low)             \
    X(range_high)

typedef struct ks_adr_robust_line {
    const char *study; /* as the table file names it */
#define X(name) const char *name;
    KS_ADR_ROBUST_MAP(X)
#undef X
} ks_adr_robust_line;

typedef struct ks_adr_robust {
    ks_arena *arena;
    ks_adr_robust_line *items;
    size_t count, room;
} ks_adr_robust;

void ks_adr_robust_free(ks_adr_robust *robust); /* all zero is an empty list */

/* The robustness.csv of one study; columns that are not named above are passed over. */
KS_CHECKED ks_status ks_adr_robust_take(ks_adr_robust *robust, const char *study, const char *path,
                                        const char *bytes, size_t length, ks_error *error);
/* The half-planes.csv of a study whose robustness.csv was taken. */
KS_CHECKED ks_status ks_adr_robust_take_planes(ks_adr_robust *robust, const char *study,
                                               const char *path, const char *bytes, size_t length,
                                               ks_error *error);
/* The lines of one study, as they are. */
KS_CHECKED ks_status ks_adr_robust_copy(ks_adr_robust *robust, const ks_adr_robust *from,
                                        const char *study, ks_error *error);
/* The stored form: `study` and the columns above. */
void ks_adr_robust_print(ks_text *out, const ks_adr_robust *robust);
KS_CHECKED ks_status ks_adr_robust_parse(ks_adr_robust *robust, const char *path, const char *bytes,
                                         size_t length, ks_error *error);

/* Of the lines of this very comparison, of a figure ("": of any), the one that leaves least of a
 * pass; NULL: none. `*is_known`: some line has the figure. */
const ks_adr_robust_line *ks_adr_robust_find(const ks_adr_robust *robust, const char *figure,
                                             const ks_exact *value, const char *op,
                                             const ks_exact *limit, bool *is_known);
/* In words, for a cell. */
void ks_adr_robust_say(ks_text *out, const ks_adr_robust_line *line);
/* What is left of a gate that passes: PASS; FRAGILE where it does not hold in the whole box, or flips
 * in it or in a range and nothing was proved; else UNDECIDED where the study found no answer. */
ks_adr_result ks_adr_robust_result(const ks_adr_robust_line *line);

#endif
