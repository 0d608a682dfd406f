/* Bad sweep files, and all that is said of them: bytes, YAML and the head of the file. */
#include "sweep_refusals.h"

static const refusal refusals[] = {
    REFUSED("", "@:1:1: found nothing, expected a map"),
    REFUSED("# nothing\n", "@:1:1: found nothing, expected a map"),
    REFUSED("- a\n", "@:1:1: found a list, expected a sweep: a map"),
    REFUSED("text\n", "@:1:1: found 'text', expected a sweep: a map"),
    REFUSED("\357\273\277sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\n",
            "@:1:1: found a byte order mark, expected UTF-8 without one"),
    REFUSED("\377\376s\000", "@:1:1: found the byte 0xFF, expected UTF-8"),
    REFUSED(
        "sweep: t.ci\015\naxes: {kernel: [decode_opt2], TILE: [16]}\015\n",
        "@:1:12: found a carriage return, expected line ends of LF alone (convert the file's line ends)"),
    REFUSED("sweep: t.ci\naxes:\n\011kernel: [gemm]\n", "@:3:1: found a tab, expected blanks"),
    REFUSED("sweep: t.ci\nabout: a\000b\n", "@:2:9: found a NUL character, expected text"),
    REFUSED("sweep: t.ci\nabout: \377\n", "@:2:8: found the byte 0xFF, expected UTF-8"),
    REFUSED("sweep: t.ci\nabout: \355\240\200\n", "@:2:8: found the byte 0xED, expected UTF-8"),
    REFUSED("sweep: t.ci\nabout: \300\257\n", "@:2:8: found the byte 0xC0, expected UTF-8"),
    REFUSED("sweep: t.ci\nabout: a\033b\n",
            "@:2:9: found the control character U+001B, expected printable text"),
    REFUSED("sweep: t.ci\nabout: \"a\\x1b[31m\"\n",
            "@:2:8: found the control character U+001B, expected printable text"),
    REFUSED("sweep: t.ci\nabout: \"a\\0\"\n", "@:2:8: found a NUL character, expected text"),
    REFUSED("sweep: t.ci\nabout: \"\\uFFFE\"\n",
            "@:2:8: found the control character U+FFFE, expected printable text"),
    REFUSED(
        "sweep: t.ci\nabout: \"\\uD800\"\n",
        "@:2:11: found what YAML does not allow (while parsing a quoted scalar: found invalid Unicode character escape code), expected YAML; put the expression in double quotes"),
    REFUSED("sweep: t.ci\nabout: a\342\200\250b\n",
            "@:2:9: found the control character U+2028, expected printable text"),
    REFUSED("sweep: t.ci\nabout: a\302\205b\n",
            "@:2:9: found the control character U+0085, expected printable text"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\n---\nsweep: u.ci\n",
        "@:3:1: found a second document, expected YAML without it; put the expression in double quotes"),
    REFUSED(
        "%YAML 1.1\n---\nsweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\n",
        "@:1:1: found a directive (%), expected YAML without it; put the expression in double quotes"),
    REFUSED(
        "%TAG ! tag:x,2000:\n---\nsweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\n",
        "@:1:1: found a directive (%), expected YAML without it; put the expression in double quotes"),
    REFUSED(
        "sweep: t.ci\naxes: &a {kernel: [gemm]}\n",
        "@:2:7: found an anchor (&), expected YAML without it; put the expression in double quotes"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [gemm]}\nset: *a\n",
        "@:3:6: found an alias (*), expected YAML without it; put the expression in double quotes"),
    REFUSED(
        "sweep: t.ci\naxes: !!map {kernel: [gemm]}\n",
        "@:2:7: found a tag (!), expected YAML without it; put the expression in double quotes"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nwhere: !x y\n",
        "@:3:8: found a tag (!), expected YAML without it; put the expression in double quotes"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nwhere: *x\n",
        "@:3:8: found an alias (*), expected YAML without it; put the expression in double quotes"),
    REFUSED(
        "sweep: t.ci\nset: {<<: *d, TILE: 16}\n",
        "@:2:11: found an alias (*), expected YAML without it; put the expression in double quotes"),
    REFUSED("sweep: t.ci\nset: {<<: {TILE: 16}}\n",
            "@:2:7: found '<<', expected a parameter, a constant or model"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nsweep: u.ci\n",
            "@:3:1: found 'sweep' a second time, expected each key once (first at @:1:1)"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\naxes: {G: [1]}\n",
            "@:3:1: found 'axes' a second time, expected each key once (first at @:2:1)"),
    REFUSED("sweep: t.ci\naxes: {kernel: [gemm], kernel: [gemm]}\n",
            "@:2:24: found 'kernel' a second time, expected each key once (first at @:2:8)"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nwher: TILE == 16\n",
        "@:3:1: found the unknown key 'wher' in a sweep, expected one of sweep, about, mode, oplog, axes, zip, set, calibration, where, exclude, expect, gates, tolerance, golden (did you mean where?)"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\n? [a]\n: b\n",
        "@:3:3: found a list or map as a key, expected a name; put the expression in double quotes"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [gemm}\n",
        "@:2:21: found what YAML does not allow (while parsing a flow sequence: did not find expected ',' or ']'), expected YAML; put the expression in double quotes"),
    REFUSED("sweep: t.ci\naxes: [[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]\n",
            "@:2:22: found more than 16 levels of nesting, expected fewer"),
    REFUSED(
        "sweep: t.ci\naxes:\n    kernel: [gemm]\n  TILE: [1]\n",
        "@:4:3: found what YAML does not allow (while parsing a block mapping: did not find expected key), expected YAML; put the expression in double quotes"),
    REFUSED(
        "sweep: 't.ci\n",
        "@:2:1: found what YAML does not allow (while scanning a quoted scalar: found unexpected end of stream), expected YAML; put the expression in double quotes"),
    REFUSED("axes: {kernel: [decode_opt2], TILE: [16]}\n",
            "@:1:1: found no sweep, expected `sweep: FAMILY.TIER`"),
    REFUSED("sweep:\naxes: {kernel: [decode_opt2], TILE: [16]}\n",
            "@:1:7: found nothing for sweep, expected FAMILY.TIER of letters, digits, _ and -"),
    REFUSED("sweep: [t.ci]\naxes: {kernel: [decode_opt2], TILE: [16]}\n",
            "@:1:8: found a list for sweep, expected FAMILY.TIER of letters, digits, _ and -"),
    REFUSED("sweep: t\naxes: {kernel: [decode_opt2], TILE: [16]}\n",
            "@:1:8: found 't' for sweep, expected FAMILY.TIER of letters, digits, _ and -"),
    REFUSED("sweep: =1+1.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\n",
            "@:1:8: found '=1+1.ci' for sweep, expected FAMILY.TIER of letters, digits, _ and -"),
    REFUSED(
        "sweep: ../../evil.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\n",
        "@:1:8: found '../../evil.ci' for sweep, expected FAMILY.TIER of letters, digits, _ and -"),
    REFUSED("sweep: /evil.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\n",
            "@:1:8: found '/evil.ci' for sweep, expected FAMILY.TIER of letters, digits, _ and -"),
    REFUSED("sweep: t..ci\naxes: {kernel: [decode_opt2], TILE: [16]}\n",
            "@:1:8: found 't..ci' for sweep, expected FAMILY.TIER of letters, digits, _ and -"),
    REFUSED("sweep: t.\naxes: {kernel: [decode_opt2], TILE: [16]}\n",
            "@:1:8: found 't.' for sweep, expected FAMILY.TIER of letters, digits, _ and -"),
    REFUSED("sweep: .t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\n",
            "@:1:8: found '.t.ci' for sweep, expected FAMILY.TIER of letters, digits, _ and -"),
    REFUSED("sweep: -t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\n",
            "@:1:8: found '-t.ci' for sweep, expected FAMILY.TIER of letters, digits, _ and -"),
    REFUSED("sweep: a b.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\n",
            "@:1:8: found 'a b.ci' for sweep, expected FAMILY.TIER of letters, digits, _ and -"),
    REFUSED(
        "sweep: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\n",
        "@:1:8: found 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...' for sweep, expected FAMILY.TIER of letters, digits, _ and -"),
    REFUSED("sweep: \"t.ci\\n\"\naxes: {kernel: [decode_opt2], TILE: [16]}\n",
            "@:1:8: found 't.ci?' for sweep, expected FAMILY.TIER of letters, digits, _ and -"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nabout: [a]\n",
            "@:3:8: found a list for about, expected text"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nabout: \"a\\nb\"\n",
            "@:3:8: found several lines for about, expected one"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nmode: timming\n",
        "@:3:7: found 'timming' for mode, expected dispatch, timing or data (did you mean timing?)"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\nmode: [data]\n",
            "@:3:7: found a list for mode, expected dispatch, timing or data"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\noplog: ful\n",
            "@:3:8: found 'ful' for oplog, expected none, hash or full (did you mean full?)"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\noplog: true\n",
            "@:3:8: found 'true' for oplog, expected none, hash or full"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ngolden: none_\n",
            "@:3:9: found 'none_' for golden, expected check, none or oplog (did you mean none?)"),
    REFUSED(
        "sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ncalibration: defautl\n",
        "@:3:14: found 'defautl' for calibration, expected a file calibration/defautl.yaml beside the sweep or in sweeps"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ncalibration: ../x\n",
            "@:3:14: found '../x' for calibration, expected letters, digits, _ . -"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ncalibration: [default]\n",
            "@:3:14: found a list for calibration, expected letters, digits, _ . -"),
    REFUSED("sweep: t.ci\naxes: {kernel: [decode_opt2], TILE: [16]}\ncalibration:\n",
            "@:3:13: found nothing for calibration, expected letters, digits, _ . -"),
};

static void what_is_not_a_plain_yaml_sweep_is_refused_with_its_place(void **state) {
    (void)state;
    expect_refusals(refusals, COUNT(refusals));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_a_plain_yaml_sweep_is_refused_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
