#include "selftest/row_spoils.h"

#include <stdlib.h>
#include <string.h>

static bool is_of_loop(const ks_op_row *row) {
    return row->command->is_composite && row->phase == KS_PHASE_loop;
}

static bool is_stage(const ks_op_row *row) { return row->stage != KS_CPU_STAGE; }

/* The `nth` row, from 0, of a kind in tile loops; NULL: there is none. */
static ks_op_row *find(const ks_kept_rows *rows, ks_row_kind kind, size_t nth) {
    for (size_t i = 0; i < rows->count; i++)
        if (rows->rows[i].kind == kind && is_of_loop(&rows->rows[i]) && nth-- == 0)
            return &rows->rows[i];
    return NULL;
}

/* The `nth` composite that carries state from one to the next; -1: there are fewer. */
static int64_t find_stateful(const ks_kept_rows *rows, uint32_t nth) {
    int64_t last = -1;
    for (size_t i = 0; i < rows->count; i++) {
        const ks_op_row *row = &rows->rows[i];
        if (!is_stage(row) || !row->command->rw_count || row->cmd == last) continue;
        if (nth-- == 0) return row->cmd;
        last = row->cmd;
    }
    return -1;
}

static ks_op_row *find_stage(const ks_kept_rows *rows, int64_t cmd, int64_t stage) {
    for (size_t i = 0; i < rows->count; i++)
        if (rows->rows[i].cmd == cmd && rows->rows[i].stage == stage) return &rows->rows[i];
    return NULL;
}

/* The first of the command's stages of a kind. */
static ks_op_row *find_kind(const ks_kept_rows *rows, int64_t cmd, ks_row_kind kind) {
    for (size_t i = 0; i < rows->count; i++)
        if (rows->rows[i].cmd == cmd && rows->rows[i].kind == kind) return &rows->rows[i];
    return NULL;
}

static int compare(const void *left, const void *right) {
    const ks_op_row *a = left, *b = right;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    if (is_stage(a) != is_stage(b)) return is_stage(a) - is_stage(b);
    if (a->cmd != b->cmd) return a->cmd < b->cmd ? -1 : 1;
    if (a->stage != b->stage) return a->stage < b->stage ? -1 : 1;
    return a->seq < b->seq ? -1 : 1;
}

/* Back into the op_log's order and numbers, so that no row is wrong by its place alone. */
static void put_in_order(ks_kept_rows *rows) {
    qsort(rows->rows, rows->count, sizeof *rows->rows, compare);
    for (size_t i = 0; i < rows->count; i++) rows->rows[i].seq = i;
}

static void move_to(ks_op_row *row, uint64_t start) {
    row->occupied_end += start - row->start;
    row->end += start - row->start;
    row->start = start;
}

static void drop(ks_kept_rows *rows, const ks_op_row *row) {
    const size_t at = (size_t)(row - rows->rows);
    memmove(rows->rows + at, rows->rows + at + 1, (rows->count - at - 1) * sizeof *rows->rows);
    rows->count--;
    for (size_t i = at; i < rows->count; i++) rows->rows[i].seq = i;
}

static ks_op_row *append(ks_kept_rows *rows, const ks_op_row *row) {
    if (rows->count == rows->room) return NULL;
    rows->rows[rows->count] = *row;
    rows->rows[rows->count].seq = rows->count;
    return &rows->rows[rows->count++];
}

/* ---- rows lost and gained ---- */

void ks_drop_first(int which, ks_kept_rows *rows) {
    const ks_op_row *row = find(rows, (ks_row_kind)which, 0);
    if (row) drop(rows, row);
}

void ks_drop_all(int which, ks_kept_rows *rows) {
    for (const ks_op_row *row; (row = find(rows, (ks_row_kind)which, 0));) drop(rows, row);
}

void ks_drop_dispatch(int which, ks_kept_rows *rows) {
    (void)which;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->rows[i].kind == KS_ROW_DISPATCH) {
            drop(rows, &rows->rows[i]);
            return;
        }
}

void ks_cut_half(int which, ks_kept_rows *rows) {
    (void)which;
    rows->count /= 2;
}

void ks_lose_log(int which, ks_kept_rows *rows) {
    (void)which;
    rows->count = 0;
}

void ks_double_row(int which, ks_kept_rows *rows) {
    const ks_op_row *row = find(rows, (ks_row_kind)which, 0);
    if (row && append(rows, row)) put_in_order(rows);
}

void ks_row_of_no_command(int which, ks_kept_rows *rows) {
    ks_op_row *row = find(rows, (ks_row_kind)which, 0);
    if (row) row->cmd = 1000;
}

/* ---- times and order ---- */

void ks_swap_places(int which, ks_kept_rows *rows) {
    (void)which;
    for (size_t i = 1; i < rows->count; i++) {
        ks_op_row *a = &rows->rows[i - 1], *b = &rows->rows[i];
        if (!is_stage(a) || !is_stage(b) || a->start == b->start) continue;
        const ks_op_row kept = *a;
        *a = *b;
        *b = kept;
        a->seq = i - 1;
        b->seq = i;
        return;
    }
}

/* The second and third op of a prologue: the third begins where the second did. */
void ks_swap_times(int which, ks_kept_rows *rows) {
    const int64_t cmd = find_stateful(rows, 0);
    ks_op_row *first = find_stage(rows, cmd, 1), *second = find_stage(rows, cmd, 2);
    (void)which;
    if (!first || !second) return;
    const uint64_t start = first->start, end = second->end;
    move_to(second, start);
    move_to(first, end - (first->end - first->start));
    put_in_order(rows);
}

void ks_start_undispatched(int which, ks_kept_rows *rows) {
    (void)which;
    for (size_t i = 0; i < rows->count; i++) {
        ks_op_row *row = &rows->rows[i];
        if (!is_stage(row)) continue;
        move_to(row, row->start - 1);
        put_in_order(rows);
        return;
    }
}

/* The first instant from `start` on at which the row's server has nothing else to do. */
static uint64_t first_idle(const ks_kept_rows *rows, const ks_op_row *of, uint64_t start) {
    for (size_t i = 0; i < rows->count; i++) {
        const ks_op_row *row = &rows->rows[i];
        if (row != of && row->server == of->server && row->start <= start &&
            start < row->occupied_end)
            start = row->occupied_end; /* rows go by start */
    }
    return start;
}

void ks_stream_in_prologue(int which, ks_kept_rows *rows) {
    const int64_t cmd = find_stateful(rows, 0);
    ks_op_row *read = find_kind(rows, cmd, KS_ROW_DMA_READ);
    const ks_op_row *first = find_stage(rows, cmd, 0);
    (void)which;
    if (!read || !first) return;
    move_to(read, first_idle(rows, read, first->start));
    put_in_order(rows);
}

void ks_overlap_server(int which, ks_kept_rows *rows) {
    ks_op_row *row = find(rows, (ks_row_kind)which, 1);
    if (!row) return;
    move_to(row, row->start - 1);
    put_in_order(rows);
}

void ks_overlap_state(int which, ks_kept_rows *rows) {
    const int64_t earlier = find_stateful(rows, 0), later = find_stateful(rows, 1);
    ks_op_row *first = find_stage(rows, later, 0);
    uint64_t end = 0;
    (void)which;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->rows[i].cmd == earlier && is_stage(&rows->rows[i]) && rows->rows[i].end > end)
            end = rows->rows[i].end;
    if (later < 0 || !first || !end) return;
    move_to(first, end - 1);
    put_in_order(rows);
}

/* ---- wrong data ---- */

/* A tile of a, where only b streams. */
void ks_read_pinned(int which, ks_kept_rows *rows) {
    (void)which;
    const ks_op_row *read = find(rows, KS_ROW_DMA_READ, 0);
    if (!read) return;
    ks_op_row *row = append(rows, read);
    if (!row) return;
    row->write.range.addr ^= 1;
    row->stage++;
    move_to(row, read->occupied_end);
    put_in_order(rows);
}

/* A DMA_WRITE as if the first composite, whose output stays in TCM, wrote it back. */
void ks_write_unasked(int which, ks_kept_rows *rows) {
    (void)which;
    const ks_op_row *gemm = find(rows, KS_ROW_GEMM, 0), *write = find(rows, KS_ROW_DMA_WRITE, 0);
    if (!gemm || !write || gemm->cmd == write->cmd) return;
    const ks_op_row *last = &rows->rows[rows->count - 1];
    ks_op_row *row = append(rows, write);
    if (!row) return;
    row->cmd = gemm->cmd;
    move_to(row, last->end);
    put_in_order(rows);
}

void ks_other_server(int which, ks_kept_rows *rows) {
    ks_op_row *row = find(rows, (ks_row_kind)which, 0);
    if (row) row->server = KS_SERVER_STORE;
}

void ks_grow_segment(int which, ks_kept_rows *rows) {
    for (size_t i = 0; i < rows->count; i++)
        if (rows->rows[i].kind == KS_ROW_DISPATCH) {
            rows->rows[i].bytes += (uint64_t)which;
            return;
        }
}

void ks_flip_cell(int which, ks_kept_rows *rows) {
    ks_op_row *row = find(rows, KS_ROW_FETCH, 1);
    if (!row) return;
    switch ((ks_flip)which) {
    case KS_FLIP_BYTES: row->bytes ^= 1; return;
    case KS_FLIP_TILE: row->k ^= 1; return;
    case KS_FLIP_READ: row->reads[1].range.addr ^= 64; return;
    case KS_FLIP_WRITE: row->write.range.addr ^= 1; return;
    case KS_FLIP_PHASE: row->phase = KS_PHASE_otile; return;
    case KS_FLIP_LENGTH: row->end = row->occupied_end = row->end + 1; return;
    }
}

/* The last one: nothing of PE_CPU comes after it. */
void ks_lengthen_wait(int which, ks_kept_rows *rows) {
    (void)which;
    for (size_t i = rows->count; i-- > 0;)
        if (rows->rows[i].kind == KS_ROW_WAIT) {
            rows->rows[i].end = ++rows->rows[i].occupied_end;
            return;
        }
}
