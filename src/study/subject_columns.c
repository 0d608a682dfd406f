#include "study/subject_columns.h"

bool ks_column_is_of_dispatch(ks_column column) {
    return column <= KS_COL_dispatch_cycles_per_tile || column == KS_COL_tcm_peak_bytes;
}

ks_study_options ks_study_columns(void) {
    static const ks_expr_column columns[KS_COLUMN_COUNT] = {
#define X(kind, name, unit, about) {#name, KS_##kind == KS_WORD || KS_##kind == KS_DIGEST, false},
        KS_COLUMN_MAP(X)
#undef X
    };
    static const bool is_studied[KS_COLUMN_COUNT] = {
#define X(kind, name, unit, about) \
    KS_COL_##name <= KS_COL_roofline_cycles &&KS_##kind != KS_WORD &&KS_##kind != KS_DIGEST,
        KS_COLUMN_MAP(X)
#undef X
    };
    return (ks_study_options){columns, is_studied, KS_COLUMN_COUNT};
}
