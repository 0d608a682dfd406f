/* Points at random: every kernel, policy and gemm rule, shapes with tails, machines from starved to
 * lavish, with the values that make instants coincide (cost 0, latency 0, one buffer, one place). */
#ifndef KS_TEST_SUPPORT_RANDOM_POINT_H
#define KS_TEST_SUPPORT_RANDOM_POINT_H

#include "contract/point.h"

/* A generator of its own for each seed: splitmix64. */
typedef struct random_source {
    uint64_t state;
} random_source;

uint64_t random_below(random_source *source, uint64_t limit);
uint64_t random_between(random_source *source, uint64_t low, uint64_t high); /* both included */

/* A point of that kernel (an index of ks_kernels), of at most some thousands of stages. */
ks_point random_point(random_source *source, uint64_t kernel);
/* The point's constants of the machine, and its policy, anew; shapes and tiles of the loop stay. */
void random_machine(random_source *source, ks_point *point);
/* As KEY, for a message: static memory of the caller's. */
const char *random_point_key(const ks_point *point, char *text, size_t bytes);

#endif
