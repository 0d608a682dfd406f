#include "data/reference.h"

/* Keys, or columns of V, taken at once: what is then read again and again stays in L1. */
enum { AT_ONCE = 32 };

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

bool ks_attention_begin(ks_attention *a, const float *q, double *out, ks_arena *scratch) {
    const uint64_t longest = a->d > KS_PIECE_ROWS ? a->d : KS_PIECE_ROWS;
    a->q = ks_arena_take(scratch, a->rows * a->d, sizeof *a->q);
    a->scores = ks_arena_take_unset(scratch, a->rows * a->length, sizeof *a->scores);
    a->most = ks_arena_take(scratch, a->rows, sizeof *a->most);
    a->sums = ks_arena_take(scratch, a->rows, sizeof *a->sums);
    a->part = ks_arena_take(scratch, longest * AT_ONCE, sizeof *a->part);
    a->out = out;
    if (!a->q || !a->scores || !a->most || !a->sums || !a->part) return false;
    for (uint64_t g = 0; g < a->rows; g++)
        for (uint64_t i = 0; i < a->d; i++) a->q[i * a->rows + g] = (double)q[g * a->d + i];
    for (uint64_t i = 0; i < a->rows * a->d; i++) out[i] = 0;
    return true;
}

void ks_attention_keys(const ks_attention *a, const float *k, uint64_t first, uint64_t count) {
    for (uint64_t j = 0; j < count; j += AT_ONCE) {
        const uint64_t keys = least(count - j, AT_ONCE);
        double *scores = &a->scores[(first + j) * a->rows];
        for (uint64_t i = 0; i < keys * a->rows; i++) scores[i] = 0;
        a->isa->solve64->widen(a->part, &k[j * a->d], keys * a->d);
        a->isa->solve64->multiply(scores, a->rows, a->part, a->d, 1, a->q, a->rows, keys, a->rows,
                                  a->d);
    }
}

void ks_attention_weigh(const ks_attention *a) {
    const double scale = 1.0 / __builtin_sqrt((double)a->d);
    a->isa->solve64->exp_columns(a->scores, a->length, a->rows, scale, a->most, a->sums);
}

void ks_attention_values(const ks_attention *a, const float *v, uint64_t first, uint64_t count) {
    for (uint64_t i = 0; i < a->d; i += AT_ONCE) {
        const uint64_t width = least(a->d - i, AT_ONCE);
        for (uint64_t j = 0; j < count; j++)
            a->isa->solve64->widen(&a->part[j * AT_ONCE], &v[j * a->d + i], width);
        a->isa->solve64->multiply(&a->out[i], a->d, &a->scores[first * a->rows], 1, a->rows,
                                  a->part, AT_ONCE, a->rows, width, count);
    }
}

void ks_attention_end(const ks_attention *a) {
    for (uint64_t g = 0; g < a->rows; g++)
        for (uint64_t i = 0; i < a->d; i++) a->out[g * a->d + i] /= a->sums[g];
}
