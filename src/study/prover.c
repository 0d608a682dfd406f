#include "study/prover.h"

#include <stdlib.h>
#include <string.h>

#include "run/probe.h"
#include "study/gate_line.h"
#include "study/lattice.h"
#include "study/prover_parts.h"
#include "study/sequence.h"

const char *ks_proof_verdict_name(ks_proof_verdict verdict) {
    static const char *const names[] = {"proved-pass", "proved-fail", "mixed", "undecided",
                                        "sampled"};
    return names[verdict];
}

void ks_proof_free(ks_proof *proof) { ks_exact_free(&proof->worst_margin); }

/* ---- making it ---- */

static ks_effect effect_on_figure(const ks_prover *p, size_t k) {
    const ks_constant constant = p->study->constants[k].constant;
    ks_effect effect = KS_EFFECT_NONE;
    for (size_t s = 0; s < ks_subject_side_count(p->subject, p->figure); s++) {
        const size_t point = ks_subject_side_point(p->subject, p->figure, s);
        const ks_column column = (ks_column)ks_subject_side_column(p->subject, p->figure, s);
        const ks_effect own = ks_subject_is_fixed(p->subject, point, constant)
                                  ? KS_EFFECT_NONE
                                  : ks_effect_of(constant, column);
        if (own > effect) effect = own;
    }
    return p->form.is_quotient ? effect : KS_EFFECT_UNKNOWN;
}

ks_prover *ks_prover_new(ks_subject *subject, size_t figure) {
    ks_prover *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->subject = subject;
    p->study = ks_subject_study(subject);
    p->figure = figure;
    p->form = ks_gate_form_of(subject, figure);
    p->probes = calloc(ks_subject_point_count(subject), sizeof *p->probes);
    p->probed = calloc(ks_subject_point_count(subject), sizeof *p->probed);
    p->answers = calloc(KS_PART_CORNERS * p->study->figure_count, sizeof *p->answers);
    p->fixed = p->byte = p->study->constant_count;
    for (size_t k = 0; k < p->study->constant_count; k++) {
        p->effects[k] = effect_on_figure(p, k);
        if (p->study->constants[k].constant == KS_C_dispatch_fixed_cycles) p->fixed = k;
        if (p->study->constants[k].constant == KS_C_dispatch_cycles_per_byte) p->byte = k;
    }
    if (p->probes && p->probed && p->answers) return p;
    ks_prover_free(p);
    return NULL;
}

void ks_prover_free(ks_prover *p) {
    if (!p) return;
    for (size_t i = 0; p->probes && i < ks_subject_point_count(p->subject); i++)
        ks_probe_free(p->probes[i]);
    ks_gate_form_free(&p->form);
    free(p->probes);
    free(p->probed);
    free(p->answers);
    free(p);
}

/* ---- trying ---- */

/* Figure less limit, turned so that above 0 is the passing side; false: the gate has no sides. */
static bool margin_of(const ks_study_figure *figure, const ks_answer *answer, ks_exact *margin) {
    if (answer->gate == KS_GATE_UNKNOWN || figure->op[0] == '=' || figure->op[0] == '!')
        return false;
    *margin = figure->op[0] == '>' ? ks_exact_sub(&answer->value, &answer->limit)
                                   : ks_exact_sub(&answer->limit, &answer->value);
    return true;
}

void ks_prover_note(ks_prover *p, const uint64_t *calibration, const ks_answer *answer) {
    ks_proof *proof = p->proof;
    const size_t bytes = p->study->constant_count * sizeof *calibration;
    ks_exact margin;
    if (!proof->has_witness[answer->gate]) {
        proof->has_witness[answer->gate] = true;
        memcpy(proof->witness[answer->gate], calibration, bytes);
    }
    if (!margin_of(&p->study->figures[p->figure], answer, &margin)) return;
    if (!proof->has_worst || ks_exact_compare(&margin, &proof->worst_margin) < 0) {
        ks_exact_free(&proof->worst_margin);
        proof->has_worst = true;
        proof->worst_margin = margin;
        memcpy(proof->worst, calibration, bytes);
    } else {
        ks_exact_free(&margin);
    }
}

static ks_status try_all(ks_prover *p, const uint64_t *calibrations, size_t count,
                         ks_error *error) {
    const size_t figures = p->study->figure_count, constants = p->study->constant_count;
    ks_answer *answers = calloc(KS_RESPONSE_PIECE * figures, sizeof *answers);
    ks_status status = answers ? KS_OK : ks_fail(error, KS_NO_MEMORY, "out of memory");
    for (size_t first = 0; first < count && !status; first += KS_RESPONSE_PIECE) {
        const size_t rest = count - first;
        const size_t piece = rest < KS_RESPONSE_PIECE ? rest : KS_RESPONSE_PIECE;
        status =
            ks_subject_ask(p->subject, calibrations + first * constants, piece, answers, error);
        for (size_t i = 0; i < piece && !status; i++) {
            const ks_answer *answer = &answers[i * figures + p->figure];
            p->proof->tried[answer->gate]++;
            ks_prover_note(p, calibrations + (first + i) * constants, answer);
        }
        if (!status) ks_answers_free(answers, piece * figures);
    }
    free(answers);
    return status;
}

static ks_status try_sample(ks_prover *p, const ks_box *box, uint64_t samples, uint64_t seed,
                            ks_error *error) {
    const size_t constants = p->study->constant_count;
    const size_t corners = constants <= 10 ? (size_t)1 << constants : 0, count = corners + samples;
    uint64_t *calibrations = calloc(count * constants, sizeof *calibrations);
    ks_sequence *sequence = malloc(sizeof *sequence);
    ks_status status =
        calibrations && sequence ? KS_OK : ks_fail(error, KS_NO_MEMORY, "out of memory");
    if (!status) ks_sequence_begin(sequence, KS_SEQUENCE_SOBOL, seed);
    for (size_t i = 0; i < count && !status; i++)
        for (size_t k = 0; k < constants; k++) {
            const uint64_t low = box->low[k], high = box->high[k];
            calibrations[i * constants + k] =
                i < corners ? (i >> k & 1 ? high : low)
                            : ks_lattice_at(p->study->constants[k].constant, low, high,
                                            ks_sequence_at(sequence, i - corners, (uint32_t)k));
        }
    if (!status) status = try_all(p, calibrations, count, error);
    free(calibrations);
    free(sequence);
    return status;
}

/* ---- the whole ---- */

static const char *method_of(const ks_prover *p, const ks_box *box) {
    static const char *const names[] = {
        [KS_EFFECT_NONE] = "closed form",       [KS_EFFECT_LINEAR] = "closed form",
        [KS_EFFECT_SERVICES] = "every service", [KS_EFFECT_ORDER] = "every order of instants",
        [KS_EFFECT_UNKNOWN] = "every value",
    };
    ks_effect effect = KS_EFFECT_NONE;
    for (size_t k = 0; k < p->study->constant_count; k++)
        if (box->low[k] < box->high[k] && p->effects[k] > effect) effect = p->effects[k];
    return names[effect];
}

static void conclude(ks_prover *p, const ks_box *box, bool is_proved, ks_proof *out) {
    const bool *has = out->has_witness;
    out->method = "sample";
    if (has[KS_GATE_HOLDS] && has[KS_GATE_FAILS]) {
        out->verdict = KS_MIXED;
        out->method = "counterexample";
    } else if (has[KS_GATE_UNKNOWN]) {
        out->verdict = KS_UNDECIDED;
    } else if (is_proved) {
        out->verdict = has[KS_GATE_HOLDS] ? KS_PROVED_PASS : KS_PROVED_FAIL;
        out->method = method_of(p, box);
    } else {
        out->verdict = KS_SAMPLED;
    }
}

static bool is_one_answer(const ks_proof *proof) {
    return proof->has_witness[KS_GATE_HOLDS] + proof->has_witness[KS_GATE_FAILS] +
                   proof->has_witness[KS_GATE_UNKNOWN] ==
               1 &&
           !proof->has_witness[KS_GATE_UNKNOWN];
}

ks_status ks_prover_ask(ks_prover *p, const ks_box *box, uint64_t samples, uint64_t seed,
                        uint64_t budget, ks_proof *out, ks_error *error) {
    bool is_proved = false;
    *out = (ks_proof){.verdict = KS_UNDECIDED};
    p->proof = out;
    p->budget = budget;
    ks_status status = try_sample(p, box, samples, seed, error);
    if (!status && is_one_answer(out)) status = ks_prover_divide(p, box, &is_proved, error);
    if (!status) conclude(p, box, is_proved && is_one_answer(out), out);
    return status;
}
