/* What does each rule cost? Kernels and figures with rules given up, alone and together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/method.h"

enum { CONSTANTS = KS_NAME_CONSTANTS };

/* What giving a rule up sets. */
static const struct change {
    ks_whatif_rule rule;
    ks_name name;
    uint64_t value;
} changes[] = {
    {KS_WHATIF_D6_2, KS_P_stream_in_prologue, 1},
    {KS_WHATIF_D6_3, KS_P_policy, KS_POLICY_rw_aware},
    {KS_WHATIF_DISPATCH, CONSTANTS + KS_C_dispatch_fixed_cycles, 0},
    {KS_WHATIF_DISPATCH, CONSTANTS + KS_C_dispatch_cycles_per_byte, 0},
    {KS_WHATIF_DMA_LATENCY, CONSTANTS + KS_C_dma_latency_cycles, 0},
};

/* The method's rules given up: bit i is its i-th rule. */
static bool gives_up(const ks_study_method *m, unsigned set, ks_whatif_rule rule) {
    for (size_t i = 0; i < m->rule_count; i++)
        if (m->rules[i] == rule) return set >> i & 1;
    return false;
}

static void change_point(const ks_study_method *m, unsigned set, ks_point *point) {
    for (size_t i = 0; i < KS_COUNT_OF(changes); i++)
        if (gives_up(m, set, changes[i].rule))
            ks_point_set(point, changes[i].name, changes[i].value);
}

static void add_rules(ks_table *table, const ks_study_method *m, unsigned set) {
    ks_text text = {0};
    for (size_t i = 0; i < m->rule_count; i++)
        if (set >> i & 1)
            ks_text_add_format(&text, "%s%s", text.length ? " + " : "",
                               ks_whatif_name(m->rules[i]));
    ks_table_text(table, text.length ? ks_text_string(&text) : "none");
    ks_text_free(&text);
}

/* All subsets, small ones first. */
static size_t list_sets(const ks_study_method *m, unsigned *sets) {
    size_t count = 0;
    for (unsigned size = 0; size <= m->rule_count; size++)
        for (unsigned set = 0; set < 1u << m->rule_count; set++)
            if ((unsigned)__builtin_popcount(set) == size) sets[count++] = set;
    return count;
}

/* ---- kernels ---- */

static const ks_table_column kernel_columns[] = {
    {"kernel", "", false, 0},
    {"given_up",
     "D6.2: DMA reads need not wait for the prologue; D6.3: start as soon as no hazard is left "
     "(rw_aware); dispatch: costs nothing; dma_latency: is 0",
     false, 0},
    {"total_cycles", "completion of the last command", true, 0},
    {"gain_percent", "of total_cycles with no rule given up", true, 3},
    {"cpu", "cycles of dispatching on the critical path", true, 0},
    {"dma_rd", "DMA read occupancy on it", true, 0},
    {"dma_wr", "DMA write occupancy on it", true, 0},
    {"dma_lat", "DMA latency on it", true, 0},
    {"fetch", "FETCH on it", true, 0},
    {"store", "STORE on it", true, 0},
    {"gemm", "GEMM on it", true, 0},
    {"math", "MATH on it", true, 0},
    {"bound_by", "the largest of these", false, 0},
};

static const ks_column wanted[] = {
    KS_COL_total_cycles, KS_COL_crit_cpu,     KS_COL_crit_dma_rd,
    KS_COL_crit_dma_wr,  KS_COL_crit_dma_lat, KS_COL_crit_fetch,
    KS_COL_crit_store,   KS_COL_crit_gemm,    KS_COL_crit_math,
};
enum { WANTED = sizeof wanted / sizeof wanted[0], FIRST_RESOURCE = 1 };

static ks_point point_of(const ks_study *study, int kernel) {
    ks_point point = study->base;
    const ks_names taken = ks_kernel_names(&study->kernel_table->kernels[kernel]);
    ks_point_set(&point, KS_P_kernel, (uint64_t)kernel);
    for (ks_name name = 0; name < KS_NAME_COUNT; name++)
        if (!(taken & KS_NAME_BIT(name))) ks_point_set(&point, name, 0);
    return point;
}

static double gain_of(const ks_batch_row *row, const ks_batch_row *without) {
    if (!row->cells || !without->cells || without->cells[0].count == 0) return NAN;
    const ks_exact before = ks_exact_of_ticks(without->cells[0].count),
                   after = ks_exact_of_ticks(row->cells[0].count), hundred = ks_exact_of_u64(100);
    ks_exact gain = ks_exact_sub(&before, &after), share = ks_exact_div(&gain, &before);
    ks_exact percent = ks_exact_mul(&share, &hundred);
    const double result = ks_exact_double(&percent);
    ks_exact_free(&gain);
    ks_exact_free(&share);
    ks_exact_free(&percent);
    return result;
}

static void add_kernel_row(ks_table *table, const ks_batch_row *row, const ks_batch_row *without) {
    if (!row->cells) {
        for (int i = 0; i < WANTED + 2; i++) ks_table_none(table);
        return;
    }
    size_t bound = FIRST_RESOURCE;
    ks_table_decimal(table, row->cells[0].count);
    ks_table_double(table, gain_of(row, without));
    for (size_t i = FIRST_RESOURCE; i < WANTED; i++) {
        ks_table_decimal(table, row->cells[i].count);
        if (row->cells[i].count > row->cells[bound].count) bound = i;
    }
    ks_table_text(table, ks_column_describe(wanted[bound])->name + sizeof "crit_" - 1);
}

static void add_kernels(const ks_method_context *c, ks_table *table, const ks_study_method *m,
                        const ks_batch_row *rows, const unsigned *sets, size_t set_count) {
    for (size_t k = 0; k < c->study->kernel_count; k++)
        for (size_t i = 0; i < set_count; i++) {
            ks_table_text(table, c->study->kernel_table->kernels[c->study->kernels[k]].name);
            add_rules(table, m, sets[i]);
            add_kernel_row(table, &rows[k * set_count + i], &rows[k * set_count]);
        }
}

static ks_batch *new_batch(const ks_method_context *c) {
    ks_batch_options options = {.kernels = c->study->kernel_table,
                                .mode = KS_MODE_TIMING,
                                .threads = 1,
                                .names = KS_NAME_BIT(KS_P_kernel),
                                .columns = wanted,
                                .column_count = WANTED};
    for (size_t i = 0; i < KS_COUNT_OF(changes); i++) options.names |= KS_NAME_BIT(changes[i].name);
    return ks_batch_new(&options);
}

static ks_status run_kernels(ks_method_context *c, const ks_study_method *m, const unsigned *sets,
                             size_t set_count) {
    const size_t count = c->study->kernel_count * set_count;
    ks_table *table = ks_method_table(c, "whatif", "What each rule costs", kernel_columns,
                                      KS_COUNT_OF(kernel_columns));
    ks_batch *batch = new_batch(c);
    ks_point *points = calloc(count, sizeof *points);
    ks_batch_row *rows = calloc(count, sizeof *rows);
    ks_status status =
        table && batch && points && rows ? KS_OK : ks_fail(c->error, KS_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < count && !status; i++) {
        points[i] = point_of(c->study, c->study->kernels[i / set_count]);
        change_point(m, sets[i % set_count], &points[i]);
    }
    if (!status) status = ks_batch_run(batch, points, count, rows, c->error);
    if (!status) add_kernels(c, table, m, rows, sets, set_count);
    ks_batch_free(batch);
    free(points);
    free(rows);
    return status;
}

/* ---- figures ---- */

static const ks_table_column figure_columns[] = {
    {"figure", "figure of merit; a side that fixes a rule keeps it", false, 0},
    {"given_up", "as in whatif.csv", false, 0},
    {"value", "of the figure", true, 8},
    {"gate", "condition on it", false, 0},
    {"answer", "pass or fail", false, 0},
};

/* The figures at the base of a study whose base has the rules given up. */
static ks_status ask_changed(ks_method_context *c, const ks_study_method *m, unsigned set,
                             ks_answer *answers) {
    const ks_subject_options options = {1, NULL};
    ks_study changed = *c->study;
    uint64_t base[KS_CONSTANT_COUNT];
    change_point(m, set, &changed.base);
    for (size_t k = 0; k < changed.constant_count; k++)
        base[k] = ks_ticks_of(&changed.base.calibration, changed.constants[k].constant);
    ks_subject *subject = ks_subject_new(&changed, &options);
    const ks_status status = subject ? ks_subject_ask(subject, base, 1, answers, c->error)
                                     : ks_fail(c->error, KS_NO_MEMORY, "out of memory");
    ks_subject_free(subject);
    return status;
}

static ks_status run_figures(ks_method_context *c, const ks_study_method *m, const unsigned *sets,
                             size_t set_count) {
    const size_t figures = c->study->figure_count;
    ks_table *table = ks_method_table(c, "whatif-figures", "Figures with rules given up",
                                      figure_columns, KS_COUNT_OF(figure_columns));
    ks_answer *answers = calloc(set_count * figures, sizeof *answers);
    ks_status status = table && answers ? KS_OK : ks_fail(c->error, KS_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < set_count && !status; i++)
        status = ask_changed(c, m, sets[i], answers + i * figures);
    for (size_t f = 0; f < figures && !status; f++)
        for (size_t i = 0; i < set_count; i++) {
            const ks_study_figure *figure = &c->study->figures[f];
            const ks_answer *answer = &answers[i * figures + f];
            ks_table_text(table, figure->name);
            add_rules(table, m, sets[i]);
            ks_table_answer(table, answer);
            ks_table_text(table, figure->op ? figure->gate_text : "");
            ks_table_gate(table, figure, answer);
        }
    if (answers) ks_answers_free(answers, set_count * figures);
    free(answers);
    return status;
}

ks_status ks_method_whatif(ks_method_context *c, const ks_study_method *m) {
    unsigned sets[1 << KS_WHATIF_COUNT];
    const size_t set_count = list_sets(m, sets);
    const ks_status status = run_kernels(c, m, sets, set_count);
    return status ? status : run_figures(c, m, sets, set_count);
}
