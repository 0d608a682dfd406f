/* One step of a GEMM tile loop, by cycle rule. Extents are at most 2^30, array sides below 2^50,
 * so every product stays within 128 bits. */
#include "device/engine.h"
#include "device/machine.h"

typedef ks_wide gemm_rule(const ks_machine *m, ks_wide mt, ks_wide nt, ks_wide kt);

/* A MAC array of gemm_rows x gemm_cols, started once a step. */
static ks_wide mac(const ks_machine *m, ks_wide mt, ks_wide nt, ks_wide kt) {
    const ks_wide cycles = ks_ceil_div(mt, m->gemm_rows) * ks_ceil_div(nt, m->gemm_cols) * kt;
    return ks_ceil_div(m->gemm_fill_ticks + cycles * KS_TICKS_PER_UNIT, KS_TICKS_PER_UNIT);
}

/* Weight-stationary systolic array, folds not overlapped. */
static ks_wide ws(const ks_machine *m, ks_wide mt, ks_wide nt, ks_wide kt) {
    const ks_wide fold = 2 * (ks_wide)m->gemm_rows + m->gemm_cols + mt - 2;
    return ks_ceil_div(kt, m->gemm_rows) * ks_ceil_div(nt, m->gemm_cols) * fold;
}

/* Output-stationary systolic array. */
static ks_wide os(const ks_machine *m, ks_wide mt, ks_wide nt, ks_wide kt) {
    const ks_wide fold = kt + m->gemm_rows + m->gemm_cols - 2;
    return ks_ceil_div(mt, m->gemm_rows) * ks_ceil_div(nt, m->gemm_cols) * fold;
}

uint64_t ks_gemm_ticks(const ks_machine *machine, uint64_t mt, uint64_t nt, uint64_t kt) {
    static gemm_rule *const rules[KS_RULE_COUNT] = {
        [KS_RULE_MAC] = mac, [KS_RULE_WS] = ws, [KS_RULE_OS] = os};
    return ks_service_ticks(rules[machine->gemm_rule](machine, mt, nt, kt));
}
