/* A line is put together in place: numbers, and copies of whole blocks of constant text, so what is
 * behind its end is overwritten by the next one. Rows of one instant share the text of their start;
 * the fraction of a time seldom changes, as only dispatches last fractions of a cycle. */
#include "op_log/log_writer.h"

#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/digits.h"
#include "op_log/resolve.h"

/* A row has at most KS_MAX_READS + 1 ranges of less than 48 bytes; the rest is less than 256. */
enum { LINE_ROOM = 1024, ROOM = KS_LOG_PIECE_ROWS * LINE_ROOM };

/* Of PE_CPU's rows: DISPATCH by op, STALL, WAIT. */
enum { HEAD_OF_STALL = KS_OP_COUNT, HEAD_OF_WAIT, CPU_HEADS };

struct ks_log_writer {
    ks_digester *digester;
    ks_log_texts *texts;
    FILE *file;
    ks_log_blocks *blocks;
    uint64_t row_count;
    uint32_t piece_rows;
    char *at; /* end of the present piece */
    /* The row's number: its last digit, and the text of the others. */
    uint32_t digit, tens_length;
    char tens_text[KS_DIGITS_ROOM];
    uint64_t start;
    const char *start_text; /* in the piece, with its comma */
    uint32_t start_length, fraction_length;
    uint64_t fraction;
    char fraction_text[KS_DIGITS_ROOM];       /* "0.5"; of none: "0" */
    char cpu_heads[CPU_HEADS][KS_TEXT_BLOCK]; /* from the stage to the start */
    uint8_t cpu_head_lengths[CPU_HEADS];
    ks_text row; /* of rows that are printed */
    char piece[ROOM];
};

static void make_cpu_head(ks_log_writer *w, int head, ks_row_kind kind, const char *op,
                          ks_phase phase) {
    const int length = snprintf(w->cpu_heads[head], KS_TEXT_BLOCK, "-1,cpu,%s,%s,%s,,,,",
                                ks_row_kind_name(kind), op, ks_phase_name(phase));
    w->cpu_head_lengths[head] = (uint8_t)length;
}

ks_log_writer *ks_log_writer_new(void) {
    ks_log_writer *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    for (int op = 0; op < KS_OP_COUNT; op++)
        make_cpu_head(w, op, KS_ROW_DISPATCH, ks_op_name((ks_op_kind)op), KS_PHASE_dispatch);
    make_cpu_head(w, HEAD_OF_STALL, KS_ROW_STALL, "", KS_PHASE_stall);
    make_cpu_head(w, HEAD_OF_WAIT, KS_ROW_WAIT, "", KS_PHASE_wait);
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
    w->start = UINT64_MAX; /* its text goes */
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
    w->start = w->fraction = UINT64_MAX;
    w->digit = w->tens_length = 0;
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

/* Lower case, no leading zeros. */
static char *put_address(char *at, uint64_t value) {
    int digits = 1;
    while (digits < 16 && value >> (4 * digits)) digits++;
    for (int i = digits - 1; i >= 0; i--) *at++ = "0123456789abcdef"[value >> (4 * i) & 15];
    return at;
}

static inline void count_up(ks_log_writer *w) {
    w->row_count++;
    if (++w->digit < 10) return;
    w->digit = 0;
    w->tens_length = (uint32_t)(ks_put_u64(w->tens_text, w->row_count / 10) - w->tens_text);
}

static inline char *put_number(const ks_log_writer *w, char *at) {
    memcpy(at, w->tens_text, sizeof w->tens_text);
    at += w->tens_length;
    *at++ = (char)('0' + w->digit);
    *at++ = ',';
    return at;
}

/* With its comma. Its text is there once a stage of it was asked for. */
static inline char *put_command(const ks_log_writer *w, char *at, uint32_t cmd) {
    const ks_command_text *command = &w->texts->commands[cmd];
    if (command->length) {
        memcpy(at, command->number, sizeof command->number);
        return at + command->length;
    }
    at = ks_put_u64(at, cmd);
    *at++ = ',';
    return at;
}

static inline char *put_ticks(ks_log_writer *w, char *at, uint64_t ticks) {
    const uint64_t fraction = ticks % KS_TICKS_PER_UNIT;
    at = ks_put_u64(at, ticks / KS_TICKS_PER_UNIT);
    if (fraction != w->fraction) {
        w->fraction = fraction;
        w->fraction_length =
            (uint32_t)(ks_put_ticks(w->fraction_text, fraction) - w->fraction_text);
    }
    memcpy(at, w->fraction_text + 1, 8);
    return at + w->fraction_length - 1;
}

static inline char *put_times(ks_log_writer *w, char *at, const ks_event *event) {
    if (event->start == w->start) {
        memmove(at, w->start_text, KS_DIGITS_ROOM); /* a short row: they may overlap */
        at += w->start_length;
    } else {
        w->start = event->start;
        w->start_text = at;
        at = put_ticks(w, at, event->start);
        *at++ = ',';
        w->start_length = (uint32_t)(at - w->start_text);
    }
    return put_ticks(w, at, event->end);
}

static uint64_t hbm_address(const ks_line_text *line, const ks_command *command) {
    const ks_op *op = &command->ops[line->op];
    const ks_handle *handle = line->operand < 0 ? op->out : op->operands[line->operand].handle;
    return handle->addr + line->hbm_offset;
}

static inline char *put_stage(ks_log_writer *w, char *at, const ks_event *event,
                              const ks_line_text *line) {
    at = put_command(w, put_number(w, at), event->cmd);
    at = put_blocks(at, line->head, line->head_length);
    at = put_times(w, at, event);
    at = put_blocks(at, line->tail, line->tail_length);
    if (!line->rest) return at;
    at = put_address(at, hbm_address(line, event->command));
    return put_blocks(at, line->rest, line->rest_length);
}

static inline size_t cpu_head_of(const ks_event *event) {
    if (event->kind == KS_ROW_STALL) return HEAD_OF_STALL;
    if (event->kind == KS_ROW_WAIT) return HEAD_OF_WAIT;
    return event->command->ops[event->first_op].kind;
}

static inline char *put_cpu(ks_log_writer *w, char *at, const ks_event *event) {
    const size_t head = cpu_head_of(event);
    at = put_command(w, put_number(w, at), event->cmd);
    at = put_blocks(at, w->cpu_heads[head], w->cpu_head_lengths[head]);
    at = put_times(w, at, event);
    *at++ = ',';
    at = ks_put_u64(at, event->bytes);
    memcpy(at, ",0,,\n", 5);
    return at + 5;
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

static ks_status print_stage(ks_log_writer *w, const ks_event *event) {
    ks_op_log_feed feed = {w->row_count, {w, print_row}};
    return ks_op_log_take(&feed, event);
}

static ks_status add_row(ks_log_writer *w, const ks_event *event) {
    if (event->stage == KS_CPU_STAGE) {
        w->at = put_cpu(w, w->at, event);
        return KS_OK;
    }
    const ks_line_text *line = ks_log_texts_line(w->texts, event);
    if (!line) {
        const ks_status status = ks_log_texts_make(w->texts, event);
        if (status) return status;
        line = ks_log_texts_line(w->texts, event);
        if (!line) return print_stage(w, event);
    }
    w->at = put_stage(w, w->at, event, line);
    return KS_OK;
}

ks_status ks_log_writer_event(void *writer, const ks_event *event) {
    ks_log_writer *w = writer;
    ks_status status =
        w->row_count ? KS_OK : pass_on(w, KS_OP_LOG_HEADER, sizeof KS_OP_LOG_HEADER - 1);
    if (!status) status = add_row(w, event);
    count_up(w);
    if (++w->piece_rows < KS_LOG_PIECE_ROWS || status) return status;
    return end_piece(w);
}
