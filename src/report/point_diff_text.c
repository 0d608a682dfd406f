#include "report/point_diff_text.h"

#include <inttypes.h>

#include "report/log_diff_text.h"

static void add_cell(ks_text *out, const char *who, const ks_row *row, ks_column column) {
    ks_text_add_format(out, "%s ", who);
    if (ks_row_has(row, column))
        ks_row_print_cell(out, row, column);
    else
        ks_text_add_string(out, "nothing");
}

static void add_difference(ks_text *out, const ks_row *a, const ks_row *b, ks_column column) {
    const ks_column_kind kind = ks_column_describe(column)->kind;
    if (!ks_row_has(a, column) || !ks_row_has(b, column)) return;
    const uint64_t from = a->figures[column].count, to = b->figures[column].count;
    if (kind == KS_CYCLES) {
        ks_text_add_string(out, ", ");
        ks_text_add_change(out, (int64_t)(to - from));
    } else if (kind == KS_COUNT) {
        ks_text_add_format(out, ", %s%" PRIu64, to > from ? "+" : "-",
                           to > from ? to - from : from - to);
    }
}

void ks_cell_diff_print(ks_text *out, const ks_row *expected, const ks_row *got, ks_column column) {
    ks_text_add_format(out, "  %-24s ", ks_column_describe(column)->name);
    add_cell(out, "expected", expected, column);
    add_cell(out, ", got", got, column);
    add_difference(out, expected, got, column);
    ks_text_add_char(out, '\n');
}

static void add_verdict(ks_text *out, const char *before, const ks_row *row) {
    ks_text_add_format(out, "%s%s", before, ks_verdict_name(row->verdict));
    if (row->reason[0]) ks_text_add_format(out, ", %s", row->reason);
}

static void add_block(ks_text *out, const ks_change *change) {
    if (!change->has_block) return;
    ks_text_add_format(out,
                       "op_log: equal up to row %" PRIu64 "; the first row that differs is one of "
                       "%" PRIu64 " to %" PRIu64 " (block %" PRIu64 ")\n",
                       change->block_row ? change->block_row - 1 : 0, change->block_row,
                       change->block_row + change->block_row_count - 1, change->block);
}

void ks_point_diff_print(ks_text *out, const ks_record *record) {
    const ks_change *change = record->change;
    ks_text_add_format(out, "point: %s\n", record->key);
    add_verdict(out, "verdict: ", record->row);
    if (change && (change->is_verdict || change->is_reason))
        add_verdict(out, "; the golden has ", &change->was);
    ks_text_add_char(out, '\n');
    if (record->why[0]) ks_text_add_format(out, "the rule says: %s\n", record->why);
    if (record->detail[0]) ks_text_add_format(out, "%s\n", record->detail);
    if (record->row->invariants[0])
        ks_text_add_format(out, "invariants: %s\n", record->row->invariants);
    for (int c = 0; change && c < KS_COLUMN_COUNT; c++)
        if (ks_change_has(change, (ks_column)c))
            ks_cell_diff_print(out, &change->was, record->row, (ks_column)c);
    if (change) add_block(out, change);
}
