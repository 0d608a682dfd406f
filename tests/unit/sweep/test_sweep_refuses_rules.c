/* Bad sweep files, and all that is said of them: conditions, rules, gates and tolerances. */
#include "sweep_refusals.h"

static const refusal refusals[] = {
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nwhere: [a]\n",
            "@:3:8: found a list, expected an expression; put the expression in double quotes"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nwhere:\n",
            "@:3:7: found nothing, expected an expression; put the expression in double quotes"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nwhere: {TILE: 16}\n",
            "@:3:8: found a map, expected an expression; put the expression in double quotes"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nwhere: TILE = 16\n",
            "@:3:13: found '=', expected == (one = compares nothing)"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nwhere: \"TILE = 16\"\n",
            "@:3:14: found '=', expected == (one = compares nothing)"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nwhere: 'TILES == 16'\n",
            "@:3:9: found the word 'TILES', expected a number (did you mean TILE?)"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nwhere: \"TILE\\x20= 16\"\n",
            "@:3:8: found '=', expected == (one = compares nothing)"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nwhere: >\n  TILE = 16\n",
            "@:3:8: found '=', expected == (one = compares nothing)"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nwhere: model == 'llama3-8b'\n",
            "@:3:8: found model, expected other names: no model is swept or set here"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nwhere: decode_opt2.total_cycles > 1\n",
        "@:3:8: found a result column, expected parameters and constants: columns are allowed in gates only"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [gemm], model: [llama3-8b]}\nwhere: \"model == 'llama3-8c'\"\n",
        "@:3:18: found 'llama3-8c' for model, expected a label of the model file (did you mean llama3-8b?)"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nexclude: {when: TILE == 16}\n",
            "@:3:10: found a map for exclude, expected a list of rules `- {when: \"...\"}`"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nexclude: [TILE == 16]\n",
        "@:3:11: found 'TILE == 16', expected a rule: a map; put the expression in double quotes"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nexclude: [{why: x}]\n",
            "@:3:11: found no when in a rule, expected an expression"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nexclude: [{when: TILE in (16, 64), why: x}]\n",
        "@:3:31: found the unknown key '64)' in a rule, expected one of when, why; put the expression in double quotes"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nexclude: [{when: TILE == 16, verdict: fail}]\n",
        "@:3:30: found the unknown key 'verdict' in a rule, expected one of when, why; put the expression in double quotes"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nexclude: [{when: TILE == 16, why: [x]}]\n",
        "@:3:35: found a list for why, expected text"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nexclude: [{when: {TILE: 16}}]\n",
        "@:3:18: found a map, expected an expression; put the expression in double quotes"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nexpect: [{when: TILE == 16, verdict: infeasable}]\n",
        "@:3:38: found 'infeasable' for verdict, expected fail, infeasible, error, doubt, timeout or crash (did you mean infeasible?)"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nexpect: [{when: TILE == 16, verdict: pass}]\n",
        "@:3:38: found 'pass' for verdict, expected fail, infeasible, error, doubt, timeout or crash"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nexpect: [{when: policy == strict_fifoo}]\n",
        "@:3:27: found 'strict_fifoo' for policy, expected strict_fifo, rw_aware or serial (did you mean strict_fifo?)"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ngates: {a: b}\n",
            "@:3:8: found a map for gates, expected a list of rules `- {when: \"...\"}`"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ngates: [{expr: \"total_cycles > 1\"}]\n",
        "@:3:9: found a gate without a name, expected name: NAME"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ngates: [{name: g}]\n",
            "@:3:9: found neither of expr and twin in a gate, expected one of them"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ngates: [{name: g, expr: \"total_cycles > 1\", twin: [gemm]}]\n",
        "@:3:9: found both of expr and twin in a gate, expected one of them"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ngates: [{name: a b, expr: \"total_cycles > 1\"}]\n",
        "@:3:16: found 'a b' for name, expected letters, digits, _ . -"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ngates: [{name: g, expr: \"total_cycles > 1\"}, {name: g, expr: \"total_cycles > 1\"}]\n",
        "@:3:53: found 'g' a second time, expected each gate once (first at @:3:16)"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ngates: [{name: g, expr: \"total_cycle > 1\"}]\n",
        "@:3:26: found the word 'total_cycle', expected a number (did you mean total_cycles?)"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ngates: [{name: g, expr: \"decode_opt9.total_cycles > 1\"}]\n",
        "@:3:26: found 'decode_opt9', expected a kernel (did you mean decode_opt2?)"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ngates: [{name: g, expr: decode_opt2{TILE=16}.total_cycles > 1}]\n",
        "@:3:36: found what YAML does not allow (while parsing a flow mapping: did not find expected ',' or '}'), expected YAML; put the expression in double quotes"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ngates: [{name: g, expr: \"total_cycles > 1\", expect: pass}]\n",
        "@:3:53: found 'pass' for expect, expected fail"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ngates: [{name: g, twin: [decode_opt2, decode_opt3]}]\n",
        "@:3:25: found a twin gate in mode timing, expected mode: data (it compares results)"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], seed: [1, 2], TILE: [1]}\ngates: [{name: g, expr: \"rmse > 1\", pool: seed}]\n",
        "@:3:43: found pool: seed, expected it in mode data with several seeds"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], seed: [1]}\nmode: data\ngates: [{name: g, expr: \"rmse > 1\", pool: seed}]\n",
        "@:4:43: found pool: seed, expected it in mode data with several seeds"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], seed: [1, 2]}\nmode: data\ngates: [{name: g, expr: \"total_cycles > 1\", pool: seed}]\n",
        "@:4:51: found pool with total_cycles, expected figures of error: max_abs_err, max_rel_err, rmse, max_ulp_err, max_abs_err_full, rmse_full, nonfinite"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], seed: [1, 2]}\nmode: data\ngates: [{name: g, expr: \"decode_opt2{seed=1}.rmse > 1\", pool: seed}]\n",
        "@:4:63: found pool: seed with a side that fixes seed, expected one of them"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], seed: [1, 2]}\nmode: data\ngates: [{name: g, expr: \"rmse > 1\", pool: TILE}]\n",
        "@:4:43: found 'TILE' for pool, expected seed"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nmode: data\ngates: [{name: g, twin: [decode_opt2]}]\n",
        "@:4:25: found no list of two or more for twin, expected [kernel, kernel]"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nmode: data\ngates: [{name: g, twin: [decode_opt2, decode_opt2]}]\n",
        "@:4:39: found 'decode_opt2' a second time, expected each kernel once"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nmode: data\ngates: [{name: g, twin: [decode_opt2, decode_opt4]}]\n",
        "@:4:39: found 'decode_opt4' for kernel, expected decode_opt2, decode_opt3, gemm or math_chain (did you mean decode_opt2?)"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ngates: [{name: g, expr: \"total_cycles > 1\", when: \"rmse > 1\"}]\n",
        "@:3:52: found the word 'rmse', expected a number"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ngates: [{name: g, exprr: \"total_cycles > 1\"}]\n",
        "@:3:19: found the unknown key 'exprr' in a gate, expected one of name, expr, when, expect, why, twin, pool (did you mean expr?); put the expression in double quotes"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ntolerance: 1e-5\n",
            "@:3:12: found '1e-5', expected tolerance: a map"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ntolerance: {f17: 1e-5}\n",
            "@:3:13: found the unknown key 'f17' in tolerance, expected one of f32, f16, bf16, "
            "e4m3fn, e5m2 (did you mean f16?)"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ntolerance: {f16: twice_plane}\n",
        "@:3:18: found 'twice_plane' for the tolerance of f16, expected twice_plain or a limit like 1e-5"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ntolerance: {f16: -1}\n",
        "@:3:18: found '-1' for the tolerance of f16, expected twice_plain or a limit like 1e-5"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ntolerance: {f16: 1e999}\n",
        "@:3:18: found '1e999' for the tolerance of f16, expected twice_plain or a limit like 1e-5"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ntolerance: {f16: nan}\n",
        "@:3:18: found 'nan' for the tolerance of f16, expected twice_plain or a limit like 1e-5"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ntolerance: {f16: 1e}\n",
        "@:3:18: found '1e' for the tolerance of f16, expected twice_plain or a limit like 1e-5"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ntolerance: {f16: [1]}\n",
        "@:3:18: found a list for the tolerance of f16, expected twice_plain or a limit like 1e-5"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nmode: data\nset: {acc: f16}\n",
        "@:4:7: found acc f16 with tolerance twice_plain of f16, expected an absolute limit: `tolerance: {f16: 1e-2}`"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nmode: data\nzip: [{acc: [f32, bf16], dtype: [f16, f32]}]\n",
        "@:4:8: found acc bf16 with tolerance twice_plain of f16, expected an absolute limit: `tolerance: {f16: 1e-2}`"),
};

static void what_is_no_rule_or_gate_is_refused_with_its_place(void **state) {
    (void)state;
    expect_refusals(refusals, COUNT(refusals));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_rule_or_gate_is_refused_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
