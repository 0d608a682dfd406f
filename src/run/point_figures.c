#include "run/point_figures.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"

typedef unsigned __int128 wide;

void ks_figures_of_dispatch(ks_row *row, const ks_program *program,
                            const ks_dispatch_totals *totals) {
    ks_row_set_count(row, KS_COL_tiles, program->tile_count);
    ks_row_set_count(row, KS_COL_commands, totals->command_count);
    ks_row_set_count(row, KS_COL_composites, totals->composite_count);
    ks_row_set_count(row, KS_COL_logical_bytes, totals->logical_bytes);
    ks_row_set_count(row, KS_COL_dispatch_cycles, totals->ticks);
    /* Every tile has commands of the same ops, so this division leaves no rest. */
    ks_row_set_count(row, KS_COL_dispatch_cycles_per_tile,
                     totals->tile_ticks / program->tile_count);
    ks_row_set_count(row, KS_COL_tcm_peak_bytes, program->tcm_peak_bytes);
}

static wide ceil_div(wide a, wide b) { return a / b + (a % b != 0); }

static wide larger(wide a, wide b) { return a > b ? a : b; }

static wide roofline_cycles(const ks_machine *machine, const ks_timeline *t) {
    const wide macs_per_cycle = (wide)machine->gemm_rows * machine->gemm_cols;
    const wide read = ceil_div((wide)t->read_bytes * KS_TICKS_PER_UNIT, machine->dma_ticks_rate);
    const wide written =
        ceil_div((wide)t->write_bytes * KS_TICKS_PER_UNIT, machine->dma_ticks_rate);
    const wide engines =
        larger(ceil_div(t->macs, macs_per_cycle), ceil_div(t->math_elements, machine->math_lanes));
    return larger(larger(read, written), engines);
}

bool ks_figures_of_timeline(ks_row *row, const ks_point *point, const ks_machine *machine,
                            const ks_timeline *t) {
    const wide roofline_ticks = roofline_cycles(machine, t) * KS_TICKS_PER_UNIT;
    const uint64_t dma_bytes = t->read_bytes + t->write_bytes; /* both below 2^63 */
    if (roofline_ticks >= KS_TICKS_LIMIT || dma_bytes >= KS_TICKS_LIMIT) return false;
    ks_row_set_count(row, KS_COL_total_cycles, t->total_ticks);
    ks_row_set_real(
        row, KS_COL_total_ns,
        ks_nearest_quotient(t->total_ticks, ks_ticks_of(&point->calibration, KS_C_clock_ghz)));
    ks_row_set_count(row, KS_COL_cpu_stall_cycles, t->stall_ticks);
    ks_row_set_count(row, KS_COL_cpu_wait_cycles, t->wait_ticks);
    for (int s = KS_SERVER_DMA_RD; s < KS_SERVER_COUNT; s++)
        ks_row_set_count(row, (ks_column)(KS_COL_busy_dma_rd + s - KS_SERVER_DMA_RD),
                         t->busy_ticks[s]);
    int bound = 0;
    for (int r = 0; r < KS_RESOURCE_COUNT; r++) {
        ks_row_set_count(row, (ks_column)(KS_COL_crit_cpu + r), t->path_ticks[r]);
        if (t->path_ticks[r] > t->path_ticks[bound]) bound = r;
    }
    ks_row_set_word(row, KS_COL_bound_by, ks_resource_name((ks_resource)bound));
    ks_row_set_count(row, KS_COL_dma_bytes, dma_bytes);
    ks_row_set_count(row, KS_COL_macs, t->macs);
    ks_row_set_count(row, KS_COL_roofline_cycles, (uint64_t)roofline_ticks);
    return true;
}

void ks_figures_of_errors(ks_row *row, const ks_errors *errors) {
    ks_row_set_count(row, KS_COL_nonfinite, errors->nonfinite);
    if (!errors->compared) return;
    ks_row_set_real(row, KS_COL_max_abs_err, errors->max_abs_err);
    ks_row_set_real(row, KS_COL_max_rel_err, errors->max_rel_err);
    ks_row_set_real(row, KS_COL_rmse, errors->rmse);
    ks_row_set_count(row, KS_COL_max_ulp_err, errors->max_ulp_err);
    ks_row_set_real(row, KS_COL_max_abs_err_full, errors->max_abs_err_full);
    ks_row_set_real(row, KS_COL_rmse_full, errors->rmse_full);
}

static void say_tolerance(ks_row *row, const ks_judgement *judgement) {
    ks_text text = {0};
    ks_text_add_string(&text, "tolerance err=");
    ks_text_add_double(&text, judgement->err);
    ks_text_add_string(&text, " limit=");
    ks_text_add_double(&text, judgement->limit);
    snprintf(row->reason, sizeof row->reason, "%s", ks_text_string(&text));
    ks_text_free(&text);
}

void ks_figures_judge(ks_row *row, const ks_judgement *judgement, ks_error *detail) {
    switch (judgement->kind) {
    case KS_JUDGED_PASS: row->verdict = KS_VERDICT_pass; return;
    case KS_JUDGED_NONFINITE:
        row->verdict = KS_VERDICT_fail;
        snprintf(row->reason, sizeof row->reason, "nonfinite count=%" PRIu64, judgement->nonfinite);
        ks_fail(detail, KS_FAILED, "numeric: %" PRIu64 " elements of OUT are not finite",
                judgement->nonfinite);
        return;
    case KS_JUDGED_TOLERANCE:
        row->verdict = KS_VERDICT_fail;
        say_tolerance(row, judgement);
        ks_fail(detail, KS_FAILED, "numeric: element %" PRIu64 " of OUT: %s", judgement->element,
                row->reason);
        return;
    case KS_JUDGED_NOTHING:
        row->verdict = KS_VERDICT_doubt;
        snprintf(row->reason, sizeof row->reason, "nothing_compared");
        ks_fail(detail, KS_FAILED,
                "numeric: the check proved nothing: the reference is all zero, or nothing was "
                "compared");
        return;
    }
}
