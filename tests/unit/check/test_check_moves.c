/* dma_iff_streamed, writeback, and size_cap of DISPATCH rows. */
#include "log_bench.h"

/* cmd 4, 6: #1 of tiles 0, 1 (K streamed as b, transposed, out in tcm); cmd 5, 7: #2 (V streamed);
 * cmd 10 the store of OUT. */
#define OPT2 "decode_opt2 G=4 TILE=16 d=128 S=32"
#define A1 "decode_a1 G=4 TILE=16 d=128 S=32" /* cmd 5 is MATH-only */
#define GEMM "gemm M=16 K=128 N=64"

static ks_op_row *dispatch_of(bench *b, uint32_t cmd, size_t segment) {
    ks_op_row *row = &b->rows[find(b, cmd, KS_ROW_DISPATCH, segment)];
    name(b, row->seq);
    return row;
}

/* ---- dma_iff_streamed ---- */

static void all_v_reads_dropped(bench *b) {
    name(b, row_of(b, 7, 17)->seq);
    drop_stage(b, 7, 8);
    drop_stage(b, 7, 13);
}

static void pinned_q_is_read(bench *b) {
    ks_op_row *row = add_copy(b, 4, 0, 8, 700);
    row->reads[0].range = (ks_range){KS_TCM, 0, 512};
    row->write.range = (ks_range){KS_STG, 0, 512};
}

static void k_is_pinned_after_all(bench *b) {
    ks_op *gemm = own_op(own_command(b, 6), 0);
    own_handle(b, &gemm->operands[1].handle)->pinned = true;
    name(b, row_of(b, 6, 0)->seq);
}

static void math_only_composite_reads(bench *b) {
    ks_op_row *row = add_copy(b, 4, 0, 8, 860);
    row->cmd = 5;
    row->command = b->program.commands[5];
}

/* ---- writeback ---- */

static void write_dropped(bench *b) {
    name(b, row_of(b, 0, 8)->seq);
    drop_stage(b, 0, 9);
}

static void tcm_out_is_written(bench *b) {
    ks_op_row *row = add_copy(b, 10, 0, 18, 1344);
    row->cmd = 5;
    row->phase = KS_PHASE_loop;
}

static void tcm_out_is_written_while_in_flight(bench *b) {
    tcm_out_is_written(b);
    ks_op_row *row = &b->rows[find(b, 5, KS_ROW_DMA_WRITE, 0)];
    move_to(row, 820 * CYCLE);
    sort(b);
}

static void math_only_composite_writes(bench *b) {
    const size_t store = find(b, ANY, KS_ROW_DMA_WRITE, 0);
    ks_op_row *row = add_copy(b, b->rows[store].cmd, 0, 8, 860);
    row->cmd = 5;
}

static void out_is_in_hbm_after_all(bench *b) {
    ks_op *gemm = own_op(own_command(b, 4), 0);
    own_handle(b, &gemm->out)->space = KS_HBM;
    name(b, row_of(b, 4, 7)->seq);
}

/* ---- size_cap ---- */

static void set_cap(bench *b, uint64_t bytes) {
    b->point.calibration.values[KS_C_max_composite_logical_bytes] = bytes * KS_TICKS_PER_UNIT;
}

/* #2 has 322 bytes, and nothing has more. */
static void cap_is_just_enough(bench *b) { set_cap(b, 322); }

static void cap_is_a_byte_too_small(bench *b) {
    set_cap(b, 321);
    dispatch_of(b, 5, 0);
}

static void segment_has_a_byte_more(bench *b) { dispatch_of(b, 5, 0)->bytes++; }

static void segment_is_over_the_cap(bench *b) { dispatch_of(b, 5, 0)->bytes = 1025; }

static void segment_is_split(bench *b) {
    ks_op_row *first = dispatch_of(b, 5, 0);
    ks_op_row second = *first;
    const uint64_t middle = first->start + 20 * CYCLE;
    first->end = first->occupied_end = second.start = middle;
    first->bytes = 28;
    second.bytes = 322 - 28;
    second.op++;
    second.segment = 1;
    second.seq = 1000;
    insert(b, find(b, 5, KS_ROW_DISPATCH, 0) + 1, &second);
    sort(b);
}

static void segment_begins_an_op_late(bench *b) { dispatch_of(b, 5, 0)->op++; }

static void segment_works_for_nothing(bench *b) { dispatch_of(b, 5, 0)->op = NULL; }

static void second_segment_is_dropped(bench *b) { drop(b, find(b, 5, KS_ROW_DISPATCH, 1)); }

static void dispatched_again(bench *b) {
    ks_op_row row = *dispatch_of(b, 9, 0);
    row.start = row.end = row.occupied_end = b->rows[b->count - 1].start;
    insert(b, b->count, &row);
    sort(b);
}

static const spoilt table[] = {
    /* Of the last #2; of an earlier one, fifo would see that the next does not wait for it.
     * No read of V: the FETCHes that wait for them come too early, and V is not read. */
    {"no DMA_READ of a streamed b",
     OPT2,
     all_v_reads_dropped,
     BIT(dma_iff_streamed),
     BIT(causal) | BIT(conservation),
     {"cmd 7", "its b", "hbm:0x10004000"}},
    {"a DMA_READ of a pinned a",
     OPT2,
     pinned_q_is_read,
     BIT(dma_iff_streamed),
     0,
     {"cmd 4 stage 8 DMA_READ", "a, which is pinned", "tcm:0x0"}},
    /* The plan has no reads: its later stages have other numbers. */
    {"b pinned and read all the same",
     OPT2,
     k_is_pinned_after_all,
     BIT(dma_iff_streamed),
     BIT(causal) | BIT(conservation),
     {"cmd 6 stage 0 DMA_READ", "b, which is pinned"}},
    {"a DMA_READ in a MATH-only composite",
     A1,
     math_only_composite_reads,
     BIT(dma_iff_streamed),
     0,
     {"cmd 5", "without a gemm"}},

    {"no DMA_WRITE of an hbm out",
     GEMM,
     write_dropped,
     BIT(writeback),
     BIT(conservation),
     {"cmd 0", "hbm:0x10005000"}},
    {"a DMA_WRITE of a tcm out",
     OPT2,
     tcm_out_is_written,
     BIT(writeback),
     0,
     {"cmd 5 stage 18 DMA_WRITE", "no out there"}},
    {"a DMA_WRITE of a tcm out on the way",
     OPT2,
     tcm_out_is_written_while_in_flight,
     BIT(writeback),
     0,
     {"cmd 5 stage 18 DMA_WRITE"}},
    {"a DMA_WRITE in a MATH-only composite",
     A1,
     math_only_composite_writes,
     BIT(writeback),
     0,
     {"cmd 5", "DMA_WRITE"}},
    /* STORE wrote to tcm, and a stage is missing. */
    {"out in hbm and no DMA_WRITE",
     OPT2,
     out_is_in_hbm_after_all,
     BIT(writeback),
     BIT(conservation),
     {"cmd 4", "hbm:0xc80"}},

    {"322 bytes under a cap of 322", OPT2, cap_is_just_enough, 0, 0, {0}},
    {"322 bytes under a cap of 321",
     OPT2,
     cap_is_a_byte_too_small,
     BIT(size_cap),
     0,
     {"cmd 5", "322 bytes", "cap of 321"}},
    {"a byte more than the ops have",
     OPT2,
     segment_has_a_byte_more,
     BIT(size_cap),
     0,
     {"323", "322"}},
    {"a segment over the cap",
     OPT2,
     segment_is_over_the_cap,
     BIT(size_cap),
     0,
     {"cmd 5 DISPATCH", "1025 bytes", "cap of 1024"}},
    {"two segments where one would fit",
     OPT2,
     segment_is_split,
     BIT(size_cap),
     0,
     {"cmd 5", "28 bytes", "322"}},
    {"a segment begins an op late",
     OPT2,
     segment_begins_an_op_late,
     BIT(size_cap),
     0,
     {"op 1", "0 of 10"}},
    {"a segment of no op",
     OPT2,
     segment_works_for_nothing,
     BIT(size_cap),
     0,
     {"cmd 5 DISPATCH", "op 10"}},
    /* Its stages start before all of it is dispatched, and it never is. */
    {"a second segment is missing",
     OPT2 " max_composite_logical_bytes=200",
     second_segment_is_dropped,
     BIT(size_cap),
     BIT(causal) | BIT(conservation),
     {"cmd 6", "of cmd 5"}},
    {"a command is dispatched again",
     OPT2,
     dispatched_again,
     BIT(size_cap),
     0,
     {"cmd 9", "after cmd 10"}},
};

int main(void) { return run_table(run_spoilt, table, COUNT(table), NULL, 0); }
