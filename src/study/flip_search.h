/* The flips of a gate along one constant from any calibration: proved as far as a budget goes, then
 * sampled. */
#ifndef KS_STUDY_FLIP_SEARCH_H
#define KS_STUDY_FLIP_SEARCH_H

#include "study/gate_line.h"

enum { KS_FLIP_FURTHER_VALUES = 400 }; /* sampled beyond what the budget lets prove */

typedef struct ks_flip_search {
    size_t figure, constant; /* of the study; set by the caller */
    ks_effect effect;
    ks_flips flips; /* ks_flips_free */
} ks_flip_search;

/* All constants stand as in `calibration`; the search's own moves over its range, from its base. */
KS_CHECKED ks_status ks_flip_search_run(ks_flip_search *search, ks_subject *subject,
                                        const uint64_t *calibration, uint64_t budget,
                                        ks_error *error);
bool ks_flip_search_is_whole(const ks_flip_search *search, const ks_study *study);
/* Why there are no flips but these; of one beyond from and to (or, without a flip, of the line). */
const char *ks_flip_search_method(const ks_flip_search *search, const ks_flip *flip);
/* The root, or of a jump the neighbour farther from the base. The caller frees it. */
ks_exact ks_flip_value(const ks_flip *flip, uint64_t base);

#endif
