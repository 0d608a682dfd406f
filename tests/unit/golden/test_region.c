/* Conditions over two kernels, five tiles and three policies, all of which ran but where said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "golden/region.h"

static const char *const kernels[] = {"opt2", "opt3"};
static const char *const tiles[] = {"16", "32", "64", "128", "256"};
static const char *const policies[] = {"fifo", "aware", "serial"};
static const ks_region_axis three[] = {
    {"kernel", false, 2, kernels}, {"TILE", true, 5, tiles}, {"policy", false, 3, policies}};
static const ks_region_axes axes = {three, 3};

typedef bool chooser(const uint32_t *steps);

static bool every(const uint32_t *s) { return s != NULL; }

/* Adds those that `wanted` chooses of those that `ran` does. */
static void expect_of(chooser *wanted, chooser *ran, const char *text, uint64_t inside) {
    ks_region *r = ks_region_new(&axes);
    ks_text out = {0};
    uint64_t found;
    assert_non_null(r);
    for (int pass = 0; pass < 3; pass++)
        for (uint32_t i = 0; i < 2 * 5 * 3; i++) {
            const uint32_t steps[] = {i / 15, i / 3 % 5, i % 3};
            if (!ran(steps)) continue;
            if (pass == 0 && wanted(steps)) ks_region_add(r, steps);
            if (pass == 1) ks_region_see(r, steps);
            if (pass == 2) ks_region_look(r, steps);
        }
    ks_region_print(&out, r, &found);
    assert_string_equal(ks_text_string(&out), text);
    assert_int_equal(found, inside);
    ks_text_free(&out);
    ks_region_free(r);
}

static bool from_64(const uint32_t *s) { return s[1] >= 2; }
static bool to_64(const uint32_t *s) { return s[1] <= 2; }
static bool from_32_to_128(const uint32_t *s) { return s[1] >= 1 && s[1] <= 3; }
static bool at_64(const uint32_t *s) { return s[1] == 2; }
static bool not_64(const uint32_t *s) { return s[1] != 2; }
static bool ends(const uint32_t *s) { return s[1] == 0 || s[1] == 4; }
static bool two_policies(const uint32_t *s) { return s[2] != 1; }
static bool opt3_from_64(const uint32_t *s) { return s[0] == 1 && s[1] >= 2; }

static void every_point_asks_for_nothing(void **state) {
    (void)state;
    expect_of(every, every, "", 30);
    expect_of(at_64, at_64, "", 6); /* all that ran */
}

static void numbers_are_intervals(void **state) {
    (void)state;
    expect_of(from_64, every, "TILE >= 64", 18);
    expect_of(to_64, every, "TILE <= 64", 18);
    expect_of(from_32_to_128, every, "TILE >= 32 and TILE <= 128", 18);
    expect_of(at_64, every, "TILE == 64", 6);
}

static void what_has_gaps_is_a_list(void **state) {
    (void)state;
    expect_of(ends, every, "TILE in (16, 256)", 12);
    expect_of(not_64, every, "TILE != 64", 24);
    expect_of(two_policies, every, "policy != aware", 20);
}

static void axes_are_joined_in_their_order(void **state) {
    (void)state;
    expect_of(opt3_from_64, every, "kernel == opt3 and TILE >= 64", 9);
}

static bool opt2_alone_at_16(const uint32_t *s) { return s[0] == 0 || s[1] > 0; }

static void a_gap_that_no_point_has_is_no_gap(void **state) {
    (void)state;
    expect_of(ends, not_64, "TILE in (16, 256)", 12);
    expect_of(from_32_to_128, not_64, "TILE >= 32 and TILE <= 128", 12);
    expect_of(to_64, not_64, "TILE <= 32", 12);
    expect_of(opt3_from_64, opt2_alone_at_16, "kernel == opt3 and TILE >= 64", 9);
}

static bool corner(const uint32_t *s) { return s[0] == 1 ? s[1] >= 2 : s[1] >= 4; }
static bool three_boxes(const uint32_t *s) {
    return s[2] == 0 ? s[1] == 0 : s[2] == 1 ? s[1] <= 1 && s[0] == 0 : s[1] == 4;
}

static void several_boxes_are_told_apart_where_they_are_exact(void **state) {
    (void)state;
    expect_of(corner, every, "(kernel == opt2 and TILE == 256) or (kernel == opt3 and TILE >= 64)",
              12);
    expect_of(three_boxes, every,
              "(TILE == 16 and policy == fifo) or (kernel == opt2 and TILE <= 32 and policy == "
              "aware) or (TILE == 256 and policy == serial)",
              6);
}

static bool common(const uint32_t *s) { return s[2] == 0 && (s[0] == 1 ? s[1] >= 2 : s[1] >= 4); }

static void what_all_boxes_ask_stands_in_front(void **state) {
    (void)state;
    expect_of(common, every,
              "policy == fifo and ((kernel == opt2 and TILE == 256) or (kernel == opt3 and TILE >= "
              "64))",
              4);
}

static bool scattered(const uint32_t *s) { return (s[0] + s[1] + s[2]) % 2 == 0 && s[1] >= 2; }

static void what_no_box_holds_is_bounded_and_says_by_how_many(void **state) {
    (void)state;
    expect_of(scattered, every, "TILE >= 64", 18);
}

/* A shape that a kernel does not take. */
static void a_missing_step_is_in_no_condition(void **state) {
    (void)state;
    ks_region *r = ks_region_new(&axes);
    ks_text out = {0};
    uint64_t inside;
    for (int pass = 0; pass < 3; pass++)
        for (uint32_t i = 0; i < 6; i++) {
            const uint32_t steps[] = {i == 5, i == 5 ? KS_REGION_NO_STEP : i, 0};
            if (pass == 0 && i >= 3) ks_region_add(r, steps); /* opt2 at 128, 256; opt3 */
            if (pass == 1) ks_region_see(r, steps);
            if (pass == 2) ks_region_look(r, steps);
        }
    ks_region_print(&out, r, &inside);
    assert_int_equal(inside, 3);
    assert_string_equal(ks_text_string(&out),
                        "(kernel == opt2 and TILE >= 128) or (kernel == opt3)");
    ks_text_free(&out);
    ks_region_free(r);
}

static void sets_are_joined(void **state) {
    (void)state;
    ks_region *a = ks_region_new(&axes), *b = ks_region_new(&axes);
    ks_text out = {0};
    uint64_t inside;
    ks_region_add(a, (const uint32_t[]){0, 1, 0});
    ks_region_add(b, (const uint32_t[]){0, 2, 0});
    ks_region_join(a, b);
    assert_int_equal(ks_region_size(a), 2);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t t = 0; t < 5; t++) {
            const uint32_t steps[] = {0, t, 0};
            if (pass) ks_region_look(a, steps);
            if (!pass) ks_region_see(a, steps);
        }
    ks_region_print(&out, a, &inside);
    assert_string_equal(ks_text_string(&out), "TILE >= 32 and TILE <= 64");
    assert_int_equal(inside, 2);
    ks_text_free(&out);
    ks_region_free(a);
    ks_region_free(b);
}

/* Every other of 100 values: too many to list, so the condition holds for those between too. */
static void a_long_list_becomes_its_bounds(void **state) {
    char texts[100][4];
    const char *values[100];
    (void)state;
    for (size_t i = 0; i < 100; i++) {
        snprintf(texts[i], sizeof texts[i], "%zu", i + 1);
        values[i] = texts[i];
    }
    for (int is_ordered = 0; is_ordered < 2; is_ordered++) {
        const ks_region_axis seed = {"seed", is_ordered, 100, values};
        const ks_region_axes one = {&seed, 1};
        ks_region *r = ks_region_new(&one);
        ks_text out = {0};
        uint64_t inside;
        for (int pass = 0; pass < 3; pass++)
            for (uint32_t i = 0; i < 100; i++) {
                if (pass == 0 && i % 2 == 0 && i > 10 && i < 90) ks_region_add(r, &i);
                if (pass == 1) ks_region_see(r, &i);
                if (pass == 2) ks_region_look(r, &i);
            }
        ks_region_print(&out, r, &inside);
        assert_string_equal(ks_text_string(&out), is_ordered ? "seed >= 13 and seed <= 89" : "");
        assert_int_equal(inside, is_ordered ? 77 : 100);
        ks_text_free(&out);
        ks_region_free(r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_asks_for_nothing),
        cmocka_unit_test(numbers_are_intervals),
        cmocka_unit_test(what_has_gaps_is_a_list),
        cmocka_unit_test(axes_are_joined_in_their_order),
        cmocka_unit_test(a_gap_that_no_point_has_is_no_gap),
        cmocka_unit_test(several_boxes_are_told_apart_where_they_are_exact),
        cmocka_unit_test(what_all_boxes_ask_stands_in_front),
        cmocka_unit_test(what_no_box_holds_is_bounded_and_says_by_how_many),
        cmocka_unit_test(a_missing_step_is_in_no_condition),
        cmocka_unit_test(sets_are_joined),
        cmocka_unit_test(a_long_list_becomes_its_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
