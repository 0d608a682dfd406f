#include "sweep_refusals.h"

static const char base[] =
    "sweep: t.ci\n"
    "axes: {kernel: [decode_opt2, decode_opt3], TILE: [16, 64], queue_depth: [4, 8]}\n"
    "zip: [{S: [100, 200], seed: [1, 2]}]\n"
    "set: {model: llama3-8b, policy: serial}\n";

/* The axes, one after another: origin, names and how many steps. */
static void expect_axes(const char *const *sets, size_t count, const char *expected) {
    const ks_sweep_options options = {.sets = sets, .set_count = count};
    ks_sweep *s = bench_sweep_with(base, &options);
    ks_text got = {0};
    for (size_t i = 0; i < s->axis_count; i++) {
        ks_text_add_string(&got, s->axes[i].origin == KS_FROM_AXES  ? " axis"
                                 : s->axes[i].origin == KS_FROM_ZIP ? " zip"
                                                                    : " set");
        for (size_t k = 0; k < s->axes[i].column_count; k++)
            ks_text_add_format(&got, ":%s", ks_name_text(s->axes[i].columns[k].name));
        ks_text_add_format(&got, "=%u", (unsigned)s->axes[i].count);
    }
    assert_string_equal(ks_text_string(&got), expected);
    ks_text_free(&got);
    ks_sweep_free(s);
}

static void a_set_takes_the_place_of_what_it_replaces(void **state) {
    static const struct {
        const char *set, *expected;
    } cases[] = {
        {"TILE=32",
         " axis:kernel=2 axis:TILE=1 axis:queue_depth=2 zip:S:seed=2 set:G:d=1 set:policy=1"},
        {"TILE=16,32,64",
         " axis:kernel=2 axis:TILE=3 axis:queue_depth=2 zip:S:seed=2 set:G:d=1 set:policy=1"},
        {"TILE=[16, 32, 64]",
         " axis:kernel=2 axis:TILE=3 axis:queue_depth=2 zip:S:seed=2 set:G:d=1 set:policy=1"},
        {"TILE={pow2: [16, 256]}",
         " axis:kernel=2 axis:TILE=5 axis:queue_depth=2 zip:S:seed=2 set:G:d=1 set:policy=1"},
        {"policy=rw_aware",
         " axis:kernel=2 axis:TILE=2 axis:queue_depth=2 zip:S:seed=2 set:G:d=1 set:policy=1"},
        {"policy=rw_aware,serial",
         " axis:kernel=2 axis:TILE=2 axis:queue_depth=2 axis:policy=2 zip:S:seed=2 set:G:d=1"},
        {"clock_ghz=2.5",
         " axis:kernel=2 axis:TILE=2 axis:queue_depth=2 zip:S:seed=2 set:G:d=1 set:policy=1 set:clock_ghz=1"},
        {"clock_ghz=2.5,1",
         " axis:kernel=2 axis:TILE=2 axis:queue_depth=2 axis:clock_ghz=2 zip:S:seed=2 set:G:d=1 set:policy=1"},
        {"model=gemma2-9b",
         " axis:kernel=2 axis:TILE=2 axis:queue_depth=2 zip:S:seed=2 set:G:d=1 set:policy=1"},
        {"model=gemma2-9b,phi3-mini",
         " axis:kernel=2 axis:TILE=2 axis:queue_depth=2 axis:G:d=2 zip:S:seed=2 set:policy=1"},
        {"S=7",
         " axis:kernel=2 axis:TILE=2 axis:queue_depth=2 zip:S:seed=2 set:G:d=1 set:policy=1"},
        {"S=7,8",
         " axis:kernel=2 axis:TILE=2 axis:queue_depth=2 zip:S:seed=2 set:G:d=1 set:policy=1"},
        {"kernel=decode_opt2",
         " axis:kernel=1 axis:TILE=2 axis:queue_depth=2 zip:S:seed=2 set:G:d=1 set:policy=1"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) expect_axes(&cases[i].set, 1, cases[i].expected);
}

static void several_sets_add_up(void **state) {
    static const char *const sets[] = {"TILE=32", "clock_ghz=1,2", "acc=f16", "dtype=f32,bf16"};
    (void)state;
    expect_axes(
        sets, COUNT(sets),
        " axis:kernel=2 axis:TILE=1 axis:queue_depth=2 axis:clock_ghz=2 axis:dtype=2 zip:S:seed=2 set:G:d=1 "
        "set:policy=1 set:acc=1");
}

static void the_values_of_a_set_are_used(void **state) {
    static const char *const sets[] = {"S=7", "model=gemma2-9b", "TILE=32"};
    const ks_sweep_options options = {.sets = sets, .set_count = COUNT(sets)};
    ks_sweep *s = bench_sweep_with(base, &options);
    ks_grid *grid = bench_grid(s);
    ks_cell cell;
    ks_text label = {0};
    (void)state;
    assert_int_equal(ks_grid_size(grid), 8);
    assert_int_equal(ks_grid_at(grid, 7, &cell, NULL), KS_OK);
    bench_expect_key(&cell.point, "kernel=decode_opt3 G=2 TILE=32 d=256 S=7 policy=serial seed=2");
    ks_grid_labels(grid, 7, &label);
    assert_string_equal(ks_text_string(&label), "gemma2-9b");
    ks_text_free(&label);
    ks_grid_free(grid);
    ks_sweep_free(s);
}

static void a_bad_option_is_refused_at_its_column(void **state) {
    static const struct {
        const char *sets[2];
        const char *message;
    } cases[] = {
        {{"TILE"}, "--set:1:1: found 'TILE', expected NAME=VALUES"},
        {{""}, "--set:1:1: found nothing, expected NAME=VALUES"},
        {{"TILE="}, "--set:1:6: found nothing, expected values after the ="},
        {{"TILES=16"},
         "--set:1:1: found 'TILES', expected a parameter, a constant or model (did you mean TILE?)"},
        {{"mode=data"},
         "--set:1:1: found 'mode', expected a parameter, a constant or model (did you mean model?)"},
        {{"TILE=0"}, "--set:1:6: found '0' for TILE, expected an integer from 1 to 1073741824"},
        {{"TILE=16,12abc"},
         "--set:1:9: found '12abc' for TILE, expected an integer from 1 to 1073741824"},
        {{"TILE=[16, 0]"},
         "--set:1:11: found '0' for TILE, expected an integer from 1 to 1073741824"},
        {{"TILE={rang: [1, 2, 1]}"},
         "--set:1:7: found the unknown key 'rang' in values, expected one of range, linspace, logspace, pow2 (did you "
         "mean range?)"},
        {{"TILE=16", "TILE=64"},
         "--set:1:1: found TILE in a second --set, expected each name once"},
        {{"S=1,2,3"},
         "--set:1:2: found 3 values for S, expected 1 or 2: it moves together with others"},
        {{"G=8"}, "--set:1:1: found G in --set, expected each name once (first in model at @:4:7)"},
        {{"model=llama3-8c"},
         "--set:1:7: found 'llama3-8c' for model, expected a label of the model file (did you mean llama3-8b?)"},
        {{"TILE=*a"},
         "--set:1:6: found an alias (*), expected YAML without it; put the expression in double quotes"},
        {{"TILE=16\t"}, "--set:1:8: found a tab, expected blanks"},
        {{"TILE=16,"}, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ks_sweep *s;
        ks_error error = {""};
        const ks_sweep_options options = {.sets = cases[i].sets,
                                          .set_count = cases[i].sets[1] ? 2 : 1};
        const ks_status status =
            ks_sweep_parse(FILE_NAME, base, strlen(base), &bench_table, &options, &s, &error);
        if (!cases[i].message) {
            assert_int_equal(status, KS_OK); /* YAML allows the last comma of a list */
        } else {
            assert_int_equal(status, KS_INPUT);
            expect_message(error.text, cases[i].message);
        }
        ks_sweep_free(s);
    }
}

static void a_model_cannot_join_names_that_are_set(void **state) {
    static const char *const sets[] = {"model=llama3-8b"};
    static const char yaml[] = "sweep: t.ci\naxes: {kernel: [gemm], d: [64]}\n";
    const ks_sweep_options options = {.sets = sets, .set_count = 1};
    ks_sweep *s;
    ks_error error;
    (void)state;
    assert_int_equal(
        ks_sweep_parse(FILE_NAME, yaml, strlen(yaml), &bench_table, &options, &s, &error),
        KS_INPUT);
    expect_message(
        error.text,
        "--set:1:1: found d in model, expected each name once (first in axes at @:2:24)");
}

static void where_of_the_command_line_joins_that_of_the_file(void **state) {
    const ks_sweep_options options = {.where = "TILE == 16 and model == 'llama3-8b'"};
    ks_sweep *s = bench_sweep_with(base, &options);
    ks_grid *grid = bench_grid(s);
    ks_grid_count *count;
    (void)state;
    assert_int_equal(ks_grid_count_new(grid, &count, NULL), KS_OK);
    assert_int_equal(count->cells[KS_CELL_RUN], 8);
    assert_int_equal(count->cells[KS_CELL_NOT_OPTION], 8);
    ks_grid_count_free(count);
    ks_grid_free(grid);
    ks_sweep_free(s);
}

static void a_bad_where_is_refused_at_its_column(void **state) {
    const ks_sweep_options options = {.where = "TILE = 16"};
    ks_sweep *s;
    ks_error error;
    (void)state;
    assert_int_equal(
        ks_sweep_parse(FILE_NAME, base, strlen(base), &bench_table, &options, &s, &error),
        KS_INPUT);
    assert_string_equal(error.text, "--where:1:6: found '=', expected == (one = compares nothing)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_takes_the_place_of_what_it_replaces),
        cmocka_unit_test(several_sets_add_up),
        cmocka_unit_test(the_values_of_a_set_are_used),
        cmocka_unit_test(a_bad_option_is_refused_at_its_column),
        cmocka_unit_test(a_model_cannot_join_names_that_are_set),
        cmocka_unit_test(where_of_the_command_line_joins_that_of_the_file),
        cmocka_unit_test(a_bad_where_is_refused_at_its_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
