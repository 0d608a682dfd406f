/* Functions with known indices, as responses. */
#ifndef KS_TEST_RESPONSE_BENCH_H
#define KS_TEST_RESPONSE_BENCH_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "study/response.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

typedef double bench_function(const double *u);

static inline ks_status bench_evaluate(void *self, const double *u, size_t count, double *y,
                                       ks_error *error) {
    const ks_response *response = self;
    bench_function *const *function = (bench_function *const *)(const void *)(response + 1);
    (void)error;
    for (size_t i = 0; i < count; i++) y[i] = (*function)(u + i * response->dims);
    return KS_OK;
}

/* A response with its function behind it. */
typedef struct bench_response {
    ks_response response;
    bench_function *function;
} bench_response;

static inline void bench_respond(bench_response *out, bench_function *function, size_t dims) {
    *out = (bench_response){{out, dims, 1, bench_evaluate}, function};
}

static const double BENCH_PI = 3.14159265358979323846;

static inline double ishigami(const double *u) {
    const double x1 = (2 * u[0] - 1) * BENCH_PI, x2 = (2 * u[1] - 1) * BENCH_PI,
                 x3 = (2 * u[2] - 1) * BENCH_PI;
    return sin(x1) + 7 * sin(x2) * sin(x2) + 0.1 * x3 * x3 * x3 * x3 * sin(x1);
}

static inline double g_of(const double *u, const double *a, size_t dims) {
    double product = 1;
    for (size_t i = 0; i < dims; i++) product *= (fabs(4 * u[i] - 2) + a[i]) / (1 + a[i]);
    return product;
}
static inline double g_of_eight(const double *u) {
    static const double a[] = {0, 1, 4.5, 9, 99, 99, 99, 99};
    return g_of(u, a, 8);
}
static inline double g_of_three(const double *u) {
    static const double a[] = {0, 0, 0};
    return g_of(u, a, 3);
}
static inline double g_of_two(const double *u) {
    static const double a[] = {0.5, 0.5};
    return g_of(u, a, 2);
}
static inline double larger_of_two(const double *u) { return u[0] > u[1] ? u[0] : u[1]; }
static inline double sum_above_one(const double *u) { return u[0] + u[1] > 1; }
static inline double linear_of_five(const double *u) {
    return 5 * u[0] + 4 * u[1] + 3 * u[2] + 2 * u[3] + u[4];
}

/* A function with its exact indices. */
typedef struct bench_case {
    const char *name;
    bench_function *function;
    size_t dims;
    double variance, s1[8], st[8];
} bench_case;

static const bench_case bench_cases[] = {
    {"Ishigami",
     ishigami,
     3,
     13.8445879407,
     {0.3139051911, 0.4424111448, 0},
     {0.5575888552, 0.4424111448, 0.2436836641}},
    {"G of eight",
     g_of_eight,
     8,
     0.4654244319,
     {0.71619217, 0.17904804, 0.02367577, 0.00716192, 0.00007162, 0.00007162, 0.00007162,
      0.00007162},
     {0.78714413, 0.24219819, 0.03431691, 0.01046039, 0.00010495, 0.00010495, 0.00010495,
      0.00010495}},
    {"G of three",
     g_of_three,
     3,
     37.0 / 27,
     {9.0 / 37, 9.0 / 37, 9.0 / 37},
     {16.0 / 37, 16.0 / 37, 16.0 / 37}},
    {"G of two", g_of_two, 2, 232.0 / 729, {27.0 / 58, 27.0 / 58}, {31.0 / 58, 31.0 / 58}},
    {"max", larger_of_two, 2, 1.0 / 18, {0.4, 0.4}, {0.6, 0.6}},
    {"threshold", sum_above_one, 2, 0.25, {1.0 / 3, 1.0 / 3}, {2.0 / 3, 2.0 / 3}},
    {"linear",
     linear_of_five,
     5,
     55.0 / 12,
     {25.0 / 55, 16.0 / 55, 9.0 / 55, 4.0 / 55, 1.0 / 55},
     {25.0 / 55, 16.0 / 55, 9.0 / 55, 4.0 / 55, 1.0 / 55}},
};

#endif
