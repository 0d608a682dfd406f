#include "run/adr_rows.h"

#include "adr_bench.h"
#include "base/file.h"

#define KEY "kernel=decode_opt2 G=8 TILE=64 d=128 S=4096"

/* A row with a figure of every kind. */
static ks_row full_row(void) {
    const ks_digest digest = ks_digest_of("x", 1);
    ks_row row = bench_row(59078.125);
    ks_row_set_count(&row, KS_COL_tiles, 64);
    ks_row_set_real(&row, KS_COL_max_abs_err, 0.1);
    ks_row_set_word(&row, KS_COL_bound_by, "dma_rd");
    ks_row_set_digest(&row, KS_COL_out_xxh128, &digest);
    return row;
}

static void expect_same_cells(const ks_row *a, const ks_row *b) {
    ks_text texts[2] = {{0}, {0}};
    ks_row_print_figures(&texts[0], a);
    ks_row_print_figures(&texts[1], b);
    assert_string_equal(texts[0].data, texts[1].data);
    ks_text_free(&texts[0]);
    ks_text_free(&texts[1]);
}

static void what_is_printed_reads_back_to_the_same_bytes(void **state) {
    ks_adr_stored stored = bench_stored();
    ks_text first = {0}, second = {0};
    ks_adr_rows again;
    ks_error error = {""};
    ks_row row = full_row(), out = {.verdict = KS_VERDICT_infeasible};
    (void)state;
    strcpy(out.reason, "tcm_overflow end=2 tcm_bytes=1");
    bench_add(&stored, KEY, &row);
    bench_add(&stored, "kernel=gemm M=1 K=2 N=3 dma_latency_cycles=100.5", &out);
    ks_adr_rows_print(&first, &stored.rows);
    assert_true(ks_adr_rows_begin(&again, &ks_kernels));
    if (ks_adr_rows_parse(&again, "r.csv", first.data, first.length, &error))
        fail_msg("%s", error.text);
    ks_adr_rows_print(&second, &again);
    assert_string_equal(first.data, second.data);
    assert_int_equal(again.count, 2);
    expect_same_cells(&again.items[0].row, &row);
    assert_int_equal(again.items[1].row.verdict, KS_VERDICT_infeasible);
    assert_ptr_equal(ks_adr_rows_find(&again, KEY), &again.items[0]);
    assert_null(ks_adr_rows_find(&again, "kernel=gemm M=1 K=2 N=3"));
    ks_adr_rows_free(&again);
    ks_adr_stored_free(&stored);
    ks_text_free(&first);
    ks_text_free(&second);
}

/* Replaces the first `from` in the stored form of one full row. */
static void expect_refusal(const char *from, const char *to, const char *message) {
    ks_adr_stored stored = bench_stored();
    ks_text text = {0}, changed = {0};
    ks_adr_rows again;
    ks_error error = {""};
    const ks_row row = full_row();
    bench_add(&stored, KEY, &row);
    ks_adr_rows_print(&text, &stored.rows);
    const char *at = strstr(text.data, from);
    assert_non_null(at);
    ks_text_add(&changed, text.data, (size_t)(at - text.data));
    ks_text_add_format(&changed, "%s%s", to, at + strlen(from));
    assert_true(ks_adr_rows_begin(&again, &ks_kernels));
    assert_int_equal(ks_adr_rows_parse(&again, "r.csv", changed.data, changed.length, &error),
                     KS_INPUT);
    if (!strstr(error.text, message)) fail_msg("'%s' has not '%s'", error.text, message);
    ks_adr_rows_free(&again);
    ks_adr_stored_free(&stored);
    ks_text_free(&text);
    ks_text_free(&changed);
}

static void a_cell_that_we_would_not_have_written_is_refused(void **state) {
    static const struct {
        const char *from, *to, *message;
    } cases[] = {
        {"59078.125", "59078.1250", "found '59078.1250', expected a value of total_cycles"},
        {"59078.125", "5.9e4", "r.csv:2: field"},
        {",64,", ",064,", "found '064', expected a value of tiles"},
        {",0.1,", ",0.10,", "expected a value of max_abs_err"},
        {",0.1,", ",nan,", "expected a value of max_abs_err"},
        {",dma_rd,", ",a_word_that_is_too_long,", "expected a value of bound_by"},
        {",pass,", ",passed,", "r.csv:2: field 3: found 'passed', expected a verdict"},
        {"G=8 TILE=64", "TILE=64 G=8", "expected the KEY 'kernel=decode_opt2 G=8 TILE=64"},
        {"G=8", "G=8.0", "expected the KEY"},
        {"S=4096", "S=0", "found '0' for S"},
        {"kernel=decode_opt2 ", "", "found no kernel"},
        {"source,", "sauce,",
         "r.csv:1: field 1: found 'sauce', expected a column of stored results"},
        {"source,key,", "source,source,", "found source a second time"},
        {"key,", "", "without source, key"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        expect_refusal(cases[i].from, cases[i].to, cases[i].message);
}

static void a_point_comes_from_one_source(void **state) {
    ks_adr_stored stored = bench_stored();
    const ks_row row = full_row();
    ks_error error = {""};
    (void)state;
    bench_add(&stored, KEY, &row);
    assert_int_equal(ks_adr_rows_add(&stored.rows, "b.yaml", KEY, "", &row, &error), KS_INPUT);
    assert_non_null(
        strstr(error.text, "in a.yaml and in b.yaml, expected a point from one source"));
    assert_int_equal(stored.rows.count, 1);
    ks_adr_stored_free(&stored);
}

static void take_points(ks_adr_rows *rows, const char *text, ks_status wanted, ks_error *error) {
    assert_true(ks_adr_rows_begin(rows, &ks_kernels));
    assert_int_equal(
        ks_adr_rows_parse_points(rows, "reports/a", "points.csv", text, strlen(text), error),
        wanted);
}

#define POINTS \
    "id,verdict,reason,model,kernel,G,TILE,d,S,dma_latency_cycles,total_cycles,golden,invariants\n"

static void points_of_a_report_folder_get_their_key_back(void **state) {
    ks_adr_rows rows;
    ks_error error = {""};
    char id[KS_KEY_ID];
    ks_text text = {0};
    (void)state;
    ks_key_id(id, KEY " dma_latency_cycles=100");
    ks_text_add_format(&text, POINTS "%s,pass,,m,decode_opt2,8,64,128,4096,100,12.5,none,ok\n", id);
    take_points(&rows, text.data, KS_OK, &error);
    assert_string_equal(rows.items[0].key, KEY " dma_latency_cycles=100");
    assert_string_equal(rows.items[0].source, "reports/a");
    assert_string_equal(rows.items[0].label, "m");
    assert_int_equal(rows.items[0].row.figures[KS_COL_total_cycles].count, 125000);
    ks_adr_rows_free(&rows);
    ks_text_free(&text);
}

static void a_point_whose_id_is_not_that_of_its_key_is_refused(void **state) {
    ks_adr_rows rows;
    ks_error error = {""};
    (void)state;
    take_points(&rows,
                POINTS "0123456789abcdef,pass,,m,decode_opt2,8,64,128,4096,100,12.5,none,ok\n",
                KS_INPUT, &error);
    assert_non_null(strstr(error.text, "points.csv:2: field 1: found id 0123456789abcdef"));
    ks_adr_rows_free(&rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_printed_reads_back_to_the_same_bytes),
        cmocka_unit_test(a_cell_that_we_would_not_have_written_is_refused),
        cmocka_unit_test(a_point_comes_from_one_source),
        cmocka_unit_test(points_of_a_report_folder_get_their_key_back),
        cmocka_unit_test(a_point_whose_id_is_not_that_of_its_key_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
