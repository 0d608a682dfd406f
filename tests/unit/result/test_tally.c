/* The account of a run and the exit code that it makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "result/tally.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const bool is_red_alone[KS_VERDICT_COUNT] = {
    [KS_VERDICT_fail] = true,    [KS_VERDICT_xpass] = true, [KS_VERDICT_error] = true,
    [KS_VERDICT_doubt] = true,   [KS_VERDICT_crash] = true, [KS_VERDICT_timeout] = true,
    [KS_VERDICT_not_run] = false};

/* `count` points of each verdict of the bit set. */
static ks_account account_of(unsigned verdicts, uint64_t count) {
    ks_account account = {0};
    for (int v = 0; v < KS_VERDICT_COUNT; v++) {
        if (!(verdicts >> v & 1)) continue;
        account.verdicts[v] = count;
        account.planned += count;
        if (is_red_alone[v]) account.red += count;
    }
    return account;
}

static bool has(unsigned verdicts, ks_verdict verdict) { return verdicts >> verdict & 1; }

/* INTERFACE.md, in its own words: the worst wins, in the order 3, 1, 0. */
static int expected_code(unsigned verdicts) {
    if (has(verdicts, KS_VERDICT_timeout) || has(verdicts, KS_VERDICT_crash)) return 3;
    const unsigned red = 1u << KS_VERDICT_fail | 1u << KS_VERDICT_xpass | 1u << KS_VERDICT_error |
                         1u << KS_VERDICT_doubt | 1u << KS_VERDICT_not_run;
    if (verdicts & red) return 1;
    const bool has_run = has(verdicts, KS_VERDICT_pass) || has(verdicts, KS_VERDICT_xfail);
    return has_run ? 0 : 1;
}

static void every_mix_of_verdicts_has_its_exit_code(void **state) {
    (void)state;
    for (unsigned verdicts = 0; verdicts < 1u << KS_VERDICT_COUNT; verdicts++) {
        const ks_account account = account_of(verdicts, 3);
        assert_true(ks_account_adds_up(&account));
        if (ks_account_exit_code(&account) != expected_code(verdicts))
            fail_msg("verdicts %#x: exit code %d, expected %d", verdicts,
                     ks_account_exit_code(&account), expected_code(verdicts));
    }
}

static void failures_are_never_counted_into_the_exit_code(void **state) {
    static const uint64_t counts[] = {1, 255, 256, 257, 512, 65536, UINT64_C(1) << 32};
    (void)state;
    for (size_t i = 0; i < COUNT(counts); i++) {
        const ks_account failed = account_of(1u << KS_VERDICT_fail, counts[i]),
                         crashed = account_of(1u << KS_VERDICT_crash, counts[i]);
        assert_int_equal(ks_account_exit_code(&failed), 1);
        assert_int_equal(ks_account_exit_code(&crashed), 3);
    }
}

static void nothing_that_ran_is_a_failure(void **state) {
    ks_account expected_errors = account_of(1u << KS_VERDICT_error, 4);
    const ks_account none = {0}, infeasible = account_of(1u << KS_VERDICT_infeasible, 4);
    (void)state;
    expected_errors.red = 0; /* a rule expects them */
    assert_int_equal(ks_account_exit_code(&none), 1);
    assert_int_equal(ks_account_exit_code(&infeasible), 1);
    assert_int_equal(ks_account_exit_code(&expected_errors), 1);
}

static void an_expected_error_beside_a_pass_is_clean(void **state) {
    ks_account account = account_of(1u << KS_VERDICT_error | 1u << KS_VERDICT_pass, 1);
    (void)state;
    account.red = 0;
    assert_int_equal(ks_account_exit_code(&account), 0);
}

static void an_infeasible_point_that_should_run_is_red(void **state) {
    ks_account account = account_of(1u << KS_VERDICT_infeasible | 1u << KS_VERDICT_pass, 1);
    (void)state;
    assert_int_equal(ks_account_exit_code(&account), 0);
    account.red = 1;
    assert_int_equal(ks_account_exit_code(&account), 1);
}

static void a_missing_golden_is_4_where_nothing_is_worse(void **state) {
    static const struct {
        ks_verdict beside;
        int code;
    } table[] = {{KS_VERDICT_pass, 4},  {KS_VERDICT_xfail, 4},   {KS_VERDICT_infeasible, 4},
                 {KS_VERDICT_fail, 1},  {KS_VERDICT_doubt, 1},   {KS_VERDICT_xpass, 1},
                 {KS_VERDICT_crash, 3}, {KS_VERDICT_timeout, 3}, {KS_VERDICT_not_run, 1}};
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_account account = account_of(1u << KS_VERDICT_pass | 1u << table[i].beside, 1);
        account.goldens[KS_GOLDEN_new] = 1;
        assert_int_equal(ks_account_exit_code(&account), table[i].code);
    }
}

static void goldens_that_match_or_are_not_asked_are_clean(void **state) {
    ks_account account = account_of(1u << KS_VERDICT_pass, 2);
    (void)state;
    account.goldens[KS_GOLDEN_match] = 1;
    account.goldens[KS_GOLDEN_none] = 1;
    assert_int_equal(ks_account_exit_code(&account), 0);
}

/* What is wrong with a golden is 1 also where no point is red; a golden that is wanted and compared
 * with nothing is 4, and never clean. */
static void what_a_golden_answers_for_itself_has_its_exit_code(void **state) {
    const ks_account clean = account_of(1u << KS_VERDICT_pass, 2);
    (void)state;
    for (int i = 0; i < 5; i++) {
        ks_account account = clean;
        uint64_t *const counts[] = {&account.goldens[KS_GOLDEN_mismatch], &account.golden_stale,
                                    &account.golden_orphans, &account.golden_required,
                                    &account.golden_unused};
        *counts[i] = 1;
        assert_int_equal(ks_account_exit_code(&account), i == 4 ? 4 : 1);
        account.goldens[KS_GOLDEN_new] = 1;
        assert_int_equal(ks_account_exit_code(&account), i == 4 ? 4 : 1);
        account.verdicts[KS_VERDICT_crash] = 1;
        account.planned++;
        assert_int_equal(ks_account_exit_code(&account), 3);
    }
}

static void an_account_is_bare_where_nothing_of_any_point_was_checked(void **state) {
    ks_account account =
        account_of(1u << KS_VERDICT_pass | 1u << KS_VERDICT_infeasible | 1u << KS_VERDICT_error, 2);
    (void)state;
    assert_false(ks_account_is_bare(&account));
    account.bare_points = 1;
    assert_false(ks_account_is_bare(&account));
    account.bare_points = 2;
    assert_true(ks_account_is_bare(&account));
    for (int i = 0; i < 3; i++) {
        ks_account asked = account;
        asked.gate_groups[i] = 1;
        assert_false(ks_account_is_bare(&asked));
    }
    account = (ks_account){0};
    assert_false(ks_account_is_bare(&account)); /* nothing ran: that is red by itself */
}

static void a_red_gate_is_a_failure_of_its_own(void **state) {
    ks_account account = account_of(1u << KS_VERDICT_pass, 1);
    (void)state;
    account.gate_groups[KS_GATE_no] = 1; /* expected, say */
    assert_int_equal(ks_account_exit_code(&account), 0);
    account.gates_red = 1;
    assert_int_equal(ks_account_exit_code(&account), 1);
    account.goldens[KS_GOLDEN_new] = 1;
    assert_int_equal(ks_account_exit_code(&account), 1);
}

static void an_account_that_does_not_add_up_is_never_clean(void **state) {
    ks_account lost = account_of(1u << KS_VERDICT_pass, 5), doubled = lost;
    (void)state;
    lost.planned++;
    doubled.planned--;
    assert_false(ks_account_adds_up(&lost));
    assert_false(ks_account_adds_up(&doubled));
    assert_int_equal(ks_account_exit_code(&lost), 1);
    assert_int_equal(ks_account_exit_code(&doubled), 1);
}

static void joined_accounts_are_the_sum_of_every_member(void **state) {
    uint64_t words[sizeof(ks_account) / sizeof(uint64_t)];
    ks_account a, b, joined;
    (void)state;
    _Static_assert(sizeof words == sizeof a, "an account is made of uint64_t alone");
    for (size_t i = 0; i < COUNT(words); i++) words[i] = i + 1;
    memcpy(&a, words, sizeof a);
    for (size_t i = 0; i < COUNT(words); i++) words[i] = 1000 * (i + 1);
    memcpy(&b, words, sizeof b);
    joined = a;
    ks_account_join(&joined, &b);
    memcpy(words, &joined, sizeof joined);
    for (size_t i = 0; i < COUNT(words); i++) assert_int_equal(words[i], 1001 * (i + 1));
}

static void answers_of_gates_have_their_names(void **state) {
    (void)state;
    assert_string_equal(ks_gate_answer_name(KS_GATE_yes), "yes");
    assert_string_equal(ks_gate_answer_name(KS_GATE_no), "no");
    assert_string_equal(ks_gate_answer_name(KS_GATE_doubt), "doubt");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mix_of_verdicts_has_its_exit_code),
        cmocka_unit_test(failures_are_never_counted_into_the_exit_code),
        cmocka_unit_test(nothing_that_ran_is_a_failure),
        cmocka_unit_test(an_expected_error_beside_a_pass_is_clean),
        cmocka_unit_test(an_infeasible_point_that_should_run_is_red),
        cmocka_unit_test(a_missing_golden_is_4_where_nothing_is_worse),
        cmocka_unit_test(goldens_that_match_or_are_not_asked_are_clean),
        cmocka_unit_test(what_a_golden_answers_for_itself_has_its_exit_code),
        cmocka_unit_test(an_account_is_bare_where_nothing_of_any_point_was_checked),
        cmocka_unit_test(a_red_gate_is_a_failure_of_its_own),
        cmocka_unit_test(an_account_that_does_not_add_up_is_never_clean),
        cmocka_unit_test(joined_accounts_are_the_sum_of_every_member),
        cmocka_unit_test(answers_of_gates_have_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
