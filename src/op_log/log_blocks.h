/* Small digests of an op_log, block by block: a changed log shows where it changed without the old
 * one at hand. They only say where; whether a log changed is said by its XXH3-128.
 * A block is 64 rows, or 64 times the power of two with which the log has at most 256 blocks; its
 * digest is the sum of those of its pieces of 64 rows, so a log's small blocks add up to its large
 * ones. (Rows hold their number, so a sum tells their order too.) */
#ifndef KS_OP_LOG_LOG_BLOCKS_H
#define KS_OP_LOG_LOG_BLOCKS_H

#include "base/text.h"

enum { KS_LOG_PIECE_ROWS = 64, KS_LOG_BLOCKS_MOST = 256 };

typedef struct ks_log_blocks {
    uint64_t row_count;
    uint64_t block_rows; /* rows of every block but the last */
    size_t count;
    uint16_t digests[KS_LOG_BLOCKS_MOST];
} ks_log_blocks;

/* No rows yet. */
void ks_log_blocks_begin(ks_log_blocks *blocks);
/* The next 64 lines of the log, with their LFs and without the header; of the last piece 1 to 64. */
void ks_log_blocks_add(ks_log_blocks *blocks, const char *lines, size_t length, uint64_t row_count);

/* Four hex digits a block. */
void ks_log_blocks_print(ks_text *out, const ks_log_blocks *blocks);
/* Those of a log of `row_count` rows; false: not their text. */
bool ks_log_blocks_parse(ks_log_blocks *blocks, uint64_t row_count, const char *text,
                         size_t length);

/* The first block in which two logs differ; where their sizes differ, of the larger size. A block
 * that only one of them has differs. False: none. */
bool ks_log_blocks_differ(const ks_log_blocks *expected, const ks_log_blocks *got, uint64_t *block,
                          uint64_t *block_rows);

#endif
