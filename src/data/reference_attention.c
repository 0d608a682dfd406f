#include "data/reference.h"

/* Taken at once: what is then read again and again stays in L1. */
enum { KEYS = 16, COLUMNS = 32 };

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

bool ks_attention_begin(ks_attention *a, const float *q, double *out, ks_arena *scratch) {
    const uint64_t keys = KEYS * a->d, values = KS_PIECE_ROWS * COLUMNS;
    a->q = ks_arena_take(scratch, a->rows * a->d, sizeof *a->q);
    a->scores = ks_arena_take_unset(scratch, a->rows * a->length, sizeof *a->scores);
    a->most = ks_arena_take(scratch, a->rows, sizeof *a->most);
    a->sums = ks_arena_take(scratch, a->rows, sizeof *a->sums);
    a->part = ks_arena_take(scratch, keys > values ? keys : values, sizeof *a->part);
    a->out = out;
    if (!a->q || !a->scores || !a->most || !a->sums || !a->part) return false;
    for (uint64_t g = 0; g < a->rows; g++)
        for (uint64_t i = 0; i < a->d; i++) a->q[i * a->rows + g] = (double)q[g * a->d + i];
    for (uint64_t g = 0; g < a->rows; g++) a->most[g] = -__builtin_inf();
    for (uint64_t i = 0; i < a->rows * a->d; i++) out[i] = 0;
    return true;
}

void ks_attention_keys(const ks_attention *a, const float *k, uint64_t first, uint64_t count) {
    const ks_solve64_loops *loops = a->isa->solve64;
    const double scale = 1.0 / __builtin_sqrt((double)a->d);
    for (uint64_t j = 0; j < count; j += KEYS) {
        const uint64_t keys = least(count - j, KEYS);
        double *scores = &a->scores[(first + j) * a->rows];
        for (uint64_t i = 0; i < keys * a->rows; i++) scores[i] = 0;
        loops->widen(a->part, a->d, &k[j * a->d], a->d, keys, a->d);
        loops->multiply(scores, a->rows, a->part, a->d, 1, a->q, a->rows, keys, a->rows, a->d);
        loops->scale_columns(scores, keys, a->rows, scale, a->most);
    }
}

void ks_attention_weigh(const ks_attention *a) {
    a->isa->solve64->exp_columns(a->scores, a->length, a->rows, a->most, a->sums);
}

void ks_attention_values(const ks_attention *a, const float *v, uint64_t first, uint64_t count) {
    for (uint64_t i = 0; i < a->d; i += COLUMNS) {
        const uint64_t width = least(a->d - i, COLUMNS);
        a->isa->solve64->widen(a->part, COLUMNS, &v[i], a->d, count, width);
        a->isa->solve64->multiply(&a->out[i], a->d, &a->scores[first * a->rows], 1, a->rows,
                                  a->part, COLUMNS, a->rows, width, count);
    }
}

void ks_attention_end(const ks_attention *a) {
    for (uint64_t g = 0; g < a->rows; g++)
        for (uint64_t i = 0; i < a->d; i++) a->out[g * a->d + i] /= a->sums[g];
}
