#include "data/numeric.h"
#include "data/reference.h"

/* Query rows that are solved side by side, so that the strict sums over d vectorise. */
enum { LANES = 8 };

typedef struct attention {
    uint64_t group, length, d; /* G, S, d */
    const float *k, *v;
    double scale;
    double *q;      /* d x LANES: the query rows of this pass */
    double *scores; /* S x LANES */
} attention;

static void take_queries(attention *a, const float *q, uint64_t first, uint64_t lanes) {
    for (uint64_t i = 0; i < a->d; i++)
        for (uint64_t g = 0; g < LANES; g++)
            a->q[i * LANES + g] = g < lanes ? (double)q[(first + g) * a->d + i] : 0.0;
}

static void score(const attention *a) {
    for (uint64_t j = 0; j < a->length; j++) {
        double sums[LANES] = {0};
        for (uint64_t i = 0; i < a->d; i++) {
            const double key = (double)a->k[j * a->d + i];
#pragma omp simd
            for (int g = 0; g < LANES; g++) sums[g] += a->q[i * LANES + (uint64_t)g] * key;
        }
        for (uint64_t g = 0; g < LANES; g++) a->scores[j * LANES + g] = a->scale * sums[g];
    }
}

/* exp(score - row maximum) in place; returns their sum. */
static double exponentials(const attention *a, uint64_t lane) {
    double most = a->scores[lane];
    for (uint64_t j = 1; j < a->length; j++)
        if (a->scores[j * LANES + lane] > most) most = a->scores[j * LANES + lane];
    double sum = 0;
    for (uint64_t j = 0; j < a->length; j++) {
        double *p = &a->scores[j * LANES + lane];
        *p = ks_exp64(*p - most);
        sum += *p;
    }
    return sum;
}

static void weigh(const attention *a, uint64_t lanes, double *out) {
    double sums[LANES];
    for (uint64_t g = 0; g < lanes; g++) sums[g] = exponentials(a, g);
    for (uint64_t i = 0; i < lanes * a->d; i++) out[i] = 0;
    for (uint64_t j = 0; j < a->length; j++)
        for (uint64_t g = 0; g < lanes; g++) {
            const double p = a->scores[j * LANES + g];
#pragma omp simd
            for (uint64_t i = 0; i < a->d; i++) out[g * a->d + i] += p * (double)a->v[j * a->d + i];
        }
    for (uint64_t g = 0; g < lanes; g++)
        for (uint64_t i = 0; i < a->d; i++) out[g * a->d + i] /= sums[g];
}

bool ks_reference_attention(const ks_problem *problem, double *out) {
    const uint64_t *shape = problem->key->params;
    attention a = {.group = shape[KS_P_G], .length = shape[KS_P_S], .d = shape[KS_P_d]};
    a.k = problem->inputs[1];
    a.v = problem->inputs[2];
    a.scale = 1.0 / __builtin_sqrt((double)a.d);
    a.q = ks_arena_take(problem->scratch, a.d * LANES, sizeof *a.q);
    a.scores = ks_arena_take(problem->scratch, a.length * LANES, sizeof *a.scores);
    if (!a.q || !a.scores) return false;
    for (uint64_t first = 0; first < a.group; first += LANES) {
        const uint64_t left = a.group - first, lanes = left < LANES ? left : LANES;
        take_queries(&a, problem->inputs[0], first, lanes);
        score(&a);
        weigh(&a, lanes, &out[first * a.d]);
    }
    return true;
}
