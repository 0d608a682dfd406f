#include "result/tally.h"

const char *ks_gate_answer_name(ks_gate_answer answer) {
    static const char *const names[] = {"yes", "no", "doubt"};
    return names[answer];
}

bool ks_account_adds_up(const ks_account *account) {
    uint64_t sum = 0;
    for (int i = 0; i < KS_VERDICT_COUNT; i++) sum += account->verdicts[i];
    return sum == account->planned;
}

void ks_account_join(ks_account *into, const ks_account *from) {
    into->planned += from->planned;
    for (int i = 0; i < KS_VERDICT_COUNT; i++) into->verdicts[i] += from->verdicts[i];
    into->red += from->red;
    for (int i = 0; i < 4; i++) into->goldens[i] += from->goldens[i];
    for (int i = 0; i < KS_PATH_COUNT; i++) into->paths[i] += from->paths[i];
    into->golden_stale += from->golden_stale;
    into->golden_orphans += from->golden_orphans;
    into->golden_required += from->golden_required;
    into->golden_unused += from->golden_unused;
    into->skipped_invariants += from->skipped_invariants;
    into->bare_points += from->bare_points;
    for (int i = 0; i < 3; i++) into->gate_groups[i] += from->gate_groups[i];
    into->gates_red += from->gates_red;
    into->gates_not_asked += from->gates_not_asked;
    for (int i = 0; i < KS_SHARE_COUNT; i++) into->shares[i] += from->shares[i];
}

static uint64_t ran_points(const ks_account *account) {
    const uint64_t *v = account->verdicts;
    return account->planned - v[KS_VERDICT_infeasible] - v[KS_VERDICT_error] -
           v[KS_VERDICT_not_run];
}

bool ks_account_is_bare(const ks_account *account) {
    uint64_t groups = 0;
    for (int i = 0; i < 3; i++) groups += account->gate_groups[i];
    return account->bare_points && account->bare_points == ran_points(account) && !groups;
}

int ks_account_exit_code(const ks_account *account) {
    const uint64_t *v = account->verdicts;
    const uint64_t ran = ran_points(account);
    if (!ks_account_adds_up(account)) return 1;
    if (v[KS_VERDICT_timeout] || v[KS_VERDICT_crash]) return 3;
    if (account->red || account->gates_red || v[KS_VERDICT_not_run] || ran == 0) return 1;
    if (account->goldens[KS_GOLDEN_mismatch] || account->golden_stale || account->golden_orphans ||
        account->golden_required)
        return 1;
    return account->goldens[KS_GOLDEN_new] || account->golden_unused ? 4 : 0;
}

const char *ks_share_name(ks_share share) {
    static const char *const names[KS_SHARE_COUNT] = {
#define X(name) [KS_SHARE_##name] = #name,
        KS_SHARE_MAP(X)
#undef X
    };
    return names[share];
}
