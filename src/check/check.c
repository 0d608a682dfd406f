#include "check/check.h"

#include <inttypes.h>

#include "check/check_state.h"

static void read_calibration(ks_check *check, const ks_calibration *c) {
    check->tile_m = ks_whole_of(c, KS_C_gemm_tile_m);
    check->tile_n = ks_whole_of(c, KS_C_gemm_tile_n);
    check->tile_k = ks_whole_of(c, KS_C_gemm_tile_k);
    check->stream_buffers = ks_whole_of(c, KS_C_stream_buffers);
    check->operand_buffers = ks_whole_of(c, KS_C_operand_buffers);
    check->acc_buffers = ks_whole_of(c, KS_C_acc_buffers);
    check->cap_bytes = ks_whole_of(c, KS_C_max_composite_logical_bytes);
    check->header_bytes = ks_whole_of(c, KS_C_op_header_bytes);
    check->operand_bytes = ks_whole_of(c, KS_C_operand_bytes);
}

ks_check *ks_check_new(const ks_program *program, const ks_point *point, ks_arena *arena) {
    ks_check *check = ks_arena_take(arena, 1, sizeof *check);
    if (!check) return NULL;
    check->program = program;
    check->point = point;
    check->arena = arena;
    check->is_prologue_closed = !ks_param_of(point, KS_P_stream_in_prologue);
    check->dispatching.skipped = KS_NO_COMMAND;
    read_calibration(check, &point->calibration);
    ks_ask_program(check);
    return check;
}

/* ---- what is asked ---- */

#define BIT(name) (UINT32_C(1) << KS_INVARIANT_##name)

enum {
    OF_DISPATCH = BIT(gemm_count) | BIT(tcm_only) | BIT(size_cap),
    OF_ROWS = OF_DISPATCH | BIT(no_stream_in_prologue) | BIT(fifo) | BIT(dma_iff_streamed) |
              BIT(writeback) | BIT(exclusive) | BIT(causal) | BIT(conservation)
};

static uint32_t of_prologue(const ks_point *point, uint32_t mask) {
    return ks_param_of(point, KS_P_stream_in_prologue) ? mask & ~BIT(no_stream_in_prologue) : mask;
}

uint32_t ks_check_due(const ks_point *point, ks_check_feed feed) {
    static const uint32_t masks[] = {
        [KS_CHECK_DISPATCH] = OF_DISPATCH,
        [KS_CHECK_TIMELINE] = OF_DISPATCH | BIT(bound),
        [KS_CHECK_OP_LOG] = OF_ROWS | BIT(bound),
        [KS_CHECK_DATA] = OF_ROWS | BIT(bound) | BIT(numeric),
    };
    return of_prologue(point, masks[feed]);
}

/* ---- rows ---- */

static ks_status begin_rows(ks_check *check) {
    if (!check->lives) {
        check->lives =
            ks_arena_take(check->arena, check->program->command_count + 1, sizeof *check->lives);
        if (!check->lives) return KS_NO_MEMORY;
    }
    check->has_rows = true;
    check->result.asked |= of_prologue(check->point, OF_ROWS);
    return KS_OK;
}

static ks_status take_cpu_row(ks_check *check, const ks_op_row *row) {
    ks_live *live;
    if (row->kind != KS_ROW_DISPATCH && row->kind != KS_ROW_STALL && row->kind != KS_ROW_WAIT)
        ks_check_blame(check, KS_INVARIANT_conservation, row,
                       "is no row of PE_CPU: it has no stage");
    if (row->kind != KS_ROW_DISPATCH) return KS_OK;
    const ks_status status = ks_live_of(check, row->cmd, &live);
    if (status) return status;
    ks_ask_dispatch(check, live, row);
    if (live) ks_live_settle(check, live);
    return KS_OK;
}

/* The stage that the row is, or NULL where none is due and it was said why. */
static const ks_due *find_due(ks_check *check, const ks_live *live, const ks_op_row *row) {
    const ks_shape *shape = live->shape;
    const bool is_known = row->stage >= 0 && (uint64_t)row->stage < shape->stage_count;
    const ks_due *due = is_known ? &shape->stages[row->stage] : NULL;
    if ((!due || due->kind != row->kind) && ks_ask_extra(check, shape, row)) return NULL;
    if (!due) {
        ks_check_blame(check, KS_INVARIANT_conservation, row,
                       "is not due: cmd %" PRIu32 " has %" PRIu32 " stages", row->cmd,
                       shape->stage_count);
        return NULL;
    }
    const ks_seen *seen = &live->seen[row->stage];
    if (seen->end == KS_CHECK_UNSEEN) return due;
    ks_check_blame(check, KS_INVARIANT_conservation, row,
                   "runs a stage again that row %" PRIu64 " ran until %s", seen->seq,
                   KS_CYCLES(seen->end));
    return NULL;
}

static void mark_seen(ks_live *live, const ks_op_row *row, const ks_due *due) {
    const ks_seen seen = {row->end, row->seq};
    live->seen[row->stage] = seen;
    live->missing--;
    if (!live->last.end || seen.end > live->last.end) live->last = seen;
    if ((uint64_t)row->stage < live->shape->pre_count && live->pre_missing) {
        live->pre_missing--;
        if (!live->pre.end || seen.end > live->pre.end) live->pre = seen;
    }
    if (row->kind != due->kind) return;
    if (due->role == KS_ROLE_READ_A || due->role == KS_ROLE_READ_B)
        live->has_read[due->role == KS_ROLE_READ_B] = true;
    if (due->kind == KS_ROW_DMA_WRITE) live->has_written = true;
}

static ks_status take_late_row(ks_check *check, const ks_op_row *row) {
    const ks_shape *shape = ks_shape_of(check, check->program->commands[row->cmd]);
    if (!shape) return KS_NO_MEMORY;
    if (!ks_ask_extra(check, shape, row))
        ks_check_blame(check, KS_INVARIANT_conservation, row,
                       "comes after every stage of cmd %" PRIu32 " had its row", row->cmd);
    return KS_OK;
}

static ks_status take_stage_row(ks_check *check, const ks_op_row *row) {
    ks_live *live;
    const ks_status status = ks_live_of(check, row->cmd, &live);
    if (status) return status;
    if (!live) return take_late_row(check, row);
    ks_ask_fifo(check, live, row);
    ks_ask_dispatched(check, live, row);
    if (row->kind == KS_ROW_DMA_READ) ks_ask_prologue(check, live, row);
    const ks_due *due = find_due(check, live, row);
    if (!due) return KS_OK;
    ks_ask_deps(check, live, row, due);
    ks_ask_content(check, live, row, due);
    mark_seen(live, row, due);
    ks_live_settle(check, live);
    return KS_OK;
}

ks_status ks_check_row(void *check, const ks_op_row *row) {
    ks_check *self = check;
    ks_ask_order(self, row);
    if (!self->has_rows && begin_rows(self)) return KS_NO_MEMORY;
    ks_ask_server(self, row);
    if (row->cmd >= self->program->command_count) {
        ks_check_blame(self, KS_INVARIANT_conservation, row,
                       "is of an unknown command: the program has %" PRIu32,
                       self->program->command_count);
        return KS_OK;
    }
    return row->stage == KS_CPU_STAGE ? take_cpu_row(self, row) : take_stage_row(self, row);
}

/* ---- the rest ---- */

void ks_check_numeric(ks_check *check, bool has_passed, const char *text) {
    check->result.asked |= ks_invariant_bit(KS_INVARIANT_numeric);
    if (!has_passed)
        ks_check_blame(check, KS_INVARIANT_numeric, NULL, "%s", text ? text : "failed");
}

const ks_check_result *ks_check_finish(ks_check *check) {
    ks_ask_all_dispatched(check);
    if (check->has_rows) ks_ask_complete(check);
    ks_ask_figures(check);
    return &check->result;
}
