/* Goldens made in memory. */
#ifndef KS_TEST_GOLDEN_BENCH_H
#define KS_TEST_GOLDEN_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "golden/golden_compare.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const ks_golden_parts bench_dispatch = {.has_times = false};
static const ks_golden_parts bench_timing = {.has_times = true, .has_log = true};
static const ks_golden_parts bench_data = {true, true, true, true};

static inline ks_golden_head bench_head(ks_golden_parts parts) {
    return (ks_golden_head){.model = "1",
                            .sweep = "bench.ci",
                            .defaults = "dtype=f16 clock_ghz=1.25 math_startup_cycles=8",
                            .parts = parts};
}

/* Point `i`: every figure has a value of its own; every fifth is infeasible. */
static inline ks_row bench_row(unsigned i) {
    ks_row row = {.id = "0123456789abcdef", .verdict = KS_VERDICT_pass};
    if (i % 5 == 4) {
        row.verdict = KS_VERDICT_infeasible;
        snprintf(row.reason, sizeof row.reason, "tcm_overflow end=%u tcm_bytes=1048576",
                 1048577 + i);
        return row;
    }
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        const ks_column column = (ks_column)c;
        const ks_digest digest = ks_digest_of(&i, sizeof i);
        const uint64_t value = 1000 * i + (unsigned)c;
        switch (ks_column_describe(column)->kind) {
        case KS_COUNT: ks_row_set_count(&row, column, value); break;
        case KS_CYCLES: ks_row_set_count(&row, column, 10000 * value + 625); break;
        case KS_REAL: ks_row_set_real(&row, column, (double)value / 7); break;
        case KS_WORD: ks_row_set_word(&row, column, "dma_rd"); break;
        case KS_DIGEST: ks_row_set_digest(&row, column, &digest); break;
        }
    }
    ks_row_set_count(&row, KS_COL_oplog_records, 100 + i);
    return row;
}

static inline ks_log_blocks bench_blocks(unsigned i, uint64_t row_count) {
    ks_log_blocks blocks;
    ks_log_blocks_begin(&blocks);
    for (uint64_t row = 0; row < row_count; row += 64)
        ks_log_blocks_add(&blocks, (const char *)&i, sizeof i,
                          row_count - row < 64 ? row_count - row : 64);
    return blocks;
}

static inline void bench_key(char key[64], unsigned i) {
    snprintf(key, 64, "kernel=decode_opt2 G=8 TILE=%u d=128 S=4096", i + 1);
}

/* Appends the cells of point `i` with its row as given. */
static inline void bench_cells_of(ks_text *out, ks_golden_parts parts, unsigned i,
                                  const ks_row *row) {
    char key[64];
    bench_key(key, i);
    const ks_record record = {.row = row, .key = key, .label = "", .kernel = "decode_opt2"};
    const ks_log_blocks blocks = bench_blocks(
        i, ks_row_has(row, KS_COL_oplog_records) ? row->figures[KS_COL_oplog_records].count : 0);
    ks_golden_cells_print(out, parts, &record, &blocks);
}

static inline void bench_cells(ks_text *out, ks_golden_parts parts, unsigned i) {
    const ks_row row = bench_row(i);
    bench_cells_of(out, parts, i, &row);
}

/* A whole golden of `count` points. */
static inline ks_text bench_file(const ks_golden_head *head, unsigned count) {
    ks_text out = {0}, cells = {0};
    ks_golden_writer writer = ks_golden_begin(&out, head);
    for (unsigned i = 0; i < count; i++) {
        ks_text_clear(&cells);
        bench_cells(&cells, head->parts, i);
        ks_golden_line_print(&out, &writer, cells.data, cells.length, i % 3 == 2);
    }
    ks_golden_end(&out, &writer);
    ks_text_free(&cells);
    assert_false(out.has_failed);
    return out;
}

static inline ks_text bench_copy(const ks_text *text) {
    ks_text copy = {0};
    ks_text_add(&copy, text->data, text->length);
    return copy;
}

static inline ks_golden *bench_golden(ks_golden_parts parts, unsigned count) {
    const ks_golden_head head = bench_head(parts);
    ks_golden *golden;
    ks_error error = {""};
    if (ks_golden_parse("golden/bench.ci.csv", bench_file(&head, count), KS_GOLDEN_BLESSED, &golden,
                        &error))
        fail_msg("%s", error.text);
    return golden;
}

#endif
