#include "result/row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ks_column_info infos[KS_COLUMN_COUNT] = {
#define X(kind, name, unit, about) [KS_COL_##name] = {#name, KS_##kind, unit, about},
    KS_COLUMN_MAP(X)
#undef X
};

_Static_assert(KS_COLUMN_COUNT <= 64, "ks_row.has is a bit set");

const ks_column_info *ks_column_describe(ks_column column) { return &infos[column]; }

const char *ks_verdict_name(ks_verdict verdict) {
    static const char *const names[KS_VERDICT_COUNT] = {
#define X(name) [KS_VERDICT_##name] = #name,
        KS_VERDICT_MAP(X)
#undef X
    };
    return names[verdict];
}

const char *ks_golden_state_name(ks_golden_state state) {
    static const char *const names[] = {"none", "new", "match", "mismatch"};
    return names[state];
}

static void mark(ks_row *row, ks_column column) { row->has |= UINT64_C(1) << column; }

void ks_row_set_count(ks_row *row, ks_column column, uint64_t count) {
    mark(row, column);
    row->figures[column].count = count;
}

void ks_row_set_real(ks_row *row, ks_column column, double real) {
    mark(row, column);
    row->figures[column].real = real;
}

void ks_row_set_word(ks_row *row, ks_column column, const char *word) {
    mark(row, column);
    snprintf(row->figures[column].word, sizeof row->figures[column].word, "%s", word);
}

void ks_row_set_digest(ks_row *row, ks_column column, const ks_digest *digest) {
    mark(row, column);
    row->figures[column].digest = *digest;
}

static void add_digest(ks_text *out, const ks_digest *digest) {
    char hex[KS_DIGEST_HEX];
    ks_digest_print(hex, digest);
    ks_text_add(out, hex, KS_DIGEST_HEX - 1);
}

void ks_row_print_cell(ks_text *out, const ks_row *row, ks_column column) {
    const ks_figure *figure = &row->figures[column];
    if (!ks_row_has(row, column)) return;
    switch (infos[column].kind) {
    case KS_COUNT: ks_text_add_u64(out, figure->count); break;
    case KS_CYCLES: ks_text_add_decimal(out, figure->count); break;
    case KS_REAL: ks_text_add_double(out, figure->real); break;
    case KS_WORD: ks_text_add_string(out, figure->word); break;
    case KS_DIGEST: add_digest(out, &figure->digest); break;
    }
}

void ks_row_print_figures(ks_text *out, const ks_row *row) {
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        ks_text_add_char(out, ',');
        ks_row_print_cell(out, row, (ks_column)c);
    }
    ks_text_add_char(out, ',');
    ks_text_add_string(out, ks_golden_state_name(row->golden));
    ks_text_add_char(out, ',');
    ks_text_add_string(out, row->invariants);
}

/* Long division to 64 significant bits and a sticky bit, rounded once by the conversion. */
double ks_nearest_quotient(uint64_t a, uint64_t b) {
    if (a == 0) return 0;
    const int shift = __builtin_clzll(a) + 64 - __builtin_clzll(b); /* quotient in [2^63, 2^65) */
    const unsigned __int128 scaled = (unsigned __int128)a << shift;
    unsigned __int128 quotient = scaled / b;
    const bool is_inexact = scaled % b != 0;
    int exponent = -shift;
    if (quotient >> 64) {
        quotient = quotient >> 1 | (quotient & 1);
        exponent++;
    }
    const uint64_t bits = (uint64_t)quotient | is_inexact;
    return ldexp((double)bits, exponent);
}
