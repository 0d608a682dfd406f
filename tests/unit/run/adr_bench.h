/* Results by hand, and table files over them. */
#ifndef KS_TEST_ADR_BENCH_H
#define KS_TEST_ADR_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/exact_text.h"
#include "kernels/kernels.h"
#include "run/adr_judge.h"
#include "run/gates.h"
#include "sweep/key.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static inline ks_row bench_row(double total_cycles) {
    ks_row row = {.verdict = KS_VERDICT_pass};
    ks_row_set_count(&row, KS_COL_total_cycles, (uint64_t)(total_cycles * 10000));
    return row;
}

static inline void bench_add(ks_adr_stored *stored, const char *key, const ks_row *row) {
    ks_error error = {""};
    if (ks_adr_rows_add(&stored->rows, "a.yaml", key, "", row, &error)) fail_msg("%s", error.text);
}

/* kernel= and TILE= with its cycles; the rest of the shape is always the same. */
static inline void bench_add_cycles(ks_adr_stored *stored, const char *kernel, int tile,
                                    double total_cycles) {
    ks_text key = {0};
    const ks_row row = bench_row(total_cycles);
    ks_text_add_format(&key, "kernel=%s G=8 TILE=%d d=128 S=4096", kernel, tile);
    bench_add(stored, key.data, &row);
    ks_text_free(&key);
}

static inline ks_adr_stored bench_stored(void) {
    ks_adr_stored stored = {0};
    assert_true(ks_adr_rows_begin(&stored.rows, &ks_kernels));
    return stored;
}

static inline void bench_plan(ks_adr_stored *stored, const char *points) {
    ks_adr_inputs_add(&stored->inputs, "a.yaml", "points", points);
}

/* `yaml` follows the head. */
static inline ks_adr *bench_adr(const char *yaml) {
    ks_adr *adr;
    ks_error error = {""};
    ks_text text = {0};
    ks_sweep_options options = {0};
    options.column_count = ks_gate_columns(&options.columns);
    ks_text_add_format(&text, "table: t\ninto: t.md\nresults: [a.yaml]\n%s", yaml);
    if (ks_adr_parse("t.yaml", text.data, text.length, &ks_kernels, &options, &adr, &error))
        fail_msg("%s", error.text);
    ks_text_free(&text);
    return adr;
}

static inline ks_adr_block bench_judge(const ks_adr *adr, const ks_adr_stored *stored) {
    ks_adr_block block;
    ks_error error = {""};
    if (ks_adr_judge(adr, stored, &block, &error)) fail_msg("%s", error.text);
    return block;
}

#endif
