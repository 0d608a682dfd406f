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

/* Columns by how far up they stand: work, then what the servers and PE_CPU take for it, then
 * numbers. What moves below follows from them (rows of the op_log too: WAIT and STALL hang on
 * times). */
#define KS_BIT(name) (UINT64_C(1) << KS_COL_##name)
static const struct level {
    uint64_t columns;
    const char *words;
} levels[] = {
    {KS_BIT(tiles) | KS_BIT(commands) | KS_BIT(composites) | KS_BIT(logical_bytes) |
         KS_BIT(dma_bytes) | KS_BIT(macs) | KS_BIT(tcm_peak_bytes),
     "the work is another"},
    {KS_BIT(dispatch_cycles) | KS_BIT(dispatch_cycles_per_tile) | KS_BIT(busy_dma_rd) |
         KS_BIT(busy_dma_wr) | KS_BIT(busy_fetch) | KS_BIT(busy_store) | KS_BIT(busy_gemm) |
         KS_BIT(busy_math),
     "the same work takes"},
    {KS_BIT(max_abs_err) | KS_BIT(max_rel_err) | KS_BIT(rmse) | KS_BIT(max_ulp_err) |
         KS_BIT(max_abs_err_full) | KS_BIT(rmse_full) | KS_BIT(nonfinite) | KS_BIT(out_xxh128),
     "the numbers are others"},
};
#undef KS_BIT
enum { LEVELS = sizeof levels / sizeof levels[0], SERVICE = 1, NUMBERS = 2 };

/* The first level with a column that moved; LEVELS: only when things happen, or their order. */
static int level_of(const ks_change *change) {
    for (int i = 0; i < LEVELS; i++)
        if (change->columns & levels[i].columns) return i;
    return LEVELS;
}

uint64_t ks_change_root(const ks_change *change) {
    const int level = level_of(change);
    return level < LEVELS ? levels[level].columns & change->columns : 0;
}

static int sign_of(const ks_record *record, ks_column column) {
    int64_t ticks = 0;
    ks_change_ticks(record, column, &ticks);
    return ticks > 0 ? 1 : ticks < 0 ? -1 : 0;
}

static const char *direction_of(int sign) {
    return sign > 0 ? "more" : sign < 0 ? "fewer" : "as many";
}

static bool is_asked(const ks_change *change, int level, int column) {
    return levels[level].columns & change->columns & UINT64_C(1) << column;
}

/* Of numbers it does not matter which moved, of services the direction does. */
static void print_level(ks_text *out, const ks_record *record, int level) {
    for (int c = 0; c < KS_COLUMN_COUNT && level != NUMBERS; c++)
        if (is_asked(record->change, level, c))
            ks_text_add_format(out, "|%d%s", c,
                               level == SERVICE ? direction_of(sign_of(record, (ks_column)c)) : "");
}

static void print_figures(ks_text *out, const ks_record *record) {
    const int level = level_of(record->change);
    ks_text_add_format(out, "%d", level);
    if (level < LEVELS)
        print_level(out, record, level);
    else
        ks_text_add_format(out, "|%s|%s|%d", record->kernel,
                           direction_of(sign_of(record, KS_COL_total_cycles)),
                           record->change->is_reason);
}

void ks_signature_print(ks_text *out, const ks_record *record) {
    const ks_row *row = record->row;
    const ks_change *change = record->change;
    const kind k = kind_of(record);
    ks_text_add_format(out, "%d|%s|", k, ks_verdict_name(row->verdict));
    if (k == GOLDEN_FIGURES) {
        print_figures(out, record);
        return;
    }
    ks_text_add_format(out, "%.*s|%s|%s|", (int)reason_length(row), row->reason,
                       k == INVARIANTS ? row->invariants : "", record->why);
    if (k == GOLDEN_VERDICT) ks_text_add_string(out, ks_verdict_name(change->was.verdict));
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

static void say_level(ks_text *out, const ks_record *record, int level) {
    const char *joint = " (";
    ks_text_add_string(out, levels[level].words);
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        if (!is_asked(record->change, level, c) || level == NUMBERS) continue;
        if (level == SERVICE)
            ks_text_add_format(out, "%s%s", *joint == ' ' ? " " : " and ",
                               direction_of(sign_of(record, (ks_column)c)));
        ks_text_add_format(out, "%s%s", level == SERVICE ? " " : joint,
                           ks_column_describe((ks_column)c)->name);
        joint = ", ";
    }
    if (level != SERVICE && *joint == ',') ks_text_add_char(out, ')');
}

/* Nothing above them moved: times, or the op_log alone. */
static void say_times(ks_text *out, const ks_record *record) {
    const int sign = sign_of(record, KS_COL_total_cycles);
    ks_text_add_format(out, "of %s ", record->kernel);
    if (sign)
        ks_text_add_format(out, "the same work takes %s total_cycles", direction_of(sign));
    else if (ks_change_has(record->change, KS_COL_total_cycles))
        ks_text_add_string(out, "total_cycles came or went");
    else if (record->change->columns & ~(UINT64_C(1) << KS_COL_oplog_xxh128))
        ks_text_add_string(out, "rows start at other times, and it ends as before");
    else
        ks_text_add_string(out, record->change->columns
                                    ? "the op_log is another, with the same times"
                                    : "the reason is another");
}

static void say_verdicts(ks_text *out, const ks_record *record) {
    ks_text_add_format(out, "%s, and now ", ks_verdict_name(record->change->was.verdict));
    say_reason(out, record->row);
}

void ks_change_say(ks_text *out, const ks_record *record) {
    const int level = level_of(record->change);
    if (record->change->is_verdict)
        say_verdicts(out, record);
    else if (level < LEVELS)
        say_level(out, record, level);
    else
        say_times(out, record);
}

void ks_signature_say(ks_text *out, const ks_record *record) {
    const ks_row *row = record->row;
    switch (kind_of(record)) {
    case GOLDEN_FIGURES:
        ks_text_add_string(out, "differs from its golden: ");
        ks_change_say(out, record);
        break;
    case GOLDEN_VERDICT:
        ks_text_add_string(out, "in its golden ");
        say_verdicts(out, record);
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
