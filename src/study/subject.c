#include "study/subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/lattice.h"
#include "study/subject_columns.h"

/* A point that a calibration stands for, without the calibration. */
typedef struct stand {
    ks_point point;
    ks_names fixed; /* names that its side fixes: the study does not move them */
} stand;

typedef struct side_ref {
    size_t stand;
    ks_column column;
    size_t cell; /* among the wanted columns */
} side_ref;

typedef struct figure_refs {
    side_ref *sides; /* of the figure, then of its limit */
    size_t value_count, count;
} figure_refs;

struct ks_subject {
    const ks_study *study;
    ks_batch *batch;
    stand *stands;
    size_t stand_count;
    figure_refs *figures;
    side_ref *all_sides;
    ks_column columns[KS_COLUMN_COUNT];
    size_t column_count;
    bool is_dispatch_only;
    size_t *gated; /* figures with a gate */
    size_t gate_count;
    ks_text *gate_names;

    ks_point *points; /* of the last ask */
    ks_batch_row *rows;
    size_t room;
};

void ks_answers_free(ks_answer *answers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        ks_exact_free(&answers[i].value);
        ks_exact_free(&answers[i].limit);
    }
}

/* ---- making it ---- */

/* Score and p_dtype follow a fixed dtype where the base leaves them at their defaults. */
static void fix(const ks_study *study, const ks_expr_side *side, int kernel, stand *out) {
    const uint64_t *params = study->base.params;
    ks_names set = side->fixed_names;
    if (params[KS_P_score] != params[KS_P_dtype]) set |= KS_NAME_BIT(KS_P_score);
    if (params[KS_P_p_dtype] != params[KS_P_score]) set |= KS_NAME_BIT(KS_P_p_dtype);
    *out = (stand){.point = study->base};
    ks_point_set(&out->point, KS_P_kernel, (uint64_t)kernel);
    const ks_names taken = ks_kernel_names(&study->kernel_table->kernels[kernel]);
    for (ks_name name = 0; name < KS_NAME_COUNT; name++)
        if (!(taken & KS_NAME_BIT(name))) ks_point_set(&out->point, name, 0);
    for (size_t i = 0; i < side->fixed_count; i++) {
        ks_point_set(&out->point, side->fixed[i].name, side->fixed[i].value);
        out->fixed |= KS_NAME_BIT(side->fixed[i].name);
    }
    ks_point_follow(&out->point, set);
}

static size_t stand_of(ks_subject *s, const ks_expr_side *side, int figure_kernel) {
    stand wanted;
    fix(s->study, side, side->kernel >= 0 ? side->kernel : figure_kernel, &wanted);
    size_t i = 0;
    while (i < s->stand_count &&
           (s->stands[i].fixed != wanted.fixed ||
            memcmp(&s->stands[i].point, &wanted.point, sizeof wanted.point) != 0))
        i++;
    if (i == s->stand_count) s->stands[s->stand_count++] = wanted;
    return i;
}

static size_t want(ks_subject *s, ks_column column) {
    size_t i = 0;
    while (i < s->column_count && s->columns[i] != column) i++;
    if (i == s->column_count) s->columns[s->column_count++] = column;
    return i;
}

static void refer(ks_subject *s, figure_refs *refs, const ks_expr *expr, int kernel) {
    for (size_t i = 0; expr && i < ks_expr_side_count(expr); i++) {
        const ks_expr_side *side = ks_expr_side_at(expr, i);
        const ks_column column = (ks_column)side->column;
        refs->sides[refs->count++] = (side_ref){stand_of(s, side, kernel), column, want(s, column)};
        s->is_dispatch_only &= ks_column_is_of_dispatch(column);
    }
}

static size_t side_total(const ks_study *study) {
    size_t total = 0;
    for (size_t f = 0; f < study->figure_count; f++) {
        total += ks_expr_side_count(study->figures[f].expr);
        if (study->figures[f].limit) total += ks_expr_side_count(study->figures[f].limit);
    }
    return total;
}

static bool refer_all(ks_subject *s) {
    const ks_study *study = s->study;
    const size_t sides = side_total(study);
    s->figures = calloc(study->figure_count, sizeof *s->figures);
    s->all_sides = calloc(sides, sizeof *s->all_sides);
    s->stands = calloc(sides, sizeof *s->stands);
    s->gated = calloc(study->figure_count, sizeof *s->gated);
    s->gate_names = calloc(study->figure_count, sizeof *s->gate_names);
    if (!s->figures || !s->all_sides || !s->stands || !s->gated || !s->gate_names) return false;
    s->is_dispatch_only = true;
    side_ref *next = s->all_sides;
    for (size_t f = 0; f < study->figure_count; f++) {
        const ks_study_figure *figure = &study->figures[f];
        s->figures[f].sides = next;
        refer(s, &s->figures[f], figure->expr, figure->kernel);
        s->figures[f].value_count = s->figures[f].count;
        refer(s, &s->figures[f], figure->limit, figure->kernel);
        next += s->figures[f].count;
        if (!figure->op) continue;
        ks_text *name = &s->gate_names[s->gate_count];
        ks_text_add_format(name, "%s %s", figure->name, figure->gate_text);
        if (name->has_failed) return false;
        s->gated[s->gate_count++] = f;
    }
    for (int c = KS_COL_crit_cpu; c <= KS_COL_crit_math && !s->is_dispatch_only; c++)
        want(s, (ks_column)c);
    if (!s->is_dispatch_only) want(s, KS_COL_total_cycles);
    return true;
}

static ks_batch *new_batch(const ks_subject *s, const ks_subject_options *options) {
    ks_names names = KS_NAME_BIT(KS_P_kernel);
    for (size_t i = 0; i < s->study->constant_count; i++)
        names |= KS_NAME_BIT(KS_NAME_CONSTANTS + (int)s->study->constants[i].constant);
    for (size_t i = 0; i < s->stand_count; i++) {
        names |= s->stands[i].fixed;
        for (ks_name name = 0; name < KS_NAME_COUNT; name++)
            if (ks_point_get(&s->stands[i].point, name) != ks_point_get(&s->stands[0].point, name))
                names |= KS_NAME_BIT(name);
    }
    const ks_batch_options batch = {
        .kernels = s->study->kernel_table,
        .mode = s->is_dispatch_only ? KS_MODE_DISPATCH : KS_MODE_TIMING,
        .threads = options->threads,
        .names = names,
        .columns = s->columns,
        .column_count = s->column_count,
        .is_stopped = options->is_stopped,
    };
    return ks_batch_new(&batch);
}

ks_subject *ks_subject_new(const ks_study *study, const ks_subject_options *options) {
    ks_subject *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->study = study;
    if (refer_all(s) && (s->batch = new_batch(s, options))) return s;
    ks_subject_free(s);
    return NULL;
}

void ks_subject_free(ks_subject *s) {
    if (!s) return;
    for (size_t i = 0; s->gate_names && i < s->study->figure_count; i++)
        ks_text_free(&s->gate_names[i]);
    ks_batch_free(s->batch);
    free(s->stands);
    free(s->figures);
    free(s->all_sides);
    free(s->gated);
    free(s->gate_names);
    free(s->points);
    free(s->rows);
    free(s);
}

/* ---- points ---- */

size_t ks_subject_point_count(const ks_subject *s) { return s->stand_count; }

ks_point ks_subject_point(const ks_subject *s, size_t index, const uint64_t *calibration) {
    ks_point point = s->stands[index].point;
    for (size_t c = 0; c < s->study->constant_count; c++) {
        const ks_name name = KS_NAME_CONSTANTS + (ks_name)s->study->constants[c].constant;
        if (!(s->stands[index].fixed & KS_NAME_BIT(name)))
            ks_point_set(&point, name, calibration[c]);
    }
    return point;
}

size_t ks_subject_side_count(const ks_subject *s, size_t figure) {
    return s->figures[figure].count;
}
size_t ks_subject_value_side_count(const ks_subject *s, size_t figure) {
    return s->figures[figure].value_count;
}
bool ks_subject_is_fixed(const ks_subject *s, size_t index, ks_constant constant) {
    return s->stands[index].fixed & KS_NAME_BIT(KS_NAME_CONSTANTS + (int)constant);
}
size_t ks_subject_side_point(const ks_subject *s, size_t figure, size_t side) {
    return s->figures[figure].sides[side].stand;
}
size_t ks_subject_side_column(const ks_subject *s, size_t figure, size_t side) {
    return (size_t)s->figures[figure].sides[side].column;
}
bool ks_subject_is_dispatch_only(const ks_subject *s) { return s->is_dispatch_only; }

bool ks_subject_cell(const ks_subject *s, size_t i, size_t index, ks_column column,
                     uint64_t *count) {
    const ks_batch_row *row = &s->rows[i * s->stand_count + index];
    for (size_t c = 0; c < s->column_count && row->cells; c++)
        if (s->columns[c] == column) {
            *count = row->cells[c].count;
            return true;
        }
    return false;
}

/* ---- asking ---- */

typedef struct asking {
    const ks_subject *subject;
    const figure_refs *refs;
    size_t first_side; /* of the expression, among the figure's */
    const ks_batch_row *rows;
    const ks_point *points; /* at this calibration */
} asking;

static ks_exact number_of(ks_column column, ks_batch_cell cell) {
    switch (ks_column_describe(column)->kind) {
    case KS_COUNT: return ks_exact_of_u64(cell.count);
    case KS_CYCLES: return ks_exact_of_ticks(cell.count);
    case KS_REAL: return ks_exact_of_double(cell.real);
    case KS_WORD:
    case KS_DIGEST: break;
    }
    KS_BUG("a figure that is a text");
}

static ks_expr_value resolve(void *context, ks_name name, const ks_expr_side *side) {
    const asking *a = context;
    ks_expr_value value = {.kind = KS_EXPR_NOTHING};
    if (!side) {
        const ks_point *point = &a->points[a->refs->sides[0].stand];
        return ks_expr_value_of(a->subject->study->kernel_table, point, NULL, name);
    }
    const side_ref *ref = &a->refs->sides[a->first_side + side->index];
    const ks_batch_row *row = &a->rows[ref->stand];
    if (!row->cells) return value;
    value.kind = KS_EXPR_NUMBER;
    value.number = number_of(ref->column, row->cells[ref->cell]);
    return value;
}

static ks_answer answer_of(asking *a, size_t f) {
    const ks_study_figure *figure = &a->subject->study->figures[f];
    ks_answer answer = {.gate = KS_GATE_UNKNOWN};
    a->refs = &a->subject->figures[f];
    a->first_side = 0;
    answer.has_value = ks_expr_figure(figure->expr, resolve, a, &answer.value) == KS_EXPR_YES;
    if (!figure->op) return answer;
    a->first_side = a->refs->value_count;
    const bool has_limit = ks_expr_figure(figure->limit, resolve, a, &answer.limit) == KS_EXPR_YES;
    if (answer.has_value && has_limit)
        answer.gate = ks_gate_compared(figure->op, ks_exact_compare(&answer.value, &answer.limit));
    return answer;
}

static bool make_room(ks_subject *s, size_t points) {
    if (points <= s->room) return true;
    ks_point *more = realloc(s->points, points * sizeof *more);
    if (more) s->points = more;
    ks_batch_row *rows = realloc(s->rows, points * sizeof *rows);
    if (rows) s->rows = rows;
    if (!more || !rows) return false;
    s->room = points;
    return true;
}

ks_status ks_subject_ask(ks_subject *s, const uint64_t *calibrations, size_t count,
                         ks_answer *answers, ks_error *error) {
    const size_t stands = s->stand_count, constants = s->study->constant_count;
    if (!make_room(s, count * stands)) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < stands; k++)
            s->points[i * stands + k] = ks_subject_point(s, k, calibrations + i * constants);
    const ks_status status = ks_batch_run(s->batch, s->points, count * stands, s->rows, error);
    if (status) return status;
    for (size_t i = 0; i < count; i++) {
        asking a = {.subject = s, .rows = s->rows + i * stands, .points = s->points + i * stands};
        for (size_t f = 0; f < s->study->figure_count; f++)
            answers[i * s->study->figure_count + f] = answer_of(&a, f);
    }
    return KS_OK;
}

bool ks_subject_side_value(const ks_subject *s, size_t i, size_t figure, size_t side,
                           ks_exact *value) {
    const side_ref *ref = &s->figures[figure].sides[side];
    const ks_batch_row *row = &s->rows[i * s->stand_count + ref->stand];
    if (row->cells) *value = number_of(ref->column, row->cells[ref->cell]);
    return row->cells != NULL;
}

/* ---- as a response ---- */

static ks_status evaluate(void *self, const double *u, size_t count, double *y, ks_error *error) {
    ks_subject *s = self;
    const ks_study *study = s->study;
    const size_t figures = study->figure_count, outputs = figures + s->gate_count;
    uint64_t *calibrations = calloc(count * study->constant_count + 1, sizeof *calibrations);
    ks_answer *answers = calloc(count * figures + 1, sizeof *answers);
    ks_status status = ks_fail(error, KS_NO_MEMORY, "out of memory");
    if (!calibrations || !answers) goto done;
    for (size_t i = 0; i < count * study->constant_count; i++) {
        const ks_study_constant *c = &study->constants[i % study->constant_count];
        calibrations[i] = ks_lattice_at(c->constant, c->low, c->high, u[i]);
    }
    status = ks_subject_ask(s, calibrations, count, answers, error);
    for (size_t i = 0; i < count && !status; i++) {
        const ks_answer *of = answers + i * figures;
        for (size_t f = 0; f < figures; f++)
            y[i * outputs + f] = of[f].has_value ? ks_exact_double(&of[f].value) : NAN;
        for (size_t g = 0; g < s->gate_count; g++) {
            const ks_gate_state gate = of[s->gated[g]].gate;
            y[i * outputs + figures + g] = gate == KS_GATE_UNKNOWN ? NAN : gate == KS_GATE_HOLDS;
        }
    }
    if (!status) {
        ks_answers_free(answers, count * figures);
        error->text[0] = '\0';
    }

done:
    free(calibrations);
    free(answers);
    return status;
}

ks_response ks_subject_response(ks_subject *s) {
    return (ks_response){s, s->study->constant_count, s->study->figure_count + s->gate_count,
                         evaluate};
}

size_t ks_subject_gate_count(const ks_subject *s) { return s->gate_count; }

const char *ks_subject_output_name(const ks_subject *s, size_t output, size_t *figure) {
    const size_t figures = s->study->figure_count;
    *figure = output < figures ? output : s->gated[output - figures];
    return output < figures ? s->study->figures[output].name
                            : ks_text_string(&s->gate_names[output - figures]);
}

uint64_t ks_subject_asked(const ks_subject *s) { return ks_batch_asked(s->batch); }
uint64_t ks_subject_simulated(const ks_subject *s) { return ks_batch_simulated(s->batch); }
const char *ks_subject_trouble(const ks_subject *s) { return ks_batch_trouble(s->batch); }
const ks_study *ks_subject_study(const ks_subject *s) { return s->study; }
