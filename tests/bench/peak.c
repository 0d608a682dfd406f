#include "bench/peak.h"

#include <stddef.h>
#include <string.h>

#if defined(__x86_64__)
extern const peak_loop peak_loop_base, peak_loop_v3, peak_loop_v4;
static const peak_loop *const loops[] = {&peak_loop_base, &peak_loop_v3, &peak_loop_v4};
#else
extern const peak_loop peak_loop_plain;
static const peak_loop *const loops[] = {&peak_loop_plain};
#endif

const peak_loop *peak_loop_of(const char *isa) {
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (strcmp(loops[i]->isa, isa) == 0) return loops[i];
    return NULL;
}
