/* Does each way to spoil a golden change what it says, and no more? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "golden/golden_file.h"
#include "selftest/golden_spoils.h"

#define KEY_A "kernel=gemm M=1 K=1 N=1"
#define KEY_B "kernel=gemm M=2 K=1 N=1"

static const ks_golden_head head = {
    .model = "1", .sweep = "a.ci", .defaults = "x=1 y=2", .parts = {0}};

/* A golden of two points. */
static ks_text golden_of_two(void) {
    static const char *const keys[] = {KEY_A, KEY_B};
    ks_text out = {0};
    ks_golden_writer writer = ks_golden_begin(&out, &head);
    for (uint64_t i = 0; i < 2; i++) {
        ks_row row = {.verdict = KS_VERDICT_pass};
        ks_text cells = {0};
        ks_row_set_count(&row, KS_COL_tiles, i + 1);
        const ks_record record = {.row = &row, .key = keys[i]};
        ks_golden_cells_print(&cells, head.parts, &record, NULL);
        ks_golden_line_print(&out, &writer, cells.data, cells.length, false);
        ks_text_free(&cells);
    }
    ks_golden_end(&out, &writer);
    return out;
}

/* What the strict reader says of the spoilt golden; "" where it takes it. */
static void expect(const ks_golden_spoil *spoil, const char *complaint, size_t points) {
    ks_golden *golden;
    ks_error error = {""};
    ks_text bytes = golden_of_two();
    assert_true(ks_golden_spoil_apply(spoil, &bytes));
    const ks_status status = ks_golden_parse("g", bytes, KS_GOLDEN_BLESSED, &golden, &error);
    if (!strstr(error.text, complaint) || (!*complaint && status))
        fail_msg("'%s' is not '%s'", error.text, complaint);
    assert_int_equal(status, *complaint ? KS_INPUT : KS_OK);
    if (!status) assert_int_equal(ks_golden_count(golden), points);
    ks_golden_free(golden);
}

static void sealed_changes_are_taken(void **state) {
    static const ks_golden_spoil spoils[] = {
        {.what = KS_SPOIL_CELL, .key = KEY_A, .from = "verdict", .to = "fail"},
        {.what = KS_SPOIL_NUDGE, .key = KEY_B, .from = "tiles"},
        {.what = KS_SPOIL_SWAP, .key = KEY_A},
        {.what = KS_SPOIL_DEFAULT, .from = "y=2", .to = "y=3"},
        {.what = KS_SPOIL_HEAD, .number = 1, .to = "model 2"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof spoils / sizeof spoils[0]; i++) {
        ks_golden_spoil sealed = spoils[i];
        sealed.is_sealed = true;
        expect(&sealed, "", 2);
        expect(&spoils[i], "found the check", 0);
    }
}

static void a_line_may_be_lost_with_all_seals_right(void **state) {
    (void)state;
    expect(&(ks_golden_spoil){.what = KS_SPOIL_LOSE, .key = KEY_A, .is_sealed = true}, "", 1);
    expect(&(ks_golden_spoil){.what = KS_SPOIL_LOSE, .key = KEY_A}, "expected '2'", 0);
}

static void a_cell_is_changed_and_nothing_else(void **state) {
    const ks_golden_spoil spoil = {
        .what = KS_SPOIL_CELL, .key = KEY_B, .from = "tiles", .to = "7", .is_sealed = true};
    ks_golden *golden;
    ks_error error = {""};
    ks_log_blocks blocks;
    ks_row row;
    ks_text bytes = golden_of_two();
    (void)state;
    assert_true(ks_golden_spoil_apply(&spoil, &bytes));
    assert_int_equal(ks_golden_parse("g", bytes, KS_GOLDEN_BLESSED, &golden, &error), KS_OK);
    ks_golden_row_of(golden, 0, &row, &blocks);
    assert_int_equal(row.figures[KS_COL_tiles].count, 1);
    ks_golden_row_of(golden, 1, &row, &blocks);
    assert_int_equal(row.figures[KS_COL_tiles].count, 7);
    assert_int_equal(row.verdict, KS_VERDICT_pass);
    ks_golden_free(golden);
}

static void what_is_not_there_cannot_be_spoilt(void **state) {
    static const ks_golden_spoil spoils[] = {
        {.what = KS_SPOIL_CELL, .key = "kernel=gemm M=3 K=1 N=1", .from = "tiles", .to = "1"},
        {.what = KS_SPOIL_CELL, .key = KEY_A, .from = "tile", .to = "1"},
        {.what = KS_SPOIL_NUDGE, .key = KEY_A, .from = "reason"}, /* an empty cell */
        {.what = KS_SPOIL_SWAP, .key = KEY_B},                    /* the last one */
        {.what = KS_SPOIL_DEFAULT, .from = "z=1", .to = "z=2"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof spoils / sizeof spoils[0]; i++) {
        ks_text bytes = golden_of_two();
        assert_false(ks_golden_spoil_apply(&spoils[i], &bytes));
        ks_text_free(&bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sealed_changes_are_taken),
        cmocka_unit_test(a_line_may_be_lost_with_all_seals_right),
        cmocka_unit_test(a_cell_is_changed_and_nothing_else),
        cmocka_unit_test(what_is_not_there_cannot_be_spoilt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
