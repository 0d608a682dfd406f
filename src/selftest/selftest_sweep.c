#include "selftest/trial.h"

const char ks_selftest_sweep[] =
    "sweep: " KS_SWEEP_NAME "\n"
    "about: what selftest spoils\n"
    "mode: data\n"
    "axes:\n"
    "  kernel: [decode_opt2, decode_opt3, gemm, gemm_chain, rmsnorm_linear]\n"
    "  TILE: [16, 65536]\n"
    "set: {G: 4, d: 16, S: 40, M: 17, K: 130, N: 65}\n"
    "expect:\n"
    "  - {when: \"TILE == 65536\", verdict: infeasible, why: two S buffers exceed TCM}\n"
    "gates:\n"
    "  - {name: twins, twin: [decode_opt2, decode_opt3]}\n"
    "  - {name: ratio, expr: \"decode_opt3.dispatch_cycles_per_tile / "
    "decode_opt2.dispatch_cycles_per_tile > 2\"}\n";
