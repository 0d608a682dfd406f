#include "report/account.h"

#include <inttypes.h>

static void add_part(ks_text *out, uint64_t count, const char *what, bool *is_first) {
    ks_text_add_format(out, "%s%" PRIu64 " %s", *is_first ? "" : " + ", count, what);
    *is_first = false;
}

/* Every verdict is named, those that nobody got too: the sum can be checked by eye. */
static void print_verdicts(ks_text *out, const ks_account *account) {
    bool is_first = true;
    ks_text_add_format(out, "points: planned %" PRIu64 " = ", account->planned);
    for (int v = 0; v < KS_VERDICT_COUNT; v++)
        add_part(out, account->verdicts[v], ks_verdict_name((ks_verdict)v), &is_first);
    ks_text_add_char(out, '\n');
}

static void print_skipped(ks_text *out, uint64_t count) {
    ks_text_add_string(out, "invariants: not all asked on ");
    ks_text_add_count(out, count, "point");
    ks_text_add_char(out, '\n');
}

static void print_goldens(ks_text *out, const ks_account *account) {
    bool is_first = true;
    ks_text_add_string(out, "golden: ");
    for (int i = 0; i < 4; i++)
        if (account->goldens[i])
            add_part(out, account->goldens[i], ks_golden_state_name((ks_golden_state)i), &is_first);
    if (is_first) ks_text_add_string(out, "nothing compared");
    if (account->golden_orphans)
        ks_text_add_format(out, "; %" PRIu64 " orphan", account->golden_orphans);
    if (account->golden_stale) ks_text_add_string(out, "; stale");
    ks_text_add_char(out, '\n');
    if (account->skipped_invariants) print_skipped(out, account->skipped_invariants);
}

static void print_gates(ks_text *out, const ks_account *account) {
    uint64_t groups = 0;
    bool is_first = true;
    for (int i = 0; i < 3; i++) groups += account->gate_groups[i];
    if (groups == 0 && account->gates_not_asked == 0) return;
    ks_text_add_string(out, "gates: ");
    ks_text_add_count(out, groups + account->gates_not_asked, "group");
    ks_text_add_string(out, " = ");
    for (int i = 0; i < 3; i++)
        add_part(out, account->gate_groups[i], ks_gate_answer_name((ks_gate_answer)i), &is_first);
    add_part(out, account->gates_not_asked, "not asked", &is_first);
    ks_text_add_format(out, "; %" PRIu64 " red\n", account->gates_red);
}

void ks_account_print(ks_text *out, const ks_account *account) {
    print_verdicts(out, account);
    print_goldens(out, account);
    print_gates(out, account);
}

void ks_paths_print(ks_text *out, const ks_account *account) {
    bool is_first = true;
    ks_text_add_string(out, "timelines: ");
    for (int i = 0; i < KS_PATH_COUNT; i++)
        add_part(out, account->paths[i], ks_row_path_name((ks_row_path)i), &is_first);
    ks_text_add_char(out, '\n');
}

void ks_point_line_print(ks_text *out, const ks_record *record) {
    const ks_row *row = record->row;
    ks_text_add_format(out, "%-10s %s", ks_verdict_name(row->verdict), record->key);
    if (ks_row_has(row, KS_COL_total_cycles)) {
        ks_text_add_string(out, ": ");
        ks_row_print_cell(out, row, KS_COL_total_cycles);
        ks_text_add_string(out, " cycles, bound by ");
        ks_row_print_cell(out, row, KS_COL_bound_by);
    }
    if (row->reason[0]) ks_text_add_format(out, ": %s", row->reason);
    if (record->is_red) ks_text_add_string(out, " (red)");
    ks_text_add_char(out, '\n');
}

void ks_gate_line_print(ks_text *out, const ks_gate_line *line) {
    ks_text_add_format(out, "gate %s%s%s: ", line->gate, line->group[0] ? " at " : "", line->group);
    if (line->has_sides) {
        ks_text_add_double(out, line->value);
        ks_text_add_format(out, " %s ", line->op);
        ks_text_add_double(out, line->limit);
        ks_text_add_string(out, " is ");
    }
    ks_text_add_string(out, ks_gate_answer_name(line->answer));
    if (line->answer == KS_GATE_yes && line->is_red)
        ks_text_add_string(out, ", where the sweep expects no");
    if (line->why && line->why[0]) ks_text_add_format(out, " (%s)", line->why);
    ks_text_add_char(out, '\n');
}

void ks_red_gate_print(ks_text *out, const ks_gate_line *line, const char *reproducer) {
    ks_text_add_string(out, "  ");
    ks_gate_line_print(out, line);
    ks_text_add_format(out, "    %s\n", reproducer);
}
