#include "result/row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/digits.h"

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

const char *ks_row_path_name(ks_row_path path) {
    static const char *const names[KS_PATH_COUNT] = {
#define X(name) [KS_PATH_##name] = #name,
        KS_PATH_MAP(X)
#undef X
    };
    return names[path];
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

/* ---- cells as text ---- */

/* More than any cell, or the last two, take, with what writing them may overwrite. */
enum { CELL_ROOM = KS_DIGITS_ROOM + 1, LAST_ROOM = 32 + KS_REASON_BYTES };

static char *put_string(char *at, const char *string) {
    const size_t length = strlen(string);
    memcpy(at, string, length);
    return at + length;
}

static char *put_COUNT(char *at, const ks_figure *figure) { return ks_put_u64(at, figure->count); }
static char *put_CYCLES(char *at, const ks_figure *figure) {
    return ks_put_ticks(at, figure->count);
}
static char *put_REAL(char *at, const ks_figure *figure) { return ks_put_double(at, figure->real); }
static char *put_WORD(char *at, const ks_figure *figure) { return put_string(at, figure->word); }
static char *put_DIGEST(char *at, const ks_figure *figure) {
    return ks_put_hex(at, figure->digest.bytes, sizeof figure->digest.bytes);
}

void ks_row_print_cell(ks_text *out, const ks_row *row, ks_column column) {
    static char *(*const puts[])(char *, const ks_figure *) = {put_COUNT, put_CYCLES, put_REAL,
                                                               put_WORD, put_DIGEST};
    char *at = ks_row_has(row, column) ? ks_text_reserve(out, CELL_ROOM) : NULL;
    if (at) ks_text_end_at(out, puts[infos[column].kind](at, &row->figures[column]));
}

void ks_row_print_figures(ks_text *out, const ks_row *row) {
    char *at = ks_text_reserve(out, KS_COLUMN_COUNT * CELL_ROOM + LAST_ROOM);
    if (!at) return;
#define X(kind, name, unit, about) \
    *at++ = ',';                   \
    if (ks_row_has(row, KS_COL_##name)) at = put_##kind(at, &row->figures[KS_COL_##name]);
    KS_COLUMN_MAP(X)
#undef X
    *at++ = ',';
    at = put_string(at, ks_golden_state_name(row->golden));
    *at++ = ',';
    ks_text_end_at(out, put_string(at, row->invariants));
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
