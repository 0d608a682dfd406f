#include "data/numeric.h"
#include "data/reference.h"

enum { LANES = 8 }; /* query rows side by side */

typedef struct plain {
    uint64_t group, length, d; /* G, S, d */
    const float *k, *v;
    float scale;
    ks_dtype score, p_dtype, dtype;
    float *q;      /* d x LANES: the query rows of this pass */
    float *scores; /* LANES x S; later P */
} plain;

static void take_queries(plain *a, const float *q, uint64_t first, uint64_t lanes) {
    for (uint64_t i = 0; i < a->d; i++)
        for (uint64_t g = 0; g < LANES; g++)
            a->q[i * LANES + g] = g < lanes ? q[(first + g) * a->d + i] : 0.0f;
}

/* S = RN(scale x Q.K^T) */
static void score(const plain *a) {
    for (uint64_t j = 0; j < a->length; j++) {
        float sums[LANES] = {0};
        for (uint64_t i = 0; i < a->d; i++) {
            const float key = a->k[j * a->d + i];
#pragma omp simd
            for (int g = 0; g < LANES; g++) sums[g] += a->q[i * LANES + (uint64_t)g] * key;
        }
        for (uint64_t g = 0; g < LANES; g++)
            a->scores[g * a->length + j] = ks_round_to(a->score, a->scale * sums[g]);
    }
}

/* P = RN(exp(S - row max)) in place; returns its sum. */
static float probabilities(const plain *a, float *row) {
    float most = row[0], sum = 0;
    for (uint64_t j = 1; j < a->length; j++) most = row[j] > most ? row[j] : most;
#pragma omp simd
    for (uint64_t j = 0; j < a->length; j++) row[j] = ks_exp(row[j] - most);
    for (uint64_t j = 0; j < a->length; j++) {
        row[j] = ks_round_to(a->p_dtype, row[j]);
        sum += row[j];
    }
    return sum;
}

/* O = RN((P.V) / l) */
static void weigh(const plain *a, float *p, float *out) {
    const float sum = probabilities(a, p);
    for (uint64_t i = 0; i < a->d; i++) out[i] = 0;
    for (uint64_t j = 0; j < a->length; j++) {
        const float factor = p[j];
#pragma omp simd
        for (uint64_t i = 0; i < a->d; i++) out[i] += factor * a->v[j * a->d + i];
    }
    for (uint64_t i = 0; i < a->d; i++) out[i] = ks_round_to(a->dtype, out[i] / sum);
}

bool ks_plain_attention(const ks_problem *problem, float *out) {
    const uint64_t *params = problem->key->params;
    plain a = {.group = params[KS_P_G], .length = params[KS_P_S], .d = params[KS_P_d]};
    a.k = problem->inputs[1];
    a.v = problem->inputs[2];
    a.scale = (float)(1.0 / __builtin_sqrt((double)a.d));
    a.score = (ks_dtype)params[KS_P_score];
    a.p_dtype = (ks_dtype)params[KS_P_p_dtype];
    a.dtype = (ks_dtype)params[KS_P_dtype];
    a.q = ks_arena_take(problem->scratch, a.d * LANES, sizeof *a.q);
    a.scores = ks_arena_take(problem->scratch, a.length * LANES, sizeof *a.scores);
    if (!a.q || !a.scores) return false;
    for (uint64_t first = 0; first < a.group; first += LANES) {
        const uint64_t left = a.group - first, lanes = left < LANES ? left : LANES;
        take_queries(&a, problem->inputs[0], first, lanes);
        score(&a);
        for (uint64_t g = 0; g < lanes; g++)
            weigh(&a, &a.scores[g * a.length], &out[(first + g) * a.d]);
    }
    return true;
}
