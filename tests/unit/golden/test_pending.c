/* What a bless would change, in groups, and the golden that it leaves. */
#include "golden/pending.h"

#include "golden_bench.h"

/* A golden of the points for which `has` says yes; `moved` is added to total_cycles of those that
 * `moves` says. */
static ks_golden *golden_of(ks_golden_parts parts, const char *origin, unsigned count,
                            bool (*has)(unsigned), bool (*moves)(unsigned), uint64_t ticks) {
    ks_golden_head head = bench_head(parts);
    ks_text out = {0}, cells = {0};
    ks_golden *golden;
    ks_error error = {""};
    head.origin = origin;
    ks_golden_writer writer = ks_golden_begin(&out, &head);
    for (unsigned i = 0; i < count; i++) {
        ks_row row = bench_row(i);
        if (has && !has(i)) continue;
        if (moves && moves(i) && row.has) row.figures[KS_COL_total_cycles].count += ticks;
        ks_text_clear(&cells);
        bench_cells_of(&cells, parts, i, &row);
        ks_golden_line_print(&out, &writer, cells.data, cells.length, false);
    }
    ks_golden_end(&out, &writer);
    ks_text_free(&cells);
    if (ks_golden_parse("g.csv", out, origin ? KS_GOLDEN_OBSERVED : KS_GOLDEN_BLESSED, &golden,
                        &error))
        fail_msg("%s", error.text);
    return golden;
}

static bool is_even(unsigned i) { return i % 2 == 0; }
static bool is_first_four(unsigned i) { return i < 4; }
static bool is_not_second(unsigned i) { return i != 1; }
static bool is_any(unsigned i) { return i < 100; }

static ks_text apply(const ks_pending *pending, const ks_golden *golden, const ks_golden *observed,
                     ks_golden_parts parts, long cause) {
    const ks_golden_head head = bench_head(parts);
    ks_text out = {0};
    assert_int_equal(ks_pending_apply(pending, golden, observed, &head, cause, &out), KS_OK);
    return out;
}

static void nothing_is_pending_where_nothing_moved(void **state) {
    (void)state;
    ks_golden *golden = golden_of(bench_timing, NULL, 10, NULL, NULL, 0);
    ks_golden *observed = golden_of(bench_timing, "x", 10, NULL, NULL, 0);
    ks_pending pending;
    assert_int_equal(ks_pending_find(golden, observed, NULL, NULL, &pending), KS_OK);
    assert_int_equal(pending.count, 0);
    assert_int_equal(pending.group_count, 0);
    assert_int_equal(pending.unchanged, 10);
    ks_pending_free(&pending);
    ks_golden_free(golden);
    ks_golden_free(observed);
}

static void lines_that_move_alike_are_a_group_with_their_spread(void **state) {
    (void)state;
    ks_golden *golden = golden_of(bench_timing, NULL, 10, NULL, NULL, 0);
    ks_golden *observed = golden_of(bench_timing, "x", 10, NULL, is_even, 25000);
    ks_pending pending;
    assert_int_equal(ks_pending_find(golden, observed, NULL, NULL, &pending), KS_OK);
    assert_int_equal(pending.group_count, 1);
    const ks_pending_group *g = &pending.groups[0];
    assert_int_equal(g->kind, KS_PENDING_CHANGED);
    assert_non_null(strstr(g->what, "differs from its golden"));
    assert_non_null(strstr(g->what, "total_cycles"));
    assert_int_equal(g->count, 4); /* 0 2 6 8: 4 is infeasible */
    assert_int_equal(g->total.up, 4);
    assert_int_equal(g->total.down, 0);
    assert_int_equal(g->total.least, 25000);
    assert_int_equal(g->total.median, 25000);
    assert_int_equal(g->total.most, 25000);
    assert_int_equal(g->dispatch.same, 4);
    assert_int_equal(pending.unchanged, 6);
    ks_pending_free(&pending);
    ks_golden_free(golden);
    ks_golden_free(observed);
}

static void new_and_gone_lines_are_groups_of_their_own(void **state) {
    (void)state;
    ks_golden *golden = golden_of(bench_timing, NULL, 6, is_not_second, NULL, 0);
    ks_golden *observed = golden_of(bench_timing, "x", 6, is_first_four, NULL, 0);
    ks_pending pending;
    assert_int_equal(ks_pending_find(golden, observed, NULL, NULL, &pending), KS_OK);
    assert_int_equal(pending.group_count, 2);
    assert_int_equal(pending.groups[0].kind, KS_PENDING_NEW);
    assert_int_equal(pending.groups[0].count, 1);
    assert_int_equal(pending.groups[1].kind, KS_PENDING_GONE);
    assert_int_equal(pending.groups[1].count, 2);
    ks_pending_free(&pending);
    ks_golden_free(golden);
    ks_golden_free(observed);
}

static void without_a_golden_all_is_new(void **state) {
    (void)state;
    ks_golden *observed = golden_of(bench_data, "x", 7, NULL, NULL, 0);
    ks_pending pending;
    assert_int_equal(ks_pending_find(NULL, observed, NULL, NULL, &pending), KS_OK);
    assert_int_equal(pending.count, 7);
    const ks_golden_head head = bench_head(bench_data);
    ks_text whole = bench_file(&head, 7),
            out = apply(&pending, NULL, observed, bench_data, KS_NO_LINE);
    assert_string_equal(out.data, whole.data);
    ks_text_free(&whole);
    ks_text_free(&out);
    ks_pending_free(&pending);
    ks_golden_free(observed);
}

/* Of the line of point `i` in both; "" where it is in neither. */
static void expect_line(const ks_text *file, unsigned i, const char *expected) {
    char key[64], line[4096] = "";
    bench_key(key, i);
    const char *at = strstr(file->data, key);
    if (at) snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    assert_string_equal(line, expected);
}

static void a_line_that_is_not_blessed_stays_to_the_byte(void **state) {
    (void)state;
    ks_golden *golden = golden_of(bench_timing, NULL, 10, is_not_second, NULL, 0);
    ks_golden *observed = golden_of(bench_timing, "x", 10, NULL, is_any, 25000);
    const ks_golden_head head = bench_head(bench_timing);
    ks_text before = bench_file(&head, 10);
    ks_pending pending;
    assert_int_equal(ks_pending_find(golden, observed, NULL, NULL, &pending), KS_OK);
    assert_int_equal(pending.group_count, 2); /* changed; the second is new */
    ks_text out = apply(&pending, golden, observed, bench_timing, 1);
    for (unsigned i = 0; i < 10; i++) {
        char key[64], line[4096];
        if (i == 1) continue;
        bench_key(key, i);
        const char *at = strstr(before.data, key);
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        expect_line(&out, i, line);
    }
    assert_non_null(strstr(out.data, "TILE=2 ")); /* the new one, in its place */
    assert_true(strstr(out.data, "TILE=1 ") < strstr(out.data, "TILE=2 "));
    assert_true(strstr(out.data, "TILE=2 ") < strstr(out.data, "TILE=3 "));
    ks_text_free(&out);
    ks_text_free(&before);
    ks_pending_free(&pending);
    ks_golden_free(golden);
    ks_golden_free(observed);
}

static void lines_that_are_gone_stay_in_their_place_or_are_left_out(void **state) {
    (void)state;
    ks_golden *golden = golden_of(bench_timing, NULL, 6, NULL, NULL, 0);
    ks_golden *observed = golden_of(bench_timing, "x", 6, is_not_second, is_first_four, 25000);
    ks_pending pending;
    assert_int_equal(ks_pending_find(golden, observed, NULL, NULL, &pending), KS_OK);
    assert_int_equal(pending.group_count, 2); /* changed, gone */
    ks_text stays = apply(&pending, golden, observed, bench_timing, 0);
    assert_true(strstr(stays.data, "TILE=1 ") < strstr(stays.data, "TILE=2 "));
    assert_true(strstr(stays.data, "TILE=2 ") < strstr(stays.data, "TILE=3 "));
    ks_text left_out = apply(&pending, golden, observed, bench_timing, 1);
    assert_null(strstr(left_out.data, "TILE=2 "));
    assert_non_null(strstr(left_out.data, "\nend,5,"));
    ks_text_free(&stays);
    ks_text_free(&left_out);
    ks_pending_free(&pending);
    ks_golden_free(golden);
    ks_golden_free(observed);
}

static bool is_tile_1(const void *self, const char *key) { return strstr(key, self) != NULL; }

static void only_lines_that_are_asked_are_pending(void **state) {
    (void)state;
    ks_golden *golden = golden_of(bench_timing, NULL, 6, NULL, NULL, 0);
    ks_golden *observed = golden_of(bench_timing, "x", 6, is_not_second, is_any, 25000);
    ks_pending pending;
    assert_int_equal(ks_pending_find(golden, observed, "TILE=1 ", is_tile_1, &pending), KS_OK);
    assert_int_equal(pending.count, 1);
    ks_pending_free(&pending);
    ks_golden_free(golden);
    ks_golden_free(observed);
}

/* A golden that has less than what is pinned now: every line is stored anew. */
static void a_golden_of_other_parts_is_compared_in_what_both_have(void **state) {
    (void)state;
    ks_golden *golden = golden_of(bench_dispatch, NULL, 4, NULL, NULL, 0);
    ks_golden *observed = golden_of(bench_timing, "x", 4, NULL, is_any, 25000);
    ks_pending pending;
    assert_int_equal(ks_pending_find(golden, observed, NULL, NULL, &pending), KS_OK);
    assert_int_equal(pending.count, 4);
    assert_int_equal(pending.group_count, 1);
    assert_string_equal(pending.groups[0].what,
                        "decode_opt2 is stored anew, its figures as they were");
    ks_text out = apply(&pending, golden, observed, bench_timing, KS_NO_LINE);
    assert_non_null(strstr(out.data, "\nend,4,"));
    ks_text_free(&out);
    ks_pending_free(&pending);
    ks_golden_free(golden);
    ks_golden_free(observed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_pending_where_nothing_moved),
        cmocka_unit_test(lines_that_move_alike_are_a_group_with_their_spread),
        cmocka_unit_test(new_and_gone_lines_are_groups_of_their_own),
        cmocka_unit_test(without_a_golden_all_is_new),
        cmocka_unit_test(a_line_that_is_not_blessed_stays_to_the_byte),
        cmocka_unit_test(lines_that_are_gone_stay_in_their_place_or_are_left_out),
        cmocka_unit_test(only_lines_that_are_asked_are_pending),
        cmocka_unit_test(a_golden_of_other_parts_is_compared_in_what_both_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
