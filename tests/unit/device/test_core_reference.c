/* The event core against the textbook loop of tests/support/reference.c: every byte of the op_log,
 * every cause, every figure, on random points of every kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "device/dispatch.h"
#include "kernels/kernels.h"
#include "op_log/resolve.h"
#include "support/random_point.h"
#include "support/reference.h"

typedef ks_status run_of(const ks_program *program, const ks_machine *machine, ks_arena *arena,
                         const ks_event_sink *sink, ks_timeline *timeline);

static ks_status add_line(void *text, const ks_op_row *row) {
    ks_op_row_print(text, row);
    ks_text_add_format(text, "  end of occupancy %llu, cause %d %d %u %lld %u\n",
                       (unsigned long long)row->occupied_end, row->has_cause,
                       row->is_cause_occupancy, row->cause_cmd, (long long)row->cause_stage,
                       row->cause_segment);
    return KS_OK;
}

static ks_text log_of(run_of *run, const ks_program *program, const ks_machine *machine,
                      ks_arena *arena, ks_timeline *timeline) {
    ks_text log = {0};
    ks_op_log_feed feed = {0, {&log, add_line}};
    const ks_event_sink sink = {&feed, ks_op_log_take};
    assert_int_equal(run(program, machine, arena, &sink, timeline), KS_OK);
    ks_text_add_char(&log, '\n');
    assert_false(log.has_failed);
    return log;
}

static void expect_same_log(const ks_text *log, const ks_text *reference, const ks_point *point) {
    if (strcmp(log->data, reference->data) == 0) return;
    size_t at = 0, line = 0;
    for (; log->data[at] == reference->data[at]; at++)
        if (log->data[at] == '\n') line = at + 1;
    char key[2048];
    fail_msg("%s\nbyte %zu:\n%.300s\nreference:\n%.300s", random_point_key(point, key, sizeof key),
             at, log->data + line, reference->data + line);
}

static void expect_same_figures(const ks_timeline *a, const ks_timeline *b, const ks_point *point) {
    bool is_same = a->total_ticks == b->total_ticks && a->stall_ticks == b->stall_ticks &&
                   a->wait_ticks == b->wait_ticks && a->read_bytes == b->read_bytes &&
                   a->write_bytes == b->write_bytes && a->macs == b->macs &&
                   a->math_elements == b->math_elements && a->last.cmd == b->last.cmd &&
                   a->last.stage == b->last.stage;
    for (int s = 0; s < KS_SERVER_COUNT; s++) is_same &= a->busy_ticks[s] == b->busy_ticks[s];
    for (int r = 0; r < KS_RESOURCE_COUNT; r++) is_same &= a->path_ticks[r] == b->path_ticks[r];
    char key[2048];
    if (!is_same) fail_msg("%s: other figures", random_point_key(point, key, sizeof key));
}

static bool is_run(const ks_point *point, ks_arena *arena) {
    const ks_kernel *kernel = &ks_kernels.kernels[point->params[KS_P_kernel]];
    const ks_machine machine = ks_machine_of(point);
    ks_lowering lowering;
    ks_dispatch_totals totals;
    uint64_t op_bytes;
    ks_lower(kernel, point, arena, &lowering);
    if (lowering.verdict != KS_LOWERED ||
        ks_dispatch_total(&lowering.program, &machine, &totals, &op_bytes) != KS_DISPATCHABLE)
        return false;
    ks_timeline of_core, of_reference, without_log;
    ks_text log = log_of(ks_timeline_run, &lowering.program, &machine, arena, &of_core);
    ks_text reference = log_of(reference_run, &lowering.program, &machine, arena, &of_reference);
    expect_same_log(&log, &reference, point);
    expect_same_figures(&of_core, &of_reference, point);
    assert_int_equal(ks_timeline_run(&lowering.program, &machine, arena, NULL, &without_log),
                     KS_OK);
    expect_same_figures(&without_log, &of_reference, point);
    ks_text_free(&log);
    ks_text_free(&reference);
    return true;
}

static void every_byte_and_figure_is_the_reference_s(void **state) {
    (void)state;
    enum { POINTS = 330, LEAST = 250 };
    ks_arena *arena = ks_arena_new(1 << 20);
    random_source source = {1};
    int run_count = 0;
    for (uint64_t i = 0; i < POINTS; i++) {
        const ks_point point = random_point(&source, i % ks_kernels.count);
        ks_arena_reset(arena);
        run_count += is_run(&point, arena);
    }
    ks_arena_free(arena);
    if (run_count < LEAST) fail_msg("only %d points ran", run_count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_and_figure_is_the_reference_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
