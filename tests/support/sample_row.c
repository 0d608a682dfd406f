#include "support/sample_row.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"

/* ---- samples ---- */

static uint64_t some_ticks(random_source *source) {
    const uint64_t whole = random_below(source, UINT64_C(1) << random_between(source, 4, 30));
    static const uint64_t steps[] = {10000, 5000, 2500, 625, 1}; /* dispatch has these fractions */
    const uint64_t step = steps[random_below(source, 5)];
    return whole * KS_TICKS_PER_UNIT + random_below(source, KS_TICKS_PER_UNIT / step) * step;
}

static double some_error(random_source *source) {
    const uint64_t mantissa = random_below(source, UINT64_C(1) << 53) | 1;
    return (double)mantissa / (double)(UINT64_C(1) << 62) /
           (double)(1 + random_below(source, 1 << 10));
}

static ks_digest some_digest(random_source *source) {
    ks_digest digest;
    for (size_t i = 0; i < sizeof digest.bytes; i++)
        digest.bytes[i] = (unsigned char)random_below(source, 256);
    return digest;
}

static void fill_cell(ks_row *row, ks_column column, random_source *source) {
    const ks_digest digest = some_digest(source);
    switch (ks_column_describe(column)->kind) {
    case KS_COUNT:
        ks_row_set_count(row, column,
                         random_below(source, UINT64_C(1) << random_between(source, 2, 34)));
        break;
    case KS_CYCLES: ks_row_set_count(row, column, some_ticks(source)); break;
    case KS_REAL: ks_row_set_real(row, column, some_error(source)); break;
    case KS_WORD: ks_row_set_word(row, column, "dma_rd"); break;
    case KS_DIGEST: ks_row_set_digest(row, column, &digest); break;
    }
}

ks_row sample_row(random_source *source) {
    ks_row row = {.verdict = KS_VERDICT_pass, .golden = KS_GOLDEN_none};
    snprintf(row.id, sizeof row.id, "%016" PRIx64, random_below(source, UINT64_MAX));
    snprintf(row.invariants, sizeof row.invariants, "ok");
    for (int c = 0; c < KS_COLUMN_COUNT; c++) fill_cell(&row, (ks_column)c, source);
    const uint64_t ticks = row.figures[KS_COL_total_cycles].count;
    ks_row_set_real(&row, KS_COL_total_ns, ks_nearest_quotient(ticks, 12500));
    return row;
}

ks_record sample_record(const ks_row *row) {
    return (ks_record){.row = row,
                       .key = "kernel=decode_opt2 G=8 TILE=64 d=128 S=4096",
                       .label = "llama3-70b",
                       .kernel = "decode_opt2",
                       .params = ",8,64,128,4096,43.5",
                       .detail = "",
                       .why = ""};
}

/* ---- the plain way ---- */

void plain_double(ks_text *out, double value) {
    char digits[40];
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*e", precision - 1, value);
        if (strtod(digits, NULL) != value) continue;
        /* %.17g uses the exponent form for exponents below -4 and from 17 on. */
        const long exponent = strtol(strchr(digits, 'e') + 1, NULL, 10);
        if (exponent >= -4 && exponent < 17) {
            const long fraction = precision - 1 - exponent;
            snprintf(digits, sizeof digits, "%.*f", fraction > 0 ? (int)fraction : 0, value);
        }
        break;
    }
    ks_text_add_format(out, "%s", digits);
}

static void plain_ticks(ks_text *out, uint64_t ticks) {
    char digits[40];
    const int length =
        snprintf(digits, sizeof digits, "%" PRIu64 ".%04" PRIu64, ticks / 10000, ticks % 10000);
    size_t end = (size_t)length;
    while (digits[end - 1] == '0') end--;
    if (digits[end - 1] == '.') end--;
    ks_text_add_format(out, "%.*s", (int)end, digits);
}

static void plain_digest(ks_text *out, const ks_digest *digest) {
    for (size_t i = 0; i < sizeof digest->bytes; i++)
        ks_text_add_format(out, "%02x", digest->bytes[i]);
}

static void plain_cell(ks_text *out, const ks_row *row, ks_column column) {
    const ks_figure *figure = &row->figures[column];
    if (!ks_row_has(row, column)) return;
    switch (ks_column_describe(column)->kind) {
    case KS_COUNT: ks_text_add_format(out, "%" PRIu64, figure->count); break;
    case KS_CYCLES: plain_ticks(out, figure->count); break;
    case KS_REAL: plain_double(out, figure->real); break;
    case KS_WORD: ks_text_add_format(out, "%s", figure->word); break;
    case KS_DIGEST: plain_digest(out, &figure->digest); break;
    }
}

/* Texts with a comma, a quote, a line end or a blank at an end are quoted. */
static void plain_text(ks_text *out, const char *text) {
    const size_t length = strlen(text);
    const bool is_plain = length == 0 || (!strpbrk(text, ",\"\r\n") && !strchr(" \t", text[0]) &&
                                          !strchr(" \t", text[length - 1]));
    if (!is_plain) ks_text_add_format(out, "\"");
    for (; *text; text++)
        ks_text_add_format(out, "%s%c", !is_plain && *text == '"' ? "\"" : "", *text);
    if (!is_plain) ks_text_add_format(out, "\"");
}

void plain_points_line(ks_text *out, const ks_record *record) {
    const char *const cells[] = {record->row->id, ks_verdict_name(record->row->verdict),
                                 record->row->reason, record->label, record->kernel};
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        if (i) ks_text_add_format(out, ",");
        plain_text(out, cells[i]);
    }
    ks_text_add_format(out, "%s", record->params);
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        ks_text_add_format(out, ",");
        plain_cell(out, record->row, (ks_column)c);
    }
    ks_text_add_format(out, ",%s,%s\n", ks_golden_state_name(record->row->golden),
                       record->row->invariants);
}
