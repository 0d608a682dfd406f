/* Markdown files with generated blocks between marker lines:
 *   <!-- kernsweep:begin table=NAME results=<12 hex> block=<12 hex> -->
 *   <!-- kernsweep:end -->
 * results: of the stored results; block: of the text in between, so that a hand edit shows. Both are
 * left out in a block that was not made yet. What is outside of blocks is never touched. */
#ifndef KS_REPORT_ADR_PAGE_H
#define KS_REPORT_ADR_PAGE_H

#include <stdbool.h>

#include "base/digest.h"
#include "base/text.h"

enum { KS_ADR_SHORT_HEX = 13, KS_ADR_MOST_BLOCKS = 1000 };

typedef struct ks_adr_span {
    char table[101];
    char results[KS_ADR_SHORT_HEX], block[KS_ADR_SHORT_HEX]; /* "": not made yet */
    size_t begin_line;                                       /* of the begin marker, from 1 */
    size_t marker;                                           /* where that line begins */
    size_t begin, end;                                       /* the text in between */
} ks_adr_span;

typedef struct ks_adr_page {
    const char *bytes; /* the caller's */
    size_t length;
    ks_adr_span *spans; /* in file order; owned */
    size_t count;
} ks_adr_page;

/* KS_INPUT, `PATH:LINE: ...`: a marker that is malformed, nested, doubled or without its other. */
KS_CHECKED ks_status ks_adr_page_parse(const char *path, const char *bytes, size_t length,
                                       ks_adr_page *page, ks_error *error);
void ks_adr_page_free(ks_adr_page *page); /* all zero is fine */

const ks_adr_span *ks_adr_page_find(const ks_adr_page *page, const char *table); /* NULL: none */

void ks_adr_short_hex(char hex[KS_ADR_SHORT_HEX], const ks_digest *digest);
/* Begin marker, text, end marker. */
void ks_adr_block_wrap(ks_text *out, const char *table, const ks_digest *results, const char *text,
                       size_t length);
/* The page with one span's block replaced. */
void ks_adr_page_replace(ks_text *out, const ks_adr_page *page, const ks_adr_span *span,
                         const char *wrapped);

#endif
