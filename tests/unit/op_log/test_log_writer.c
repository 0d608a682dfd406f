/* The writer's bytes against rows printed one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "device/script.h"
#include "kernels/kernels.h"
#include "op_log/log_writer.h"
#include "op_log/resolve.h"
#include "support/random_point.h"
#include "support/rig.h"

static ks_status add_row(void *text, const ks_op_row *row) {
    ks_op_row_print(text, row);
    return KS_OK;
}

/* One event to both. */
typedef struct both {
    ks_op_log_feed feed;
    ks_log_writer *writer;
    ks_status status; /* what the writer said last */
} both;

static ks_status take(void *self, const ks_event *event) {
    both *b = self;
    const ks_status status = ks_op_log_take(&b->feed, event);
    b->status = ks_log_writer_event(b->writer, event);
    return status ? status : b->status;
}

static void expect_blocks(const ks_log_blocks *blocks, const char *rows) {
    const char *const stop = rows + strlen(rows);
    ks_log_blocks expected;
    ks_log_blocks_begin(&expected);
    while (rows < stop) {
        uint64_t count = 0;
        const char *end = rows;
        for (; end < stop && count < KS_LOG_PIECE_ROWS; count++)
            end = (const char *)memchr(end, '\n', (size_t)(stop - end)) + 1;
        ks_log_blocks_add(&expected, rows, (size_t)(end - rows), count);
        rows = end;
    }
    assert_int_equal(blocks->row_count, expected.row_count);
    assert_int_equal(blocks->count, expected.count);
    assert_memory_equal(blocks->digests, expected.digests,
                        expected.count * sizeof *expected.digests);
}

static void expect_text(FILE *file, const ks_text *expected, const ks_point *point) {
    char *text = malloc(expected->length + 2);
    rewind(file);
    const size_t length = fread(text, 1, expected->length + 1, file);
    text[length < expected->length ? length : expected->length] = '\0';
    size_t at = 0, line = 0;
    for (; at < length && text[at] == expected->data[at]; at++)
        if (text[at] == '\n') line = at + 1;
    char key[2048];
    if (length != expected->length || at < length)
        fail_msg("%s\nbyte %zu of %zu, %zu:\n%.300s\nexpected:\n%.300s",
                 random_point_key(point, key, sizeof key), at, length, expected->length,
                 text + line, expected->data + line);
    free(text);
}

static void compare(ks_log_writer *writer, ks_log_texts *texts, const ks_point *point,
                    ks_script *script, ks_arena *arena) {
    FILE *file = tmpfile();
    ks_text expected = {0};
    ks_log_blocks blocks;
    ks_timeline timeline;
    ks_digest digest;
    uint64_t row_count;
    const ks_machine machine = ks_machine_of(point);
    both b = {{0, {&expected, add_row}}, writer, KS_OK};
    const ks_event_sink sink = {&b, take};
    assert_non_null(file);
    assert_int_equal(ks_script_time(script, &machine), KS_OK);
    ks_text_add_string(&expected, KS_OP_LOG_HEADER);
    ks_log_writer_begin(writer, texts, file, &blocks);
    assert_int_equal(ks_script_run(script, arena, &sink, &timeline), KS_OK);
    assert_int_equal(ks_log_writer_end(writer, &digest, &row_count), KS_OK);
    assert_int_equal(row_count, b.feed.row_count);
    expect_text(file, &expected, point);
    expect_blocks(&blocks, expected.data + strlen(KS_OP_LOG_HEADER));
    const ks_digest whole = ks_digest_of(expected.data, expected.length);
    assert_memory_equal(&digest, &whole, sizeof digest);
    ks_text_free(&expected);
    fclose(file);
}

/* Each program under three machines: its texts are made once. */
static void compare_point(ks_log_writer *writer, ks_arena *arena, ks_point *point,
                          random_source *source) {
    const ks_kernel *kernel = &ks_kernels.kernels[ks_param_of(point, KS_P_kernel)];
    const ks_machine machine = ks_machine_of(point);
    ks_lowering lowering;
    ks_script script;
    ks_arena_reset(arena);
    ks_lower(kernel, point, arena, &lowering);
    if (lowering.verdict != KS_LOWERED) return;
    assert_int_equal(ks_script_build(&lowering.program, &machine, arena, &script), KS_OK);
    ks_log_texts *texts = ks_log_texts_new(&lowering.program, arena);
    assert_non_null(texts);
    compare(writer, texts, point, &script, arena);
    for (int i = 0; i < 2; i++) {
        ks_calibration *c = &point->calibration;
        c->values[KS_C_dispatch_fixed_cycles] = random_below(source, 5000000);
        c->values[KS_C_dma_latency_cycles] = random_below(source, 5000000);
        c->values[KS_C_math_lanes] = random_between(source, 1, 100) * KS_TICKS_PER_UNIT;
        compare(writer, texts, point, &script, arena);
    }
}

static void every_line_is_the_row_as_it_is_printed(void **state) {
    (void)state;
    enum { POINTS = 110 };
    ks_arena *arena = ks_arena_new(1 << 20);
    ks_log_writer *writer = ks_log_writer_new();
    random_source source = {3};
    for (uint64_t i = 0; i < POINTS; i++) {
        ks_point point = random_point(&source, i % ks_kernels.count);
        compare_point(writer, arena, &point, &source);
    }
    ks_log_writer_free(writer);
    ks_arena_free(arena);
}

/* One command of 64 x 64 x 2 steps, so more stages than are kept as text. */
static void a_plan_too_large_to_keep_has_the_same_lines(void **state) {
    (void)state;
    ks_arena *arena = ks_arena_new(1 << 20);
    ks_log_writer *writer = ks_log_writer_new();
    random_source source = {4};
    ks_point point = rig_point(
        "kernel=gemm_ktile_scale M=64 K=2 N=64 gemm_tile_m=1 gemm_tile_n=1 gemm_tile_k=1");
    compare_point(writer, arena, &point, &source);
    ks_log_writer_free(writer);
    ks_arena_free(arena);
}

static void a_log_without_rows_is_its_header(void **state) {
    (void)state;
    ks_log_writer *writer = ks_log_writer_new();
    ks_digest digest;
    uint64_t row_count;
    ks_log_writer_begin(writer, NULL, NULL, NULL);
    assert_int_equal(ks_log_writer_end(writer, &digest, &row_count), KS_OK);
    const ks_digest header = ks_digest_of(KS_OP_LOG_HEADER, strlen(KS_OP_LOG_HEADER));
    assert_memory_equal(&digest, &header, sizeof digest);
    assert_int_equal(row_count, 0);
    ks_log_writer_free(writer);
}

static void a_full_disk_is_said(void **state) {
    (void)state;
    FILE *full = fopen("/dev/full", "wb");
    assert_non_null(full);
    setvbuf(full, NULL, _IONBF, 0);
    rig r = rig_lower("kernel=gemm M=16 K=16 N=16");
    ks_script script;
    ks_timeline timeline;
    ks_log_writer *writer = ks_log_writer_new();
    const ks_event_sink sink = {writer, ks_log_writer_event};
    assert_int_equal(ks_script_build(r.program, &r.machine, r.arena, &script), KS_OK);
    assert_int_equal(ks_script_time(&script, &r.machine), KS_OK);
    ks_log_writer_begin(writer, ks_log_texts_new(r.program, r.arena), full, NULL);
    assert_int_equal(ks_script_run(&script, r.arena, &sink, &timeline), KS_IO);
    ks_log_writer_free(writer);
    rig_close(&r);
    fclose(full);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_is_the_row_as_it_is_printed),
        cmocka_unit_test(a_plan_too_large_to_keep_has_the_same_lines),
        cmocka_unit_test(a_log_without_rows_is_its_header),
        cmocka_unit_test(a_full_disk_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
