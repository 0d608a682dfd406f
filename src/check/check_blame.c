/* Violations: counted, and the first of each invariant put into words. */
#include <inttypes.h>
#include <stdio.h>

#include "check/check_state.h"

static const char *const names[KS_INVARIANT_COUNT] = {
#define X(name) #name,
    KS_INVARIANT_MAP(X)
#undef X
};

const char *ks_invariant_name(ks_invariant id) { return names[id]; }

void ks_invariants_print(ks_text *out, uint32_t mask) {
    const char *separator = "";
    for (ks_invariant id = 0; id < KS_INVARIANT_COUNT; id++) {
        if (!(mask & ks_invariant_bit(id))) continue;
        ks_text_add_string(out, separator);
        ks_text_add_string(out, names[id]);
        separator = "|";
    }
}

const char *ks_check_cycles(char *buffer, uint64_t ticks) {
    ks_decimal_print(buffer, ticks);
    return buffer;
}

const char *ks_check_kind_name(ks_row_kind kind) {
    return ks_is_kind(kind) ? ks_row_kind_name(kind) : "unknown kind";
}

const char *ks_check_server_name(ks_server server) {
    return ks_is_server(server) ? ks_server_name(server) : "an unknown server";
}

static void add_row_name(ks_text *text, const ks_op_row *row) {
    ks_text_add_format(text, "row %" PRIu64 " (cmd %" PRIu32 " ", row->seq, row->cmd);
    if (row->stage != KS_CPU_STAGE) ks_text_add_format(text, "stage %" PRId64 " ", row->stage);
    ks_text_add_format(text, "%s) ", ks_check_kind_name(row->kind));
}

void ks_check_blame(ks_check *check, ks_invariant id, const ks_op_row *row, const char *format,
                    ...) {
    ks_check_result *result = &check->result;
    result->failed |= ks_invariant_bit(id);
    result->violation_count++;
    if (result->counts[id]++) return;

    char words[512];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    ks_text text = {0};
    ks_text_add_format(&text, "%s: ", names[id]);
    if (row) add_row_name(&text, row);
    ks_text_add_string(&text, words);
    const char *kept = ks_arena_text(check->arena, ks_text_string(&text));
    result->texts[id] = kept ? kept : names[id];
    ks_text_free(&text);
}
