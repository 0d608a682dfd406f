#include "golden/signature.h"

#include <inttypes.h>
#include <string.h>

/* What a failing point is told by. */
typedef enum kind {
    GOLDEN_FIGURES,
    GOLDEN_VERDICT,
    INVARIANTS,
    UNEXPECTED, /* a rule expected otherwise */
    OWN_REASON
} kind;

static size_t reason_length(const ks_row *row) { return strcspn(row->reason, " "); }

static bool reason_is(const ks_row *row, const char *name) {
    return reason_length(row) == strlen(name) && strncmp(row->reason, name, strlen(name)) == 0;
}

static kind kind_of(const ks_record *record) {
    const ks_row *row = record->row;
    if (row->verdict == KS_VERDICT_fail && reason_is(row, "invariant")) return INVARIANTS;
    if (row->verdict == KS_VERDICT_fail && !reason_is(row, "golden")) return OWN_REASON;
    if (record->change && record->change->is_verdict) return GOLDEN_VERDICT;
    if (record->change) return GOLDEN_FIGURES;
    return record->why[0] || row->verdict == KS_VERDICT_xpass ? UNEXPECTED : OWN_REASON;
}

bool ks_change_ticks(const ks_record *record, ks_column column, int64_t *ticks) {
    const ks_change *change = record->change;
    if (!change || !ks_row_has(&change->was, column) || !ks_row_has(record->row, column))
        return false;
    *ticks = (int64_t)(record->row->figures[column].count - change->was.figures[column].count);
    return true;
}

/* Of the cycles that the point has: all of them, else those of its dispatches. */
static const char *direction_of(const ks_record *record) {
    int64_t ticks;
    if (!ks_change_ticks(record, KS_COL_total_cycles, &ticks) &&
        !ks_change_ticks(record, KS_COL_dispatch_cycles, &ticks))
        return "";
    return ticks > 0 ? "more cycles" : ticks < 0 ? "fewer cycles" : "as many cycles";
}

/* Digests move with whatever they digest: they are named only when nothing else moved. */
static void add_columns(ks_text *out, const ks_change *change) {
    const char *joint = "";
    for (int digests = 0; digests < 2 && !*joint; digests++)
        for (int c = 0; c < KS_COLUMN_COUNT; c++) {
            const ks_column_info *info = ks_column_describe((ks_column)c);
            if (!ks_change_has(change, (ks_column)c) || (info->kind == KS_DIGEST) != digests)
                continue;
            ks_text_add_format(out, "%s%s", joint, info->name);
            joint = ", ";
        }
    if (!*joint && change->is_reason) ks_text_add_string(out, "reason");
}

void ks_signature_print(ks_text *out, const ks_record *record) {
    const ks_row *row = record->row;
    const ks_change *change = record->change;
    const kind k = kind_of(record);
    ks_text_add_format(out, "%d|%s|", k, ks_verdict_name(row->verdict));
    if (k == GOLDEN_FIGURES) {
        ks_text_add_format(out, "%s|%" PRIx64 "|%d|%s", record->kernel, change->columns,
                           change->is_reason, direction_of(record));
        return;
    }
    ks_text_add_format(out, "%.*s|%s|%s|", (int)reason_length(row), row->reason,
                       k == INVARIANTS ? row->invariants : "", record->why);
    if (k == GOLDEN_VERDICT)
        ks_text_add_format(out, "%s|%s", record->kernel, ks_verdict_name(change->was.verdict));
}

static void say_reason(ks_text *out, const ks_row *row) {
    static const struct {
        const char *name, *words;
    } known[] = {
        {"nonfinite", "elements of OUT are not finite"},
        {"tolerance", "errors of OUT are beyond the tolerance"},
        {"replay", "the op_log cannot be replayed"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (reason_is(row, known[i].name)) {
            ks_text_add_string(out, known[i].words);
            return;
        }
    ks_text_add_string(out, ks_verdict_name(row->verdict));
    if (row->reason[0]) ks_text_add_format(out, " %.*s", (int)reason_length(row), row->reason);
}

static void say_figures(ks_text *out, const ks_record *record) {
    const char *direction = direction_of(record);
    ks_text_add_format(out, "%s differs from its golden in ", record->kernel);
    add_columns(out, record->change);
    if (*direction) ks_text_add_format(out, ": %s", direction);
}

void ks_signature_say(ks_text *out, const ks_record *record) {
    const ks_row *row = record->row;
    switch (kind_of(record)) {
    case GOLDEN_FIGURES: say_figures(out, record); break;
    case GOLDEN_VERDICT:
        ks_text_add_format(out, "%s is %s in its golden, and now ", record->kernel,
                           ks_verdict_name(record->change->was.verdict));
        say_reason(out, row);
        break;
    case INVARIANTS:
        ks_text_add_format(out, "invariant%s %s broken", strchr(row->invariants, '|') ? "s" : "",
                           row->invariants);
        break;
    case UNEXPECTED:
        say_reason(out, row);
        ks_text_add_string(out, row->verdict == KS_VERDICT_xpass
                                    ? ": passes, where a rule expects that it does not"
                                    : ", where a rule expects another verdict");
        break;
    case OWN_REASON: say_reason(out, row); break;
    }
}
