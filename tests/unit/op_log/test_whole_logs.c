/* Whole op_logs of small points, worked out by hand from MODEL.md section 8. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/rig.h"

/* ---- whole logs ---- */

static void the_log_of_the_smallest_gemm(void **state) {
    (void)state;
    rig r = rig_run("kernel=gemm M=1 K=1 N=1");
    rig_expect_log(
        &r, KS_OP_LOG_HEADER
        "0,0,-1,cpu,DISPATCH,gemm,dispatch,,,,0,42.125,34,0,,\n"
        "1,0,-1,cpu,WAIT,,wait,,,,42.125,564.125,0,0,,\n"
        "2,0,0,dma_rd,DMA_READ,gemm,loop,0,0,0,42.125,293.125,2,0,hbm:0x10000000+2,stg:0x0+2\n"
        "3,0,1,dma_rd,DMA_READ,gemm,loop,0,0,0,43.125,294.125,2,0,hbm:0x10001000+2,stg:0x1+2\n"
        "4,0,2,fetch,FETCH,gemm,loop,0,0,0,294.125,295.125,4,0,stg:0x0+2|stg:0x1+2,opb:0x0+4\n"
        "5,0,3,gemm,GEMM,gemm,loop,0,0,0,295.125,312.125,0,1,opb:0x0+4,acc:0x0+4\n"
        "6,0,4,store,STORE,gemm,loop,0,0,,312.125,313.125,2,0,acc:0x0+4,wst:0x0+2\n"
        "7,0,5,dma_wr,DMA_WRITE,gemm,loop,0,0,,313.125,564.125,2,0,wst:0x0+2,hbm:0x10002000+2\n");
    rig_close(&r);
}

/* One tile of three keys in a buffer of four: the last tile's S is 1 x 3 with a row stride of 3. */
static void the_log_of_a_decode_opt2_of_one_tile(void **state) {
    (void)state;
    rig r = rig_run("kernel=decode_opt2 G=1 TILE=4 d=2 S=3");
    rig_expect_log(
        &r, KS_OP_LOG_HEADER
        "0,0,-1,cpu,DISPATCH,load,dispatch,,,,0,41.75,28,0,,\n"
        "1,1,-1,cpu,DISPATCH,fill,dispatch,,,,41.75,83.125,22,0,,\n"
        "2,0,0,dma_rd,DMA_READ,load,dma,,,,41.75,292.75,4,0,hbm:0x10000000+4,tcm:0x0+4\n"
        "3,2,-1,cpu,DISPATCH,fill,dispatch,,,,83.125,124.5,22,0,,\n"
        "4,1,0,math,MATH,fill,prim,,,,83.125,92.125,0,1,,tcm:0x40+4\n"
        "5,3,-1,cpu,DISPATCH,fill,dispatch,,,,124.5,165.875,22,0,,\n"
        "6,2,0,math,MATH,fill,prim,,,,124.5,133.5,0,1,,tcm:0x80+4\n"
        "7,0,-1,cpu,WAIT,,wait,,,,165.875,292.75,0,0,,\n"
        "8,3,0,math,MATH,fill,prim,,,,165.875,174.875,0,2,,tcm:0xc0+8\n"
        "9,4,-1,cpu,DISPATCH,gemm,dispatch,,,,292.75,336.25,56,0,,\n"
        "10,5,-1,cpu,DISPATCH,rmax,dispatch,,,,336.25,396.375,322,0,,\n"
        "11,4,0,dma_rd,DMA_READ,gemm,loop,0,0,0,336.25,587.25,12,0,hbm:0x10001000+12,stg:0x1+12\n"
        "12,5,-1,cpu,WAIT,,wait,,,,396.375,975.25,0,0,,\n"
        "13,4,1,fetch,FETCH,gemm,loop,0,0,0,587.25,588.25,16,0,tcm:0x0+4|stg:0x1+12,opb:0x0+16\n"
        "14,4,2,gemm,GEMM,gemm,loop,0,0,0,588.25,606.25,0,6,opb:0x0+16,acc:0x0+12\n"
        "15,4,3,math,MATH,scale,otile,0,0,,606.25,615.25,0,3,acc:0x0+12,acc:0x0+12\n"
        "16,4,4,store,STORE,gemm,loop,0,0,,615.25,616.25,6,0,acc:0x0+12,tcm:0x100+6\n"
        "17,5,0,math,MATH,rmax,pre,,,,616.25,625.25,0,3,tcm:0x100+6,tcm:0x180+4\n"
        "18,5,1,math,MATH,max_elem,pre,,,,625.25,634.25,0,1,tcm:0x40+4|tcm:0x180+4,tcm:0x1c0+4\n"
        "19,5,2,math,MATH,exp_diff,pre,,,,634.25,646.25,0,1,tcm:0x40+4|tcm:0x1c0+4,tcm:0x200+4\n"
        "20,5,3,math,MATH,exp_diff,pre,,,,646.25,658.25,0,3,tcm:0x100+6|tcm:0x1c0+4,tcm:0x240+6\n"
        "21,5,4,math,MATH,rsum,pre,,,,658.25,667.25,0,3,tcm:0x240+6,tcm:0x280+4\n"
        "22,5,5,math,MATH,fma,pre,,,,667.25,676.25,0,1,tcm:0x80+4|tcm:0x200+4|tcm:0x280+4,tcm:0x80+4\n"
        "23,5,6,math,MATH,mul_bcast,pre,,,,676.25,685.25,0,2,tcm:0xc0+8|tcm:0x200+4,tcm:0xc0+8\n"
        "24,5,7,math,MATH,copy,pre,,,,685.25,694.25,0,1,tcm:0x1c0+4,tcm:0x40+4\n"
        "25,5,8,dma_rd,DMA_READ,gemm,loop,0,0,0,694.25,945.25,12,0,hbm:0x10002000+12,stg:0x1+12\n"
        "26,5,9,fetch,FETCH,gemm,loop,0,0,0,945.25,946.25,18,0,tcm:0x240+6|stg:0x1+12,opb:0x0+18\n"
        "27,5,10,gemm,GEMM,gemm,loop,0,0,0,946.25,965.25,0,6,opb:0x0+18,acc:0x0+8\n"
        "28,5,11,math,MATH,add,otile,0,0,,965.25,974.25,0,2,acc:0x0+8|tcm:0xc0+8,acc:0x0+8\n"
        "29,5,12,store,STORE,gemm,loop,0,0,,974.25,975.25,8,0,acc:0x0+8,tcm:0xc0+8\n"
        "30,6,-1,cpu,DISPATCH,div_bcast,dispatch,,,,975.25,1017.375,34,0,,\n"
        "31,7,-1,cpu,DISPATCH,cast,dispatch,,,,1017.375,1059.125,28,0,,\n"
        "32,6,0,math,MATH,div_bcast,prim,,,,1017.375,1029.375,0,2,tcm:0xc0+8|tcm:0x80+4,tcm:0xc0+8\n"
        "33,7,-1,cpu,WAIT,,wait,,,,1059.125,1068.125,0,0,,\n"
        "34,7,0,math,MATH,cast,prim,,,,1059.125,1068.125,0,2,tcm:0xc0+8,tcm:0x180+4\n"
        "35,8,-1,cpu,DISPATCH,store,dispatch,,,,1068.125,1109.875,28,0,,\n"
        "36,8,-1,cpu,WAIT,,wait,,,,1109.875,1360.875,0,0,,\n"
        "37,8,0,dma_wr,DMA_WRITE,store,dma,,,,1109.875,1360.875,4,0,tcm:0x180+4,hbm:0x10003000+4\n");
    rig_close(&r);
}

/* OUT = rmsnorm(A B) straight to hbm: two column tiles of 1 x 64 and 1 x 1. */
static void postnorm_to_hbm(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    const ks_call norm = {.op = "rmsnorm", .scope = KS_SCOPE_KERNEL};
    ks_tl_composite_legacy(tl, ks_tl_ref_tensor(tl, ks_layout_find(layout, "A")),
                           ks_tl_ref_tensor(tl, ks_layout_find(layout, "B")),
                           ks_tl_ref_tensor(tl, ks_layout_find(layout, "OUT")), &norm, 1);
}

static void the_log_of_a_post_loop_op_with_an_hbm_output_names_write_staging(void **state) {
    (void)state;
    static const ks_kernel kernel = {"postnorm_to_hbm", KS_TASK_GEMM_POSTNORM, postnorm_to_hbm, 0};
    rig r = rig_run_kernel(&kernel, "M=1 K=1 N=65");
    rig_expect_log(
        &r, KS_OP_LOG_HEADER
        "0,0,-1,cpu,DISPATCH,gemm,dispatch,,,,0,43.5,56,0,,\n"
        "1,0,-1,cpu,WAIT,,wait,,,,43.5,601.5,0,0,,\n"
        "2,0,0,dma_rd,DMA_READ,gemm,loop,0,0,0,43.5,294.5,2,0,hbm:0x10000000+2,stg:0x0+2\n"
        "3,0,1,dma_rd,DMA_READ,gemm,loop,0,0,0,44.5,296.5,128,0,hbm:0x10001000+128,stg:0x1+128\n"
        "4,0,5,dma_rd,DMA_READ,gemm,loop,0,1,0,46.5,297.5,2,0,hbm:0x10000000+2,stg:0x2+2\n"
        "5,0,6,dma_rd,DMA_READ,gemm,loop,0,1,0,47.5,298.5,2,0,hbm:0x10001080+2,stg:0x3+2\n"
        "6,0,2,fetch,FETCH,gemm,loop,0,0,0,296.5,297.5,130,0,stg:0x0+2|stg:0x1+128,opb:0x0+130\n"
        "7,0,3,gemm,GEMM,gemm,loop,0,0,0,297.5,314.5,0,64,opb:0x0+130,acc:0x0+256\n"
        "8,0,7,fetch,FETCH,gemm,loop,0,1,0,298.5,299.5,4,0,stg:0x2+2|stg:0x3+2,opb:0x1+4\n"
        "9,0,4,store,STORE,gemm,loop,0,0,,314.5,315.5,128,0,acc:0x0+256,wst:0x0+128\n"
        "10,0,8,gemm,GEMM,gemm,loop,0,1,0,314.5,331.5,0,1,opb:0x1+4,acc:0x1+4\n"
        "11,0,9,store,STORE,gemm,loop,0,1,,331.5,332.5,2,0,acc:0x1+4,wst:0x1+2\n"
        "12,0,10,math,MATH,rmsnorm,post,,,,332.5,348.5,0,65,wst:0x0+130,wst:0x0+130\n"
        "13,0,11,dma_wr,DMA_WRITE,gemm,post,,,,348.5,601.5,130,0,wst:0x0+130,hbm:0x10002000+130\n");
    rig_close(&r);
}

static void the_log_of_a_math_only_composite(void **state) {
    (void)state;
    rig r = rig_run("kernel=math_chain M=2 N=3");
    rig_expect_log(
        &r, KS_OP_LOG_HEADER
        "0,0,-1,cpu,DISPATCH,load,dispatch,,,,0,41.75,28,0,,\n"
        "1,0,-1,cpu,WAIT,,wait,,,,41.75,292.75,0,0,,\n"
        "2,0,0,dma_rd,DMA_READ,load,dma,,,,41.75,292.75,12,0,hbm:0x10000000+12,tcm:0x0+12\n"
        "3,1,-1,cpu,DISPATCH,rmax,dispatch,,,,292.75,340.5,124,0,,\n"
        "4,1,-1,cpu,WAIT,,wait,,,,340.5,382.5,0,0,,\n"
        "5,1,0,math,MATH,rmax,single,,,,340.5,349.5,0,6,tcm:0x0+12,tcm:0x40+8\n"
        "6,1,1,math,MATH,exp_diff,single,,,,349.5,361.5,0,6,tcm:0x0+12|tcm:0x40+8,tcm:0x80+12\n"
        "7,1,2,math,MATH,rsum,single,,,,361.5,370.5,0,6,tcm:0x80+12,tcm:0xc0+8\n"
        "8,1,3,math,MATH,div_bcast,single,,,,370.5,382.5,0,6,tcm:0x80+12|tcm:0xc0+8,tcm:0x100+12\n"
        "9,2,-1,cpu,DISPATCH,store,dispatch,,,,382.5,424.25,28,0,,\n"
        "10,2,-1,cpu,WAIT,,wait,,,,424.25,675.25,0,0,,\n"
        "11,2,0,dma_wr,DMA_WRITE,store,dma,,,,424.25,675.25,12,0,tcm:0x100+12,hbm:0x10001000+12\n");
    rig_close(&r);
}

static void dot_and_store(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    const ks_handle *a = ks_tl_load_tensor(tl, ks_layout_find(layout, "A"));
    const ks_handle *b = ks_tl_load_tensor(tl, ks_layout_find(layout, "B"));
    ks_tl_store(tl, ks_tl_dot(tl, a, b), ks_layout_find(layout, "OUT")->addr);
}

/* 2 x 3 x 4: primitives are one row each; dot waits for both loads, the store for the dot. */
static void the_log_of_primitives(void **state) {
    (void)state;
    static const ks_kernel kernel = {"dot_and_store", KS_TASK_GEMM, dot_and_store, 0};
    rig r = rig_run_kernel(&kernel, "M=2 K=3 N=4 dma_latency_cycles=100");
    rig_expect_log(
        &r, KS_OP_LOG_HEADER
        "0,0,-1,cpu,DISPATCH,load,dispatch,,,,0,41.75,28,0,,\n"
        "1,1,-1,cpu,DISPATCH,load,dispatch,,,,41.75,83.5,28,0,,\n"
        "2,0,0,dma_rd,DMA_READ,load,dma,,,,41.75,142.75,12,0,hbm:0x10000000+12,tcm:0x0+12\n"
        "3,0,-1,cpu,WAIT,,wait,,,,83.5,142.75,0,0,,\n"
        "4,1,0,dma_rd,DMA_READ,load,dma,,,,83.5,184.5,24,0,hbm:0x10001000+24,tcm:0x40+24\n"
        "5,1,-1,cpu,WAIT,,wait,,,,142.75,184.5,0,0,,\n"
        "6,2,-1,cpu,DISPATCH,gemm,dispatch,,,,184.5,226.625,34,0,,\n"
        "7,2,-1,cpu,WAIT,,wait,,,,226.625,245.625,0,0,,\n"
        "8,2,0,gemm,GEMM,gemm,prim,,,,226.625,245.625,0,24,tcm:0x0+12|tcm:0x40+24,tcm:0x80+16\n"
        "9,3,-1,cpu,DISPATCH,store,dispatch,,,,245.625,287.375,28,0,,\n"
        "10,3,-1,cpu,WAIT,,wait,,,,287.375,388.375,0,0,,\n"
        "11,3,0,dma_wr,DMA_WRITE,store,dma,,,,287.375,388.375,16,0,tcm:0x80+16,hbm:0x10002000+16\n");
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_log_of_the_smallest_gemm),
        cmocka_unit_test(the_log_of_a_decode_opt2_of_one_tile),
        cmocka_unit_test(the_log_of_a_post_loop_op_with_an_hbm_output_names_write_staging),
        cmocka_unit_test(the_log_of_a_math_only_composite),
        cmocka_unit_test(the_log_of_primitives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
