#include "response_bench.h"
#include "study/morris.h"

static void effects_of(bench_function *function, const ks_morris_plan *plan,
                       ks_morris_effect *effects) {
    bench_response response;
    ks_error error = {""};
    assert_null(ks_morris_refusal(plan));
    double *y = malloc(ks_morris_points(plan) * sizeof *y);
    bench_respond(&response, function, plan->dims);
    assert_int_equal(ks_morris_ask(plan, &response.response, y, &error), KS_OK);
    assert_int_equal(ks_morris_estimate(plan, y, 1, 0, effects, &error), KS_OK);
    free(y);
}

typedef struct population {
    bench_function *function;
    size_t dims;
    uint32_t p;
    double mu_star[3], mu[3], sigma[3];
} population;

static const population populations[] = {
    {ishigami,
     3,
     4,
     {7.70405411, 7.87500000, 6.24879610},
     {7.70405411, 0, 0},
     {6.24879610, 7.87500000, 8.83713220}},
    {ishigami,
     3,
     8,
     {7.95919278, 3.23080928, 5.72354146},
     {7.95919278, 0, 0},
     {10.02050460, 3.36053116, 8.17165549}},
    {larger_of_two, 2, 4, {0.5, 0.5}, {0.5, 0.5}, {0.43301270, 0.43301270}},
};

static void all_effects_are_the_exact_population(void **state) {
    (void)state;
    for (size_t k = 0; k < COUNT(populations); k++) {
        const population *p = &populations[k];
        const ks_morris_plan plan = {.dims = p->dims, .p = p->p, .bootstrap = {2, 0.95, 1}};
        ks_morris_effect effects[3];
        effects_of(p->function, &plan, effects);
        for (size_t i = 0; i < p->dims; i++) {
            assert_true(fabs(effects[i].mu_star.value - p->mu_star[i]) < 1e-8);
            assert_true(fabs(effects[i].mu - p->mu[i]) < 1e-8);
            assert_true(fabs(effects[i].sigma - p->sigma[i]) < 1e-8);
        }
    }
}

static void sampled_effects_converge_to_the_population(void **state) {
    (void)state;
    for (size_t k = 0; k < COUNT(populations); k++) {
        const population *p = &populations[k];
        const ks_morris_plan plan = {
            .dims = p->dims, .r = 10000, .p = p->p, .seed = 4, .bootstrap = {50, 0.95, 4}};
        ks_morris_effect effects[3];
        effects_of(p->function, &plan, effects);
        for (size_t i = 0; i < p->dims; i++) {
            const double slack = 5 * (p->sigma[i] + 1e-9) / 100; /* five standard errors */
            assert_true(fabs(effects[i].mu_star.value - p->mu_star[i]) < slack);
            assert_true(fabs(effects[i].mu - p->mu[i]) < slack);
            assert_true(fabs(effects[i].sigma - p->sigma[i]) < slack);
            assert_true(effects[i].mu_star.lo <= effects[i].mu_star.value);
            assert_true(effects[i].mu_star.hi >= effects[i].mu_star.value);
        }
    }
}

static size_t asked_points;
static double last_u[3];
static double watch_steps(const double *u) {
    unsigned moved = 0;
    for (size_t i = 0; i < 3; i++) {
        const double level = u[i] * 7;
        assert_true(fabs(level - floor(level + 0.5)) < 1e-12 && level >= 0 && level <= 7);
        if (u[i] == last_u[i]) continue;
        moved++;
        if (asked_points % 4) assert_true(fabs(fabs(u[i] - last_u[i]) - 4.0 / 7) < 1e-12);
    }
    if (asked_points % 4) assert_int_equal(moved, 1);
    for (size_t i = 0; i < 3; i++) last_u[i] = u[i];
    asked_points++;
    return u[0];
}

static void a_trajectory_moves_each_dimension_once_by_the_step(void **state) {
    (void)state;
    const ks_morris_plan plan = {.dims = 3, .r = 50, .p = 8, .seed = 9, .bootstrap = {2, 0.95, 1}};
    ks_morris_effect effects[3];
    asked_points = 0;
    effects_of(watch_steps, &plan, effects);
    assert_int_equal(asked_points, 200);
    assert_true(fabs(effects[0].mu - 1) < 1e-12 && fabs(effects[0].sigma) < 1e-12);
    assert_true(effects[1].mu_star.value == 0 && effects[2].mu_star.value == 0);
}

static void plans_that_cannot_be_carried_out_are_refused(void **state) {
    (void)state;
    const ks_morris_plan refused[] = {
        {.dims = 2, .r = 10, .p = 0},     {.dims = 2, .r = 10, .p = 3},
        {.dims = 2, .r = 10, .p = 1002},  {.dims = 2, .r = 1, .p = 4},
        {.dims = 2, .r = 100001, .p = 4}, {.dims = 11, .r = 0, .p = 4},
    };
    for (size_t i = 0; i < COUNT(refused); i++) assert_non_null(ks_morris_refusal(&refused[i]));
    const ks_morris_plan largest = {.dims = 10, .r = 0, .p = 4};
    assert_null(ks_morris_refusal(&largest));
    assert_int_equal(ks_morris_points(&largest), 1 << 20);
    const ks_morris_plan six = {.dims = 6, .r = 20, .p = 8};
    assert_int_equal(ks_morris_points(&six), 140);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_effects_are_the_exact_population),
        cmocka_unit_test(sampled_effects_converge_to_the_population),
        cmocka_unit_test(a_trajectory_moves_each_dimension_once_by_the_step),
        cmocka_unit_test(plans_that_cannot_be_carried_out_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
