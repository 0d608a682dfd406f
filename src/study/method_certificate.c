/* Does each gate hold all over a box of calibrations? With the largest box that has a proof, and
 * the worst calibration that was found. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/method.h"
#include "study/prover.h"
#include "study/robustness.h"
#include "sweep/key.h"

/* Of the radius: per cent in ticks. */
enum { RADIUS_STEP = 100, RADIUS_MOST = 100 * 10000 };

static const ks_table_column columns[] = {
    {"figure", "figure of merit", false, 0},
    {"gate", "condition on it", false, 0},
    {"box", "calibrations that it speaks of", false, 0},
    {"verdict",
     "proved-pass, proved-fail, mixed (both are there), undecided (somewhere there is no answer), "
     "sampled (no proof within the budget)",
     false, 0},
    {"method", "what gave the verdict", false, 0},
    {"tried_pass", "calibrations tried that pass: corners, then a sample", true, 0},
    {"tried_fail", "calibrations tried that fail", true, 0},
    {"tried_unknown", "calibrations tried without an answer", true, 0},
    {"visits", "parts of the box that were looked at for a proof", true, 0},
    {"proved_pass_percent", "of the box's calibrations", true, 4},
    {"proved_fail_percent", "of the box's calibrations", true, 4},
    {"radius_percent",
     "largest box around the base, in per cent of every constant, with a proof; 0: none", true, 4},
    {"worst_value",
     "figure less limit at the worst calibration found, turned so that below 0 fails", true, 6},
    {"worst_corner", "its KEYs", false, KS_TABLE_FILE_ONLY},
    {"counterexample", "KEYs of a calibration with the answer that the base does not have", false,
     KS_TABLE_FILE_ONLY},
};

/* ---- boxes ---- */

static void box_around(const ks_study *study, uint64_t percent_ticks, ks_box *box) {
    for (size_t k = 0; k < study->constant_count; k++)
        ks_lattice_around(study->constants[k].constant, study->constants[k].base, percent_ticks,
                          &box->low[k], &box->high[k]);
}

static void box_of(const ks_study *study, const ks_study_method *m, ks_box *box, ks_text *name) {
    switch (m->box) {
    case KS_BOX_PERCENT:
        box_around(study, m->box_ticks, box);
        ks_text_add_string(name, "+-");
        ks_text_add_decimal(name, m->box_ticks);
        ks_text_add_string(name, " % of every constant");
        return;
    case KS_BOX_RANGES: ks_text_add_string(name, "the ranges"); break;
    case KS_BOX_BOUNDS: ks_text_add_string(name, "the bounds given"); break;
    }
    for (size_t k = 0; k < study->constant_count; k++) {
        box->low[k] = m->box == KS_BOX_RANGES ? study->constants[k].low : m->lows[k];
        box->high[k] = m->box == KS_BOX_RANGES ? study->constants[k].high : m->highs[k];
    }
}

/* ---- calibrations in words ---- */

static void add_keys(const ks_method_context *c, ks_text *out, size_t figure,
                     const uint64_t *calibration) {
    for (size_t s = 0; s < ks_subject_side_count(c->subject, figure); s++) {
        const size_t index = ks_subject_side_point(c->subject, figure, s);
        bool is_new = true;
        for (size_t k = 0; k < s; k++)
            is_new &= ks_subject_side_point(c->subject, figure, k) != index;
        if (!is_new) continue;
        const ks_point point = ks_subject_point(c->subject, index, calibration);
        if (out->length) ks_text_add_string(out, " | ");
        ks_key_print(out, c->study->kernel_table, &point);
    }
}

static void add_keys_cell(const ks_method_context *c, ks_table *table, size_t figure, bool is_there,
                          const uint64_t *calibration) {
    ks_text text = {0};
    if (is_there) add_keys(c, &text, figure, calibration);
    ks_table_text(table, ks_text_string(&text));
    table->notes.has_failed |= text.has_failed;
    ks_text_free(&text);
}

/* ---- the radius ---- */

/* By bisection over hundredths of a per cent; each probe is a proof, so this is a lower bound. 0: not
 * even the smallest box has one. */
static ks_status find_radius(const ks_study *study, ks_prover *prover, const ks_study_method *m,
                             uint64_t budget, double *radius, ks_error *error) {
    uint64_t good = 0, bad = RADIUS_MOST / RADIUS_STEP + 1;
    while (bad - good > 1) {
        const uint64_t middle = good + (bad - good) / 2;
        ks_box box;
        ks_proof proof;
        box_around(study, middle * RADIUS_STEP, &box);
        const ks_status status = ks_prover_ask(prover, &box, m->samples < 64 ? m->samples : 64,
                                               m->seed, budget, &proof, error);
        ks_proof_free(&proof);
        if (status) return status;
        const bool is_proved = proof.verdict == KS_PROVED_PASS || proof.verdict == KS_PROVED_FAIL;
        if (is_proved)
            good = middle;
        else
            bad = middle;
    }
    *radius = (double)(good * RADIUS_STEP) / KS_TICKS_PER_UNIT;
    return KS_OK;
}

/* ---- the table ---- */

static void add_row(const ks_method_context *c, ks_table *table, size_t f, const char *box,
                    const ks_proof *proof, double radius) {
    const ks_study_figure *figure = &c->study->figures[f];
    const ks_gate_state other = c->base[f].gate == KS_GATE_HOLDS ? KS_GATE_FAILS : KS_GATE_HOLDS;
    ks_table_text(table, figure->name);
    ks_table_text(table, figure->gate_text);
    ks_table_text(table, box);
    ks_table_text(table, ks_proof_verdict_name(proof->verdict));
    ks_table_text(table, proof->method);
    ks_table_u64(table, proof->tried[KS_GATE_HOLDS]);
    ks_table_u64(table, proof->tried[KS_GATE_FAILS]);
    ks_table_u64(table, proof->tried[KS_GATE_UNKNOWN]);
    ks_table_u64(table, proof->visits);
    ks_table_double(table, 100 * proof->passed_share);
    ks_table_double(table, 100 * proof->failed_share);
    ks_table_double(table, radius);
    ks_table_double(table, proof->has_worst ? ks_exact_double(&proof->worst_margin) : NAN);
    add_keys_cell(c, table, f, proof->has_worst, proof->worst);
    add_keys_cell(c, table, f, proof->has_witness[other], proof->witness[other]);
}

static ks_status note_line(ks_method_context *c, size_t f, const char *box, const ks_proof *proof,
                           double radius) {
    ks_certificate_line *line = ks_robustness_add_line(c, f);
    if (!line) return ks_fail(c->error, KS_NO_MEMORY, "out of memory");
    line->verdict = ks_proof_verdict_name(proof->verdict);
    ks_text_add_string(&line->method, proof->method);
    if (proof->verdict == KS_SAMPLED)
        ks_text_add_format(
            &line->method, " %llu",
            (unsigned long long)(proof->tried[KS_GATE_HOLDS] + proof->tried[KS_GATE_FAILS]));
    ks_text_add_string(&line->box, box);
    line->radius_percent = radius;
    if (proof->has_worst) add_keys(c, &line->worst_corner, f, proof->worst);
    return KS_OK;
}

typedef struct certificate {
    size_t figure;
    ks_proof proof;
    double radius;
} certificate;

typedef struct certificate_work {
    const ks_study *study;
    const ks_study_method *method;
    ks_box box;
    uint64_t budget, radius_budget; /* visits; of each probe of the radius */
    certificate *items;
    size_t count;
} certificate_work;

static ks_status certify(void *self, ks_subject *subject, size_t index, ks_error *error) {
    const certificate_work *w = self;
    const ks_study_method *m = w->method;
    certificate *item = &w->items[index];
    ks_prover *prover = ks_prover_new(subject, item->figure);
    if (!prover) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    ks_status status =
        ks_prover_ask(prover, &w->box, m->samples, m->seed, w->budget, &item->proof, error);
    if (!status) status = find_radius(w->study, prover, m, w->radius_budget, &item->radius, error);
    ks_prover_free(prover);
    return status;
}

static void list_gates(certificate_work *w) {
    for (size_t f = 0; f < w->study->figure_count; f++)
        if (w->study->figures[f].op)
            w->items[w->count++] = (certificate){.figure = f, .radius = NAN};
}

static ks_status add_certificates(ks_method_context *c, const certificate_work *w,
                                  const char *box) {
    const ks_study_method *m = w->method;
    ks_table *table = ks_method_table(c, "certificate", "Gates over a box of calibrations", columns,
                                      KS_COUNT_OF(columns));
    ks_status status = table ? KS_OK : KS_NO_MEMORY;
    if (table)
        ks_text_add_format(
            &table->notes,
            "Corners and %llu further calibrations are tried (seed %llu). Where all answer alike, a "
            "proof is looked for within a budget of %llu visits a gate: the box is divided until "
            "in each part no service changes and the order of instants stays, so that costs are "
            "linear and the corners answer for all. A proof is of the values that constants can "
            "have.\n",
            (unsigned long long)m->samples, (unsigned long long)m->seed,
            (unsigned long long)w->budget);
    for (size_t i = 0; i < w->count && !status; i++) {
        const certificate *item = &w->items[i];
        add_row(c, table, item->figure, box, &item->proof, item->radius);
        status = note_line(c, item->figure, box, &item->proof, item->radius);
        c->unproved += item->proof.verdict != KS_PROVED_PASS;
    }
    return status;
}

/* Half of the budget is for the boxes, half for the radii. */
ks_status ks_method_certificate(ks_method_context *c, const ks_study_method *m) {
    const size_t gates = ks_subject_gate_count(c->subject);
    const uint64_t budget = m->budget / gates / 2;
    ks_text name = {0};
    certificate_work work = {.study = c->study,
                             .method = m,
                             .budget = budget ? budget : 1,
                             .radius_budget = budget / 8 ? budget / 8 : 1,
                             .items = calloc(gates, sizeof *work.items)};
    box_of(c->study, m, &work.box, &name);
    ks_status status =
        work.items && !name.has_failed ? KS_OK : ks_fail(c->error, KS_NO_MEMORY, "out of memory");
    if (!status) list_gates(&work);
    if (!status) status = ks_method_each(c, work.count, &work, certify);
    if (!status) status = add_certificates(c, &work, ks_text_string(&name));
    for (size_t i = 0; i < work.count; i++) ks_proof_free(&work.items[i].proof);
    free(work.items);
    ks_text_free(&name);
    return status;
}
