/* gemm_count, tcm_only and size_cap: what needs no op_log. */
#include "log_bench.h"

/* Commands 4 and 6 are #1 of tiles 0 and 1 (gemm, scale), 5 and 7 are #2 (8 MATH, gemm, add). */
#define OPT2 "decode_opt2 G=4 TILE=16 d=128 S=32"
/* Command 1 is MATH-only. */
#define MATH_ONLY "math_chain M=16 N=64"

enum { NUMBER_1 = 4, NUMBER_2 = 5, MERGE_OPS = 8 };

/* ---- gemm_count ---- */

static void epilogue_becomes_a_gemm(bench *b) {
    ks_command *c = own_command(b, NUMBER_1);
    const ks_op gemm = c->ops[0];
    *own_op(c, 1) = gemm;
}

static void gemm_is_appended(bench *b) {
    ks_command *c = own_command(b, NUMBER_2);
    *own_op(c, c->op_count) = c->ops[MERGE_OPS];
    c->op_count++;
}

/* The last op of a MATH-only composite turns into the one gemm that it may have. */
static void gemm_joins_a_math_only_composite(bench *b) {
    ks_command *c = own_command(b, 1);
    own_op(c, c->op_count - 1)->kind = KS_OP_gemm;
}

/* ---- tcm_only ---- */

static void move_operand(bench *b, uint32_t cmd, uint32_t op, uint32_t operand) {
    ks_op *own = own_op(own_command(b, cmd), op);
    own_handle(b, &own->operands[operand].handle)->space = KS_HBM;
}

static void move_out(bench *b, uint32_t cmd, uint32_t op) {
    ks_op *own = own_op(own_command(b, cmd), op);
    own_handle(b, &own->out)->space = KS_HBM;
}

static void first_pre_reads_hbm(bench *b) { move_operand(b, NUMBER_2, 0, 0); }
static void last_pre_writes_hbm(bench *b) { move_out(b, NUMBER_2, MERGE_OPS - 1); }
static void gemm_reads_hbm(bench *b) { move_operand(b, NUMBER_2, MERGE_OPS, 0); }
static void epilogue_writes_hbm(bench *b) { move_out(b, NUMBER_2, MERGE_OPS + 1); }
static void math_only_reads_hbm(bench *b) { move_operand(b, 1, 1, 1); }
static void math_only_writes_hbm(bench *b) { move_out(b, 1, 3); }

static const spoilt of_programs[] = {
    {"an epilogue op becomes a second gemm",
     OPT2,
     epilogue_becomes_a_gemm,
     BIT(gemm_count),
     0,
     {"cmd 4 has 2 gemm ops", "op 1"}},
    {"a gemm follows the epilogue",
     OPT2,
     gemm_is_appended,
     BIT(gemm_count),
     0,
     {"cmd 5 has 2 gemm ops", "op 10"}},
    {"one gemm in any place is fine", MATH_ONLY, gemm_joins_a_math_only_composite, 0, 0, {0}},
    {"a pre op reads hbm",
     OPT2,
     first_pre_reads_hbm,
     BIT(tcm_only),
     0,
     {"cmd 5 op 0 (rmax) has its s in hbm", "0xc80"}},
    {"a pre op writes hbm",
     OPT2,
     last_pre_writes_hbm,
     BIT(tcm_only),
     0,
     {"cmd 5 op 7 (copy) has its out in hbm", "0x400"}},
    {"a MATH-only composite reads hbm",
     MATH_ONLY,
     math_only_reads_hbm,
     BIT(tcm_only),
     0,
     {"cmd 1 op 1 (exp_diff)", "hbm"}},
    {"a MATH-only composite writes hbm",
     MATH_ONLY,
     math_only_writes_hbm,
     BIT(tcm_only),
     0,
     {"cmd 1 op 3 (div_bcast) has its out in hbm"}},
    {"a gemm may read hbm", OPT2, gemm_reads_hbm, 0, 0, {0}},
    {"an epilogue may work on an out in hbm", OPT2, epilogue_writes_hbm, 0, 0, {0}},
};

/* ---- size_cap, by segments alone ---- */

typedef struct segment {
    uint32_t cmd, first_op;
    uint64_t bytes;
} segment;

/* The program of the smallest bench: one load (28 bytes), one composite, one store (28). */
static const ks_check_result *feed(const char *cap, const segment *segments) {
    static bench b; /* its arena holds the result until the next call */
    if (b.arena) bench_close(&b);
    b = (bench){0};
    if (!cap) return NULL;
    char point[256];
    snprintf(point, sizeof point, MATH_ONLY " max_composite_logical_bytes=%s", cap);
    b = bench_open(point);
    ks_check *check = ks_check_new(&b.program, &b.point, b.arena);
    for (const segment *s = segments; s->bytes; s++)
        ks_check_segment(check, s->cmd, s->first_op, s->bytes);
    return ks_check_finish(check);
}

/* Ops of math_chain's composite: rmax 28, exp_diff 34, rsum 28, div_bcast 34: 124 in all. */
static const struct {
    const char *claim, *cap;
    segment segments[6];  /* one of no bytes ends them */
    const char *words[3]; /* none: size_cap is kept */
} feeds[] = {
    {"one segment at the cap", "124", {{0, 0, 28}, {1, 0, 124}, {2, 0, 28}}, {0}},
    {"greedy segments under a cap", "90", {{0, 0, 28}, {1, 0, 90}, {1, 3, 34}, {2, 0, 28}}, {0}},
    {"a byte over the cap",
     "123",
     {{0, 0, 28}, {1, 0, 124}, {2, 0, 28}},
     {"cmd 1", "124 bytes", "cap of 123"}},
    {"split where one would fit",
     "124",
     {{0, 0, 28}, {1, 0, 90}, {1, 3, 34}, {2, 0, 28}},
     {"cmd 1", "has 90 bytes", "ops 0 to 3 have 124"}},
    {"packed less than greedily",
     "90",
     {{0, 0, 28}, {1, 0, 62}, {1, 2, 62}, {2, 0, 28}},
     {"cmd 1", "has 62 bytes", "ops 0 to 2 have 90"}},
    {"a byte too few", "1024", {{0, 0, 28}, {1, 0, 123}, {2, 0, 28}}, {"123", "124"}},
    {"an op left out",
     "90",
     {{0, 0, 28}, {1, 1, 62}, {2, 0, 28}},
     {"cmd 1", "begins at op 1", "0 of 4"}},
    {"the rest of a command left out",
     "90",
     {{0, 0, 28}, {1, 0, 90}, {2, 0, 28}},
     {"cmd 2 comes before op 3 of cmd 1"}},
    {"a command dispatched twice",
     "1024",
     {{0, 0, 28}, {1, 0, 124}, {1, 0, 124}, {2, 0, 28}},
     {"cmd 1", "4 of 4 ops"}},
    {"a command before its turn",
     "1024",
     {{0, 0, 28}, {2, 0, 28}, {1, 0, 124}},
     {"cmd 1 comes after cmd 2"}},
    {"a command in the middle left out",
     "1024",
     {{0, 0, 28}, {2, 0, 28}},
     {"cmd 1 of 3 was never"}},
    {"the last command left out", "1024", {{0, 0, 28}, {1, 0, 124}}, {"cmd 2 of 3 was never"}},
    {"the last segment left out", "90", {{0, 0, 28}, {1, 0, 90}}, {"op 3 of cmd 1"}},
    {"an op that does not exist",
     "1024",
     {{0, 0, 28}, {1, 0, 124}, {1, 4, 28}, {2, 0, 28}},
     {"begins at op 4"}},
    {"a command that does not exist",
     "1024",
     {{0, 0, 28}, {1, 0, 124}, {2, 0, 28}, {3, 0, 28}},
     {"cmd 3 of 3"}},
};

static void segments_cover_every_op_once_under_the_cap(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(feeds); i++) {
        const ks_check_result *result = feed(feeds[i].cap, feeds[i].segments);
        const uint32_t expected = feeds[i].words[0] ? BIT(size_cap) : 0;
        if (result->failed != expected) print_message("%s\n", feeds[i].claim);
        assert_int_equal(result->failed, expected);
        if (expected) expect_words(result->texts[KS_INVARIANT_size_cap], feeds[i].words, 3);
    }
    feed(NULL, NULL);
}

/* Test 9 of the ADR. */
static void composite_2_of_opt2_is_one_segment_at_the_default_cap(void **state) {
    (void)state;
    bench b = bench_open(OPT2);
    const size_t at = find(&b, NUMBER_2, KS_ROW_DISPATCH, 0);
    assert_int_equal(b.rows[at].bytes, 322);
    assert_int_equal(b.rows[at + 1].cmd == NUMBER_2 && b.rows[at + 1].kind == KS_ROW_DISPATCH, 0);
    assert_int_equal(judge(&b)->failed, 0);
    bench_close(&b);
}

int main(void) {
    static const struct CMUnitTest more[] = {
        cmocka_unit_test(segments_cover_every_op_once_under_the_cap),
        cmocka_unit_test(composite_2_of_opt2_is_one_segment_at_the_default_cap),
    };
    return run_table(run_spoilt_program, of_programs, COUNT(of_programs), more, COUNT(more));
}
