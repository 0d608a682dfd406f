/* Every time of a point is below 2^63 ticks, or the point is an `overflow`: both sides of the edge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <unistd.h>
#include <cmocka.h>

#include "support/rig.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Time that runs back would never end: better a red test than a hanging one. */
static int set_alarm(void **state) {
    (void)state;
    alarm(60);
    return 0;
}

static int clear_alarm(void **state) {
    (void)state;
    alarm(0);
    return 0;
}

typedef struct edge {
    const char *key;
    ks_status status;
    uint64_t total_ticks; /* of KS_OK */
} edge;

static void expect_edges(const edge *table, size_t count) {
    for (size_t i = 0; i < count; i++) {
        rig r = rig_run_freely(table[i].key);
        if (r.status != table[i].status) fail_msg("%s: status %d", table[i].key, (int)r.status);
        if (r.status == KS_OK) assert_int_equal(r.timeline.total_ticks, table[i].total_ticks);
        rig_close(&r);
    }
}

/* gemm 1 x 1 x 1 takes its dispatch and 522 cycles. 2^63 - 5220000 = 9223372036849555808 */
static void a_total_of_2_to_the_63_less_one_is_the_last(void **state) {
    (void)state;
    static const edge table[] = {
        {"kernel=gemm M=1 K=1 N=1 dispatch_cycles_per_byte=0 dispatch_fixed_cycles=922337203684955.5807",
         KS_OK, INT64_MAX},
        {"kernel=gemm M=1 K=1 N=1 dispatch_cycles_per_byte=0 dispatch_fixed_cycles=922337203684955.5808",
         KS_INPUT, 0},
        {"kernel=gemm M=1 K=1 N=1 dispatch_cycles_per_byte=0 dispatch_fixed_cycles=922337203684955.5807 "
         "policy=serial",
         KS_OK, INT64_MAX},
    };
    expect_edges(table, COUNT(table));
}

static void the_end_of_an_occupancy_is_looked_at(void **state) {
    (void)state;
    /* two reads, fetch, gemm, store, write: 1 + 1 + 1 + (fill + 1) + 1 + 1 cycles */
    static const edge table[] = {
        {"kernel=gemm M=1 K=1 N=1 dispatch_cycles_per_byte=0 dispatch_fixed_cycles=0 dma_latency_cycles=0 "
         "gemm_fill_cycles=922337203685471",
         KS_OK, UINT64_C(9223372036854770000)},
        {"kernel=gemm M=1 K=1 N=1 dispatch_cycles_per_byte=0 dispatch_fixed_cycles=0 dma_latency_cycles=0 "
         "gemm_fill_cycles=922337203685472",
         KS_INPUT, 0},
    };
    expect_edges(table, COUNT(table));
}

static void the_latency_is_looked_at(void **state) {
    (void)state;
    /* math_chain with free dispatch: 1 + L, then MATH 9 + 12 + 9 + 12, then 1 + L. 2 L + 44 cycles. */
    static const edge table[] = {
        {"kernel=math_chain M=1 N=1 dispatch_cycles_per_byte=0 dispatch_fixed_cycles=0 "
         "dma_latency_cycles=461168601842716",
         KS_OK, UINT64_C(9223372036854760000)},
        {"kernel=math_chain M=1 N=1 dispatch_cycles_per_byte=0 dispatch_fixed_cycles=0 "
         "dma_latency_cycles=461168601842717",
         KS_INPUT, 0},
        {"kernel=math_chain M=1 N=1 dma_latency_cycles=922337203685477.5807", KS_INPUT, 0},
    };
    expect_edges(table, COUNT(table));
}

static void one_load(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    (void)point;
    ks_tl_load_tensor(tl, ks_layout_find(layout, "X"));
}

/* The load's occupancy ends at 2^63 - 1 ticks, and the latency, rounded up to whole cycles, stands
 * at 2^63 + 4192: their sum is 4191 once it has wrapped round. */
static void an_end_that_would_wrap_round_is_an_overflow(void **state) {
    (void)state;
    static const ks_kernel kernel = {"one_load", KS_TASK_MATH_CHAIN, one_load, 0};
    static const char *const keys[] = {
        "M=1 N=1 dispatch_cycles_per_byte=0 dispatch_fixed_cycles=922337203685476.5807 "
        "dma_latency_cycles=922337203685477", /* the sum is below 2^64 */
        "M=1 N=1 dispatch_cycles_per_byte=0 dispatch_fixed_cycles=922337203685476.5807 "
        "dma_latency_cycles=922337203685477.5807",
    };
    for (size_t i = 0; i < COUNT(keys); i++) {
        rig r = rig_lower_kernel(&kernel, keys[i]);
        assert_int_equal(ks_timeline_run(r.program, &r.machine, r.arena, NULL, &r.timeline),
                         KS_INPUT);
        rig_close(&r);
    }
}

static void the_dispatch_s_own_end_is_looked_at(void **state) {
    (void)state;
    static const edge table[] = {
        {"kernel=gemm M=1 K=1 N=1 dispatch_cycles_per_byte=0 dispatch_fixed_cycles=922337203685477.5807",
         KS_INPUT, 0},
        {"kernel=gemm_chain M=1 K=1 N=1 dispatch_cycles_per_byte=0 dispatch_fixed_cycles=922337203685000",
         KS_INPUT, 0},
        {"kernel=decode_opt1 G=1 TILE=1 d=1 S=1 dispatch_fixed_cycles=92233720368547", KS_INPUT, 0},
    };
    expect_edges(table, COUNT(table));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_alarm, clear_alarm)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_total_of_2_to_the_63_less_one_is_the_last),
        TEST(the_end_of_an_occupancy_is_looked_at),
        TEST(the_latency_is_looked_at),
        TEST(an_end_that_would_wrap_round_is_an_overflow),
        TEST(the_dispatch_s_own_end_is_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
