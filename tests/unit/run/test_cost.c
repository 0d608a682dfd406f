#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernels/kernels.h"
#include "run/cost.h"
#include "support/rig.h"

static double seconds(const char *key, ks_mode mode, ks_oplog_mode oplog) {
    const ks_point point = rig_point(key);
    return ks_cost_seconds(&ks_kernels.kernels[ks_param_of(&point, KS_P_kernel)], &point, mode,
                           oplog);
}

static const char near[] = "kernel=decode_opt2 G=8 TILE=64 d=128 S=4096";
static const char far[] = "kernel=decode_opt2 G=8 TILE=64 d=128 S=1048576";

static void a_long_context_costs_more_where_every_row_is_made(void **state) {
    (void)state;
    const double ratio =
        seconds(far, KS_MODE_TIMING, KS_OPLOG_HASH) / seconds(near, KS_MODE_TIMING, KS_OPLOG_HASH);
    assert_true(ratio > 200 && ratio < 256);
    assert_true(seconds(far, KS_MODE_DATA, KS_OPLOG_NONE) >
                200 * seconds(near, KS_MODE_DATA, KS_OPLOG_NONE));
}

static void a_long_context_costs_the_same_where_tiles_are_skipped(void **state) {
    (void)state;
    const double near_s = seconds(near, KS_MODE_TIMING, KS_OPLOG_NONE);
    assert_true(seconds(far, KS_MODE_TIMING, KS_OPLOG_NONE) == near_s);
    assert_true(near_s < seconds(near, KS_MODE_TIMING, KS_OPLOG_HASH));
    assert_true(seconds("kernel=decode_opt2 G=8 TILE=64 d=128 S=128", KS_MODE_TIMING,
                        KS_OPLOG_NONE) < near_s);
}

static void dispatch_costs_the_least(void **state) {
    (void)state;
    assert_true(seconds(near, KS_MODE_DISPATCH, KS_OPLOG_NONE) <
                seconds(near, KS_MODE_TIMING, KS_OPLOG_NONE));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_context_costs_more_where_every_row_is_made),
        cmocka_unit_test(a_long_context_costs_the_same_where_tiles_are_skipped),
        cmocka_unit_test(dispatch_costs_the_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
