#include "study/gate_form.h"

typedef struct naming {
    const ks_study *study;
    ks_point point; /* of the figure's first side */
} naming;

/* A constant that the study moves has no one value. */
static ks_expr_value resolve(void *context, ks_name name, const ks_expr_side *side) {
    const naming *n = context;
    (void)side;
    for (size_t k = 0; k < n->study->constant_count; k++)
        if (name == KS_NAME_CONSTANTS + (int)n->study->constants[k].constant)
            return (ks_expr_value){.kind = KS_EXPR_NOTHING};
    return ks_expr_value_of(n->study->kernel_table, &n->point, NULL, name);
}

static ks_point first_point(const ks_subject *subject, size_t figure) {
    const ks_study *study = ks_subject_study(subject);
    uint64_t base[KS_CONSTANT_COUNT];
    for (size_t k = 0; k < study->constant_count; k++) base[k] = study->constants[k].base;
    return ks_subject_point(subject, ks_subject_side_point(subject, figure, 0), base);
}

ks_gate_form ks_gate_form_of(const ks_subject *subject, size_t figure) {
    const ks_study_figure *f = &ks_subject_study(subject)->figures[figure];
    const size_t sides = ks_subject_side_count(subject, figure);
    naming n = {ks_subject_study(subject), first_point(subject, figure)};
    ks_gate_form form = {.is_quotient = false};
    ks_quotient limit = {0};
    form.is_quotient =
        f->limit && ks_expr_quotient(f->expr, resolve, &n, 0, sides, &form.value) &&
        ks_expr_quotient(f->limit, resolve, &n, ks_subject_value_side_count(subject, figure), sides,
                         &limit) &&
        ks_quotient_subtract(&form.value, &limit, &form.gate);
    ks_quotient_free(&limit);
    if (!form.is_quotient) ks_gate_form_free(&form);
    return form;
}

void ks_gate_form_free(ks_gate_form *form) {
    ks_quotient_free(&form->gate);
    ks_quotient_free(&form->value);
    *form = (ks_gate_form){0};
}

static ks_exact sum_at(const ks_exact *weights, size_t count, const ks_exact *sides,
                       bool has_constant) {
    ks_exact sum = has_constant ? ks_exact_copy(&weights[count]) : (ks_exact){0};
    for (size_t i = 0; i < count; i++) {
        ks_exact part = ks_exact_mul(&weights[i], &sides[i]);
        const ks_exact more = ks_exact_add(&sum, &part);
        ks_exact_free(&part);
        ks_exact_free(&sum);
        sum = more;
    }
    return sum;
}

void ks_quotient_at(const ks_quotient *q, const ks_exact *sides, ks_exact *num, ks_exact *den) {
    *num = sum_at(q->num, q->side_count, sides, true);
    *den = sum_at(q->den, q->side_count, sides, true);
}

void ks_quotient_slope(const ks_quotient *q, const ks_exact *slopes, ks_exact *num, ks_exact *den) {
    *num = sum_at(q->num, q->side_count, slopes, false);
    *den = sum_at(q->den, q->side_count, slopes, false);
}
