#include "report/csv.h"

#include <string.h>

const char ks_gates_csv_header[] = "gate,group,value,op,limit,passed\n";
const char ks_winners_csv_header[] = "group,kernel,TILE,policy,total_cycles\n";

void ks_points_csv_header(ks_text *out, const char *params) {
    ks_text_add_string(out, "id,verdict,reason,model,kernel");
    ks_text_add_string(out, params);
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        ks_text_add_char(out, ',');
        ks_text_add_string(out, ks_column_describe((ks_column)c)->name);
    }
    ks_text_add_string(out, ",golden,invariants\n");
}

/* A cell that needs no quotes. */
static char *put_plain(char *at, const char *cell) {
    const size_t length = strlen(cell);
    memcpy(at, cell, length);
    at[length] = ',';
    return at + length + 1;
}

void ks_points_csv_line(ks_text *out, const ks_record *record) {
    enum { PLAIN_ROOM = 64 }; /* id and verdict */
    char *at = ks_text_reserve(out, PLAIN_ROOM);
    if (!at) return;
    at = put_plain(at, record->row->id);
    ks_text_end_at(out, put_plain(at, ks_verdict_name(record->row->verdict)));
    if (record->row->reason[0]) ks_text_add_csv(out, record->row->reason);
    ks_text_add_char(out, ',');
    if (record->label[0]) ks_text_add_csv(out, record->label);
    ks_text_add_char(out, ',');
    ks_text_add_csv(out, record->kernel);
    ks_text_add_string(out, record->params);
    ks_row_print_figures(out, record->row);
    ks_text_add_char(out, '\n');
}

static void add_side(ks_text *out, const ks_gate_line *line, double value) {
    ks_text_add_char(out, ',');
    if (line->has_sides) ks_text_add_double(out, value);
}

void ks_gates_csv_line(ks_text *out, const ks_gate_line *line) {
    ks_text_add_csv(out, line->gate);
    ks_text_add_char(out, ',');
    ks_text_add_csv(out, line->group);
    add_side(out, line, line->value);
    ks_text_add_char(out, ',');
    ks_text_add_csv(out, line->op);
    add_side(out, line, line->limit);
    ks_text_add_char(out, ',');
    ks_text_add_string(out, ks_gate_answer_name(line->answer));
    ks_text_add_char(out, '\n');
}

void ks_winners_csv_line(ks_text *out, const ks_winner_line *line) {
    ks_text_add_csv(out, line->group);
    ks_text_add_char(out, ',');
    ks_text_add_csv(out, line->kernel);
    ks_text_add_char(out, ',');
    if (line->has_tile) ks_text_add_u64(out, line->tile);
    ks_text_add_char(out, ',');
    ks_text_add_csv(out, line->policy);
    ks_text_add_char(out, ',');
    ks_text_add_decimal(out, line->total_ticks);
    ks_text_add_char(out, '\n');
}
