/* A point's verdict after the sweep's expect rules. */
#include "run_bench.h"

static void without_a_rule_a_verdict_stays_and_what_failed_is_red(void **state) {
    static const bool is_red[KS_VERDICT_COUNT] = {
        [KS_VERDICT_fail] = true,  [KS_VERDICT_error] = true,   [KS_VERDICT_doubt] = true,
        [KS_VERDICT_crash] = true, [KS_VERDICT_timeout] = true,
    };
    (void)state;
    for (int v = 0; v < KS_VERDICT_COUNT; v++) {
        bool found = !is_red[v];
        assert_int_equal(ks_verdict_expected((ks_verdict)v, NULL, &found), v);
        assert_int_equal(found, is_red[v]);
    }
}

/* INTERFACE.md: a point with the expected verdict keeps it where that is infeasible or error, else
 * it is xfail; one that passes is xpass; any other verdict stays and is red. */
static void every_verdict_meets_every_expected_verdict(void **state) {
    static const char *const expected[] = {"fail",  "infeasible", "error",
                                           "doubt", "timeout",    "crash"};
    static const struct {
        ks_verdict verdict;
        const char *after[COUNT(expected)]; /* `!`: red */
    } table[] = {
        {KS_VERDICT_pass, {"xpass!", "xpass!", "xpass!", "xpass!", "xpass!", "xpass!"}},
        {KS_VERDICT_fail, {"xfail", "fail!", "fail!", "fail!", "fail!", "fail!"}},
        {KS_VERDICT_infeasible,
         {"infeasible!", "infeasible", "infeasible!", "infeasible!", "infeasible!", "infeasible!"}},
        {KS_VERDICT_error, {"error!", "error!", "error", "error!", "error!", "error!"}},
        {KS_VERDICT_doubt, {"doubt!", "doubt!", "doubt!", "xfail", "doubt!", "doubt!"}},
        {KS_VERDICT_timeout, {"timeout!", "timeout!", "timeout!", "timeout!", "xfail", "timeout!"}},
        {KS_VERDICT_crash, {"crash!", "crash!", "crash!", "crash!", "crash!", "xfail"}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++)
        for (size_t k = 0; k < COUNT(expected); k++) {
            const ks_rule rule = {.verdict = expected[k], .why = ""};
            bool is_red;
            char found[32];
            const ks_verdict after = ks_verdict_expected(table[i].verdict, &rule, &is_red);
            snprintf(found, sizeof found, "%s%s", ks_verdict_name(after), is_red ? "!" : "");
            if (strcmp(found, table[i].after[k]) != 0)
                fail_msg("%s where a rule expects %s: %s, expected %s",
                         ks_verdict_name(table[i].verdict), expected[k], found, table[i].after[k]);
        }
}

/* What moved is red whatever a rule says; it fails where nothing else has a name for it. */
static void a_verdict_after_a_golden_that_differs_is_red(void **state) {
    static const ks_verdict after[KS_VERDICT_COUNT] = {
        [KS_VERDICT_pass] = KS_VERDICT_fail,
        [KS_VERDICT_fail] = KS_VERDICT_fail,
        [KS_VERDICT_xfail] = KS_VERDICT_fail,
        [KS_VERDICT_xpass] = KS_VERDICT_xpass,
        [KS_VERDICT_infeasible] = KS_VERDICT_infeasible,
        [KS_VERDICT_error] = KS_VERDICT_error,
        [KS_VERDICT_doubt] = KS_VERDICT_doubt,
        [KS_VERDICT_timeout] = KS_VERDICT_timeout,
        [KS_VERDICT_crash] = KS_VERDICT_crash,
        [KS_VERDICT_not_run] = KS_VERDICT_not_run,
    };
    (void)state;
    for (int v = 0; v < KS_VERDICT_COUNT; v++) {
        bool is_red = false;
        assert_int_equal(ks_verdict_compared((ks_verdict)v, KS_GOLDEN_mismatch, &is_red), after[v]);
        assert_true(is_red);
    }
}

static void a_verdict_after_a_golden_that_does_not_differ_stays(void **state) {
    static const ks_golden_state states[] = {KS_GOLDEN_none, KS_GOLDEN_new, KS_GOLDEN_match};
    (void)state;
    for (size_t i = 0; i < COUNT(states); i++)
        for (int v = 0; v < KS_VERDICT_COUNT; v++)
            for (int red = 0; red < 2; red++) {
                bool is_red = red;
                assert_int_equal(ks_verdict_compared((ks_verdict)v, states[i], &is_red), v);
                assert_int_equal(is_red, red);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_rule_a_verdict_stays_and_what_failed_is_red),
        cmocka_unit_test(every_verdict_meets_every_expected_verdict),
        cmocka_unit_test(a_verdict_after_a_golden_that_differs_is_red),
        cmocka_unit_test(a_verdict_after_a_golden_that_does_not_differ_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
