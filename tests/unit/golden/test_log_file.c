/* An op_log read back: what is printed is what is read, and nothing else is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/golden/log_bench.h"

static const char *const keys[] = {
    "kernel=decode_opt2 G=2 TILE=4 d=8 S=8", "kernel=decode_opt3 G=2 TILE=4 d=8 S=8 queue_depth=1",
    "kernel=decode_a1 G=2 TILE=4 d=8 S=8 policy=rw_aware", "kernel=gemm M=17 K=65 N=65",
    "kernel=gemm_postnorm M=17 K=65 N=65"};

static void every_field_reads_back(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        log_bench b = bench_open(keys[i]);
        ks_log log = bench_log(&b);
        assert_int_equal(log.count, b.rig.row_count);
        for (size_t seq = 0; seq < log.count; seq++) {
            const ks_op_row *want = &b.rig.rows[seq];
            const ks_log_row *got = &log.rows[seq];
            assert_int_equal(got->cmd, want->cmd);
            assert_int_equal(got->stage, want->stage);
            assert_int_equal(got->server, want->server);
            assert_int_equal(got->kind, want->kind);
            assert_int_equal(got->phase, want->phase);
            assert_string_equal(got->op, want->op ? ks_op_name(want->op->kind) : "");
            assert_int_equal(got->m, want->m);
            assert_int_equal(got->n, want->n);
            assert_int_equal(got->k, want->k);
            assert_int_equal(got->start, want->start);
            assert_int_equal(got->end, want->end);
            assert_int_equal(got->bytes, want->bytes);
            assert_int_equal(got->elements, want->elements);
            assert_int_equal(*got->writes != '\0', want->write_count);
        }
        ks_log_free(&log);
        bench_close(&b);
    }
}

static void a_log_without_rows_is_a_log(void **state) {
    (void)state;
    ks_text text = {0};
    ks_log log;
    ks_error error = {{0}};
    ks_text_add_string(&text, KS_OP_LOG_HEADER);
    assert_int_equal(ks_log_parse("LOG", text, &log, &error), KS_OK);
    assert_int_equal(log.count, 0);
    ks_log_free(&log);
}

static void refused(ks_text text, const char *message) {
    ks_log log;
    ks_error error = {{0}};
    assert_int_equal(ks_log_parse("LOG", text, &log, &error), KS_INPUT);
    if (!strstr(error.text, message)) fail_msg("found '%s', expected '%s'", error.text, message);
    assert_null(log.rows);
}

static void a_wrong_field_is_refused_with_its_place(void **state) {
    (void)state;
    static const struct {
        int field;
        const char *text, *message;
    } cases[] = {
        {1, "x", "LOG:4:2: found cmd 'x'"},
        {1, "-1", "LOG:4:2: found cmd '-1'"},
        {1, "01", "LOG:4:2: found cmd '01'"},
        {1, "18446744073709551616", "LOG:4:2: found cmd"},
        {2, "-2", "LOG:4:3: found stage '-2'"},
        {2, "", "LOG:4:3: found stage ''"},
        {2, "9223372036854775808", "LOG:4:3: found stage"},
        {3, "dma", "expected cpu, dma_rd, dma_wr, fetch, store, gemm, math"},
        {4, "dma_read", "LOG:4:5: found kind"},
        {5, "mul", "LOG:4:6: found op 'mul'"},
        {6, "", "LOG:4:7: found phase"},
        {7, "+1", "LOG:4:8: found m"},
        {10, "1.50", "LOG:4:11: found start '1.50'"},
        {10, "1.00001", "LOG:4:11: found start"},
        {10, "", "LOG:4:11: found start"},
        {11, "1e3", "LOG:4:12: found end"},
        {11, "922337203685477.5808", "LOG:4:12: found end"},
        {12, " 1", "LOG:4:13: found bytes"},
        {13, "1.5", "LOG:4:14: found elements"},
        {14, "hbm:10+1", "LOG:4:15: found reads"},
        {14, "ram:0x1+1", "LOG:4:15: found reads"},
        {14, "hbm:0x1+1|", "LOG:4:15: found reads"},
        {14, "hbm:0x1", "LOG:4:15: found reads"},
        {14, "hbm:0xG+1", "LOG:4:15: found reads"},
        {15, "tcm:0x1+", "LOG:4:16: found writes"},
        {15, "tcm:0x1+1,7", "LOG:4: found 17 fields, expected 16"},
        {15, "\"\"", "LOG:4:16: found writes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        log_bench b = bench_open(keys[0]);
        bench_set(&b, 2, cases[i].field, cases[i].text);
        refused(bench_text(&b), cases[i].message);
        bench_close(&b);
    }
}

static void every_shorter_file_is_refused_or_ends_with_a_row(void **state) {
    (void)state;
    log_bench b = bench_open("kernel=gemm M=1 K=1 N=1");
    const ks_text whole = bench_text(&b);
    for (size_t length = 0; length < whole.length; length++) {
        ks_text text = {0};
        ks_log log;
        ks_error error = {{0}};
        ks_text_add(&text, whole.data, length);
        const ks_status status = ks_log_parse("LOG", text, &log, &error);
        const bool is_at_a_line =
            length >= sizeof KS_OP_LOG_HEADER - 1 && whole.data[length - 1] == '\n';
        assert_int_equal(status, is_at_a_line ? KS_OK : KS_INPUT);
        ks_log_free(&log);
    }
    ks_text rest = whole;
    ks_text_free(&rest);
    bench_close(&b);
}

static ks_text with(const char *from, const char *to) {
    log_bench b = bench_open("kernel=gemm M=1 K=1 N=1");
    ks_text text = bench_text(&b), spoilt = {0};
    char *at = strstr(text.data, from);
    ks_text_add(&spoilt, text.data, (size_t)(at - text.data));
    ks_text_add_string(&spoilt, to);
    ks_text_add_string(&spoilt, at + strlen(from));
    ks_text_free(&text);
    bench_close(&b);
    return spoilt;
}

static void what_is_no_op_log_is_refused(void **state) {
    (void)state;
    refused(with("seq,cmd", "cmd,seq"), "LOG:1: found another header");
    refused(with("\n", "\r\n"), "LOG:1: line ends: found CR");
    refused(with("\n2,", "\n3,"), "LOG:4:1: found seq '3'");
    refused(with("\n2,", "\n\n2,"), "LOG:4: found 1 fields");
    refused(with("DISPATCH", "DISP\x1bTCH"), "LOG:2: found byte 0x1b");
    refused(with("DISPATCH", "DISP\xc3\xa4TCH"), "LOG:2: found byte 0xc3");
    ks_text nul = with("DISPATCH", "DISPATC#");
    *strchr(nul.data, '#') = '\0';
    refused(nul, "LOG:2: found byte 0x00");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_reads_back),
        cmocka_unit_test(a_log_without_rows_is_a_log),
        cmocka_unit_test(a_wrong_field_is_refused_with_its_place),
        cmocka_unit_test(every_shorter_file_is_refused_or_ends_with_a_row),
        cmocka_unit_test(what_is_no_op_log_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
