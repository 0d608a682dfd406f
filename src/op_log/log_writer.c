/* A line is put together in place: numbers, and copies of whole blocks of constant text, so what is
 * behind its end is overwritten by the next one. Rows of one instant share the text of their start. */
#include "op_log/log_writer.h"

#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "op_log/resolve.h"

/* A row has at most KS_MAX_READS + 1 ranges of less than 48 bytes; the rest is less than 256. */
enum { LINE_ROOM = 1024, ROOM = KS_LOG_PIECE_ROWS * LINE_ROOM };

struct ks_log_writer {
    ks_digester *digester;
    ks_log_texts *texts;
    FILE *file;
    ks_log_blocks *blocks;
    uint64_t row_count;
    uint32_t piece_rows;
    char *at; /* end of the present piece */
    uint64_t start;
    uint32_t start_length;
    char start_text[KS_TEXT_BLOCK]; /* of `start`, with its comma */
    ks_text row;                    /* of rows that are printed */
    char piece[ROOM];
};

ks_log_writer *ks_log_writer_new(void) {
    ks_log_writer *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->digester = ks_digester_new();
    if (w->digester) return w;
    free(w);
    return NULL;
}

void ks_log_writer_free(ks_log_writer *w) {
    if (!w) return;
    ks_digester_free(w->digester);
    ks_text_free(&w->row);
    free(w);
}

/* ---- pieces ---- */

static ks_status pass_on(ks_log_writer *w, const char *text, size_t length) {
    ks_digester_add(w->digester, text, length);
    return w->file && fwrite(text, 1, length, w->file) != length ? KS_IO : KS_OK;
}

static ks_status end_piece(ks_log_writer *w) {
    const size_t length = (size_t)(w->at - w->piece);
    const uint32_t rows = w->piece_rows;
    w->at = w->piece;
    w->piece_rows = 0;
    if (rows == 0) return KS_OK;
    if (w->blocks) ks_log_blocks_add(w->blocks, w->piece, length, rows);
    return pass_on(w, w->piece, length);
}

void ks_log_writer_begin(ks_log_writer *w, ks_log_texts *texts, FILE *file, ks_log_blocks *blocks) {
    ks_digester_reset(w->digester);
    w->texts = texts;
    w->file = file;
    w->blocks = blocks;
    w->row_count = 0;
    w->piece_rows = 0;
    w->at = w->piece;
    w->start = UINT64_MAX;
    if (blocks) ks_log_blocks_begin(blocks);
}

ks_status ks_log_writer_end(ks_log_writer *w, ks_digest *digest, uint64_t *row_count) {
    ks_status status =
        w->row_count ? KS_OK : pass_on(w, KS_OP_LOG_HEADER, sizeof KS_OP_LOG_HEADER - 1);
    if (!status) status = end_piece(w);
    *digest = ks_digester_end(w->digester);
    *row_count = w->row_count;
    return status;
}

/* ---- lines ---- */

static inline char *put_blocks(char *at, const char *text, size_t length) {
    memcpy(at, text, KS_TEXT_BLOCK);
    for (size_t done = KS_TEXT_BLOCK; done < length; done += KS_TEXT_BLOCK)
        memcpy(at + done, text + done, KS_TEXT_BLOCK);
    return at + length;
}

static inline char *put_string(char *at, const char *text) {
    const size_t length = strlen(text);
    memcpy(at, text, length);
    return at + length;
}

/* Lower case, no leading zeros. */
static char *put_address(char *at, uint64_t value) {
    int digits = 1;
    while (digits < 16 && value >> (4 * digits)) digits++;
    for (int i = digits - 1; i >= 0; i--) *at++ = "0123456789abcdef"[value >> (4 * i) & 15];
    return at;
}

static inline char *put_numbers(ks_log_writer *w, char *at, const ks_event *event) {
    at = ks_put_u64(at, w->row_count);
    *at++ = ',';
    at = ks_put_u64(at, event->cmd);
    *at++ = ',';
    return at;
}

static inline char *put_times(ks_log_writer *w, char *at, const ks_event *event) {
    if (event->start != w->start) {
        char *end = ks_put_ticks(w->start_text, event->start);
        *end++ = ',';
        w->start = event->start;
        w->start_length = (uint32_t)(end - w->start_text);
    }
    memcpy(at, w->start_text, KS_DIGITS_ROOM);
    return ks_put_ticks(at + w->start_length, event->end);
}

static uint64_t hbm_address(const ks_line_text *line, const ks_command *command) {
    const ks_op *op = &command->ops[line->op];
    const ks_handle *handle = line->operand < 0 ? op->out : op->operands[line->operand].handle;
    return handle->addr + line->hbm_offset;
}

static inline char *put_stage(ks_log_writer *w, char *at, const ks_event *event,
                              const ks_line_text *line) {
    at = put_numbers(w, at, event);
    at = put_blocks(at, line->head, line->head_length);
    at = put_times(w, at, event);
    at = put_blocks(at, line->tail, line->tail_length);
    if (!line->rest) return at;
    at = put_address(at, hbm_address(line, event->command));
    return put_blocks(at, line->rest, line->rest_length);
}

static char *put_cpu(ks_log_writer *w, char *at, const ks_event *event) {
    const bool is_dispatch = event->kind == KS_ROW_DISPATCH;
    static const ks_phase phases[] = {[KS_ROW_DISPATCH] = KS_PHASE_dispatch,
                                      [KS_ROW_STALL] = KS_PHASE_stall,
                                      [KS_ROW_WAIT] = KS_PHASE_wait};
    at = put_string(put_numbers(w, at, event), "-1,cpu,");
    at = put_string(at, ks_row_kind_name(event->kind));
    *at++ = ',';
    if (is_dispatch) at = put_string(at, ks_op_name(event->command->ops[event->first_op].kind));
    *at++ = ',';
    at = put_string(put_string(at, ks_phase_name(phases[event->kind])), ",,,,");
    at = put_times(w, at, event);
    *at++ = ',';
    at = ks_put_u64(at, event->bytes);
    return put_string(at, ",0,,\n");
}

static ks_status print_row(void *self, const ks_op_row *row) {
    ks_log_writer *w = self;
    ks_text_clear(&w->row);
    ks_op_row_print(&w->row, row);
    if (w->row.has_failed) return KS_NO_MEMORY;
    memcpy(w->at, w->row.data, w->row.length);
    w->at += w->row.length;
    return KS_OK;
}

static ks_status add_row(ks_log_writer *w, const ks_event *event) {
    const ks_line_text *line = NULL;
    if (event->stage == KS_CPU_STAGE) {
        w->at = put_cpu(w, w->at, event);
        return KS_OK;
    }
    const ks_status status = ks_log_texts_of(w->texts, event, &line);
    if (status) return status;
    if (line) {
        w->at = put_stage(w, w->at, event, line);
        return KS_OK;
    }
    ks_op_log_feed feed = {w->row_count, {w, print_row}};
    return ks_op_log_take(&feed, event);
}

ks_status ks_log_writer_event(void *writer, const ks_event *event) {
    ks_log_writer *w = writer;
    ks_status status =
        w->row_count ? KS_OK : pass_on(w, KS_OP_LOG_HEADER, sizeof KS_OP_LOG_HEADER - 1);
    if (!status) status = add_row(w, event);
    w->row_count++;
    if (++w->piece_rows < KS_LOG_PIECE_ROWS || status) return status;
    return end_piece(w);
}
