#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/build_info.h"
#include "bench/bench.h"

enum { FIGURES_MAX = 64, YARDSTICK_ADDS = 1 << 21 };

typedef struct figure {
    const char *name, *unit; /* unit: "cycle/ITEM", or what bench_value was told */
    double value, floor, goal;
    double over_reference; /* the reference's cycles an item over ours; 0: none */
    bool is_time;
} figure;

struct bench {
    const char *part, *csv;
    int repetitions;
    double least_s; /* of a repetition */
    figure figures[FIGURES_MAX];
    int count;
};

void bench_check(bool is_fine, const char *what) {
    if (is_fine) return;
    fprintf(stderr, "bench: %s\n", what);
    exit(3);
}

bench *bench_begin(const char *part, int argc, char **argv) {
    static bench b;
    b = (bench){.part = part, .repetitions = BENCH_REPETITIONS, .least_s = 0.02};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--short") == 0) {
            b.repetitions = 5;
        } else if (strcmp(argv[i], "--once") == 0) {
            b.repetitions = 1;
            b.least_s = 0;
        } else if (strcmp(argv[i], "--csv") == 0 && i + 1 < argc) {
            b.csv = argv[++i];
        } else {
            fprintf(stderr, "usage: %s [--short | --once] [--csv FILE]\n", argv[0]);
            exit(2);
        }
    }
    return &b;
}

int bench_repetitions(const bench *b) { return b->repetitions; }
bool bench_is_once(const bench *b) { return b->repetitions == 1; }

/* ---- clocks ---- */

static double read_clock(clockid_t clock) {
    struct timespec now;
    bench_check(clock_gettime(clock, &now) == 0, "a clock cannot be read");
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double bench_wall_s(void) { return read_clock(CLOCK_MONOTONIC); }

/* What the other processes of a machine take away shows in wall time, hardly in thread time. */
static double thread_s(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

/* Seconds of one dependent add. The empty asm keeps the adds apart. */
double bench_add_s(void) {
    uint64_t sum = 1;
    const double start = thread_s();
    for (int i = 0; i < YARDSTICK_ADDS / 8; i++) {
#define ADD   \
    sum += 3; \
    __asm__ volatile("" : "+r"(sum));
        ADD ADD ADD ADD ADD ADD ADD ADD
#undef ADD
    }
    return (thread_s() - start) / YARDSTICK_ADDS;
}

/* ---- measuring ---- */

static int compare(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

double bench_median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Cycles of one call, over as many calls as the least time of a repetition holds. */
static double cycles_of_call(const bench *b, void (*run)(void *), void *self) {
    const double before = bench_add_s(), start = thread_s();
    double spent;
    int calls = 0;
    do {
        run(self);
        calls++;
        spent = thread_s() - start;
    } while (spent < b->least_s);
    const double add = (before + bench_add_s()) / 2;
    return spent / calls / add;
}

static void add(bench *b, figure f) {
    bench_check(b->count < FIGURES_MAX, "too many figures");
    b->figures[b->count++] = f;
}

double bench_time(bench *b, const bench_task *task) {
    double own[BENCH_REPETITIONS], ratios[BENCH_REPETITIONS];
    const uint64_t reference_items = task->reference_items ? task->reference_items : task->items;
    for (int i = 0; i < b->repetitions; i++) {
        own[i] = cycles_of_call(b, task->run, task->self) / (double)task->items;
        if (task->reference)
            ratios[i] =
                cycles_of_call(b, task->reference, task->self) / (double)reference_items / own[i];
    }
    const double cycles = bench_median(own, b->repetitions);
    add(b, (figure){.name = task->figure,
                    .unit = task->item,
                    .value = cycles,
                    .floor = task->floor > 0 ? BENCH_HERTZ / task->floor : 0,
                    .goal = task->goal > 0 ? BENCH_HERTZ / task->goal : 0,
                    .over_reference = task->reference ? bench_median(ratios, b->repetitions) : 0,
                    .is_time = true});
    return cycles;
}

void bench_value(bench *b, const char *name, const char *unit, double value, double floor,
                 double goal) {
    add(b, (figure){.name = name, .unit = unit, .value = value, .floor = floor, .goal = goal});
}

/* ---- reporting ---- */

static bool reaches(const figure *f, double line) {
    const bool is_more_better = !f->is_time && f->floor > 0 && f->goal > f->floor;
    return is_more_better ? f->value >= line : f->value <= line;
}

static const char *reached(const figure *f) {
    if (f->goal > 0 && reaches(f, f->goal)) return "goal";
    if (f->floor > 0 && reaches(f, f->floor)) return "floor";
    return f->goal > 0 || f->floor > 0 ? "no" : "";
}

static void print_cell(double value) {
    if (value == 0)
        printf(" %11s", "");
    else
        printf(" %11.5g", value);
}

static void print_table(const bench *b) {
    printf("%-46s %-14s %11s %11s %11s %11s %11s  %s\n", b->part, "unit", "value", "a s, 3.4GHz",
           "floor", "goal", "x reference", "reached");
    for (int i = 0; i < b->count; i++) {
        const figure *f = &b->figures[i];
        char unit[48];
        snprintf(unit, sizeof unit, "%s%s", f->is_time ? "cycle/" : "", f->unit);
        printf("%-46s %-14s", f->name, unit);
        print_cell(f->value);
        print_cell(f->is_time ? BENCH_HERTZ / f->value : 0);
        print_cell(f->floor);
        print_cell(f->goal);
        print_cell(f->over_reference);
        printf("  %s\n", reached(f));
    }
}

static void write_cell(FILE *out, double value) {
    if (value == 0)
        fputc(',', out);
    else
        fprintf(out, ",%.6g", value);
}

static bool write_csv(const bench *b) {
    FILE *out = fopen(b->csv, "a");
    if (!out) return false;
    if (ftell(out) == 0)
        fputs("commit,part,figure,unit,value,floor,goal,over_reference,reached\n", out);
    for (int i = 0; i < b->count; i++) {
        const figure *f = &b->figures[i];
        fprintf(out, "%s%s,%s,%s,%s%s", ks_build_commit(), ks_build_is_dirty() ? "-dirty" : "",
                b->part, f->name, f->is_time ? "cycle/" : "", f->unit);
        write_cell(out, f->value);
        write_cell(out, f->floor);
        write_cell(out, f->goal);
        write_cell(out, f->over_reference);
        fprintf(out, ",%s\n", reached(f));
    }
    const bool has_failed = ferror(out);
    return fclose(out) == 0 && !has_failed;
}

int bench_end(bench *b) {
    print_table(b);
    if (!b->csv || write_csv(b)) return 0;
    fprintf(stderr, "bench: cannot write '%s'\n", b->csv);
    return 3;
}
