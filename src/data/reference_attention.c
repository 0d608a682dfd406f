#include "data/reference.h"

bool ks_attention_begin(ks_attention *a, const float *q, double *out, ks_arena *scratch) {
    a->q = ks_arena_take(scratch, a->rows * a->d, sizeof *a->q);
    a->scores = ks_arena_take(scratch, a->rows * a->length, sizeof *a->scores);
    a->sums = ks_arena_take(scratch, a->rows, sizeof *a->sums);
    a->piece = ks_arena_take(scratch, a->d * KS_PIECE_ROWS, sizeof *a->piece);
    a->out = out;
    if (!a->q || !a->scores || !a->sums || !a->piece) return false;
    a->isa->solve64->widen(a->q, q, a->rows * a->d);
    for (uint64_t i = 0; i < a->rows * a->d; i++) out[i] = 0;
    return true;
}

void ks_attention_keys(const ks_attention *a, const float *k, uint64_t first, uint64_t count) {
    a->isa->solve64->turn(a->piece, KS_PIECE_ROWS, k, count, a->d);
    a->isa->solve64->multiply(&a->scores[first], a->length, a->q, a->d, a->piece, KS_PIECE_ROWS,
                              a->rows, count, a->d);
}

void ks_attention_weigh(const ks_attention *a) {
    const double scale = 1.0 / __builtin_sqrt((double)a->d);
    for (uint64_t i = 0; i < a->rows * a->length; i++) a->scores[i] = scale * a->scores[i];
    a->isa->solve64->exp_rows(a->scores, a->rows, a->length);
    a->isa->solve64->sum_rows(a->sums, a->scores, a->rows, a->length);
}

void ks_attention_values(const ks_attention *a, const float *v, uint64_t first, uint64_t count) {
    a->isa->solve64->widen(a->piece, v, count * a->d);
    a->isa->solve64->multiply(a->out, a->d, &a->scores[first], a->length, a->piece, a->d, a->rows,
                              a->d, count);
}

void ks_attention_end(const ks_attention *a) {
    for (uint64_t g = 0; g < a->rows; g++)
        for (uint64_t i = 0; i < a->d; i++) a->out[g * a->d + i] /= a->sums[g];
}
