/* What a core does at best, for the benches to be set beside: independent multiply-and-adds on
 * whole vectors, nothing loaded or stored. peak_isa.c is compiled for each instruction set. */
#ifndef BENCH_PEAK_H
#define BENCH_PEAK_H

#include <stdint.h>

typedef struct peak_loop {
    const char *isa; /* as ks_isa_name says it */
    float (*run32)(uint64_t steps);
    double (*run64)(uint64_t steps);
    float (*read)(const float *values, uint64_t count); /* their sum: what loading allows */
    uint64_t flops32, flops64;                          /* of a step */
    int is_fused;
} peak_loop;

const peak_loop *peak_loop_of(const char *isa); /* NULL: not compiled */

#endif
