#include <string.h>

#include "run/runner.h"

static const bool is_red_alone[KS_VERDICT_COUNT] = {
    [KS_VERDICT_fail] = true,  [KS_VERDICT_error] = true,   [KS_VERDICT_doubt] = true,
    [KS_VERDICT_crash] = true, [KS_VERDICT_timeout] = true,
};

ks_verdict ks_verdict_expected(ks_verdict verdict, const ks_rule *rule, bool *is_red) {
    *is_red = is_red_alone[verdict];
    if (!rule) return verdict;
    const bool is_as_expected = strcmp(ks_verdict_name(verdict), rule->verdict) == 0;
    *is_red = !is_as_expected;
    if (is_as_expected && verdict != KS_VERDICT_infeasible && verdict != KS_VERDICT_error)
        return KS_VERDICT_xfail;
    return verdict == KS_VERDICT_pass ? KS_VERDICT_xpass : verdict;
}

/* No rule excuses a golden: a rule expects a verdict, not that its numbers move. */
ks_verdict ks_verdict_compared(ks_verdict verdict, ks_golden_state state, bool *is_red) {
    if (state != KS_GOLDEN_mismatch) return verdict;
    *is_red = true;
    return verdict == KS_VERDICT_pass || verdict == KS_VERDICT_xfail ? KS_VERDICT_fail : verdict;
}
