#include "data/reference.h"

/* Keys, or columns of V, taken at once: what is then read again and again stays in L1. */
enum { AT_ONCE = 32 };

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

bool ks_attention_begin(ks_attention *a, const float *q, double *out, ks_arena *scratch) {
    const uint64_t longest = a->d > KS_PIECE_ROWS ? a->d : KS_PIECE_ROWS;
    a->q = ks_arena_take(scratch, a->rows * a->d, sizeof *a->q);
    a->scores = ks_arena_take_unset(scratch, a->rows * a->length, sizeof *a->scores);
    a->sums = ks_arena_take(scratch, a->rows, sizeof *a->sums);
    a->part = ks_arena_take(scratch, longest * AT_ONCE, sizeof *a->part);
    a->out = out;
    if (!a->q || !a->scores || !a->sums || !a->part) return false;
    a->isa->solve64->widen(a->q, q, a->rows * a->d);
    for (uint64_t i = 0; i < a->rows * a->d; i++) out[i] = 0;
    return true;
}

void ks_attention_keys(const ks_attention *a, const float *k, uint64_t first, uint64_t count) {
    for (uint64_t j = 0; j < count; j += AT_ONCE) {
        const uint64_t width = least(count - j, AT_ONCE);
        double *scores = &a->scores[first + j];
        for (uint64_t g = 0; g < a->rows; g++)
            for (uint64_t w = 0; w < width; w++) scores[g * a->length + w] = 0;
        a->isa->solve64->turn(a->part, AT_ONCE, &k[j * a->d], width, a->d);
        a->isa->solve64->multiply(scores, a->length, a->q, a->d, a->part, AT_ONCE, a->rows, width,
                                  a->d);
    }
}

void ks_attention_weigh(const ks_attention *a) {
    const double scale = 1.0 / __builtin_sqrt((double)a->d);
    for (uint64_t i = 0; i < a->rows * a->length; i++) a->scores[i] = scale * a->scores[i];
    a->isa->solve64->exp_rows(a->scores, a->rows, a->length);
    a->isa->solve64->sum_rows(a->sums, a->scores, a->rows, a->length);
}

void ks_attention_values(const ks_attention *a, const float *v, uint64_t first, uint64_t count) {
    for (uint64_t i = 0; i < a->d; i += AT_ONCE) {
        const uint64_t width = least(a->d - i, AT_ONCE);
        for (uint64_t j = 0; j < count; j++)
            a->isa->solve64->widen(&a->part[j * AT_ONCE], &v[j * a->d + i], width);
        a->isa->solve64->multiply(&a->out[i], a->d, &a->scores[first], a->length, a->part, AT_ONCE,
                                  a->rows, width, count);
    }
}

void ks_attention_end(const ks_attention *a) {
    for (uint64_t g = 0; g < a->rows; g++)
        for (uint64_t i = 0; i < a->d; i++) a->out[g * a->d + i] /= a->sums[g];
}
