/* no_stream_in_prologue, fifo and causal: op_logs that are spoilt in time. */
#include "log_bench.h"

/* Rows by seq. 8: last primitive fill. 10: DISPATCH of cmd 5. cmd 4, 6: #1 of tiles 0, 1; cmd 5, 7:
 * #2, stages 0-7 the prologue, 8 and 13 the reads of V. 49: first row of cmd 7. */
#define OPT2 "decode_opt2 G=4 TILE=16 d=128 S=32"
#define ONE_OPERAND_BUFFER "gemm M=16 K=128 N=64 operand_buffers=1 gemm_fill_cycles=1000"
#define ONE_ACCUMULATOR "gemm M=16 K=64 N=128 acc_buffers=1 store_bytes_per_cycle=1"
#define ONE_STREAM_BUFFER "gemm M=16 K=128 N=64 stream_buffers=1"
#define POSTNORM "gemm_postnorm M=16 K=64 N=128"
#define KTILE "gemm_ktile_scale M=16 K=128 N=64"
#define FREE_STREAM OPT2 " stream_in_prologue=1"

static void put(bench *b, uint32_t cmd, int64_t stage, uint64_t start) {
    name(b, row_of(b, cmd, stage)->seq);
    move_to(row_of(b, cmd, stage), start);
    sort(b);
}

/* ---- no_stream_in_prologue ---- */

static void v_read_a_tick_before_the_prologue_ends(bench *b) { hurry(b, 5, 8, 5, 7); }

static void v_read_before_the_last_pre_op_starts(bench *b) { put(b, 5, 8, 880 * CYCLE); }

static void prologue_a_tick_longer(bench *b) {
    ks_op_row *pre = row_of(b, 5, 7);
    name(b, pre->seq);
    name(b, row_of(b, 5, 8)->seq);
    pre->end++;
    pre->occupied_end++;
}

/* ---- fifo ---- */

static void later_one_a_tick_early(bench *b) { hurry(b, 7, 0, 5, 17); }

static void earlier_one_lingers(bench *b) {
    name(b, row_of(b, 7, 0)->seq);
    move_to(row_of(b, 5, 17), row_of(b, 7, 0)->start + 1);
    sort(b);
}

static void rw_handles_at(bench *b, uint64_t addr, uint64_t step) {
    ks_command *c = own_command(b, 7);
    const ks_handle **handles = ks_arena_take(b->arena, c->rw_count, sizeof *handles);
    for (uint32_t i = 0; i < c->rw_count; i++) {
        handles[i] = c->rw_handles[i];
        own_handle(b, &handles[i])->addr = addr + i * step;
    }
    c->rw_handles = handles;
}

/* m of cmd 5 is tcm:0x400+16. */
static void later_one_shares_its_last_byte(bench *b) {
    rw_handles_at(b, 0x40f, 1 << 20);
    later_one_a_tick_early(b);
}

static void later_one_shares_no_byte(bench *b) {
    rw_handles_at(b, 0x410 + (1 << 20), 1 << 20);
    later_one_a_tick_early(b);
    b->named_count = 0;
}

/* ---- causal ---- */

static void fetch_before_its_read(bench *b) { hurry(b, 4, 1, 4, 0); }
static void gemm_before_its_fetch(bench *b) { hurry(b, 4, 2, 4, 1); }
static void epilogue_before_the_gemm(bench *b) { hurry(b, 4, 6, 4, 5); }
static void store_before_the_epilogue(bench *b) { hurry(b, 4, 7, 4, 6); }
static void pre_op_before_the_one_before_it(bench *b) { hurry(b, 5, 1, 5, 0); }
static void fetch_before_its_buffer_is_free(bench *b) { hurry(b, 0, 6, 0, 3); }
static void gemm_before_its_accumulator_is_free(bench *b) { hurry(b, 0, 9, 0, 4); }
static void read_before_its_staging_is_free(bench *b) { hurry(b, 0, 4, 0, 2); }
static void post_op_before_the_last_store(bench *b) { hurry(b, 0, 10, 0, 9); }
static void write_before_the_store(bench *b) { hurry(b, 0, 9, 0, 8); }
static void gemm_before_the_k_tile_op(bench *b) {
    name(b, row_of(b, 0, 8)->seq);
    name(b, row_of(b, 0, 4)->seq);
    ks_op_row *scale = row_of(b, 0, 4);
    scale->end = scale->occupied_end = row_of(b, 0, 8)->start + 1;
}

static void fetch_keeps_its_dependencies_silent(bench *b) {
    fetch_before_its_read(b);
    row_of(b, 4, 1)->dep_count = 0;
}

static void set_deps(bench *b, ks_op_row *row, uint32_t dep) {
    uint32_t *deps = ks_arena_take(b->arena, 1, sizeof *deps);
    *deps = dep;
    row->deps = deps;
    row->dep_count = 1;
    name(b, row->seq);
}

static void row_names_a_later_stage(bench *b) { set_deps(b, row_of(b, 4, 2), 4); }
static void row_names_no_stage(bench *b) { set_deps(b, row_of(b, 4, 2), 1000); }
static void row_names_itself(bench *b) { set_deps(b, row_of(b, 4, 2), 2); }

static void stage_before_its_dispatch_ends(bench *b) {
    name(b, row_of(b, 1, 0)->seq);
    name(b, b->rows[find(b, 1, KS_ROW_DISPATCH, 0)].seq);
    move_to(row_of(b, 1, 0), row_of(b, 1, 0)->start - 1);
    sort(b);
}

static void no_dispatch(bench *b) {
    name(b, row_of(b, 5, 0)->seq);
    drop(b, find(b, 5, KS_ROW_DISPATCH, 0));
}

static void two_rows_change_places(bench *b) {
    const size_t at = find_stage(b, 6, 0);
    const ks_op_row row = b->rows[at];
    name(b, row.seq);
    name(b, b->rows[at + 1].seq);
    b->rows[at] = b->rows[at + 1];
    b->rows[at + 1] = row;
}

static void cpu_row_after_a_stage_of_its_instant(bench *b) {
    const size_t dispatch = find(b, 8, KS_ROW_DISPATCH, 0);
    const ks_op_row row = b->rows[dispatch];
    drop(b, dispatch);
    const size_t stage = find_stage(b, 7, 17);
    insert(b, stage + 1, &row);
    move_to(&b->rows[stage + 1], b->rows[stage].start);
    b->rows[stage + 1].end = b->rows[stage + 1].occupied_end = b->rows[stage].start;
    /* The WAIT that it now falls into is not its affair. */
    name(b, row.seq);
}

static void end_before_start(bench *b) {
    ks_op_row *row = row_of(b, 9, 0);
    name(b, row->seq);
    row->end = row->occupied_end = row->start - 1;
}

static void occupancy_after_the_end(bench *b) {
    ks_op_row *row = row_of(b, 10, 0);
    name(b, row->seq);
    row->occupied_end = row->end + 1;
}

static const spoilt table[] = {
    {"a V read a tick before the prologue ends",
     OPT2,
     v_read_a_tick_before_the_prologue_ends,
     BIT(no_stream_in_prologue),
     0,
     {"cmd 5 stage 8 DMA_READ", "898.2499", "898.25"}},
    {"a V read before the last pre op starts",
     OPT2,
     v_read_before_the_last_pre_op_starts,
     BIT(no_stream_in_prologue),
     0,
     {"cmd 5 stage 8 DMA_READ", "880", "1 of the 8"}},
    {"the prologue ends a tick after a V read starts",
     OPT2,
     prologue_a_tick_longer,
     BIT(no_stream_in_prologue),
     0,
     {"898.25", "898.2501"}},
    {"nobody asks where streaming in the prologue is allowed",
     FREE_STREAM,
     prologue_a_tick_longer,
     0,
     0,
     {0}},

    {"a composite starts a tick before one that shares m, l, O ends",
     OPT2,
     later_one_a_tick_early,
     BIT(fifo),
     0,
     {"cmd 7 stage 0", "1345.2499", "cmd 5", "1345.25"}},
    {"the last stage of the earlier one comes later",
     OPT2,
     earlier_one_lingers,
     BIT(fifo),
     0,
     {"cmd 7 stage 0", "1345.25", "cmd 5", "1 of 18"}},
    {"sharing one byte is sharing",
     OPT2,
     later_one_shares_its_last_byte,
     BIT(fifo),
     0,
     {"1345.2499", "cmd 5"}},
    {"those that share no byte may overlap", OPT2, later_one_shares_no_byte, 0, 0, {0}},

    {"FETCH a tick before its DMA_READ ends",
     OPT2,
     fetch_before_its_read,
     BIT(causal),
     0,
     {"cmd 4 stage 1 FETCH", "633.2499", "stage 0", "633.25"}},
    {"GEMM a tick before its FETCH ends",
     OPT2,
     gemm_before_its_fetch,
     BIT(causal),
     0,
     {"cmd 4 stage 2 GEMM", "643.2499", "stage 1", "643.25"}},
    {"an OUTPUT_TILE op a tick before the GEMM ends",
     OPT2,
     epilogue_before_the_gemm,
     BIT(causal),
     0,
     {"cmd 4 stage 6 MATH", "stage 5"}},
    {"STORE a tick before the op before it ends",
     OPT2,
     store_before_the_epilogue,
     BIT(causal),
     0,
     {"cmd 4 stage 7 STORE", "stage 6"}},
    /* One server serves both. */
    {"a pre op a tick before the one before it ends",
     OPT2,
     pre_op_before_the_one_before_it,
     BIT(causal),
     BIT(exclusive),
     {"cmd 5 stage 1 MATH", "stage 0"}},
    {"FETCH a tick before its operand buffer is free",
     ONE_OPERAND_BUFFER,
     fetch_before_its_buffer_is_free,
     BIT(causal),
     0,
     {"stage 6 FETCH", "stage 3"}},
    {"GEMM a tick before its accumulator is free",
     ONE_ACCUMULATOR,
     gemm_before_its_accumulator_is_free,
     BIT(causal),
     0,
     {"stage 9 GEMM", "stage 4"}},
    {"DMA_READ a tick before its staging buffer is free",
     ONE_STREAM_BUFFER,
     read_before_its_staging_is_free,
     BIT(causal),
     0,
     {"stage 4 DMA_READ", "stage 2"}},
    {"a post op a tick before the last STORE ends",
     POSTNORM,
     post_op_before_the_last_store,
     BIT(causal),
     0,
     {"stage 10 MATH", "stage 9"}},
    {"DMA_WRITE a tick before its STORE ends",
     "gemm M=16 K=128 N=64",
     write_before_the_store,
     BIT(causal),
     0,
     {"stage 9 DMA_WRITE", "stage 8"}},
    {"GEMM a tick before the K_TILE op before it ends",
     KTILE,
     gemm_before_the_k_tile_op,
     BIT(causal),
     0,
     {"stage 8 GEMM", "stage 4"}},
    {"a dependency that the row does not name",
     OPT2,
     fetch_keeps_its_dependencies_silent,
     BIT(causal),
     0,
     {"cmd 4 stage 1 FETCH", "stage 0"}},
    {"a dependency on a later stage",
     OPT2,
     row_names_a_later_stage,
     BIT(causal),
     0,
     {"cmd 4 stage 2", "stage 4 (FETCH)", "no row yet"}},
    {"a dependency on no stage", OPT2, row_names_no_stage, BIT(causal), 0, {"stage 1000"}},
    {"a dependency on itself", OPT2, row_names_itself, BIT(causal), 0, {"stage 2 (GEMM)"}},
    {"a stage a tick before its DISPATCH ends",
     OPT2,
     stage_before_its_dispatch_ends,
     BIT(causal),
     0,
     {"cmd 1 stage 0", "83.1249", "83.125"}},
    /* The command was not dispatched either. */
    {"a command without DISPATCH",
     OPT2,
     no_dispatch,
     BIT(causal),
     BIT(conservation),
     {"cmd 5 stage 0", "no DISPATCH row"}},
    {"two rows change places", OPT2, two_rows_change_places, BIT(causal), 0, {"813.25", "822.25"}},
    {"a PE_CPU row behind a stage of its instant",
     OPT2,
     cpu_row_after_a_stage_of_its_instant,
     BIT(causal),
     0,
     {"cmd 8 DISPATCH"}},
    {"an end before its start",
     OPT2,
     end_before_start,
     BIT(causal),
     0,
     {"cmd 9 stage 0", "1885.1249"}},
    {"an occupancy that outlasts the stage",
     OPT2,
     occupancy_after_the_end,
     BIT(causal),
     0,
     {"cmd 10 stage 0", "2208.8751"}},
};

int main(void) { return run_table(run_spoilt, table, COUNT(table), NULL, 0); }
