#include "run/spoil.h"

#include <stdlib.h>
#include <string.h>

static ks_status keep(void *self, const ks_op_row *row) {
    ks_kept_rows *kept = self;
    if (kept->count + KS_SPOIL_MORE >= kept->room) {
        const size_t room = kept->room ? 2 * kept->room : 256;
        ks_op_row *rows = realloc(kept->rows, room * sizeof *rows);
        if (!rows) return KS_NO_MEMORY;
        kept->rows = rows;
        kept->room = room;
    }
    kept->rows[kept->count++] = *row;
    return KS_OK;
}

const ks_lowering *ks_spoil_lowering(const ks_spoil *spoil, const ks_lowering *lowering,
                                     ks_lowering *own, ks_arena *arena) {
    if (!spoil->program) return lowering;
    *own = *lowering;
    spoil->program(spoil->which, &own->program, arena);
    return own;
}

const float *ks_spoil_out(const ks_spoil *spoil, const ks_numbers *numbers, const float *out,
                          ks_arena *arena) {
    if (!spoil || !spoil->out) return out;
    const ks_tensor *tensor = ks_layout_find(ks_numbers_layout(numbers), "OUT");
    const uint64_t count = tensor->rows * tensor->cols;
    float *spoilt = ks_arena_take(arena, count, sizeof *spoilt);
    if (!spoilt) return NULL;
    memcpy(spoilt, out, count * sizeof *spoilt);
    spoil->out(spoil->which, spoilt, count);
    return spoilt;
}

/* Row by row as a user would read it, and to whoever looks at rows. */
static ks_status pass_on(const ks_kept_rows *kept, const ks_op_sink *next, ks_text *text,
                         ks_log_blocks *blocks) {
    ks_status status = KS_OK;
    ks_text_add_string(text, KS_OP_LOG_HEADER);
    ks_log_blocks_begin(blocks);
    for (size_t first = 0; first < kept->count && !status; first += KS_LOG_PIECE_ROWS) {
        const size_t start = text->length, left = kept->count - first;
        const size_t count = left < KS_LOG_PIECE_ROWS ? left : KS_LOG_PIECE_ROWS;
        for (size_t i = first; i < first + count && !status; i++) {
            ks_op_row_print(text, &kept->rows[i]);
            status = next->row(next->self, &kept->rows[i]);
        }
        ks_log_blocks_add(blocks, ks_text_string(text) + start, text->length - start, count);
    }
    return text->has_failed ? KS_NO_MEMORY : status;
}

ks_status ks_spoil_run(const ks_spoil *spoil, const ks_program *program, const ks_machine *machine,
                       ks_arena *arena, const ks_op_sink *next, ks_timeline *timeline,
                       ks_spoilt_log *log) {
    ks_kept_rows kept = {0};
    ks_text text = {0};
    ks_op_log_feed keeper = {0, {&kept, keep}};
    const ks_event_sink sink = {&keeper, ks_op_log_take};
    ks_status status = ks_timeline_run(program, machine, arena, &sink, timeline);
    if (!status && spoil->timeline) spoil->timeline(spoil->which, timeline);
    if (!status && spoil->rows) spoil->rows(spoil->which, &kept);
    if (!status) status = pass_on(&kept, next, &text, &log->blocks);
    log->row_count = kept.count;
    log->digest = ks_digest_of(ks_text_string(&text), text.length);
    ks_text_free(&text);
    free(kept.rows);
    return status;
}
