/* Cells read back from their text. */
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "result/row.h"

bool ks_verdict_find(const char *text, size_t length, ks_verdict *verdict) {
    for (int v = 0; v < KS_VERDICT_COUNT; v++) {
        const char *name = ks_verdict_name((ks_verdict)v);
        if (strlen(name) != length || memcmp(name, text, length) != 0) continue;
        *verdict = (ks_verdict)v;
        return true;
    }
    return false;
}

static bool read_digest(ks_digest *digest, const char *text) {
    for (size_t i = 0; i < 2 * sizeof digest->bytes; i++) {
        const char *digit = memchr("0123456789abcdef", text[i], 16);
        if (!digit) return false;
        const int value = (int)(digit - "0123456789abcdef");
        digest->bytes[i / 2] = (unsigned char)(i % 2 ? digest->bytes[i / 2] << 4 | value : value);
    }
    return true;
}

static bool read_value(ks_figure *figure, ks_column_kind kind, const char *text, size_t length) {
    switch (kind) {
    case KS_COUNT: return ks_u64_parse(text, length, &figure->count);
    case KS_CYCLES: return ks_decimal_parse(text, length, &figure->count) == KS_DECIMAL_OK;
    case KS_REAL:
        figure->real = strtod(text, NULL);
        return figure->real - figure->real == 0; /* neither infinite nor NaN */
    case KS_WORD: memcpy(figure->word, text, length + 1); return length < sizeof figure->word;
    case KS_DIGEST: return length == KS_DIGEST_HEX - 1 && read_digest(&figure->digest, text);
    }
    return false;
}

bool ks_row_read_cell(ks_row *row, ks_column column, const char *text, size_t length) {
    enum { MOST = 64 }; /* longer than any cell */
    char copy[MOST + 1];
    const uint64_t bit = UINT64_C(1) << column;
    row->has &= ~bit;
    if (length == 0) return true;
    ks_figure figure = {.word = ""};
    const ks_column_kind kind = ks_column_describe(column)->kind;
    if (length > MOST || (kind == KS_WORD && length >= sizeof figure.word)) return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (!read_value(&figure, kind, copy, length)) return false;

    /* Only as it is printed: no second text means the same value. */
    ks_text printed = {0};
    row->figures[column] = figure;
    row->has |= bit;
    ks_row_print_cell(&printed, row, column);
    const bool is_same = printed.length == length && memcmp(printed.data, copy, length) == 0;
    ks_text_free(&printed);
    if (!is_same) row->has &= ~bit;
    return is_same;
}
