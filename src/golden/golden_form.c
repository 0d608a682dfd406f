#include "golden/golden_form.h"

#include <inttypes.h>
#include <string.h>

typedef enum part { DISPATCH, TIMES, NUMBERS, LOG, NOT_PINNED } part;

/* Columns of a part, up to and with `last`; together they are all columns. */
static const struct {
    ks_column last;
    part part;
} ranges[] = {
    {KS_COL_dispatch_cycles_per_tile, DISPATCH},
    {KS_COL_total_cycles, TIMES},
    {KS_COL_total_ns, NOT_PINNED},
    {KS_COL_macs, TIMES},
    {KS_COL_tcm_peak_bytes, DISPATCH},
    {KS_COL_roofline_cycles, TIMES},
    {KS_COL_out_xxh128, NUMBERS},
    {KS_COL_oplog_xxh128, LOG},
};
_Static_assert(KS_COL_oplog_xxh128 + 1 == KS_COLUMN_COUNT, "a new column belongs to a part");

static bool is_pinned(ks_golden_parts parts, part which) {
    switch (which) {
    case DISPATCH: return true;
    case TIMES: return parts.has_times;
    case NUMBERS: return parts.has_numbers;
    case LOG: return parts.has_log;
    case NOT_PINNED: return false;
    }
    return false;
}

uint64_t ks_golden_columns(ks_golden_parts parts) {
    uint64_t columns = 0;
    size_t range = 0;
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        if (c > (int)ranges[range].last) range++;
        if (is_pinned(parts, ranges[range].part)) columns |= UINT64_C(1) << c;
    }
    return columns;
}

const char *ks_golden_mode_name(ks_golden_parts parts) {
    return parts.has_numbers ? "data" : parts.has_times ? "timing" : "dispatch";
}

const char *ks_golden_log_name(ks_golden_parts parts) {
    return parts.has_blocks ? "blocks" : parts.has_log ? "digest" : "none";
}

/* ---- cells ---- */

void ks_golden_cells_print(ks_text *out, ks_golden_parts parts, const ks_record *record,
                           const ks_log_blocks *blocks) {
    const uint64_t columns = ks_golden_columns(parts);
    ks_text_add_csv(out, record->key);
    ks_text_add_char(out, ',');
    ks_text_add_string(out, ks_verdict_name(record->row->verdict));
    ks_text_add_char(out, ',');
    ks_text_add_csv(out, record->row->reason);
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        if (!(columns >> c & 1)) continue;
        ks_text_add_char(out, ',');
        ks_row_print_cell(out, record->row, (ks_column)c);
    }
    if (!parts.has_blocks) return;
    ks_text_add_char(out, ',');
    if (blocks && ks_row_has(record->row, KS_COL_oplog_records)) ks_log_blocks_print(out, blocks);
}

ks_column ks_golden_cell_column(ks_golden_parts parts, size_t index) {
    const uint64_t columns = ks_golden_columns(parts);
    if (index < KS_GOLDEN_FIRST_FIGURE) return KS_COLUMN_COUNT;
    index -= KS_GOLDEN_FIRST_FIGURE;
    for (int c = 0; c < KS_COLUMN_COUNT; c++)
        if (columns >> c & 1 && index-- == 0) return (ks_column)c;
    return KS_COLUMN_COUNT;
}

const char *ks_golden_cell_name(const ks_golden_head *head, size_t index) {
    static const char *const first[] = {"KEY", "verdict", "reason"};
    if (index < KS_GOLDEN_FIRST_FIGURE) return first[index];
    const ks_column column = ks_golden_cell_column(head->parts, index);
    if (column != KS_COLUMN_COUNT) return ks_column_describe(column)->name;
    index -= KS_GOLDEN_FIRST_FIGURE + (size_t)__builtin_popcountll(ks_golden_columns(head->parts));
    if (head->parts.has_blocks && index-- == 0) return "blocks";
    if (head->origin && index-- == 0) return "red";
    return index == 0 ? "check" : NULL;
}

/* ---- lines ---- */

static ks_digest join(const ks_digest *a, const ks_digest *b) {
    unsigned char both[2 * sizeof a->bytes];
    memcpy(both, a->bytes, sizeof a->bytes);
    memcpy(both + sizeof a->bytes, b->bytes, sizeof b->bytes);
    return ks_digest_of(both, sizeof both);
}

void ks_golden_seal_key(ks_digest *keys, const char *key, size_t length) {
    const ks_digest own = ks_digest_of(key, length);
    *keys = join(keys, &own);
}

void ks_golden_check_of(char hex[KS_GOLDEN_CHECK], const char *text, size_t length,
                        const ks_digest *keys) {
    char digits[KS_DIGEST_HEX];
    ks_digest digest = ks_digest_of(text, length);
    if (keys) digest = join(&digest, keys);
    ks_digest_print(digits, &digest);
    memcpy(hex, digits, KS_GOLDEN_CHECK - 1);
    hex[KS_GOLDEN_CHECK - 1] = '\0';
}

/* Seals what was appended since `start`, which ends with the comma before the check. */
static void seal(ks_text *out, size_t start, const ks_digest *keys) {
    char check[KS_GOLDEN_CHECK];
    if (out->has_failed) return;
    ks_golden_check_of(check, out->data + start, out->length - start, keys);
    ks_text_add_string(out, check);
    ks_text_add_char(out, '\n');
}

static size_t cell_count(const ks_golden_head *head) {
    size_t count = 0;
    while (ks_golden_cell_name(head, count)) count++;
    return count;
}

/* Empty cells, so that every line has as many, up to the check. */
static void pad(ks_text *out, const ks_golden_head *head, size_t printed) {
    for (size_t cells = cell_count(head); printed < cells; printed++) ks_text_add_char(out, ',');
}

ks_golden_writer ks_golden_begin(ks_text *out, const ks_golden_head *head) {
    char digits[KS_DIGEST_HEX];
    const size_t start = out->length;
    const ks_digest defaults = ks_digest_of(head->defaults, strlen(head->defaults));
    ks_digest_print(digits, &defaults);
    ks_text_add_format(out, "%s,model %s,%s,mode %s,op_log %s,defaults %s,%s,%s",
                       head->origin ? "kernsweep observed 1" : "kernsweep golden 1", head->model,
                       head->sweep, ks_golden_mode_name(head->parts),
                       ks_golden_log_name(head->parts), digits, head->defaults,
                       head->origin ? head->origin : "");
    pad(out, head, KS_GOLDEN_HEAD_CELLS);
    seal(out, start, NULL);
    const char *name;
    for (size_t i = 0; (name = ks_golden_cell_name(head, i)); i++)
        ks_text_add_format(out, "%s%s", i ? "," : "", name);
    ks_text_add_char(out, '\n');
    return (ks_golden_writer){.head = head};
}

void ks_golden_line_print(ks_text *out, ks_golden_writer *writer, const char *cells, size_t length,
                          bool is_red) {
    const size_t start = out->length;
    const char *comma = memchr(cells, ',', length);
    ks_golden_seal_key(&writer->keys, cells, comma ? (size_t)(comma - cells) : length);
    writer->line_count++;
    ks_text_add(out, cells, length);
    if (writer->head->origin) ks_text_add_string(out, is_red ? ",red" : ",");
    ks_text_add_char(out, ',');
    seal(out, start, NULL);
}

void ks_golden_end(ks_text *out, const ks_golden_writer *writer) {
    const size_t start = out->length;
    ks_text_add_format(out, "end,%" PRIu64, writer->line_count);
    pad(out, writer->head, 2);
    seal(out, start, &writer->keys);
}
