#include "cli/red_gates.h"

void ks_red_gates_free(ks_red_gates *gates) {
    ks_text_map_free(gates->kinds);
    ks_text_free(&gates->lines);
    *gates = (ks_red_gates){0};
}

ks_status ks_red_gates_take(ks_red_gates *gates, const ks_gate_line *line, bool *is_shown) {
    ks_text kind = {0};
    *is_shown = false;
    gates->groups++;
    if (!gates->kinds) gates->kinds = ks_text_map_new();
    ks_text_add_format(&kind, "gate %s is %s", line->gate, ks_gate_answer_name(line->answer));
    if (!gates->kinds || kind.has_failed) {
        ks_text_free(&kind);
        return KS_NO_MEMORY;
    }
    size_t number = ks_text_map_find(gates->kinds, kind.data);
    if (number == KS_TEXT_MAP_NONE && ks_text_map_count(gates->kinds) < KS_RED_GATES_KINDS)
        number = ks_text_map_add(gates->kinds, kind.data);
    ks_text_free(&kind);
    if (number == KS_TEXT_MAP_NONE)
        gates->more++;
    else
        *is_shown = gates->counts[number]++ < KS_RED_GATES_SHOWN;
    return KS_OK;
}

static void add_rest(ks_text *out, uint64_t count, const char *joint, const char *kind) {
    ks_text_add_string(out, "  and ");
    ks_text_add_count(out, count, "more group");
    ks_text_add_format(out, "%s%s\n", joint, kind);
}

void ks_red_gates_print(ks_text *out, const ks_red_gates *gates, const char *sweep) {
    if (!gates->groups) return;
    ks_text_add_format(out, "red in %s: ", sweep);
    ks_text_add_count(out, gates->groups, "gate group");
    ks_text_add_format(out, "\n%s", ks_text_string(&gates->lines));
    for (size_t i = 0; gates->kinds && i < ks_text_map_count(gates->kinds); i++)
        if (gates->counts[i] > KS_RED_GATES_SHOWN)
            add_rest(out, gates->counts[i] - KS_RED_GATES_SHOWN, " where ",
                     ks_text_map_at(gates->kinds, i));
    if (gates->more) add_rest(out, gates->more, " of other gates", "");
}
