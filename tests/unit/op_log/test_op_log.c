/* How a row is written. */
#include "op_log/op_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_line(const ks_op_row *row, const char *expected) {
    ks_text line = {0};
    ks_op_row_print(&line, row);
    assert_string_equal(ks_text_string(&line), expected);
    ks_text_free(&line);
}

static void the_header_names_the_sixteen_columns_of_the_model(void **state) {
    (void)state;
    assert_string_equal(
        KS_OP_LOG_HEADER,
        "seq,cmd,stage,server,kind,op,phase,m,n,k,start,end,bytes,elements,reads,writes\n");
}

static void a_full_row_prints_every_column(void **state) {
    (void)state;
    const ks_op op = {.kind = KS_OP_add};
    expect_line(&(ks_op_row){.seq = 12,
                             .cmd = 3,
                             .stage = 45,
                             .server = KS_SERVER_MATH,
                             .kind = KS_ROW_MATH,
                             .phase = KS_PHASE_otile,
                             .op = &op,
                             .m = 1,
                             .n = 2,
                             .k = 3,
                             .start = 4250625,
                             .end = 5000000,
                             .bytes = 6,
                             .elements = 7,
                             .read_count = 3,
                             .reads = {{.range = {KS_ACC, 1, 64}},
                                       {.range = {KS_TCM, 0x1a40, 2}},
                                       {.range = {KS_HBM, UINT64_C(0xffffffffffff), 1}}},
                             .write_count = 1,
                             .write = {.range = {KS_WST, 0, 128}}},
                "12,3,45,math,MATH,add,otile,1,2,3,425.0625,500,6,7,"
                "acc:0x1+64|tcm:0x1a40+2|hbm:0xffffffffffff+1,wst:0x0+128\n");
}

static void rows_of_the_cpu_have_stage_minus_1_and_may_have_no_op(void **state) {
    (void)state;
    const ks_op op = {.kind = KS_OP_rmax};
    expect_line(&(ks_op_row){.seq = 0,
                             .cmd = 5,
                             .stage = KS_CPU_STAGE,
                             .server = KS_SERVER_CPU,
                             .kind = KS_ROW_DISPATCH,
                             .phase = KS_PHASE_dispatch,
                             .op = &op,
                             .m = KS_NO_INDEX,
                             .n = KS_NO_INDEX,
                             .k = KS_NO_INDEX,
                             .end = 601250,
                             .bytes = 322},
                "0,5,-1,cpu,DISPATCH,rmax,dispatch,,,,0,60.125,322,0,,\n");
    expect_line(&(ks_op_row){.seq = 1,
                             .cmd = 5,
                             .stage = KS_CPU_STAGE,
                             .server = KS_SERVER_CPU,
                             .kind = KS_ROW_STALL,
                             .phase = KS_PHASE_stall,
                             .m = KS_NO_INDEX,
                             .n = KS_NO_INDEX,
                             .k = KS_NO_INDEX,
                             .start = 1,
                             .end = 20000},
                "1,5,-1,cpu,STALL,,stall,,,,0.0001,2,0,0,,\n");
    expect_line(&(ks_op_row){.seq = 2,
                             .cmd = 0,
                             .stage = KS_CPU_STAGE,
                             .server = KS_SERVER_CPU,
                             .kind = KS_ROW_WAIT,
                             .phase = KS_PHASE_wait,
                             .m = KS_NO_INDEX,
                             .n = KS_NO_INDEX,
                             .k = KS_NO_INDEX,
                             .start = 10000,
                             .end = 20000},
                "2,0,-1,cpu,WAIT,,wait,,,,1,2,0,0,,\n");
}

static void indices_that_do_not_apply_are_empty(void **state) {
    (void)state;
    const ks_op op = {.kind = KS_OP_gemm};
    expect_line(&(ks_op_row){.op = &op,
                             .server = KS_SERVER_STORE,
                             .kind = KS_ROW_STORE,
                             .phase = KS_PHASE_loop,
                             .m = 0,
                             .n = 0,
                             .k = KS_NO_INDEX},
                "0,0,0,store,STORE,gemm,loop,0,0,,0,0,0,0,,\n");
}

static void kinds_phases_and_resources_have_the_names_of_the_model(void **state) {
    (void)state;
    static const char *const kinds[] = {"DISPATCH", "STALL", "WAIT",  "DMA_READ", "FETCH",
                                        "GEMM",     "MATH",  "STORE", "DMA_WRITE"};
    static const char *const phases[] = {"dispatch", "wait",  "stall", "dma",  "prim",  "pre",
                                         "loop",     "ktile", "otile", "post", "single"};
    static const char *const resources[] = {"cpu",   "dma_rd", "dma_wr", "dma_lat",
                                            "fetch", "store",  "gemm",   "math"};
    for (int i = 0; i < KS_ROW_KIND_COUNT; i++)
        assert_string_equal(ks_row_kind_name((ks_row_kind)i), kinds[i]);
    for (int i = 0; i < KS_PHASE_COUNT; i++)
        assert_string_equal(ks_phase_name((ks_phase)i), phases[i]);
    for (int i = 0; i < KS_RESOURCE_COUNT; i++)
        assert_string_equal(ks_resource_name((ks_resource)i), resources[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_header_names_the_sixteen_columns_of_the_model),
        cmocka_unit_test(a_full_row_prints_every_column),
        cmocka_unit_test(rows_of_the_cpu_have_stage_minus_1_and_may_have_no_op),
        cmocka_unit_test(indices_that_do_not_apply_are_empty),
        cmocka_unit_test(kinds_phases_and_resources_have_the_names_of_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
