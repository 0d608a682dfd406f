/* conservation: every stage once, with the data that it must move or work on. MACs then sum to
 * M x N x K, and every tile is read as often as the loops say. */
#include <inttypes.h>

#include "check/check_state.h"

static uint64_t tile_index(uint32_t tile) { return tile == KS_CHECK_NO_TILE ? KS_NO_INDEX : tile; }

static bool is_same(const ks_range *a, const ks_range *b) {
    return a->addr == b->addr && a->bytes == b->bytes && a->space == b->space;
}

static void blame_range(ks_check *check, const ks_op_row *row, const char *verb,
                        const ks_range *found, const ks_range *due) {
    const bool is_known = (unsigned)found->space < KS_SPACE_COUNT;
    ks_check_blame(check, KS_INVARIANT_conservation, row,
                   "%s %s:0x%" PRIx64 "+%" PRIu64 ", expected %s:0x%" PRIx64 "+%" PRIu64, verb,
                   is_known ? ks_space_name(found->space) : "unknown", found->addr, found->bytes,
                   ks_space_name(due->space), due->addr, due->bytes);
}

static void blame_figure(ks_check *check, const ks_op_row *row, const char *what, uint64_t found,
                         uint64_t due) {
    ks_check_blame(check, KS_INVARIANT_conservation, row, "has %s %" PRIu64 ", expected %" PRIu64,
                   what, found, due);
}

/* The op, phase and tile that the stage stands for. */
static bool is_itself(ks_check *check, const ks_live *live, const ks_op_row *row,
                      const ks_due *due) {
    if (row->kind == due->kind && row->phase == due->phase &&
        row->op == &live->command->ops[due->op] && row->m == tile_index(due->m) &&
        row->n == tile_index(due->n) && row->k == tile_index(due->k))
        return true;
    ks_check_blame(check, KS_INVARIANT_conservation, row,
                   "is not the stage that is due: a %s of op %" PRIu32
                   " (%s), phase %s, tile %" PRId64 " %" PRId64 " %" PRId64,
                   ks_row_kind_name((ks_row_kind)due->kind), due->op,
                   ks_op_name(live->command->ops[due->op].kind),
                   ks_phase_name((ks_phase)due->phase), (int64_t)tile_index(due->m),
                   (int64_t)tile_index(due->n), (int64_t)tile_index(due->k));
    return false;
}

static bool are_figures_due(ks_check *check, const ks_op_row *row, const ks_touch *due) {
    if (row->bytes != due->bytes)
        blame_figure(check, row, "bytes", row->bytes, due->bytes);
    else if (row->elements != due->elements)
        blame_figure(check, row, "elements", row->elements, due->elements);
    else if (row->mt != due->mt)
        blame_figure(check, row, "tile rows", row->mt, due->mt);
    else if (row->nt != due->nt)
        blame_figure(check, row, "tile columns", row->nt, due->nt);
    else if (row->kt != due->kt)
        blame_figure(check, row, "tile depth", row->kt, due->kt);
    else if (row->read_count != due->read_count)
        blame_figure(check, row, "reads", row->read_count, due->read_count);
    else if (row->write_count != due->has_write)
        blame_figure(check, row, "writes", row->write_count, due->has_write);
    else if (row->is_last_of_command != due->is_last)
        blame_figure(check, row, "last of command", row->is_last_of_command, due->is_last);
    else
        return true;
    return false;
}

static void ask_touch(ks_check *check, const ks_live *live, const ks_op_row *row,
                      const ks_due *due) {
    ks_touch touch;
    ks_touch_of(check, live, due, &touch);
    if (!are_figures_due(check, row, &touch)) return;
    for (uint32_t i = 0; i < touch.read_count; i++)
        if (!is_same(&row->reads[i].range, &touch.reads[i])) {
            blame_range(check, row, "reads", &row->reads[i].range, &touch.reads[i]);
            return;
        }
    if (touch.has_write && !is_same(&row->write.range, &touch.write))
        blame_range(check, row, "writes", &row->write.range, &touch.write);
}

/* The loop's stages of one kind run in step order. Tile MATH of two scopes may pass each other. */
static void ask_step_order(ks_check *check, ks_live *live, const ks_op_row *row,
                           const ks_due *due) {
    uint32_t *next = &live->next_of_kind[due->kind];
    const uint32_t stage = (uint32_t)row->stage;
    if (stage < *next && due->kind != KS_ROW_MATH)
        ks_check_blame(check, KS_INVARIANT_conservation, row,
                       "comes after stage %" PRIu32 " of its kind: not in step order", *next - 1);
    if (stage >= *next) *next = stage + 1;
}

void ks_ask_content(ks_check *check, ks_live *live, const ks_op_row *row, const ks_due *due) {
    if (is_itself(check, live, row, due)) ask_touch(check, live, row, due);
    ask_step_order(check, live, row, due);
}

/* ---- at the end ---- */

static void blame_missing(ks_check *check, const ks_live *live) {
    uint32_t stage = 0;
    while (live->seen[stage].end != KS_CHECK_UNSEEN) stage++;
    ks_check_blame(check, KS_INVARIANT_conservation, NULL,
                   "cmd %" PRIu32 " has no row for %" PRIu32 " of its %" PRIu32
                   " stages, the first is stage %" PRIu32 " (%s); row %" PRIu64 " is its last",
                   live->command->index, live->missing, live->shape->stage_count, stage,
                   ks_row_kind_name((ks_row_kind)live->shape->stages[stage].kind),
                   live->has_started ? live->last.seq : live->dispatch.seq);
}

void ks_ask_complete(ks_check *check) {
    const uint32_t count = check->program->command_count;
    for (uint32_t c = 0; c < count; c++) {
        const ks_live *live = check->lives[c];
        if (live == &check->done) continue;
        if (!live || !live->is_dispatched)
            ks_check_blame(check, KS_INVARIANT_conservation, NULL,
                           "cmd %" PRIu32 " of %" PRIu32 " was not dispatched%s", c, count,
                           live && live->has_dispatch ? " to its end" : "");
        if (!live) continue;
        if (live->missing) blame_missing(check, live);
        if (live->has_started) ks_ask_moves(check, live);
    }
}
