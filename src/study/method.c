#include "study/method.h"

#include <stdlib.h>

#include "run/runner.h"

ks_status ks_asked_new(ks_method_context *context, size_t count, ks_asked *out) {
    const size_t constants = context->study->constant_count;
    *out = (ks_asked){
        .calibrations = calloc(count * constants + 1, sizeof *out->calibrations),
        .answers = calloc(count * context->study->figure_count + 1, sizeof *out->answers),
        .count = count,
    };
    if (!out->calibrations || !out->answers)
        return ks_fail(context->error, KS_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < count * constants; i++)
        out->calibrations[i] = context->study->constants[i % constants].base;
    return KS_OK;
}

ks_status ks_asked_answer(ks_method_context *context, ks_asked *asked) {
    const ks_study *study = context->study;
    ks_status status = KS_OK;
    for (size_t first = 0; first < asked->count && !status; first += KS_RESPONSE_PIECE) {
        const size_t rest = asked->count - first;
        status =
            ks_subject_ask(context->subject, asked->calibrations + first * study->constant_count,
                           rest < KS_RESPONSE_PIECE ? rest : KS_RESPONSE_PIECE,
                           asked->answers + first * study->figure_count, context->error);
    }
    return status;
}

void ks_asked_free(const ks_method_context *context, ks_asked *asked) {
    if (asked->answers)
        ks_answers_free(asked->answers, asked->count * context->study->figure_count);
    free(asked->calibrations);
    free(asked->answers);
    *asked = (ks_asked){0};
}

/* ---- in parallel ---- */

typedef struct piece_of_work {
    uint64_t asked, simulated;
    ks_status status;
    ks_error error;
} piece_of_work;

typedef struct shared_work {
    const ks_method_context *context;
    void *self;
    ks_status (*body)(void *self, ks_subject *subject, size_t index, ks_error *error);
    piece_of_work *pieces;
} shared_work;

static void do_piece(void *self, int thread, size_t index) {
    const shared_work *w = self;
    piece_of_work *piece = &w->pieces[index];
    const ks_subject_options options = {1, w->context->options.is_stopped};
    ks_subject *subject = ks_subject_new(w->context->study, &options);
    (void)thread;
    piece->status = subject ? w->body(w->self, subject, index, &piece->error)
                            : ks_fail(&piece->error, KS_NO_MEMORY, "out of memory");
    if (!subject) return;
    piece->asked = ks_subject_asked(subject);
    piece->simulated = ks_subject_simulated(subject);
    ks_subject_free(subject);
}

ks_status ks_method_each(ks_method_context *c, size_t count, void *self,
                         ks_status (*body)(void *self, ks_subject *subject, size_t index,
                                           ks_error *error)) {
    shared_work work = {c, self, body, calloc(count + 1, sizeof *work.pieces)};
    if (!work.pieces) return ks_fail(c->error, KS_NO_MEMORY, "out of memory");
    ks_run_each(c->options.threads, count, &work, do_piece);
    ks_status status = KS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        status = work.pieces[i].status;
        c->asked += work.pieces[i].asked;
        c->simulated += work.pieces[i].simulated;
        if (status) *c->error = work.pieces[i].error;
    }
    free(work.pieces);
    return status;
}

/* ---- tables ---- */

ks_table *ks_method_table(ks_method_context *context, const char *name, const char *title,
                          const ks_table_column *columns, size_t column_count) {
    ks_table *table = ks_tables_add(context->tables, name, title, columns, column_count);
    if (!table) ks_fail(context->error, KS_NO_MEMORY, "out of memory");
    return table;
}

const char *ks_study_constant_name(const ks_study_constant *constant) {
    return ks_constant_describe(constant->constant)->name;
}

void ks_table_answer(ks_table *table, const ks_answer *answer) {
    if (answer->has_value)
        ks_table_double(table, ks_exact_double(&answer->value));
    else
        ks_table_none(table);
}

void ks_table_gate(ks_table *table, const ks_study_figure *figure, const ks_answer *answer) {
    ks_table_text(table, figure->op ? ks_gate_state_name(answer->gate) : "");
}
