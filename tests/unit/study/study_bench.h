/* Studies from a text, on the product's kernels. */
#ifndef KS_TEST_STUDY_BENCH_H
#define KS_TEST_STUDY_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/kernels.h"
#include "study/study_run.h"
#include "study/subject_columns.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static inline ks_study *study_bench(const char *yaml) {
    ks_study *study;
    ks_error error = {""};
    const ks_study_options options = ks_study_columns();
    const ks_status status =
        ks_study_parse("t.yaml", yaml, strlen(yaml), &ks_kernels, &options, &study, &error);
    if (status) fail_msg("%s", error.text);
    return study;
}

static inline ks_study_outcome study_bench_run(const char *yaml, int threads) {
    ks_study *study = study_bench(yaml);
    ks_study_outcome outcome = {0};
    ks_error error = {""};
    const ks_study_run_options options = {threads, NULL};
    if (ks_study_refuse(study, &error) || ks_study_run(study, &options, &outcome, &error))
        fail_msg("%s", error.text);
    ks_study_free(study);
    return outcome;
}

static inline const ks_table *study_bench_table(const ks_study_outcome *outcome, const char *name) {
    for (size_t i = 0; i < outcome->tables.count; i++)
        if (strcmp(outcome->tables.items[i]->name, name) == 0) return outcome->tables.items[i];
    fail_msg("no table %s", name);
    return NULL;
}

/* A cell by row and column name. */
static inline const char *study_bench_cell(const ks_table *table, size_t row, const char *column) {
    size_t at = 0;
    while (at < table->column_count && strcmp(table->columns[at].name, column) != 0) at++;
    if (at == table->column_count) fail_msg("%s has no column %s", table->name, column);
    const char *cell = ks_text_string(&table->cells);
    assert_true(row < ks_table_row_count(table));
    for (size_t i = 0; i < row * table->column_count + at; i++) cell += strlen(cell) + 1;
    return cell;
}

/* The first row whose cells in these columns (`column=cell`, joined by blanks) are so. */
static inline size_t study_bench_row(const ks_table *table, const char *conditions) {
    for (size_t row = 0; row < ks_table_row_count(table); row++) {
        bool holds = true;
        for (const char *at = conditions; *at && holds;) {
            char name[64], value[64];
            int used = 0;
            if (sscanf(at, "%63[^=]=%63s %n", name, value, &used) != 2) fail_msg("%s", at);
            holds = strcmp(study_bench_cell(table, row, name), value) == 0;
            at += used;
        }
        if (holds) return row;
    }
    fail_msg("%s has no row %s", table->name, conditions);
    return 0;
}

#endif
