/* exclusive, and bound: what the servers did in total. */
#include <inttypes.h>

#include "check/check_state.h"

static const ks_server *owner_of(ks_row_kind kind) {
    static const ks_server owners[KS_ROW_KIND_COUNT] = {
        [KS_ROW_DISPATCH] = KS_SERVER_CPU,     [KS_ROW_STALL] = KS_SERVER_CPU,
        [KS_ROW_WAIT] = KS_SERVER_CPU,         [KS_ROW_DMA_READ] = KS_SERVER_DMA_RD,
        [KS_ROW_FETCH] = KS_SERVER_FETCH,      [KS_ROW_GEMM] = KS_SERVER_GEMM,
        [KS_ROW_MATH] = KS_SERVER_MATH,        [KS_ROW_STORE] = KS_SERVER_STORE,
        [KS_ROW_DMA_WRITE] = KS_SERVER_DMA_WR,
    };
    return ks_is_kind(kind) ? &owners[kind] : NULL;
}

/* A DMA stage gives its server back before it completes; no other does. */
static uint64_t end_of_service(const ks_op_row *row) {
    const bool is_dma = row->server == KS_SERVER_DMA_RD || row->server == KS_SERVER_DMA_WR;
    return is_dma ? row->occupied_end : row->end;
}

static void add_totals(ks_figures *figures, const ks_op_row *row, uint64_t end) {
    const uint64_t ticks = end - row->start;
    if (row->kind == KS_ROW_DISPATCH) figures->dispatch_ticks += ticks;
    if (row->kind == KS_ROW_STALL || row->kind == KS_ROW_WAIT) return;
    figures->busy_ticks[row->server] += ticks;
    if (row->stage != KS_CPU_STAGE && row->end > figures->total_ticks)
        figures->total_ticks = row->end;
}

void ks_ask_server(ks_check *check, const ks_op_row *row) {
    const ks_server *owner = owner_of(row->kind);
    if (!owner || *owner != row->server)
        ks_check_blame(check, KS_INVARIANT_exclusive, row, "is served by %s, expected %s",
                       ks_check_server_name(row->server), owner ? ks_server_name(*owner) : "none");
    if (!ks_is_server(row->server)) return;
    ks_holder *holder = &check->holders[row->server];
    const uint64_t end = end_of_service(row);
    if (end < row->start) return; /* causal's */
    add_totals(&check->of_rows, row, end);
    if (end == row->start) return; /* an empty interval overlaps nothing */
    if (row->start < holder->end && holder->start < end)
        ks_check_blame(check, KS_INVARIANT_exclusive, row,
                       "starts at %s while row %" PRIu64 " holds %s until %s",
                       KS_CYCLES(row->start), holder->seq, ks_server_name(row->server),
                       KS_CYCLES(holder->end));
    if (end > holder->end) *holder = (ks_holder){row->start, end, row->seq};
}

/* ---- bound ---- */

void ks_check_figures(ks_check *check, uint64_t total_ticks,
                      const uint64_t busy_ticks[KS_SERVER_COUNT], uint64_t dispatch_ticks) {
    check->result.asked |= ks_invariant_bit(KS_INVARIANT_bound);
    check->given = (ks_figures){.total_ticks = total_ticks, .dispatch_ticks = dispatch_ticks};
    for (int i = 0; i < KS_SERVER_COUNT; i++) check->given.busy_ticks[i] = busy_ticks[i];
}

static void ask_figure(ks_check *check, const char *name, const char *of, uint64_t given,
                       uint64_t from_rows) {
    if (given > check->given.total_ticks)
        ks_check_blame(check, KS_INVARIANT_bound, NULL,
                       "total_cycles %s is below the %s%s cycles %s",
                       KS_CYCLES(check->given.total_ticks), name, of, KS_CYCLES(given));
    if (check->has_rows && given != from_rows)
        ks_check_blame(check, KS_INVARIANT_bound, NULL, "%s%s cycles are %s; the rows say %s", name,
                       of, KS_CYCLES(given), KS_CYCLES(from_rows));
}

void ks_ask_figures(ks_check *check) {
    if (!(check->result.asked & ks_invariant_bit(KS_INVARIANT_bound))) return;
    const ks_figures *given = &check->given, *rows = &check->of_rows;
    for (ks_server i = 0; i < KS_SERVER_COUNT; i++)
        ask_figure(check, "busy ", ks_server_name(i), given->busy_ticks[i], rows->busy_ticks[i]);
    ask_figure(check, "dispatch", "", given->dispatch_ticks, rows->dispatch_ticks);
    ask_figure(check, "total", "", given->total_ticks, rows->total_ticks);
}
