/* Points of the unit cube, each a function of (seed, index, dimension) alone: the scrambled Sobol'
 * sequence, or pseudo-random numbers. The first n points of a longer run are those of a shorter. */
#ifndef KS_STUDY_SEQUENCE_H
#define KS_STUDY_SEQUENCE_H

#include <stdint.h>

typedef enum ks_sequence_kind { KS_SEQUENCE_SOBOL, KS_SEQUENCE_RANDOM } ks_sequence_kind;
const char *ks_sequence_name(ks_sequence_kind kind); /* "sobol", "random" */

enum { KS_SEQUENCE_DIMS = 64, KS_SEQUENCE_BITS = 32 };

/* Sobol': direction numbers of Joe and Kuo (new-joe-kuo-6.21201), 32 bits, with Owen's nested
 * uniform scrambling: at every node of a dimension's binary tree a hash of (seed, dimension, node)
 * says whether the halves change places. Every point is then uniform, and every aligned block of
 * 2^m points keeps its stratification. */
typedef struct ks_sequence {
    ks_sequence_kind kind;
    uint64_t seed;
    uint32_t directions[KS_SEQUENCE_DIMS][KS_SEQUENCE_BITS];
} ks_sequence;

void ks_sequence_begin(ks_sequence *sequence, ks_sequence_kind kind, uint64_t seed);
/* In (0, 1); never an end. dimension < KS_SEQUENCE_DIMS; of Sobol' index < 2^32. */
double ks_sequence_at(const ks_sequence *sequence, uint64_t index, uint32_t dimension);

/* The unscrambled number, times 2^32. */
uint32_t ks_sobol_at(const ks_sequence *sequence, uint32_t index, uint32_t dimension);

/* A hash of (seed, a, b), all 64 bits of it: what pseudo-random draws are made of. */
uint64_t ks_draw(uint64_t seed, uint64_t a, uint64_t b);
/* The same as an integer in [0, count); count > 0. */
uint64_t ks_draw_below(uint64_t seed, uint64_t a, uint64_t b, uint64_t count);

#endif
