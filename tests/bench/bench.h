/* What a program of tests/bench measures with. Figures are ratios, so that they mean the same on
 * any machine and in any minute: to a yardstick loop (a dependent add, which takes one cycle) timed
 * next to each repetition, and to a reference where there is one. Medians of repetitions. A program
 * is one part of `ci/bench`: begin, figures, end.
 *
 *     bench *b = bench_begin("rows", argc, argv);
 *     bench_time(b, &(bench_task){.figure = "row of all columns", .item = "row", ...});
 *     return bench_end(b);
 */
#ifndef KS_TEST_BENCH_H
#define KS_TEST_BENCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bench bench;

/* Cycles per second of the core for which floors and goals are said: 40 M/s is 85 cycles. */
#define BENCH_HERTZ 3.4e9

/* Something of which one thread does `items` in a call. */
typedef struct bench_task {
    const char *figure; /* unique in its part; no comma or quote */
    const char *item;   /* what is counted, singular: "row" */
    uint64_t items;
    void (*run)(void *self);
    double floor, goal; /* items a second at BENCH_HERTZ; 0: none */
    /* Does the same items more plainly; NULL: nothing to compare with. */
    void (*reference)(void *self);
    uint64_t reference_items; /* in a call; 0: `items` */
    void *self;
} bench_task;

/* Options: --short (fewer repetitions), --once (each task once: does it run at all), --csv FILE
 * (appends the figures). Anything else ends the program with 2. */
bench *bench_begin(const char *part, int argc, char **argv);
/* Prints the figures as a table. 0, or 3 when they could not be written. */
int bench_end(bench *b);

/* Measures thread time. Returns the cycles of an item. */
double bench_time(bench *b, const bench_task *task);
/* Adds a figure measured by other means; floor < goal: more is better; 0: none. */
void bench_value(bench *b, const char *figure, const char *unit, double value, double floor,
                 double goal);

enum { BENCH_REPETITIONS = 21 };                  /* without --short or --once */
int bench_repetitions(const bench *b);            /* how many the options ask for */
double bench_add_s(void);                         /* thread time of a dependent add */
bool bench_is_once(const bench *b);               /* no figure will mean anything */
double bench_median(double *values, int count);   /* sorts them */
double bench_wall_s(void);                        /* a clock */
void bench_check(bool is_fine, const char *what); /* false: says so and ends the program with 3 */

#endif
