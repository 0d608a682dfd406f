#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "golden/causes.h"

static const char *const tiles[] = {"16", "32", "64", "128", "256"};
static const ks_region_axis tile = {"TILE", true, 5, tiles};
static const ks_region_axes axes = {&tile, 1};

static void take(ks_causes *causes, uint64_t index, uint32_t step, const char *reason,
                 double work) {
    ks_row row = {.verdict = KS_VERDICT_fail};
    char key[32];
    snprintf(row.reason, sizeof row.reason, "%s", reason);
    snprintf(key, sizeof key, "key%d", (int)index);
    const ks_record record = {.row = &row,
                              .index = index,
                              .key = key,
                              .kernel = "k",
                              .detail = "detail",
                              .why = "",
                              .is_red = true};
    assert_int_equal(ks_causes_take(causes, &record, &step, work), KS_OK);
}

static void end(ks_causes *causes, ks_cause_list *list) {
    for (uint32_t i = 0; i < 5; i++) ks_causes_see(causes, &i);
    for (uint32_t i = 0; i < 5; i++) ks_causes_look(causes, &i);
    assert_int_equal(ks_causes_list(causes, list), KS_OK);
}

static void points_of_one_cause_are_told_together_the_largest_cause_first(void **state) {
    ks_cause_list list;
    ks_causes *causes = ks_causes_new(&axes);
    (void)state;
    take(causes, 0, 0, "tolerance err=1 limit=0", 5);
    take(causes, 2, 2, "nonfinite count=3", 9);
    take(causes, 3, 3, "nonfinite count=4", 8);
    take(causes, 4, 4, "nonfinite count=5", 8);
    end(causes, &list);
    assert_int_equal(ks_causes_points(causes), 4);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.more_points, 0);
    assert_int_equal(list.causes[0].points, 3);
    assert_int_equal(list.causes[0].inside, 3);
    assert_string_equal(list.causes[0].where, "TILE >= 64");
    assert_string_equal(list.causes[1].where, "TILE == 16");
    /* the least work, the first of those */
    assert_string_equal(list.causes[0].key, "key3");
    assert_string_equal(list.causes[0].row->reason, "nonfinite count=4");
    assert_string_equal(list.causes[0].detail, "detail");
    assert_int_equal(ks_causes_reproduce(causes, 1, "show", "run"), KS_OK);
    assert_string_equal(list.causes[1].show, "show");
    assert_string_equal(list.causes[0].show, "");
    ks_causes_free(causes);
}

static void causes_of_one_size_keep_their_order(void **state) {
    ks_cause_list list;
    ks_causes *causes = ks_causes_new(&axes);
    (void)state;
    take(causes, 0, 0, "z", 1);
    take(causes, 1, 1, "a", 1);
    take(causes, 2, 2, "m", 1);
    end(causes, &list);
    for (size_t i = 0; i < 3; i++) assert_int_equal(list.causes[i].index, i);
    ks_causes_free(causes);
}

static void moves_of_cycles_are_measured(void **state) {
    static const uint64_t was[] = {100, 100, 100}, is[] = {110, 400, 101};
    ks_cause_list list;
    ks_causes *causes = ks_causes_new(&axes);
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        ks_row row = {.verdict = KS_VERDICT_fail, .reason = "golden columns=1"};
        ks_change change = {.columns = UINT64_C(1) << KS_COL_total_cycles};
        ks_row_set_count(&row, KS_COL_total_cycles, is[i]);
        ks_row_set_count(&change.was, KS_COL_total_cycles, was[i]);
        const ks_record record = {.row = &row,
                                  .key = "k",
                                  .kernel = "k",
                                  .detail = "",
                                  .why = "",
                                  .is_red = true,
                                  .change = &change};
        assert_int_equal(ks_causes_take(causes, &record, &i, 1), KS_OK);
    }
    end(causes, &list);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.causes[0].total.points, 3);
    assert_int_equal(list.causes[0].total.least_ticks, 1);
    assert_int_equal(list.causes[0].total.most_ticks, 300);
    assert_int_equal(list.causes[0].dispatch.points, 0);
    assert_int_equal(list.causes[0].change->was.figures[KS_COL_total_cycles].count, 100);
    ks_causes_free(causes);
}

static void causes_beyond_the_limit_are_counted_by_their_points(void **state) {
    ks_cause_list list;
    ks_causes *causes = ks_causes_new(&axes);
    char reason[16];
    (void)state;
    for (int i = 0; i < KS_CAUSES_KEPT + 3; i++) {
        snprintf(reason, sizeof reason, "r%d", i);
        take(causes, (uint64_t)i, (uint32_t)i % 5, reason, 1);
    }
    take(causes, 1000, 0, "r0", 1);
    end(causes, &list);
    assert_int_equal(list.count, KS_CAUSES_KEPT);
    assert_int_equal(list.more_points, 3);
    assert_int_equal(list.causes[0].points, 2);
    assert_int_equal(ks_causes_points(causes), KS_CAUSES_KEPT + 4);
    ks_causes_free(causes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_one_cause_are_told_together_the_largest_cause_first),
        cmocka_unit_test(causes_of_one_size_keep_their_order),
        cmocka_unit_test(moves_of_cycles_are_measured),
        cmocka_unit_test(causes_beyond_the_limit_are_counted_by_their_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
