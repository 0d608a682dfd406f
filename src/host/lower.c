#include <string.h>

#include "host/host.h"

int ks_kernel_find(const ks_kernel_table *table, const char *name) {
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->kernels[i].name, name) == 0) return (int)i;
    return -1;
}

static void lower(const ks_kernel *kernel, const ks_point *point, bool is_short, ks_arena *arena,
                  ks_lowering *lowering) {
    ks_tl *tl = ks_tl_new(arena, ks_whole_of(&point->calibration, KS_C_tcm_bytes),
                          (ks_dtype)ks_param_of(point, KS_P_acc));
    if (!tl) {
        *lowering = (ks_lowering){.verdict = KS_LOWERING_NO_MEMORY};
        return;
    }
    if (is_short) ks_tl_be_short(tl);
    const ks_layout layout = ks_task_layout(kernel->task, point);
    kernel->lower(tl, point, &layout);
    ks_tl_finish(tl, lowering);
}

void ks_lower(const ks_kernel *kernel, const ks_point *point, ks_arena *arena,
              ks_lowering *lowering) {
    lower(kernel, point, false, arena, lowering);
}

void ks_lower_short(const ks_kernel *kernel, const ks_point *point, ks_arena *arena,
                    ks_lowering *lowering) {
    lower(kernel, point, true, arena, lowering);
}
