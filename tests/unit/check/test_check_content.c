/* conservation: op_logs spoilt in what they say. */
#include "log_bench.h"

/* cmd 4, 6: #1 of tiles 0, 1 (K streamed as b, transposed, out in tcm); cmd 5, 7: #2 (V streamed);
 * cmd 0 the load of Q, cmd 10 the store of OUT. Two K tiles in #1, two N tiles in #2. */
#define OPT2 "decode_opt2 G=4 TILE=16 d=128 S=32"
#define GEMM "gemm M=16 K=128 N=64"
#define BIAS "gemm_bias_relu M=32 K=64 N=128"
#define POSTNORM "gemm_postnorm M=16 K=64 N=128"
/* FETCH(t) waits for GEMM(t-1), so reads are long done before they are fetched. */
#define SLOW_GEMM "gemm M=16 K=256 N=64 gemm_fill_cycles=1000 operand_buffers=1"

static void store_dropped(bench *b) {
    name(b, row_of(b, 4, 6)->seq);
    drop_stage(b, 4, 7);
}

static void load_dropped(bench *b) { drop_stage(b, 0, 0); }

static void last_command_dropped(bench *b) {
    drop_stage(b, 10, 0);
    drop(b, find(b, 10, KS_ROW_DISPATCH, 0));
}

/* Its GEMM waits for it. */
static void fetch_dropped(bench *b) { drop_stage(b, 4, 1); }

static void tile_read_again(bench *b) {
    name(b, row_of(b, 4, 0)->seq);
    add_copy(b, 4, 0, 0, 700);
}

static void store_repeated_at_once(bench *b) {
    const ks_op_row row = *named(b, 4, 7);
    insert(b, find_stage(b, 4, 7), &row);
}

static void load_repeated_later(bench *b) { add_copy(b, 0, 0, 0, 700); }
static void stage_beyond_the_plan(bench *b) { named(b, 9, 0)->stage = 500; }
static void negative_stage(bench *b) { named(b, 9, 0)->stage = -7; }

static void unknown_command(bench *b) {
    named(b, 9, 0)->cmd = 99;
    sort(b);
}

static void unknown_kind(bench *b) { named(b, 9, 0)->kind = (ks_row_kind)77; }
static void math_of_kind_store(bench *b) {
    named(b, 9, 0)->kind = KS_ROW_STORE;
    row_of(b, 9, 0)->server = KS_SERVER_STORE;
}

static void stage_row_of_pe_cpu(bench *b) {
    ks_op_row *wait = &b->rows[find(b, 10, KS_ROW_WAIT, 0)];
    wait->kind = KS_ROW_GEMM;
    wait->server = KS_SERVER_GEMM;
    name(b, wait->seq);
}

static void address_flipped(bench *b) { named(b, 4, 3)->reads[0].range.addr ^= 0x80; }
static void tile_not_transposed(bench *b) {
    named(b, 4, 3)->reads[0].range.addr = 0x10001000 + 64 * 16 * 2;
}
static void bytes_halved(bench *b) { named(b, 4, 3)->bytes /= 2; }
static void range_shortened(bench *b) { named(b, 4, 3)->reads[0].range.bytes--; }
static void read_in_tcm(bench *b) { named(b, 4, 3)->reads[0].range.space = KS_TCM; }
static void read_in_no_space(bench *b) { named(b, 4, 3)->reads[0].range.space = (ks_space)55; }
static void other_staging_slot(bench *b) { named(b, 4, 3)->write.range.addr = 1; }
static void fetch_from_the_other_slot(bench *b) { named(b, 4, 4)->reads[1].range.addr = 1; }
static void fetch_into_the_other_buffer(bench *b) { named(b, 4, 4)->write.range.addr ^= 1; }
static void other_accumulator(bench *b) { named(b, 5, 15)->write.range.addr ^= 1; }
static void macs_lost(bench *b) { named(b, 4, 2)->elements--; }
static void elements_lost(bench *b) { named(b, 5, 0)->elements /= 2; }
static void tile_index_wrong(bench *b) { named(b, 4, 2)->k = 1; }
static void output_tile_has_k(bench *b) { named(b, 4, 7)->k = 0; }
static void tile_extent_wrong(bench *b) { named(b, 4, 2)->kt--; }
static void phase_wrong(bench *b) { named(b, 4, 6)->phase = KS_PHASE_ktile; }
static void other_op(bench *b) { named(b, 5, 2)->op++; }
static void no_op(bench *b) { named(b, 5, 2)->op = NULL; }
static void store_to_another_tile(bench *b) { named(b, 5, 12)->write.range.addr += 0x100; }
static void store_of_fewer_bytes(bench *b) { named(b, 5, 12)->bytes -= 2; }
static void write_to_another_place(bench *b) { named(b, 0, 9)->write.range.addr += 64; }
static void write_from_another_tile(bench *b) { named(b, 0, 9)->reads[0].range.addr++; }
static void store_primitive_of_fewer_bytes(bench *b) { named(b, 10, 0)->bytes--; }
static void whole_bias_for_a_tile(bench *b) { named(b, 1, 4)->reads[1].range.bytes = 256; }
static void bias_of_another_column(bench *b) { named(b, 1, 12)->reads[1].range.addr -= 128; }
static void post_op_forgets_the_output(bench *b) { named(b, 0, 10)->read_count = 0; }
static void too_many_reads(bench *b) { named(b, 5, 2)->read_count = 1000; }
static void no_write(bench *b) { named(b, 5, 2)->write_count = 0; }
static void last_stage_is_not_the_last(bench *b) { named(b, 5, 17)->is_last_of_command = false; }
static void another_stage_is_the_last(bench *b) { named(b, 5, 16)->is_last_of_command = true; }

static void tiles_out_of_step_order(bench *b) {
    ks_op_row *earlier = named(b, 0, 12), *later = row_of(b, 0, 13);
    const uint64_t start = earlier->start;
    assert_true(earlier->kind == KS_ROW_DMA_READ && later->kind == KS_ROW_DMA_READ);
    move_to(earlier, start + (later->occupied_end - later->start));
    move_to(later, start);
    sort(b);
}

static const spoilt table[] = {
    {"a STORE is missing",
     OPT2,
     store_dropped,
     BIT(conservation),
     0,
     {"cmd 4 has no row for 1 of its 8 stages", "stage 7 (STORE)"}},
    {"a load is missing",
     OPT2,
     load_dropped,
     BIT(conservation),
     0,
     {"cmd 0 has no row for 1 of its 1"}},
    {"a command is missing",
     OPT2,
     last_command_dropped,
     BIT(conservation),
     0,
     {"cmd 10 of 11 was not dispatched"}},
    {"a FETCH is missing",
     OPT2,
     fetch_dropped,
     BIT(conservation),
     BIT(causal),
     {"stage 1 (FETCH)"}},
    {"a tile is read twice",
     OPT2,
     tile_read_again,
     BIT(conservation),
     0,
     {"cmd 4 stage 0 DMA_READ", "again"}},
    /* One server serves both at one time. */
    {"a STORE stands there twice",
     OPT2,
     store_repeated_at_once,
     BIT(conservation),
     BIT(exclusive),
     {"cmd 4 stage 7 STORE"}},
    {"a load reads twice",
     OPT2,
     load_repeated_later,
     BIT(conservation),
     0,
     {"cmd 0 stage 0 DMA_READ"}},
    {"a stage that the command has not",
     OPT2,
     stage_beyond_the_plan,
     BIT(conservation),
     0,
     {"stage 500", "has 1 stages"}},
    {"a negative stage", OPT2, negative_stage, BIT(conservation), 0, {"stage -7"}},
    {"a command that the program has not",
     OPT2,
     unknown_command,
     BIT(conservation),
     0,
     {"cmd 99", "11"}},
    {"a row of no kind", OPT2, unknown_kind, BIT(conservation), BIT(exclusive), {"unknown kind"}},
    {"MATH that calls itself STORE",
     OPT2,
     math_of_kind_store,
     BIT(conservation),
     0,
     {"STORE", "a MATH of op 0 (cast)"}},
    {"a GEMM without a stage", OPT2, stage_row_of_pe_cpu, BIT(conservation), 0, {"cmd 10 GEMM"}},
    {"a tile is read from another address",
     OPT2,
     address_flipped,
     BIT(conservation),
     0,
     {"cmd 4 stage 3 DMA_READ", "hbm:0x10001000+2048, expected hbm:0x10001080+2048"}},
    {"a transposed b is read as it is not stored",
     OPT2,
     tile_not_transposed,
     BIT(conservation),
     0,
     {"hbm:0x10001800", "hbm:0x10001080"}},
    {"fewer bytes are read",
     OPT2,
     bytes_halved,
     BIT(conservation),
     0,
     {"bytes 1024, expected 2048"}},
    {"a shorter range is read", OPT2, range_shortened, BIT(conservation), 0, {"+2047", "+2048"}},
    {"a tile is read in tcm", OPT2, read_in_tcm, BIT(conservation), 0, {"tcm:0x10001080"}},
    {"a tile is read nowhere", OPT2, read_in_no_space, BIT(conservation), 0, {"unknown:0x"}},
    {"a tile goes to another slot",
     OPT2,
     other_staging_slot,
     BIT(conservation),
     0,
     {"stg:0x1", "stg:0x3"}},
    {"FETCH takes another slot",
     OPT2,
     fetch_from_the_other_slot,
     BIT(conservation),
     0,
     {"reads stg:0x1", "stg:0x3"}},
    {"FETCH fills another buffer",
     OPT2,
     fetch_into_the_other_buffer,
     BIT(conservation),
     0,
     {"writes opb:0x0", "opb:0x1"}},
    {"GEMM adds to another accumulator",
     OPT2,
     other_accumulator,
     BIT(conservation),
     0,
     {"acc:0x0", "acc:0x1"}},
    {"a MAC is missing", OPT2, macs_lost, BIT(conservation), 0, {"elements 4095, expected 4096"}},
    {"half of the elements are missing",
     OPT2,
     elements_lost,
     BIT(conservation),
     0,
     {"elements 32, expected 64"}},
    {"another tile's number", OPT2, tile_index_wrong, BIT(conservation), 0, {"tile 0 0 0"}},
    {"an output tile with a k", OPT2, output_tile_has_k, BIT(conservation), 0, {"tile 0 0 -1"}},
    {"a tile less deep",
     OPT2,
     tile_extent_wrong,
     BIT(conservation),
     0,
     {"tile depth 63, expected 64"}},
    {"another phase", OPT2, phase_wrong, BIT(conservation), 0, {"phase otile"}},
    {"another op", OPT2, other_op, BIT(conservation), 0, {"op 2 (exp_diff)"}},
    {"no op", OPT2, no_op, BIT(conservation), 0, {"op 2 (exp_diff)"}},
    {"STORE to another tile",
     OPT2,
     store_to_another_tile,
     BIT(conservation),
     0,
     {"tcm:0x580+1024, expected tcm:0x480+1024"}},
    {"STORE of fewer bytes", OPT2, store_of_fewer_bytes, BIT(conservation), 0, {"1022", "1024"}},
    {"DMA_WRITE to another place",
     GEMM,
     write_to_another_place,
     BIT(conservation),
     0,
     {"hbm:0x10005040"}},
    {"DMA_WRITE of another tile",
     GEMM,
     write_from_another_tile,
     BIT(conservation),
     0,
     {"wst:0x1", "wst:0x0"}},
    {"a store that leaves out a byte",
     OPT2,
     store_primitive_of_fewer_bytes,
     BIT(conservation),
     0,
     {"1023", "1024"}},
    {"a broadcast operand read as a whole",
     BIAS,
     whole_bias_for_a_tile,
     BIT(conservation),
     0,
     {"+256", "+128"}},
    {"a broadcast operand of another column",
     BIAS,
     bias_of_another_column,
     BIT(conservation),
     0,
     {"cmd 1 stage 12 MATH", "tcm:0x0+128", "tcm:0x80+128"}},
    {"a post op that does not read the output",
     POSTNORM,
     post_op_forgets_the_output,
     BIT(conservation),
     0,
     {"reads 0, expected 1"}},
    {"a thousand reads", OPT2, too_many_reads, BIT(conservation), 0, {"reads 1000, expected 2"}},
    {"no write", OPT2, no_write, BIT(conservation), 0, {"writes 0, expected 1"}},
    {"the last stage does not say so",
     OPT2,
     last_stage_is_not_the_last,
     BIT(conservation),
     0,
     {"last of command 0"}},
    {"another stage says that it is the last",
     OPT2,
     another_stage_is_the_last,
     BIT(conservation),
     0,
     {"last of command 1"}},
    {"tiles are read out of step order",
     SLOW_GEMM,
     tiles_out_of_step_order,
     BIT(conservation),
     0,
     {"stage 12 DMA_READ", "after stage 13"}},
};

int main(void) { return run_table(run_spoilt, table, COUNT(table), NULL, 0); }
