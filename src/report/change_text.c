#include "report/change_text.h"

#include <inttypes.h>

static void add_move(ks_text *out, const ks_change *change, const ks_row *row, ks_column column) {
    ks_text_add_format(out, "; %s ", ks_column_describe(column)->name);
    if (ks_row_has(&change->was, column))
        ks_row_print_cell(out, &change->was, column);
    else
        ks_text_add_string(out, "nothing");
    ks_text_add_string(out, " -> ");
    if (ks_row_has(row, column))
        ks_row_print_cell(out, row, column);
    else
        ks_text_add_string(out, "nothing");
}

void ks_change_print(ks_text *out, const ks_change *change, const ks_row *row) {
    enum { SHOWN = 4 };
    const ks_row *was = &change->was;
    int shown = 0;
    ks_text_add_format(out, "golden: %s%s%s", ks_verdict_name(was->verdict),
                       was->reason[0] ? " " : "", was->reason);
    for (int c = 0; c < KS_COLUMN_COUNT; c++)
        if (ks_change_has(change, (ks_column)c) && shown++ < SHOWN)
            add_move(out, change, row, (ks_column)c);
    if (shown > SHOWN) ks_text_add_format(out, "; and %d more", shown - SHOWN);
    if (change->has_block)
        ks_text_add_format(out, "; op_log first in rows %" PRIu64 " to %" PRIu64, change->block_row,
                           change->block_row + change->block_row_count - 1);
}
