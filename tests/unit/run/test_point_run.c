/* One point: its verdict, its reason, its cells in every mode. */
#include <math.h>

#include "base/file.h"
#include "op_log/op_log.h"
#include "run/point_figures.h"
#include "run_bench.h"

typedef struct outcome {
    ks_row row;
    ks_error detail;
} outcome;

static const ks_tolerance loose = {.kind = KS_TOLERANCE_TWICE_PLAIN};

static ks_job job_of(ks_mode mode, ks_oplog_mode oplog) {
    ks_job job = {.kernels = &ks_kernels, .mode = mode, .oplog = oplog};
    for (int i = 0; i < KS_DTYPE_COUNT; i++)
        job.tolerance[i] = i == KS_F32 ? (ks_tolerance){KS_TOLERANCE_ABSOLUTE, 1e-5, 0} : loose;
    return job;
}

/* With the worker that is given, or with one of its own. */
static outcome run_with(ks_worker *worker, const ks_job *job, const char *key) {
    outcome o;
    ks_worker *own = worker ? NULL : ks_worker_new();
    const ks_point point = bench_point(key);
    assert_true(worker || own);
    assert_int_equal(ks_point_run(worker ? worker : own, job, &point, key, &o.row, &o.detail),
                     KS_OK);
    ks_worker_free(own);
    return o;
}

static outcome run_point(ks_mode mode, ks_oplog_mode oplog, const char *key) {
    const ks_job job = job_of(mode, oplog);
    return run_with(NULL, &job, key);
}

static void expect_reason(ks_mode mode, const char *key, ks_verdict verdict, const char *reason) {
    const outcome o = run_point(mode, KS_OPLOG_HASH, key);
    if (o.row.verdict != verdict || strcmp(o.row.reason, reason) != 0)
        fail_msg("%s\n  found    %s: %s\n  expected %s: %s", key, ks_verdict_name(o.row.verdict),
                 o.row.reason, ks_verdict_name(verdict), reason);
}

/* ---- reasons ---- */

#define DECODE2 "kernel=decode_opt2 G=8 TILE=16 d=128 S=64"
#define DECODE3 "kernel=decode_opt3 G=8 TILE=16 d=128 S=64"

static void infeasible_points_say_the_numbers(void **state) {
    static const struct {
        const char *key, *reason;
    } table[] = {
        /* Q 0x800, m and l 0x40 each, O 0x1000, then S[0] of 1 MiB */
        {"kernel=decode_opt2 G=8 TILE=65536 d=128 S=4096",
         "tcm_overflow end=1054848 tcm_bytes=1048576"},
        {"kernel=decode_opt3 G=8 TILE=65536 d=128 S=64",
         "tcm_overflow end=1054848 tcm_bytes=1048576"},
        {DECODE2 " tcm_bytes=1", "tcm_overflow end=2048 tcm_bytes=1"},
        /* all but the last allocation: O_out of 2048 bytes after the scratch is closed */
        {DECODE2 " tcm_bytes=8831", "tcm_overflow end=8832 tcm_bytes=8831"},
        {DECODE3 " s_buffers=1", "s_buffers have=1 need=2"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++)
        expect_reason(KS_MODE_TIMING, table[i].key, KS_VERDICT_infeasible, table[i].reason);
}

static void a_point_that_just_fits_runs(void **state) {
    static const char *const keys[] = {DECODE2 " tcm_bytes=8832",
                                       DECODE2 " s_buffers=1",
                                       DECODE3 " s_buffers=2",
                                       "kernel=decode_opt1 G=8 TILE=16 d=128 S=64 s_buffers=1",
                                       "kernel=decode_a1 G=8 TILE=16 d=128 S=64 s_buffers=1",
                                       DECODE2 " max_composite_logical_bytes=40"};
    (void)state;
    for (size_t i = 0; i < COUNT(keys); i++)
        expect_reason(KS_MODE_TIMING, keys[i], KS_VERDICT_pass, "");
}

static void errors_say_the_numbers(void **state) {
    static const struct {
        const char *key, *reason;
    } table[] = {
        /* A alone: 0x10000000 + 2^61 */
        {"kernel=gemm M=1073741824 K=1073741824 N=1",
         "hbm_layout end=2305843009482129408 limit=281474976710656"},
        /* A ends at 2^48 exactly and is fine; B is the first that ends past it */
        {"kernel=gemm M=134217728 K=1048575 N=1",
         "hbm_layout end=281474978807806 limit=281474976710656"},
        {"kernel=decode_opt2 G=1 TILE=1 d=1048576 S=1073741824",
         "hbm_layout end=2251800084217856 limit=281474976710656"},
        /* the first op that is too large: load has 28 bytes, fill 22, gemm 34, fma 40 */
        {DECODE2 " max_composite_logical_bytes=1", "op_over_cap bytes=28 cap=1"},
        {DECODE2 " max_composite_logical_bytes=27", "op_over_cap bytes=28 cap=27"},
        {DECODE2 " max_composite_logical_bytes=28", "op_over_cap bytes=34 cap=28"},
        {DECODE2 " max_composite_logical_bytes=39", "op_over_cap bytes=40 cap=39"},
        {DECODE2 " dispatch_fixed_cycles=922337203685477.5807", "overflow"},
        {DECODE2 " dma_latency_cycles=922337203685477", "overflow"},
        {DECODE2 " math_startup_cycles=500000000000000", "overflow"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++)
        expect_reason(KS_MODE_TIMING, table[i].key, KS_VERDICT_error, table[i].reason);
}

/* MODEL.md section 2: s_buffers, hbm_layout, tcm_overflow, op_over_cap, overflow. */
static void the_first_reason_that_holds_is_said(void **state) {
    static const char over[] = " dispatch_fixed_cycles=922337203685477";
    static const char cap[] = " max_composite_logical_bytes=27";
    static const char tcm[] = "TILE=65536";
    static const char far[] = "G=1 TILE=1 d=1048576 S=1073741824";
    (void)state;
    char key[256];
    snprintf(key, sizeof key, "kernel=decode_opt3 %s s_buffers=1%s%s", far, cap, over);
    expect_reason(KS_MODE_TIMING, key, KS_VERDICT_infeasible, "s_buffers have=1 need=2");
    snprintf(key, sizeof key, "kernel=decode_opt3 %s%s%s", far, cap, over); /* Q alone fills TCM */
    expect_reason(KS_MODE_TIMING, key, KS_VERDICT_error,
                  "hbm_layout end=2251800084217856 limit=281474976710656");
    snprintf(key, sizeof key, "kernel=decode_opt3 G=8 %s d=128 S=64%s%s", tcm, cap, over);
    expect_reason(KS_MODE_TIMING, key, KS_VERDICT_infeasible,
                  "tcm_overflow end=1054848 tcm_bytes=1048576");
    snprintf(key, sizeof key, DECODE3 "%s%s", cap, over);
    expect_reason(KS_MODE_TIMING, key, KS_VERDICT_error, "op_over_cap bytes=28 cap=27");
    snprintf(key, sizeof key, DECODE3 "%s", over);
    expect_reason(KS_MODE_TIMING, key, KS_VERDICT_error, "overflow");
}

static void a_point_that_does_not_run_has_no_figures_in_any_mode(void **state) {
    static const char *const keys[] = {
        DECODE2 " tcm_bytes=1", DECODE3 " s_buffers=1", "kernel=gemm M=1073741824 K=1073741824 N=1",
        DECODE2 " max_composite_logical_bytes=1", DECODE2 " dispatch_fixed_cycles=922337203685477"};
    (void)state;
    for (size_t i = 0; i < COUNT(keys); i++)
        for (int mode = KS_MODE_DISPATCH; mode <= KS_MODE_DATA; mode++) {
            const outcome o = run_point((ks_mode)mode, KS_OPLOG_HASH, keys[i]);
            assert_int_equal(o.row.has, 0);
            assert_string_equal(o.row.invariants, "skipped");
            assert_int_equal(strlen(o.row.id), 16);
            assert_string_equal(o.detail.text, "");
        }
}

static void a_late_overflow_leaves_no_figures_behind(void **state) {
    (void)state; /* dispatch cells were there when the timeline overflowed */
    const outcome o =
        run_point(KS_MODE_DATA, KS_OPLOG_HASH, DECODE2 " dma_latency_cycles=922337203685477");
    assert_int_equal(o.row.verdict, KS_VERDICT_error);
    assert_int_equal(o.row.has, 0);
}

/* ---- cells by mode ---- */

static bool is_dispatch_column(int c) {
    return c <= KS_COL_dispatch_cycles_per_tile || c == KS_COL_tcm_peak_bytes;
}

static bool is_numeric_column(int c) { return c >= KS_COL_max_abs_err && c <= KS_COL_out_xxh128; }

static bool is_log_column(int c) { return c == KS_COL_oplog_records || c == KS_COL_oplog_xxh128; }

static void every_mode_fills_its_cells(void **state) {
    (void)state;
    for (int mode = KS_MODE_DISPATCH; mode <= KS_MODE_DATA; mode++)
        for (int oplog = KS_OPLOG_NONE; oplog <= KS_OPLOG_FULL; oplog++) {
            const outcome o = run_point((ks_mode)mode, (ks_oplog_mode)oplog, DECODE2);
            assert_int_equal(o.row.verdict, KS_VERDICT_pass);
            for (int c = 0; c < KS_COLUMN_COUNT; c++) {
                bool is_due = true;
                if (mode == KS_MODE_DISPATCH) is_due = is_dispatch_column(c);
                if (is_numeric_column(c)) is_due = mode == KS_MODE_DATA;
                if (is_log_column(c)) is_due = mode != KS_MODE_DISPATCH && oplog != KS_OPLOG_NONE;
                if (ks_row_has(&o.row, (ks_column)c) != is_due)
                    fail_msg("mode %d, oplog %d: column %s", mode, oplog,
                             ks_column_describe((ks_column)c)->name);
            }
        }
}

/* `ok` only if every invariant of the mode was asked. */
static void invariants_are_ok_where_all_were_asked(void **state) {
    static const struct {
        ks_mode mode;
        ks_oplog_mode oplog;
        const char *invariants;
    } table[] = {
        {KS_MODE_DISPATCH, KS_OPLOG_NONE, "ok"},    {KS_MODE_DISPATCH, KS_OPLOG_HASH, "ok"},
        {KS_MODE_TIMING, KS_OPLOG_NONE, "skipped"}, {KS_MODE_TIMING, KS_OPLOG_HASH, "ok"},
        {KS_MODE_DATA, KS_OPLOG_NONE, "skipped"},   {KS_MODE_DATA, KS_OPLOG_FULL, "ok"}};
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++)
        assert_string_equal(run_point(table[i].mode, table[i].oplog, DECODE2).row.invariants,
                            table[i].invariants);
}

static void the_figures_of_the_model_page_come_out(void **state) {
    static const struct {
        const char *key;
        uint64_t total_ticks, per_tile_ticks;
    } table[] = {
        {"kernel=decode_opt2 G=8 TILE=64 d=128 S=4096", 590781250, 1036250},
        {"kernel=decode_opt3 G=8 TILE=256 d=128 S=4096", 374051250, 4236250},
        {"kernel=decode_a1 G=8 TILE=256 d=128 S=4096 policy=rw_aware", 372471250, 1436250},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        const ks_row row = run_point(KS_MODE_TIMING, KS_OPLOG_NONE, table[i].key).row;
        assert_int_equal(row.figures[KS_COL_total_cycles].count, table[i].total_ticks);
        assert_int_equal(row.figures[KS_COL_dispatch_cycles_per_tile].count,
                         table[i].per_tile_ticks);
        assert_true(row.figures[KS_COL_total_ns].real == (double)table[i].total_ticks / 12500);
    }
}

static void the_roofline_is_the_largest_bound_in_whole_cycles(void **state) {
    static const struct {
        const char *key;
        uint64_t cycles;
    } table[] = {
        {"kernel=decode_opt2 G=8 TILE=64 d=128 S=4096", 32800},         /* read */
        {"kernel=gemm M=1 K=1 N=1", 1},                                 /* 4 bytes of 64 */
        {"kernel=gemm M=64 K=1 N=64", 128},                             /* written */
        {"kernel=gemm M=16 K=64 N=64 dma_bytes_per_cycle=100000", 64},  /* MACs */
        {"kernel=gemm M=17 K=63 N=65 dma_bytes_per_cycle=100000", 68},  /* 67.98 */
        {"kernel=math_chain M=4 N=100 dma_bytes_per_cycle=100000", 25}, /* elements */
        {"kernel=math_chain M=4 N=101 dma_bytes_per_cycle=100000", 26}, /* 25.25 */
        {"kernel=gemm M=64 K=1 N=64 dma_bytes_per_cycle=0.0001", 81920000},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        const ks_row row = run_point(KS_MODE_TIMING, KS_OPLOG_NONE, table[i].key).row;
        if (row.figures[KS_COL_roofline_cycles].count != table[i].cycles * 10000)
            fail_msg("%s: %llu ticks", table[i].key,
                     (unsigned long long)row.figures[KS_COL_roofline_cycles].count);
    }
}

static void without_an_op_log_all_other_cells_are_the_same(void **state) {
    (void)state;
    for (int mode = KS_MODE_TIMING; mode <= KS_MODE_DATA; mode++) {
        const ks_row with = run_point((ks_mode)mode, KS_OPLOG_HASH, DECODE3).row,
                     without = run_point((ks_mode)mode, KS_OPLOG_NONE, DECODE3).row;
        for (int c = 0; c < KS_COLUMN_COUNT; c++) {
            ks_text a = {0}, b = {0};
            if (is_log_column(c)) continue;
            ks_row_print_cell(&a, &with, (ks_column)c);
            ks_row_print_cell(&b, &without, (ks_column)c);
            assert_string_equal(ks_text_string(&a), ks_text_string(&b));
            ks_text_free(&a);
            ks_text_free(&b);
        }
    }
}

static void the_path_and_the_waits_fit_the_total(void **state) {
    static const char *const keys[] = {
        DECODE2,
        DECODE3,
        DECODE2 " queue_depth=1",
        DECODE3 " policy=rw_aware",
        "kernel=gemm_chain M=17 K=65 N=65",
        "kernel=math_chain M=4 N=100",
        DECODE2 " dispatch_fixed_cycles=0 dispatch_cycles_per_byte=0 dma_latency_cycles=0"};
    (void)state;
    for (size_t i = 0; i < COUNT(keys); i++) {
        const ks_row row = run_point(KS_MODE_TIMING, KS_OPLOG_HASH, keys[i]).row;
        uint64_t path = 0, most = 0;
        int bound = KS_COL_crit_cpu;
        for (int c = KS_COL_crit_cpu; c <= KS_COL_crit_math; c++) {
            path += row.figures[c].count;
            if (row.figures[c].count > most) bound = c;
            if (row.figures[c].count > most) most = row.figures[c].count;
        }
        assert_int_equal(path, row.figures[KS_COL_total_cycles].count);
        assert_string_equal(row.figures[KS_COL_bound_by].word,
                            ks_column_describe((ks_column)bound)->name + strlen("crit_"));
    }
}

/* ---- op_log ---- */

static ks_status add_row(void *text, const ks_op_row *row) {
    ks_op_row_print(text, row);
    return KS_OK;
}

static void a_full_op_log_is_the_file_that_its_digest_names(void **state) {
    ks_error error = {""};
    ks_text rows = {0}, file = {0};
    (void)state;
    assert_int_equal(ks_path_remove("logs", &error), KS_OK);
    assert_int_equal(ks_folder_make("logs", &error), KS_OK);
    ks_job job = job_of(KS_MODE_TIMING, KS_OPLOG_FULL);
    job.oplog_folder = "logs";
    job.watcher = (ks_op_sink){&rows, add_row};
    ks_text_add_string(&rows, KS_OP_LOG_HEADER);
    const outcome o = run_with(NULL, &job, DECODE3);
    char path[64];
    snprintf(path, sizeof path, "logs/%s.csv", o.row.id);
    assert_int_equal(ks_file_read(path, 1 << 26, &file, &error), KS_OK);
    assert_string_equal(ks_text_string(&file), ks_text_string(&rows));
    const ks_digest digest = ks_digest_of(file.data, file.length);
    assert_memory_equal(&digest, &o.row.figures[KS_COL_oplog_xxh128].digest, sizeof digest);
    const outcome hash = run_point(KS_MODE_TIMING, KS_OPLOG_HASH, DECODE3);
    assert_memory_equal(&digest, &hash.row.figures[KS_COL_oplog_xxh128].digest, sizeof digest);
    uint64_t lines = 0;
    for (size_t i = 0; i < file.length; i++) lines += file.data[i] == '\n';
    assert_int_equal(o.row.figures[KS_COL_oplog_records].count, lines - 1);
    ks_text_free(&rows);
    ks_text_free(&file);
}

/* Lines of a long log, in pieces of 64, whatever the pieces in which it is hashed and written. */
static void the_blocks_of_an_op_log_are_those_of_its_lines(void **state) {
    static const char *const keys[] = {DECODE2, DECODE3,
                                       "kernel=decode_opt3 G=8 TILE=16 d=128 S=1000"};
    (void)state;
    for (size_t k = 0; k < COUNT(keys); k++) {
        ks_text rows = {0};
        ks_log_blocks expected;
        ks_row row;
        ks_error detail;
        ks_job job = job_of(KS_MODE_TIMING, KS_OPLOG_HASH);
        job.watcher = (ks_op_sink){&rows, add_row};
        ks_worker *worker = ks_worker_new();
        const ks_point point = bench_point(keys[k]);
        assert_null(ks_worker_blocks(worker));
        assert_int_equal(ks_point_run(worker, &job, &point, keys[k], &row, &detail), KS_OK);
        ks_log_blocks_begin(&expected);
        for (const char *at = rows.data; *at;) {
            const char *end = at;
            uint64_t lines = 0;
            for (; *end && lines < KS_LOG_PIECE_ROWS; lines++) end = strchr(end, '\n') + 1;
            ks_log_blocks_add(&expected, at, (size_t)(end - at), lines);
            at = end;
        }
        const ks_log_blocks *blocks = ks_worker_blocks(worker);
        assert_non_null(blocks);
        assert_int_equal(blocks->row_count, row.figures[KS_COL_oplog_records].count);
        assert_int_equal(blocks->count, expected.count);
        assert_memory_equal(blocks->digests, expected.digests, 2 * expected.count);
        job.oplog = KS_OPLOG_NONE;
        assert_int_equal(ks_point_run(worker, &job, &point, keys[k], &row, &detail), KS_OK);
        assert_null(ks_worker_blocks(worker));
        ks_worker_free(worker);
        ks_text_free(&rows);
    }
}

static void an_op_log_that_cannot_be_written_is_an_io_error(void **state) {
    (void)state;
    ks_job job = job_of(KS_MODE_TIMING, KS_OPLOG_FULL);
    job.oplog_folder = "missing";
    ks_worker *worker = ks_worker_new();
    const ks_point point = bench_point(DECODE2);
    outcome o;
    assert_int_equal(ks_point_run(worker, &job, &point, DECODE2, &o.row, &o.detail), KS_IO);
    ks_worker_free(worker);
}

static ks_status refuse(void *status, const ks_op_row *row) {
    return row->seq == 3 ? *(ks_status *)status : KS_OK;
}

static void what_the_watcher_says_is_answered(void **state) {
    ks_status answers[] = {KS_IO, KS_FAILED};
    (void)state;
    for (size_t i = 0; i < COUNT(answers); i++) {
        ks_job job = job_of(KS_MODE_TIMING, KS_OPLOG_HASH);
        job.watcher = (ks_op_sink){&answers[i], refuse};
        ks_worker *worker = ks_worker_new();
        const ks_point point = bench_point(DECODE2);
        outcome o;
        const ks_status found = ks_point_run(worker, &job, &point, DECODE2, &o.row, &o.detail);
        ks_worker_free(worker);
        if (found != answers[i]) fail_msg("status %d, expected %d", (int)found, (int)answers[i]);
    }
}

/* ---- one point after another ---- */

static void expect_same_row(const ks_row *a, const ks_row *b) {
    ks_text x = {0}, y = {0};
    assert_string_equal(a->id, b->id);
    assert_int_equal(a->verdict, b->verdict);
    assert_string_equal(a->reason, b->reason);
    ks_row_print_figures(&x, a);
    ks_row_print_figures(&y, b);
    assert_string_equal(ks_text_string(&x), ks_text_string(&y));
    ks_text_free(&x);
    ks_text_free(&y);
}

static void a_point_does_not_depend_on_those_before_it(void **state) {
    static const char *const keys[] = {
        "kernel=decode_opt2 G=8 TILE=16 d=128 S=100",
        "kernel=decode_opt2 G=8 TILE=65536 d=128 S=64",
        "kernel=gemm M=17 K=65 N=65",
        "kernel=decode_opt2 G=2 TILE=16 d=16 S=32 dist=large",
        "kernel=decode_opt3 G=8 TILE=16 d=128 S=100 dtype=f32",
        DECODE2 " max_composite_logical_bytes=1",
        "kernel=math_chain M=4 N=100",
    };
    (void)state;
    const ks_job job = job_of(KS_MODE_DATA, KS_OPLOG_HASH);
    ks_worker *worker = ks_worker_new();
    for (size_t first = 0; first < COUNT(keys); first++)
        for (size_t second = 0; second < COUNT(keys); second++) {
            run_with(worker, &job, keys[first]);
            const outcome after = run_with(worker, &job, keys[second]),
                          alone = run_with(NULL, &job, keys[second]);
            expect_same_row(&after.row, &alone.row);
        }
    ks_worker_free(worker);
}

static void what_a_point_leaves_behind_goes_as_far_as_it_got(void **state) {
    static const struct {
        ks_mode mode;
        const char *key;
        bool has_program, has_timeline, has_out;
    } table[] = {{KS_MODE_DATA, DECODE2, true, true, true},
                 {KS_MODE_TIMING, DECODE2, true, true, false},
                 {KS_MODE_DISPATCH, DECODE2, true, false, false},
                 {KS_MODE_DATA, DECODE2 " max_composite_logical_bytes=1", true, false, false},
                 {KS_MODE_DATA, DECODE2 " tcm_bytes=1", false, false, false}};
    (void)state;
    ks_worker *worker = ks_worker_new();
    for (size_t i = 0; i < COUNT(table); i++) {
        const ks_job job = job_of(table[i].mode, KS_OPLOG_HASH);
        run_with(worker, &job, table[i].key);
        assert_int_equal(ks_worker_program(worker) != NULL, table[i].has_program);
        assert_int_equal(ks_worker_timeline(worker) != NULL, table[i].has_timeline);
        assert_int_equal(ks_worker_out(worker) != NULL, table[i].has_out);
        assert_int_equal(ks_worker_numbers(worker) != NULL, table[i].has_out);
    }
    ks_worker_free(worker);
}

/* ---- numbers ---- */

static void elements_that_are_not_finite_make_a_fail_with_their_count(void **state) {
    (void)state;
    const outcome o = run_point(KS_MODE_DATA, KS_OPLOG_HASH,
                                "kernel=decode_opt2 G=2 TILE=16 d=16 S=32 dist=large");
    char reason[KS_REASON_BYTES];
    const unsigned long long count = o.row.figures[KS_COL_nonfinite].count;
    snprintf(reason, sizeof reason, "nonfinite count=%llu", count);
    assert_int_equal(o.row.verdict, KS_VERDICT_fail);
    assert_true(count > 0);
    assert_string_equal(o.row.reason, reason);
    assert_string_equal(o.row.invariants, "numeric");
    assert_true(ks_row_has(&o.row, KS_COL_total_cycles)); /* it ran: its figures stay */
    assert_true(o.detail.text[0] != '\0');
}

static void an_error_beyond_the_limit_makes_a_fail_with_both(void **state) {
    (void)state;
    ks_job job = job_of(KS_MODE_DATA, KS_OPLOG_HASH);
    job.tolerance[KS_F16] = (ks_tolerance){KS_TOLERANCE_ABSOLUTE, 0.00001, 0};
    const outcome o = run_with(NULL, &job, "kernel=decode_opt2 G=2 TILE=16 d=16 S=32");
    double err = 0, limit = 0;
    int end = 0;
    assert_int_equal(o.row.verdict, KS_VERDICT_fail);
    assert_int_equal(sscanf(o.row.reason, "tolerance err=%lf limit=%lf%n", &err, &limit, &end), 2);
    assert_int_equal(o.row.reason[end], '\0');
    assert_true(err > limit && limit >= 0.00001);
    assert_true(err <= o.row.figures[KS_COL_max_abs_err].real);
    assert_string_equal(o.row.invariants, "numeric");
}

static void an_infinite_limit_lets_every_finite_error_pass(void **state) {
    (void)state;
    ks_job job = job_of(KS_MODE_DATA, KS_OPLOG_HASH);
    job.tolerance[KS_F16] = (ks_tolerance){KS_TOLERANCE_ABSOLUTE, HUGE_VAL, 0};
    const outcome o = run_with(NULL, &job, "kernel=decode_opt2 G=2 TILE=16 d=16 S=32");
    assert_int_equal(o.row.verdict, KS_VERDICT_pass);
    assert_string_equal(o.row.invariants, "ok");
}

static void every_judgement_has_its_verdict_and_reason(void **state) {
    static const struct {
        ks_judgement judgement;
        ks_verdict verdict;
        const char *reason;
    } table[] = {
        {{.kind = KS_JUDGED_PASS}, KS_VERDICT_pass, ""},
        {{.kind = KS_JUDGED_NONFINITE, .nonfinite = 7}, KS_VERDICT_fail, "nonfinite count=7"},
        {{.kind = KS_JUDGED_TOLERANCE, .err = 0.5, .limit = 1e-5},
         KS_VERDICT_fail,
         "tolerance err=0.5 limit=1e-05"},
        {{.kind = KS_JUDGED_NOTHING}, KS_VERDICT_doubt, "nothing_compared"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        ks_row row = {.verdict = KS_VERDICT_not_run};
        ks_error detail = {""};
        ks_figures_judge(&row, &table[i].judgement, &detail);
        assert_int_equal(row.verdict, table[i].verdict);
        assert_string_equal(row.reason, table[i].reason);
        assert_int_equal(detail.text[0] != '\0', table[i].verdict != KS_VERDICT_pass);
    }
}

static void errors_of_nothing_leave_their_cells_empty(void **state) {
    (void)state;
    ks_row row = {0};
    const ks_errors errors = {.nonfinite = 4};
    ks_figures_of_errors(&row, &errors);
    for (int c = KS_COL_max_abs_err; c <= KS_COL_rmse_full; c++)
        assert_false(ks_row_has(&row, (ks_column)c));
    assert_int_equal(row.figures[KS_COL_nonfinite].count, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(infeasible_points_say_the_numbers),
        cmocka_unit_test(a_point_that_just_fits_runs),
        cmocka_unit_test(errors_say_the_numbers),
        cmocka_unit_test(the_first_reason_that_holds_is_said),
        cmocka_unit_test(a_point_that_does_not_run_has_no_figures_in_any_mode),
        cmocka_unit_test(a_late_overflow_leaves_no_figures_behind),
        cmocka_unit_test(every_mode_fills_its_cells),
        cmocka_unit_test(invariants_are_ok_where_all_were_asked),
        cmocka_unit_test(the_figures_of_the_model_page_come_out),
        cmocka_unit_test(the_roofline_is_the_largest_bound_in_whole_cycles),
        cmocka_unit_test(without_an_op_log_all_other_cells_are_the_same),
        cmocka_unit_test(the_path_and_the_waits_fit_the_total),
        cmocka_unit_test(a_full_op_log_is_the_file_that_its_digest_names),
        cmocka_unit_test(the_blocks_of_an_op_log_are_those_of_its_lines),
        cmocka_unit_test(an_op_log_that_cannot_be_written_is_an_io_error),
        cmocka_unit_test(what_the_watcher_says_is_answered),
        cmocka_unit_test(a_point_does_not_depend_on_those_before_it),
        cmocka_unit_test(what_a_point_leaves_behind_goes_as_far_as_it_got),
        cmocka_unit_test(elements_that_are_not_finite_make_a_fail_with_their_count),
        cmocka_unit_test(an_error_beyond_the_limit_makes_a_fail_with_both),
        cmocka_unit_test(an_infinite_limit_lets_every_finite_error_pass),
        cmocka_unit_test(every_judgement_has_its_verdict_and_reason),
        cmocka_unit_test(errors_of_nothing_leave_their_cells_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
