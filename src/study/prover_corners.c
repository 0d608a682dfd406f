/* The corners of a part: simulated, held against what the proof says of them, and what they say of
 * all that lies between. */
#include <stdlib.h>
#include <string.h>

#include "study/prover_parts.h"

/* total_cycles at a corner must be what the proof says of it. */
static void check_claims(const ks_prover *p, const ks_box *box, const uint64_t *corner, size_t i) {
    for (size_t s = 0; s < ks_subject_side_count(p->subject, p->figure); s++) {
        const size_t index = ks_subject_side_point(p->subject, p->figure, s);
        const ks_probed *probed = &p->probed[index];
        uint64_t ticks, wanted = probed->total_ticks;
        if (!ks_prover_has_order(p, s) || !probed->has_figures ||
            !ks_subject_cell(p->subject, i, index, KS_COL_total_cycles, &ticks))
            continue;
        if (p->fixed < p->study->constant_count &&
            !ks_subject_is_fixed(p->subject, index, KS_C_dispatch_fixed_cycles))
            wanted += probed->path_segments * (corner[p->fixed] - box->low[p->fixed]);
        if (p->byte < p->study->constant_count &&
            !ks_subject_is_fixed(p->subject, index, KS_C_dispatch_cycles_per_byte))
            wanted += probed->path_bytes * (corner[p->byte] - box->low[p->byte]);
        if (ticks != wanted) KS_BUG("a part that was proved linear is not");
    }
}

static void make_corners(const ks_prover *p, const ks_box *box, uint64_t *corners) {
    const size_t constants = p->study->constant_count;
    for (size_t i = 0; i < KS_PART_CORNERS; i++) {
        memcpy(corners + i * constants, box->low, constants * sizeof *corners);
        if (p->fixed < constants && i & 1) corners[i * constants + p->fixed] = box->high[p->fixed];
        if (p->byte < constants && i & 2) corners[i * constants + p->byte] = box->high[p->byte];
    }
}

/* Signs of num and den at the last ask's calibration i; false: there is no value. */
static bool signs_at(const ks_prover *p, size_t i, int *num_sign, int *den_sign) {
    const size_t sides = ks_subject_side_count(p->subject, p->figure);
    ks_exact *values = calloc(sides, sizeof *values), num, den;
    bool has_all = values != NULL;
    for (size_t s = 0; s < sides && has_all; s++)
        has_all = ks_subject_side_value(p->subject, i, p->figure, s, &values[s]);
    if (has_all) {
        ks_quotient_at(&p->form.gate, values, &num, &den);
        *num_sign = ks_exact_sign(&num);
        *den_sign = ks_exact_sign(&den);
        ks_exact_free(&num);
        ks_exact_free(&den);
    }
    for (size_t s = 0; values && s < sides; s++) ks_exact_free(&values[s]);
    free(values);
    return has_all;
}

/* num and den are linear here, so inside they take no sign beyond those from the least to the most
 * at the corners. */
bool ks_prover_is_answered(const ks_prover *p, ks_gate_state *state) {
    const char *op = p->study->figures[p->figure].op;
    int least = 1, most = -1, den = 0;
    for (size_t i = 0; i < KS_PART_CORNERS; i++) {
        int num_sign = 0, den_sign = 0;
        if (!signs_at(p, i, &num_sign, &den_sign) || den_sign == 0) return false;
        if (i > 0 && den_sign != den) return false;
        den = den_sign;
        if (num_sign < least) least = num_sign;
        if (num_sign > most) most = num_sign;
    }
    *state = ks_gate_compared(op, least * den);
    for (int sign = least + 1; sign <= most; sign++)
        if (ks_gate_compared(op, sign * den) != *state) return false;
    return true;
}

ks_status ks_prover_ask_corners(ks_prover *p, const ks_box *box, size_t count, ks_error *error) {
    const size_t constants = p->study->constant_count;
    uint64_t corners[KS_PART_CORNERS * KS_CONSTANT_COUNT];
    make_corners(p, box, corners);
    const ks_status status = ks_subject_ask(p->subject, corners, count, p->answers, error);
    for (size_t i = 0; i < count && !status; i++) {
        ks_prover_note(p, corners + i * constants,
                       &p->answers[i * p->study->figure_count + p->figure]);
        if (count > 1) check_claims(p, box, corners + i * constants, i);
    }
    return status;
}
