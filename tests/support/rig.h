/* A point on the test stand: lowered, priced, run, its op_log kept as rows and as text.
 *
 *     rig r = rig_run("kernel=gemm M=1 K=1 N=1 policy=serial");
 *     assert_int_equal(r.timeline.total_ticks, 5641250);
 *     rig_close(&r);
 *
 * A malformed KEY, a refused lowering or no memory fails the test on the spot, but for the calls
 * that say otherwise. Test-only kernels go through rig_run_kernel. */
#ifndef KS_TEST_SUPPORT_RIG_H
#define KS_TEST_SUPPORT_RIG_H

#include "base/arena.h"
#include "base/text.h"
#include "device/dispatch.h"
#include "device/timeline.h"
#include "host/host.h"
#include "op_log/op_log.h"

enum { RIG_CYCLE = 10000 }; /* ticks */

typedef struct rig {
    ks_arena *arena;
    ks_point point;
    const ks_kernel *kernel;
    ks_machine machine;
    ks_lowering *lowering; /* in the arena */
    const ks_program *program;

    ks_dispatch_verdict dispatch_verdict;
    ks_dispatch_totals dispatch;
    uint64_t over_cap_bytes; /* of KS_DISPATCH_OP_OVER_CAP */

    ks_status status; /* of the run: KS_OK, or KS_INPUT for overflow */
    ks_timeline timeline;
    size_t row_count;
    ks_op_row *rows; /* op_log order; what they point at is the arena's */
} rig;

/* `name=value` words, in any order; names as in a KEY. Without `kernel` params[KS_P_kernel] is 0.
 * Values are taken as they are: shapes of 0 or constants out of their range are not refused. */
ks_point rig_point(const char *key);

/* Lowered and priced, not run. The product's kernel, or a test's own. */
rig rig_lower(const char *key);
rig rig_lower_kernel(const ks_kernel *kernel, const char *key);
/* As they are, but a lowering that is refused or does not fit is left for the test to look at. */
rig rig_try_kernel(const ks_kernel *kernel, const char *key);
rig rig_try(const char *key);

/* Lowered, priced and run; rig_run_freely leaves the run's status to the test. */
rig rig_run(const char *key);
rig rig_run_kernel(const ks_kernel *kernel, const char *key);
rig rig_run_freely(const char *key);
void rig_close(rig *r);

/* The plan of command `cmd` alone, in the rig's arena; fails the test unless KS_OK. */
ks_plan rig_plan(rig *r, uint32_t cmd);

/* Row of a stage; fails the test when there is none. */
const ks_op_row *rig_row(const rig *r, uint32_t cmd, int64_t stage);
/* The nth (from 0) PE_CPU row of that kind and command, or NULL. */
const ks_op_row *rig_cpu_row(const rig *r, ks_row_kind kind, uint32_t cmd, uint32_t nth);
uint64_t rig_count(const rig *r, ks_row_kind kind);    /* rows of that kind */
uint64_t rig_start(const rig *r, uint32_t cmd);        /* first start of a stage, ticks */
uint64_t rig_end(const rig *r, uint32_t cmd);          /* last end of a stage, ticks */
uint64_t rig_dispatch_end(const rig *r, uint32_t cmd); /* end of its last segment, ticks */

/* The op_log as its file would be, header included; the arena's. */
const char *rig_log(const rig *r);
/* Fails the test at the first line that differs, and shows both. */
void rig_expect_log(const rig *r, const char *expected);

/* Cycles as a decimal: fails the test unless `ticks` prints as `expected`. */
#define rig_expect_cycles(ticks, expected) rig_expect_cycles_at(ticks, expected, __FILE__, __LINE__)
void rig_expect_cycles_at(uint64_t ticks, const char *expected, const char *file, int line);

#endif
