#include "study/half_plane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/gate_line.h"

static void free_sum(ks_plane_sum *sum) {
    ks_exact_free(&sum->fixed);
    ks_exact_free(&sum->byte);
    ks_exact_free(&sum->rest);
}

void ks_half_plane_free(ks_half_plane *plane) {
    free_sum(&plane->num);
    free_sum(&plane->den);
    free_sum(&plane->value_num);
    free_sum(&plane->value_den);
    *plane = (ks_half_plane){.is_there = false};
}

/* ---- coefficients ---- */

static size_t index_of(const ks_study *study, ks_constant constant) {
    size_t k = 0;
    while (k < study->constant_count && study->constants[k].constant != constant) k++;
    return k;
}

/* Linear in both, and nothing else. */
static bool has_plane(const ks_subject *subject, size_t figure) {
    for (size_t s = 0; s < ks_subject_side_count(subject, figure); s++) {
        const ks_column column = (ks_column)ks_subject_side_column(subject, figure, s);
        const size_t point = ks_subject_side_point(subject, figure, s);
        if (ks_effect_of(KS_C_dispatch_fixed_cycles, column) > KS_EFFECT_LINEAR ||
            ks_subject_is_fixed(subject, point, KS_C_dispatch_fixed_cycles) ||
            ks_subject_is_fixed(subject, point, KS_C_dispatch_cycles_per_byte))
            return false;
    }
    return true;
}

/* Values of all sides at the origin and at one unit of each constant. */
typedef struct corners {
    ks_exact *sides[3]; /* origin, F = 1, R = 1 */
} corners;

static ks_status ask_corners(ks_subject *subject, size_t figure, size_t fixed, size_t byte,
                             corners *out, bool *has_all, ks_error *error) {
    const ks_study *study = ks_subject_study(subject);
    const size_t sides = ks_subject_side_count(subject, figure);
    uint64_t calibrations[3][KS_CONSTANT_COUNT];
    uint64_t flat[3 * KS_CONSTANT_COUNT];
    ks_answer *answers = calloc(3 * study->figure_count, sizeof *answers);
    if (!answers) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < study->constant_count; k++)
            calibrations[i][k] = study->constants[k].base;
        calibrations[i][fixed] = i == 1 ? KS_TICKS_PER_UNIT : 0;
        calibrations[i][byte] = i == 2 ? KS_TICKS_PER_UNIT : 0;
        memcpy(flat + i * study->constant_count, calibrations[i],
               study->constant_count * sizeof *flat);
    }
    const ks_status status = ks_subject_ask(subject, flat, 3, answers, error);
    *has_all = !status;
    for (size_t i = 0; i < 3 && !status; i++)
        for (size_t s = 0; s < sides; s++)
            *has_all &= ks_subject_side_value(subject, i, figure, s, &out->sides[i][s]);
    if (!status) ks_answers_free(answers, 3 * study->figure_count);
    free(answers);
    return status;
}

static void sums_of(const ks_quotient *q, const corners *at, ks_plane_sum *num, ks_plane_sum *den) {
    ks_exact n[3], d[3];
    for (int i = 0; i < 3; i++) ks_quotient_at(q, at->sides[i], &n[i], &d[i]);
    *num = (ks_plane_sum){ks_exact_sub(&n[1], &n[0]), ks_exact_sub(&n[2], &n[0]), n[0]};
    *den = (ks_plane_sum){ks_exact_sub(&d[1], &d[0]), ks_exact_sub(&d[2], &d[0]), d[0]};
    for (int i = 1; i < 3; i++) {
        ks_exact_free(&n[i]);
        ks_exact_free(&d[i]);
    }
}

/* The study with both constants among those that move; its own follow in their order. */
static void with_both(const ks_study *study, ks_study *out, ks_study_constant *room) {
    static const ks_constant both[] = {KS_C_dispatch_fixed_cycles, KS_C_dispatch_cycles_per_byte};
    *out = *study;
    memcpy(room, study->constants, study->constant_count * sizeof *room);
    out->constants = room;
    for (size_t i = 0; i < KS_COUNT_OF(both); i++) {
        if (index_of(study, both[i]) < study->constant_count) continue;
        const uint64_t base = ks_ticks_of(&study->base.calibration, both[i]);
        room[out->constant_count++] =
            (ks_study_constant){.constant = both[i], .base = base, .low = base, .high = base};
    }
}

static ks_status fill_plane(ks_subject *subject, size_t figure, ks_half_plane *out,
                            ks_error *error) {
    const ks_study *study = ks_subject_study(subject);
    const size_t fixed = index_of(study, KS_C_dispatch_fixed_cycles);
    const size_t byte = index_of(study, KS_C_dispatch_cycles_per_byte);
    const size_t sides = ks_subject_side_count(subject, figure);
    ks_gate_form form = ks_gate_form_of(subject, figure);
    if (!form.is_quotient) return KS_OK;
    ks_exact *room = calloc(3 * sides, sizeof *room);
    corners at = {{room, room + sides, room + 2 * sides}};
    ks_status status = room ? ask_corners(subject, figure, fixed, byte, &at, &out->is_there, error)
                            : ks_fail(error, KS_NO_MEMORY, "out of memory");
    if (!status && out->is_there) {
        sums_of(&form.gate, &at, &out->num, &out->den);
        sums_of(&form.value, &at, &out->value_num, &out->value_den);
    }
    for (size_t i = 0; room && i < 3 * sides; i++) ks_exact_free(&room[i]);
    free(room);
    ks_gate_form_free(&form);
    return status;
}

ks_status ks_half_plane_of(const ks_study *study, size_t figure, ks_half_plane *out,
                           ks_error *error) {
    const ks_subject_options options = {1, NULL};
    ks_study moving;
    ks_study_constant room[KS_CONSTANT_COUNT + 2];
    *out = (ks_half_plane){.is_there = false};
    with_both(study, &moving, room);
    ks_subject *subject = ks_subject_new(&moving, &options);
    if (!subject) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    const ks_status status =
        has_plane(subject, figure) ? fill_plane(subject, figure, out, error) : KS_OK;
    ks_subject_free(subject);
    return status;
}

/* ---- in words ---- */

/* 1: above 0 wherever F, R >= 0 and not both 0; -1: below; 0: neither is sure. */
static int sign_of(const ks_plane_sum *sum) {
    const int f = ks_exact_sign(&sum->fixed), b = ks_exact_sign(&sum->byte),
              r = ks_exact_sign(&sum->rest);
    if (f >= 0 && b >= 0 && r >= 0 && (r > 0 || (f > 0 && b > 0))) return 1;
    if (f <= 0 && b <= 0 && r <= 0 && (r < 0 || (f < 0 && b < 0))) return -1;
    return 0;
}

static const char *turned(const char *op) {
    static const char *const pairs[][2] = {{"<", ">"}, {"<=", ">="}, {">", "<"}, {">=", "<="}};
    for (size_t i = 0; i < KS_COUNT_OF(pairs); i++)
        if (strcmp(pairs[i][0], op) == 0) return pairs[i][1];
    return op;
}

static void add_term(ks_text *out, const ks_exact *weight, const char *name) {
    const ks_exact one = ks_exact_of_u64(1);
    if (ks_exact_sign(weight) == 0) {
        ks_text_add_string(out, "0");
        return;
    }
    if (ks_exact_compare(weight, &one) != 0) {
        ks_exact_print(out, weight);
        ks_text_add_char(out, ' ');
    }
    ks_text_add_string(out, name);
}

/* Scaled so that F, or where there is none R, has weight 1. */
void ks_half_plane_print(ks_text *out, const ks_half_plane *plane, const char *op) {
    static const char fixed[] = "dispatch_fixed_cycles", byte[] = "dispatch_cycles_per_byte";
    const int den = sign_of(&plane->den);
    const bool has_fixed = ks_exact_sign(&plane->num.fixed) != 0;
    const ks_exact *lead = has_fixed ? &plane->num.fixed : &plane->num.byte;
    const int sign = ks_exact_sign(lead) * den;
    const ks_exact zero = {0};
    if (den == 0) return;
    if (ks_exact_sign(lead) == 0) {
        const bool holds =
            ks_gate_compared(op, ks_exact_sign(&plane->num.rest) * den) == KS_GATE_HOLDS;
        ks_text_add_string(out, holds ? "every calibration" : "no calibration");
        return;
    }
    ks_exact byte_part = has_fixed ? ks_exact_div(&plane->num.byte, lead) : (ks_exact){0};
    ks_exact rest_part = ks_exact_div(&plane->num.rest, lead);
    ks_exact byte_weight = ks_exact_sub(&zero, &byte_part);
    ks_exact rest = ks_exact_sub(&zero, &rest_part);
    ks_text_add_format(out, "%s %s ", has_fixed ? fixed : byte, sign > 0 ? op : turned(op));
    const bool has_rest = ks_exact_sign(&rest) != 0;
    const bool has_byte = ks_exact_sign(&byte_weight) != 0;
    if (has_byte || !has_rest) add_term(out, &byte_weight, byte);
    if (has_byte && has_rest) ks_text_add_string(out, " + ");
    if (has_rest) ks_exact_print(out, &rest);
    ks_exact_free(&byte_part);
    ks_exact_free(&rest_part);
    ks_exact_free(&byte_weight);
    ks_exact_free(&rest);
}

bool ks_half_plane_range(const ks_half_plane *plane, ks_exact *low, ks_exact *high) {
    const ks_plane_sum *n = &plane->value_num, *d = &plane->value_den;
    if (ks_exact_sign(&n->rest) || ks_exact_sign(&d->rest) || !ks_exact_sign(&d->fixed) ||
        !ks_exact_sign(&d->byte) || sign_of(d) == 0)
        return false;
    const ks_exact of_fixed = ks_exact_div(&n->fixed, &d->fixed);
    const ks_exact of_byte = ks_exact_div(&n->byte, &d->byte);
    const bool is_rising = ks_exact_compare(&of_fixed, &of_byte) >= 0;
    *low = is_rising ? of_byte : of_fixed;
    *high = is_rising ? of_fixed : of_byte;
    return true;
}

static ks_exact sum_at(const ks_plane_sum *sum, const ks_exact *fixed, const ks_exact *byte) {
    ks_exact a = ks_exact_mul(&sum->fixed, fixed), b = ks_exact_mul(&sum->byte, byte);
    ks_exact both = ks_exact_add(&a, &b);
    const ks_exact all = ks_exact_add(&both, &sum->rest);
    ks_exact_free(&a);
    ks_exact_free(&b);
    ks_exact_free(&both);
    return all;
}

/* x (num' / num - den' / den) */
static ks_exact elasticity(const ks_exact *x, const ks_exact *num_slope, const ks_exact *num,
                           const ks_exact *den_slope, const ks_exact *den) {
    ks_exact a = ks_exact_div(num_slope, num), b = ks_exact_div(den_slope, den);
    ks_exact difference = ks_exact_sub(&a, &b);
    const ks_exact result = ks_exact_mul(x, &difference);
    ks_exact_free(&a);
    ks_exact_free(&b);
    ks_exact_free(&difference);
    return result;
}

bool ks_half_plane_elasticity(const ks_half_plane *plane, uint64_t fixed_ticks, uint64_t byte_ticks,
                              ks_exact *of_fixed, ks_exact *of_byte) {
    const ks_exact fixed = ks_exact_of_ticks(fixed_ticks), byte = ks_exact_of_ticks(byte_ticks);
    const ks_plane_sum *n = &plane->value_num, *d = &plane->value_den;
    ks_exact num = sum_at(n, &fixed, &byte), den = sum_at(d, &fixed, &byte);
    const bool has_value = ks_exact_sign(&num) != 0 && ks_exact_sign(&den) != 0;
    if (has_value) {
        *of_fixed = elasticity(&fixed, &n->fixed, &num, &d->fixed, &den);
        *of_byte = elasticity(&byte, &n->byte, &num, &d->byte, &den);
    }
    ks_exact_free(&num);
    ks_exact_free(&den);
    return has_value;
}

/* ---- the table ---- */

static const ks_table_column columns[] = {
    {"figure", "figure of merit", false, 0},
    {"gate", "condition on it", false, 0},
    {"passes_where", "half-plane of the two dispatch constants in which the gate holds", false, 0},
    {"range_low", "least value of the figure over all calibrations", false, 0},
    {"range_high", "largest value", false, 0},
    {"elasticity_fixed", "per cent of the figure for one of dispatch_fixed_cycles, at the base",
     true, 4},
    {"elasticity_byte", "the same of dispatch_cycles_per_byte", true, 4},
};

static void add_elasticities(const ks_method_context *c, ks_table *table,
                             const ks_half_plane *plane) {
    const ks_calibration *base = &c->study->base.calibration;
    const uint64_t fixed = ks_ticks_of(base, KS_C_dispatch_fixed_cycles);
    const uint64_t byte = ks_ticks_of(base, KS_C_dispatch_cycles_per_byte);
    ks_exact of_fixed = {0}, of_byte = {0};
    const bool has_value = ks_half_plane_elasticity(plane, fixed, byte, &of_fixed, &of_byte);
    ks_table_double(table, has_value ? ks_exact_double(&of_fixed) : NAN);
    ks_table_double(table, has_value ? ks_exact_double(&of_byte) : NAN);
    ks_exact_free(&of_fixed);
    ks_exact_free(&of_byte);
}

static ks_status add_plane(ks_method_context *c, ks_table *table, size_t f) {
    const ks_study_figure *figure = &c->study->figures[f];
    ks_half_plane plane;
    ks_exact low = {0}, high = {0};
    const ks_status status = ks_half_plane_of(c->study, f, &plane, c->error);
    if (!status && plane.is_there) {
        ks_text text = {0};
        ks_table_text(table, figure->name);
        ks_table_text(table, figure->gate_text);
        ks_half_plane_print(&text, &plane, figure->op);
        ks_table_text(table, ks_text_string(&text));
        ks_text_free(&text);
        const bool has_range = ks_half_plane_range(&plane, &low, &high);
        for (int i = 0; i < 2; i++)
            if (has_range)
                ks_table_exact(table, i ? &high : &low);
            else
                ks_table_none(table);
        add_elasticities(c, table, &plane);
    }
    ks_exact_free(&low);
    ks_exact_free(&high);
    ks_half_plane_free(&plane);
    return status;
}

ks_status ks_half_planes_add_table(ks_method_context *c) {
    ks_table *table = ks_method_table(c, "half-planes", "Gates on dispatch costs in closed form",
                                      columns, KS_COUNT_OF(columns));
    if (!table) return KS_NO_MEMORY;
    ks_text_add_string(&table->notes,
                       "Dispatch costs are exactly linear in dispatch_fixed_cycles and "
                       "dispatch_cycles_per_byte, so such a gate holds in a half-plane of the two, "
                       "whatever the other constants are; fractions are exact.\n");
    ks_status status = KS_OK;
    for (size_t f = 0; f < c->study->figure_count && !status; f++)
        if (c->study->figures[f].op) status = add_plane(c, table, f);
    return status;
}
