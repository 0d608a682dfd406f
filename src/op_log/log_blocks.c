#include "op_log/log_blocks.h"

#include "base/digest.h"

static uint16_t digest_of(const char *lines, size_t length) {
    const ks_digest digest = ks_digest_of(lines, length);
    return (uint16_t)(digest.bytes[0] << 8 | digest.bytes[1]);
}

static uint64_t block_rows_of(uint64_t row_count) {
    uint64_t rows = KS_LOG_PIECE_ROWS;
    while (row_count / KS_LOG_BLOCKS_MOST > rows ||
           (row_count / KS_LOG_BLOCKS_MOST == rows && row_count % KS_LOG_BLOCKS_MOST))
        rows *= 2;
    return rows;
}

static size_t block_count_of(uint64_t row_count, uint64_t block_rows) {
    return (size_t)(row_count / block_rows + (row_count % block_rows != 0));
}

/* Blocks of twice the rows. */
static void join_pairs(ks_log_blocks *b) {
    for (size_t i = 0; i < b->count; i += 2)
        b->digests[i / 2] = (uint16_t)(b->digests[i] + (i + 1 < b->count ? b->digests[i + 1] : 0));
    b->block_rows *= 2;
    b->count = block_count_of(b->row_count, b->block_rows);
}

void ks_log_blocks_begin(ks_log_blocks *b) {
    b->row_count = 0;
    b->block_rows = KS_LOG_PIECE_ROWS;
    b->count = 0;
}

void ks_log_blocks_add(ks_log_blocks *b, const char *lines, size_t length, uint64_t row_count) {
    if (b->row_count % KS_LOG_PIECE_ROWS || row_count > KS_LOG_PIECE_ROWS)
        KS_BUG("a piece of an op_log of %llu rows", (unsigned long long)row_count);
    if (b->row_count == b->block_rows * KS_LOG_BLOCKS_MOST) join_pairs(b);
    if (b->row_count % b->block_rows == 0) b->digests[b->count++] = 0;
    uint16_t *digest = &b->digests[b->count - 1];
    *digest = (uint16_t)(*digest + digest_of(lines, length));
    b->row_count += row_count;
}

void ks_log_blocks_print(ks_text *out, const ks_log_blocks *b) {
    for (size_t i = 0; i < b->count; i++)
        for (int shift = 12; shift >= 0; shift -= 4)
            ks_text_add_char(out, "0123456789abcdef"[b->digests[i] >> shift & 15]);
}

static int value_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool ks_log_blocks_parse(ks_log_blocks *b, uint64_t row_count, const char *text, size_t length) {
    b->row_count = row_count;
    b->block_rows = block_rows_of(row_count);
    b->count = block_count_of(row_count, b->block_rows);
    if (length != 4 * b->count) return false;
    for (size_t i = 0; i < length; i++) {
        const int value = value_of(text[i]);
        if (value < 0) return false;
        b->digests[i / 4] = (uint16_t)((i % 4 ? b->digests[i / 4] << 4 : 0) | value);
    }
    return true;
}

bool ks_log_blocks_differ(const ks_log_blocks *expected, const ks_log_blocks *got, uint64_t *block,
                          uint64_t *block_rows) {
    ks_log_blocks a = *expected, b = *got;
    while (a.block_rows < b.block_rows) join_pairs(&a);
    while (b.block_rows < a.block_rows) join_pairs(&b);
    size_t i = 0;
    while (i < a.count && i < b.count && a.digests[i] == b.digests[i]) i++;
    *block = i;
    *block_rows = a.block_rows;
    return i < a.count || i < b.count;
}
