#include "data/reference.h"

/* Some query rows. */
typedef struct plain {
    const ks_isa *isa;
    uint64_t rows, length, d; /* query rows, S, d */
    float *q;                 /* rows x d */
    float *scores;            /* rows x S; later P */
    float *sums;              /* rows */
    float *piece, *turned;    /* PIECE x d */
    void *raw;                /* ROUNDED elements */
} plain;

/* PIECE: rows of K or V at once; of 128 columns, they and their copy stay in L1. */
enum { ROUNDED = 1024, MOST_ROWS = 64, PIECE = 32 };

static bool take_memory(plain *a, uint64_t rows, ks_arena *scratch) {
    a->q = ks_arena_take(scratch, rows * a->d, sizeof *a->q);
    a->scores = ks_arena_take_unset(scratch, rows * a->length, sizeof *a->scores);
    a->sums = ks_arena_take(scratch, rows, sizeof *a->sums);
    a->piece = ks_arena_take(scratch, PIECE * a->d, sizeof *a->piece);
    a->turned = ks_arena_take(scratch, PIECE * a->d, sizeof *a->turned);
    a->raw = ks_arena_take(scratch, ROUNDED, sizeof(float));
    return a->q && a->scores && a->sums && a->piece && a->turned && a->raw;
}

/* Nearest values of dtype, in place. */
static void round_to(const plain *a, ks_dtype dtype, float *values, uint64_t count) {
    for (uint64_t i = 0; i < count && dtype != KS_F32; i += ROUNDED) {
        const uint64_t length = count - i < ROUNDED ? count - i : ROUNDED;
        ks_from_floats(a->isa, a->raw, dtype, &values[i], length);
        ks_to_floats(a->isa, &values[i], a->raw, dtype, length);
    }
}

/* S = RN(scale x Q.K^T) */
static void score(const plain *a, const ks_numbers *numbers, ks_dtype dtype) {
    const float scale = (float)(1.0 / __builtin_sqrt((double)a->d));
    for (uint64_t i = 0; i < a->rows * a->length; i++) a->scores[i] = 0;
    for (uint64_t j = 0; j < a->length; j += PIECE) {
        const uint64_t left = a->length - j, count = left < PIECE ? left : PIECE;
        ks_numbers_take(numbers, 1, j * a->d, count * a->d, a->piece);
        a->isa->solve32->turn(a->turned, PIECE, a->piece, count, a->d);
        a->isa->solve32->multiply(&a->scores[j], a->length, a->q, a->d, a->turned, PIECE, a->rows,
                                  count, a->d);
    }
    for (uint64_t i = 0; i < a->rows * a->length; i++) a->scores[i] = scale * a->scores[i];
    round_to(a, dtype, a->scores, a->rows * a->length);
}

/* P = RN(exp(S - row max)), l = its sum. */
static void weigh(const plain *a, ks_dtype p_dtype) {
    a->isa->solve32->exp_rows(a->scores, a->rows, a->length);
    round_to(a, p_dtype, a->scores, a->rows * a->length);
    a->isa->solve32->sum_rows(a->sums, a->scores, a->rows, a->length);
}

/* O = RN((P.V) / l) */
static void take_values(const plain *a, const ks_numbers *numbers, float *out) {
    for (uint64_t i = 0; i < a->rows * a->d; i++) out[i] = 0;
    for (uint64_t j = 0; j < a->length; j += PIECE) {
        const uint64_t left = a->length - j, count = left < PIECE ? left : PIECE;
        ks_numbers_take(numbers, 2, j * a->d, count * a->d, a->piece);
        a->isa->solve32->multiply(out, a->d, &a->scores[j], a->length, a->piece, a->d, a->rows,
                                  a->d, count);
    }
    for (uint64_t g = 0; g < a->rows; g++)
        for (uint64_t i = 0; i < a->d; i++) out[g * a->d + i] /= a->sums[g];
    round_to(a, numbers->layout.tensors[numbers->out].dtype, out, a->rows * a->d);
}

bool ks_plain_attention(const ks_numbers *numbers, ks_dtype score_dtype, ks_dtype p_dtype,
                        ks_arena *scratch, float *out) {
    const uint64_t *shape = numbers->key.params, group = shape[KS_P_G];
    plain a = {.isa = numbers->isa, .length = shape[KS_P_S], .d = shape[KS_P_d]};
    if (!take_memory(&a, group < MOST_ROWS ? group : MOST_ROWS, scratch)) return false;
    for (uint64_t g = 0; g < group; g += a.rows) {
        a.rows = group - g < MOST_ROWS ? group - g : MOST_ROWS;
        ks_numbers_take(numbers, 0, g * a.d, a.rows * a.d, a.q);
        score(&a, numbers, score_dtype);
        weigh(&a, p_dtype);
        take_values(&a, numbers, &out[g * a.d]);
    }
    return true;
}
