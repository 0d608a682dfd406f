/* Digests of an op_log by block: where two logs part. */
#include "op_log/log_blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define NONE UINT64_MAX

/* A log of `rows` lines; line `changed` is another one. */
static ks_log_blocks log_of(uint64_t rows, uint64_t changed) {
    ks_log_blocks blocks;
    ks_text text = {0};
    ks_log_blocks_begin(&blocks);
    for (uint64_t row = 0, piece = 0; row < rows; row++) {
        ks_text_add_format(&text, "%llu,%s\n", (unsigned long long)row,
                           row == changed ? "MATH" : "GEMM");
        if (++piece < 64 && row + 1 < rows) continue;
        ks_log_blocks_add(&blocks, text.data, text.length, piece);
        ks_text_clear(&text);
        piece = 0;
    }
    ks_text_free(&text);
    return blocks;
}

static void blocks_are_64_rows_until_there_are_256_and_then_twice_that(void **state) {
    static const struct {
        uint64_t rows, block_rows;
        size_t count;
    } table[] = {{0, 64, 0},        {1, 64, 1},        {64, 64, 1},
                 {65, 64, 2},       {16384, 64, 256},  {16385, 128, 129},
                 {32768, 128, 256}, {32769, 256, 129}, {100000, 512, 196}};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const ks_log_blocks blocks = log_of(table[i].rows, NONE);
        assert_int_equal(blocks.row_count, table[i].rows);
        assert_int_equal(blocks.block_rows, table[i].block_rows);
        assert_int_equal(blocks.count, table[i].count);
    }
}

static void a_changed_row_shows_in_its_block(void **state) {
    static const struct {
        uint64_t rows, changed, block, block_rows;
    } table[] = {{1, 0, 0, 64},        {200, 0, 0, 64},      {200, 63, 0, 64},
                 {200, 64, 1, 64},     {200, 199, 3, 64},    {16384, 16383, 255, 64},
                 {20000, 127, 0, 128}, {20000, 128, 1, 128}, {20000, 19999, 156, 128},
                 {100000, 512, 1, 512}};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const ks_log_blocks expected = log_of(table[i].rows, NONE);
        const ks_log_blocks got = log_of(table[i].rows, table[i].changed);
        uint64_t block, block_rows;
        assert_true(ks_log_blocks_differ(&expected, &got, &block, &block_rows));
        assert_int_equal(block, table[i].block);
        assert_int_equal(block_rows, table[i].block_rows);
    }
}

static void equal_logs_do_not_differ(void **state) {
    static const uint64_t rows[] = {0, 1, 64, 65, 16384, 16385, 100000};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const ks_log_blocks a = log_of(rows[i], NONE), b = log_of(rows[i], NONE);
        uint64_t block, block_rows;
        assert_false(ks_log_blocks_differ(&a, &b, &block, &block_rows));
    }
}

/* What one of them lacks differs, also where the sizes of their blocks are not the same. */
static void a_log_that_goes_on_differs_where_the_other_ends(void **state) {
    static const struct {
        uint64_t expected, got, block, block_rows;
    } table[] = {{128, 129, 2, 64},       {129, 128, 2, 64},        {130, 129, 2, 64},
                 {0, 1, 0, 64},           {16384, 16385, 128, 128}, {16385, 16384, 128, 128},
                 {16384, 40000, 64, 256}, {40000, 300, 1, 256}};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const ks_log_blocks expected = log_of(table[i].expected, NONE);
        const ks_log_blocks got = log_of(table[i].got, NONE);
        uint64_t block, block_rows;
        assert_true(ks_log_blocks_differ(&expected, &got, &block, &block_rows));
        assert_int_equal(block, table[i].block);
        assert_int_equal(block_rows, table[i].block_rows);
    }
}

static void their_text_reads_back(void **state) {
    static const uint64_t rows[] = {0, 1, 64, 65, 1000, 16384, 16385, 100000};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const ks_log_blocks blocks = log_of(rows[i], NONE);
        ks_log_blocks back;
        ks_text text = {0};
        ks_log_blocks_print(&text, &blocks);
        assert_int_equal(text.length, 4 * blocks.count);
        assert_true(ks_log_blocks_parse(&back, rows[i], ks_text_string(&text), text.length));
        assert_int_equal(back.block_rows, blocks.block_rows);
        assert_int_equal(back.count, blocks.count);
        assert_memory_equal(back.digests, blocks.digests, 2 * blocks.count);
        ks_text_free(&text);
    }
}

static void what_is_not_their_text_is_refused(void **state) {
    static const struct {
        uint64_t rows;
        const char *text;
        bool is_one;
    } table[] = {{64, "12ab", true},     {65, "12ab", false}, {64, "12abcdef", false},
                 {65, "12abcdef", true}, {64, "12a", false},  {64, "12aB", false},
                 {64, "12ag", false},    {64, " 2ab", false}, {0, "", true},
                 {0, "12ab", false},     {64, "", false}};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        ks_log_blocks blocks;
        assert_int_equal(
            ks_log_blocks_parse(&blocks, table[i].rows, table[i].text, strlen(table[i].text)),
            table[i].is_one);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_64_rows_until_there_are_256_and_then_twice_that),
        cmocka_unit_test(a_changed_row_shows_in_its_block),
        cmocka_unit_test(equal_logs_do_not_differ),
        cmocka_unit_test(a_log_that_goes_on_differs_where_the_other_ends),
        cmocka_unit_test(their_text_reads_back),
        cmocka_unit_test(what_is_not_their_text_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
