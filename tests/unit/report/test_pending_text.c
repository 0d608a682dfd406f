/* What a bless would change, in words. */
#include "report/pending_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_group(ks_pending_group group, const char *expected) {
    ks_text out = {0};
    group.what = "what";
    group.first_key = "kernel=gemm M=1";
    ks_pending_group_print(&out, &group, 3);
    assert_string_equal(ks_text_string(&out), expected);
    ks_text_free(&out);
}

static void consequences_in_cycles_stand_below_a_change(void **state) {
    (void)state;
    expect_group((ks_pending_group){.kind = KS_PENDING_CHANGED,
                                    .count = 6,
                                    .dispatch = {.same = 6},
                                    .total = {3, 2, 1, -45000, 0, 1000625}},
                 "cause 3: 6 rows, what\n"
                 "  dispatch_cycles: as before\n"
                 "  total_cycles: 3 up, 2 down, 1 as before; least -4.5, median 0, most +100.0625 "
                 "cycles\n"
                 "  first: kernel=gemm M=1\n");
}

static void figures_that_one_side_lacks_are_said_so(void **state) {
    (void)state;
    expect_group((ks_pending_group){.kind = KS_PENDING_CHANGED, .count = 1},
                 "cause 3: 1 row, what\n"
                 "  dispatch_cycles: not in both\n"
                 "  total_cycles: not in both\n"
                 "  first: kernel=gemm M=1\n");
}

static void the_place_is_exact_or_says_how_much_it_holds(void **state) {
    static const struct {
        const char *where;
        uint64_t inside;
        const char *text;
    } table[] = {
        {NULL, 0, "cause 3: 4 rows, what\n  first: kernel=gemm M=1\n"},
        {"", 4, "cause 3: 4 rows, what\n  all points\n  first: kernel=gemm M=1\n"},
        {"TILE == 16", 4,
         "cause 3: 4 rows, what\n  4 points with TILE == 16\n  first: kernel=gemm M=1\n"},
        {"TILE >= 16", 9,
         "cause 3: 4 rows, what\n  4 of the 9 points with TILE >= 16\n  first: kernel=gemm M=1\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        expect_group((ks_pending_group){.kind = KS_PENDING_NEW,
                                        .count = 4,
                                        .where = table[i].where,
                                        .inside = table[i].inside},
                     table[i].text);
}

static void a_reason_is_a_section_with_a_line_for_each_cause(void **state) {
    ks_text out = {0};
    (void)state;
    ks_reason_begin(&out, "decode.ci", "a faster MATH");
    ks_reason_group(&out, &(ks_pending_group){.kind = KS_PENDING_CHANGED,
                                              .what = "what",
                                              .count = 2,
                                              .total = {0, 2, 0, -20000, -20000, -10000}});
    ks_reason_group(&out, &(ks_pending_group){.kind = KS_PENDING_GONE, .what = "gone", .count = 1});
    assert_string_equal(out.data,
                        "\n## decode.ci\n\na faster MATH\n\n"
                        "- 2 rows, what; total_cycles 2 down; least -2, median -2, most -1 cycles\n"
                        "- 1 row, gone\n");
    ks_text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(consequences_in_cycles_stand_below_a_change),
        cmocka_unit_test(figures_that_one_side_lacks_are_said_so),
        cmocka_unit_test(the_place_is_exact_or_says_how_much_it_holds),
        cmocka_unit_test(a_reason_is_a_section_with_a_line_for_each_cause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
