#include "op_log/log_texts.h"

#include <string.h>

#include "base/digits.h"
#include "op_log/resolve.h"

/* A plan with more stages has its lines printed row by row: each stage would be used once. */
enum { STAGES_MOST = 4096 };

/* Commands with one plan and the same places in TCM. */
struct ks_line_texts {
    ks_line_texts *next;
    const ks_plan *plan;
    const ks_command *sample;
    const ks_line_text *lines[]; /* by stage; NULL: not made yet */
};

ks_log_texts *ks_log_texts_new(const ks_program *program, ks_arena *arena) {
    ks_log_texts *texts = ks_arena_take(arena, 1, sizeof *texts);
    if (!texts) return NULL;
    texts->arena = arena;
    texts->commands = ks_arena_take(arena, program->command_count, sizeof *texts->commands);
    return texts->commands ? texts : NULL;
}

/* ---- equal commands ---- */

static bool is_same_place(const ks_handle *a, const ks_handle *b) {
    return a == b || a->space == KS_HBM || a->addr == b->addr; /* spaces are the plan's */
}

static bool is_same_command(const ks_command *a, const ks_command *b) {
    for (uint32_t i = 0; i < a->op_count; i++) {
        const ks_op *x = &a->ops[i], *y = &b->ops[i];
        if (x->out && !is_same_place(x->out, y->out)) return false;
        for (uint32_t k = 0; k < x->operand_count; k++)
            if (!is_same_place(x->operands[k].handle, y->operands[k].handle)) return false;
    }
    return true;
}

static ks_line_texts *find_lines(ks_log_texts *texts, const ks_event *event) {
    for (ks_line_texts *l = texts->made; l; l = l->next)
        if (l->plan == event->plan && is_same_command(l->sample, event->command)) return l;
    const size_t lines = event->plan->stage_count;
    ks_line_texts *made =
        ks_arena_take(texts->arena, 1, sizeof *made + lines * sizeof(const ks_line_text *));
    if (!made) return NULL;
    made->plan = event->plan;
    made->sample = event->command;
    made->next = texts->made;
    return texts->made = made;
}

static ks_status make_command(ks_log_texts *texts, const ks_event *event) {
    ks_command_text *command = &texts->commands[event->cmd];
    char number[KS_DIGITS_ROOM];
    if (command->lines) return KS_OK;
    const ks_line_texts *made = find_lines(texts, event);
    if (!made) return KS_NO_MEMORY;
    char *end = ks_put_u64(number, event->cmd);
    *end++ = ',';
    command->length = (uint32_t)(end - number);
    memcpy(command->number, number, command->length);
    command->lines = made->lines;
    return KS_OK;
}

/* ---- lines ---- */

static const char *after_commas(const char *text, int count) {
    for (; count > 0; count--) text = strchr(text, ',') + 1;
    return text;
}

static const char *keep(ks_log_texts *texts, const char *text, size_t length) {
    const size_t blocks = length / KS_TEXT_BLOCK + 1;
    char *copy = ks_arena_take(texts->arena, blocks, KS_TEXT_BLOCK);
    return copy ? memcpy(copy, text, length) : NULL;
}

static void find_handle(const ks_command *command, const ks_handle *handle, ks_line_text *line) {
    for (uint32_t i = 0; i < command->op_count; i++) {
        const ks_op *op = &command->ops[i];
        line->op = i;
        for (uint32_t k = 0; k < op->operand_count; k++)
            if (op->operands[k].handle == handle) {
                line->operand = (int32_t)k;
                return;
            }
        line->operand = -1;
        if (op->out == handle) return;
    }
    KS_BUG("a row names a tensor that its command does not have");
}

/* The one access in HBM; NULL: none, or several. */
static const ks_access *find_hbm(const ks_op_row *row, int *count) {
    const ks_access *found = NULL;
    *count = 0;
    for (uint32_t i = 0; i < row->read_count; i++)
        if (row->reads[i].range.space == KS_HBM) {
            found = &row->reads[i];
            ++*count;
        }
    if (row->write_count && row->write.range.space == KS_HBM) {
        found = &row->write;
        ++*count;
    }
    return *count == 1 ? found : NULL;
}

typedef struct making {
    ks_log_texts *texts;
    const ks_line_text *line;
} making;

/* From the printed row 0,0,HEAD 0,0 TAIL. */
static ks_status make_line(void *self, const ks_op_row *row) {
    making *m = self;
    ks_text *text = &m->texts->scratch;
    int hbm_count;
    const ks_access *hbm = find_hbm(row, &hbm_count);
    if (hbm_count > 1) return KS_OK;
    ks_op_row_print(text, row);
    ks_line_text *line = ks_arena_take(m->texts->arena, 1, sizeof *line);
    if (text->has_failed || !line) return KS_NO_MEMORY;
    const char *head = after_commas(text->data, 2), *start = after_commas(head, 8);
    const char *tail = after_commas(start, 2) - 1, *end = text->data + text->length;
    const char *rest = end;
    if (hbm) {
        rest = strstr(tail, "hbm:0x") + strlen("hbm:0x");
        const char *digits = rest;
        rest += strspn(rest, "0123456789abcdef");
        find_handle(row->command, hbm->handle, line);
        line->hbm_offset = hbm->range.addr - hbm->handle->addr;
        line->rest_length = (uint32_t)(end - rest);
        line->rest = keep(m->texts, rest, line->rest_length);
        if (!line->rest) return KS_NO_MEMORY;
        end = digits;
    }
    line->head_length = (uint32_t)(start - head);
    line->tail_length = (uint32_t)(end - tail);
    line->head = keep(m->texts, head, line->head_length);
    line->tail = keep(m->texts, tail, line->tail_length);
    m->line = line;
    return line->head && line->tail ? KS_OK : KS_NO_MEMORY;
}

ks_status ks_log_texts_make(ks_log_texts *texts, const ks_event *event) {
    if (event->plan->stage_count > STAGES_MOST) return KS_OK;
    ks_status status = make_command(texts, event);
    if (status || ks_log_texts_line(texts, event)) return status;
    making m = {texts, NULL};
    ks_op_log_feed feed = {.sink = {&m, make_line}};
    ks_event of_any = *event;
    of_any.cmd = 0;
    of_any.start = of_any.end = of_any.occupied_end = 0;
    status = ks_op_log_take(&feed, &of_any);
    ks_text_free(&texts->scratch);
    find_lines(texts, event)->lines[event->stage] = m.line; /* it is there */
    return status;
}
