#include "golden/golden_compare.h"

#include <string.h>

typedef struct cells {
    const char *next, *end; /* next > end: no more */
} cells;

typedef struct cell {
    const char *text;
    size_t length;
} cell;

static cell take_cell(cells *c) {
    if (c->next > c->end) return (cell){"", 0};
    const char *comma = memchr(c->next, ',', (size_t)(c->end - c->next));
    const cell taken = {c->next, (size_t)((comma ? comma : c->end) - c->next)};
    c->next += taken.length + 1;
    return taken;
}

static bool is_equal(cell a, cell b) {
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static bool is_compared(ks_column column, ks_golden_parts made) {
    return ks_golden_columns(made) >> column & 1;
}

/* Cells of the point read back, for its blocks. */
static void compare_blocks(ks_change *change, const ks_log_blocks *expected, cell blocks,
                           uint64_t row_count) {
    ks_log_blocks got;
    if (!ks_log_blocks_parse(&got, row_count, blocks.text, blocks.length)) return;
    change->has_block =
        expected->count && got.count &&
        ks_log_blocks_differ(expected, &got, &change->block, &change->block_row_count);
    change->block_row = change->block * change->block_row_count;
}

static void find_moved(const ks_golden *golden, size_t index, cells got, ks_golden_parts made,
                       ks_change *change) {
    const ks_golden_parts parts = ks_golden_head_of(golden)->parts;
    const ks_golden_line line = ks_golden_at(golden, index);
    cells was = {line.cells, line.cells + line.length};
    ks_log_blocks blocks;
    ks_row row = {.has = 0};
    *change = (ks_change){0};
    ks_golden_row_of(golden, index, &change->was, &blocks);
    for (size_t i = 0; was.next <= was.end || got.next <= got.end; i++) {
        const cell a = take_cell(&was), b = take_cell(&got);
        const ks_column column = ks_golden_cell_column(parts, i);
        const bool is_blocks = i >= KS_GOLDEN_FIRST_FIGURE && column == KS_COLUMN_COUNT;
        if (column == KS_COL_oplog_records) ks_row_read_cell(&row, column, b.text, b.length);
        if (is_equal(a, b)) continue;
        if (i == 1) change->is_verdict = true;
        if (i == 2) change->is_reason = true;
        if (is_blocks && is_compared(KS_COL_oplog_xxh128, made)) {
            compare_blocks(change, &blocks, b,
                           ks_row_has(&row, KS_COL_oplog_records)
                               ? row.figures[KS_COL_oplog_records].count
                               : 0);
            change->columns |= UINT64_C(1) << KS_COL_oplog_xxh128;
        }
        if (column != KS_COLUMN_COUNT && is_compared(column, made))
            change->columns |= UINT64_C(1) << column;
    }
}

ks_golden_state ks_golden_compare(const ks_golden *golden, const char *key, const char *text,
                                  size_t length, ks_golden_parts made, ks_change *change) {
    size_t index;
    if (!ks_golden_find(golden, key, &index)) return KS_GOLDEN_new;
    const ks_golden_line line = ks_golden_at(golden, index);
    if (line.length == length && memcmp(line.cells, text, length) == 0) return KS_GOLDEN_match;
    find_moved(golden, index, (cells){text, text + length}, made, change);
    if (ks_change_count(change)) return KS_GOLDEN_mismatch;
    if (ks_golden_columns(made) == ks_golden_columns(ks_golden_head_of(golden)->parts))
        KS_BUG("%s differs from its golden in no cell", key);
    return KS_GOLDEN_match; /* but for what this run does not make */
}

/* ---- stale goldens ---- */

/* The next `name=value`; length 0 at the end. */
static cell next_word(const char **text) {
    *text += strspn(*text, " ");
    const cell word = {*text, strcspn(*text, " ")};
    *text += word.length;
    return word;
}

/* The first default that is not the same, in words, and how many more there are. */
static void name_default(const char *was, const char *now, ks_error *why) {
    cell a, b, first[2] = {{"", 0}, {"", 0}};
    unsigned differing = 0;
    do {
        a = next_word(&was);
        b = next_word(&now);
        if (is_equal(a, b)) continue;
        if (differing++ == 0) first[0] = a, first[1] = b;
    } while (a.length || b.length);
    ks_text rest = {0};
    if (differing > 1) ks_text_add_format(&rest, " and %u more differ", differing - 1);
    ks_fail(why, KS_FAILED,
            "the defaults of the model changed: it was blessed with '%.*s', this program has "
            "'%.*s'%s; a KEY leaves defaults out, so no row means the same point",
            (int)first[0].length, first[0].text, (int)first[1].length, first[1].text,
            ks_text_string(&rest));
    ks_text_free(&rest);
}

bool ks_golden_is_stale(const ks_golden_head *golden, const ks_golden_head *now, ks_error *why) {
    const char *const words[][3] = {
        {"the model's version", golden->model, now->model},
        {"its mode", ks_golden_mode_name(golden->parts), ks_golden_mode_name(now->parts)},
        {"what it holds of op_logs", ks_golden_log_name(golden->parts),
         ks_golden_log_name(now->parts)},
    };
    if (strcmp(golden->defaults, now->defaults) != 0) {
        name_default(golden->defaults, now->defaults, why);
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i][1], words[i][2]) == 0) continue;
        ks_fail(why, KS_FAILED, "%s changed: it was blessed with '%s', now it is '%s'", words[i][0],
                words[i][1], words[i][2]);
        return true;
    }
    return false;
}
