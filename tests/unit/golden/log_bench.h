/* op_logs of real points, spoilt line by line: what tests of the golden room compare. */
#ifndef KS_TEST_GOLDEN_LOG_BENCH_H
#define KS_TEST_GOLDEN_LOG_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden/log_diff.h"
#include "support/rig.h"

/* The op_log of a point, its header first; cut into lines without their LF. */
typedef struct log_bench {
    rig rig;
    char *lines[4096];
    size_t count;
} log_bench;

static inline void bench_cut(log_bench *b, const char *text) {
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        assert_true(b->count < sizeof b->lines / sizeof b->lines[0]);
        b->lines[b->count++] = strndup(line, length);
        line += length + 1;
    }
}

static inline log_bench bench_open(const char *key) {
    log_bench b = {.rig = rig_run(key)};
    bench_cut(&b, rig_log(&b.rig));
    return b;
}

static inline void bench_close(log_bench *b) {
    for (size_t i = 0; i < b->count; i++) free(b->lines[i]);
    rig_close(&b->rig);
}

/* The line of row `seq`. */
static inline char **bench_line(log_bench *b, size_t seq) {
    assert_true(seq + 1 < b->count);
    return &b->lines[seq + 1];
}

/* Puts `to` in the place of the field (from 0) of row `seq`. */
static inline void bench_set(log_bench *b, size_t seq, int field, const char *to) {
    char **line = bench_line(b, seq);
    char *begin = *line, spoilt[1024];
    for (int i = 0; i < field; i++) begin = strchr(begin, ',') + 1;
    snprintf(spoilt, sizeof spoilt, "%.*s%s%s", (int)(begin - *line), *line, to,
             begin + strcspn(begin, ","));
    free(*line);
    *line = strdup(spoilt);
}

/* Rows after it move up; bench_text numbers them anew. */
static inline void bench_drop(log_bench *b, size_t seq) {
    free(*bench_line(b, seq));
    memmove(bench_line(b, seq), bench_line(b, seq) + 1, (b->count - seq - 2) * sizeof(char *));
    b->count--;
}

static inline void bench_double(log_bench *b, size_t seq) {
    char **line = bench_line(b, seq);
    memmove(line + 1, line, (b->count - seq - 1) * sizeof(char *));
    *line = strdup(line[1]);
    b->count++;
}

static inline void bench_swap(log_bench *b, size_t left, size_t right) {
    char *line = *bench_line(b, left);
    *bench_line(b, left) = *bench_line(b, right);
    *bench_line(b, right) = line;
}

/* As a file, rows numbered from 0. */
static inline ks_text bench_text(const log_bench *b) {
    ks_text text = {0};
    ks_text_add_format(&text, "%s\n", b->lines[0]);
    for (size_t i = 1; i < b->count; i++)
        ks_text_add_format(&text, "%zu%s\n", i - 1, strchr(b->lines[i], ','));
    return text;
}

static inline ks_log bench_log(const log_bench *b) {
    ks_log log;
    ks_error error = {{0}};
    if (ks_log_parse("LOG", bench_text(b), &log, &error)) fail_msg("%s", error.text);
    return log;
}

#endif
