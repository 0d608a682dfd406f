/* Stages read when their row comes and write when its end has come. */
#include <stdlib.h>
#include <string.h>

#include "data/numbers.h"
#include "data/numeric.h"
#include "data/replay_memory.h"
#include "data/replay_stage.h"

/* A stage in flight: its result, not yet written. */
typedef struct flight {
    struct flight *next_spare;
    uint64_t end; /* ticks */
    uint32_t cmd;
    int64_t stage;
    bool is_last_of_command;
    ks_toucher who;
    ks_access write;
    ks_bytes result;
} flight;

struct ks_replay {
    const ks_numbers *numbers;
    const ks_program *program;
    ks_memory *memory;
    ks_stage_room *room;
    flight **heap; /* the first to end on top */
    uint64_t heap_count, heap_capacity;
    flight *spare;
    float *out;
    ks_error fault;
};

ks_replay *ks_replay_new(const ks_numbers *numbers, const ks_program *program,
                         const ks_calibration *calibration) {
    ks_replay *replay = calloc(1, sizeof *replay);
    if (!replay) return NULL;
    replay->numbers = numbers;
    replay->program = program;
    replay->memory = ks_memory_new(numbers, program->tcm_peak_bytes, calibration);
    replay->room = ks_stage_room_new(numbers->isa);
    replay->out = calloc(numbers->out_count, sizeof *replay->out);
    if (replay->memory && replay->room && replay->out) return replay;
    ks_replay_free(replay);
    return NULL;
}

static void flight_free(flight *f) {
    ks_bytes_free(&f->result);
    free(f);
}

void ks_replay_free(ks_replay *replay) {
    if (!replay) return;
    for (uint64_t i = 0; i < replay->heap_count; i++) flight_free(replay->heap[i]);
    while (replay->spare) {
        flight *next = replay->spare->next_spare;
        flight_free(replay->spare);
        replay->spare = next;
    }
    ks_memory_free(replay->memory);
    ks_stage_room_free(replay->room);
    free(replay->heap);
    free(replay->out);
    free(replay);
}

const char *ks_replay_fault(const ks_replay *replay) { return replay->fault.text; }
const float *ks_replay_out(const ks_replay *replay) { return replay->out; }

static bool ends_before(const flight *a, const flight *b) {
    if (a->end != b->end) return a->end < b->end;
    if (a->cmd != b->cmd) return a->cmd < b->cmd;
    return a->stage < b->stage;
}

static bool heap_push(ks_replay *replay, flight *f) {
    if (replay->heap_count == replay->heap_capacity) {
        const uint64_t capacity = replay->heap_capacity ? 2 * replay->heap_capacity : 16;
        flight **heap = realloc(replay->heap, capacity * sizeof(flight *));
        if (!heap) return false;
        replay->heap = heap;
        replay->heap_capacity = capacity;
    }
    uint64_t at = replay->heap_count++;
    for (; at && ends_before(f, replay->heap[(at - 1) / 2]); at = (at - 1) / 2)
        replay->heap[at] = replay->heap[(at - 1) / 2];
    replay->heap[at] = f;
    return true;
}

static flight *heap_pop(ks_replay *replay) {
    flight **heap = replay->heap, *first = heap[0];
    const uint64_t count = --replay->heap_count;
    const flight *last = heap[count];
    uint64_t at = 0;
    for (uint64_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && ends_before(heap[child + 1], heap[child])) child++;
        if (!ends_before(heap[child], last)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = heap[count];
    return first;
}

static flight *flight_take(ks_replay *replay) {
    flight *f = replay->spare;
    if (!f) return calloc(1, sizeof *f);
    replay->spare = f->next_spare;
    return f;
}

static void flight_give(ks_replay *replay, flight *f) {
    f->next_spare = replay->spare;
    replay->spare = f;
}

/* The first failure stays, with the stage that it belongs to. */
static ks_status fail(ks_replay *replay, ks_status status, uint32_t cmd, int64_t stage,
                      const ks_error *error) {
    if (replay->fault.text[0]) return status;
    return ks_fail(&replay->fault, status, "replay of cmd %lu stage %lld: %.1024s",
                   (unsigned long)cmd, (long long)stage,
                   status == KS_NO_MEMORY ? "out of memory" : error->text);
}

static ks_status land(ks_replay *replay) {
    flight *f = heap_pop(replay);
    ks_error error = {""};
    ks_status status = ks_memory_write(replay->memory, &f->who, &f->write, &f->result, &error);
    if (status) status = fail(replay, status, f->cmd, f->stage, &error);
    if (f->is_last_of_command) ks_memory_release(replay->memory, f->who.command);
    flight_give(replay, f);
    return status;
}

static ks_status land_until(ks_replay *replay, uint64_t ticks) {
    ks_status status = KS_OK;
    while (!status && replay->heap_count && replay->heap[0]->end <= ticks) status = land(replay);
    return status;
}

static ks_status start(ks_replay *replay, const ks_op_row *row) {
    ks_error error = {""};
    flight *f = flight_take(replay);
    if (!f) return fail(replay, KS_NO_MEMORY, row->cmd, row->stage, &error);
    f->end = row->end;
    f->cmd = row->cmd;
    f->stage = row->stage;
    f->is_last_of_command = row->is_last_of_command;
    f->who = (ks_toucher){row->command, row->m, row->n};
    f->write = row->write;
    ks_status status = ks_stage_run(replay->room, replay->memory, row, &f->result, &error);
    if (!status && !heap_push(replay, f)) status = KS_NO_MEMORY;
    if (!status) return KS_OK;
    flight_give(replay, f);
    return fail(replay, status, row->cmd, row->stage, &error);
}

ks_status ks_replay_row(void *self, const ks_op_row *row) {
    ks_replay *replay = self;
    if (replay->fault.text[0]) return KS_FAILED;
    if (row->server == KS_SERVER_CPU || !row->command || !row->command->is_data_op) return KS_OK;
    const ks_status status = land_until(replay, row->start);
    return status ? status : start(replay, row);
}

/* NaNs in their canonical form, in place. */
static void canonicalise(unsigned char *raw, ks_dtype dtype, uint64_t count) {
    for (uint64_t i = 0; dtype == KS_F32 && i < count; i++) {
        float *value = (float *)(void *)raw + i;
        if (*value != *value) *value = ks_float_of_bits(KS_NAN32);
    }
    const uint16_t infinity = dtype == KS_F16 ? 0x7c00 : 0x7f80;
    const uint16_t nan = dtype == KS_F16 ? KS_NAN16 : KS_NAN_BF16;
    for (uint64_t i = 0; dtype != KS_F32 && i < count; i++) {
        uint16_t *half = (uint16_t *)(void *)raw + i;
        if ((*half & 0x7fff) > infinity) *half = nan;
    }
}

/* The whole tensor's bytes into `raw` and the digest. */
static ks_status take_result(ks_replay *replay, const ks_handle *handle, ks_bytes *raw,
                             ks_digester *digester) {
    const ks_access whole = {ks_handle_range(handle), handle->rows, handle->cols, handle};
    const ks_toucher nobody = {NULL, KS_NO_INDEX, KS_NO_INDEX};
    ks_view view = {NULL, 0};
    const ks_status status = ks_memory_read(replay->memory, &nobody, &whole, &view, &replay->fault);
    if (status) return status;
    if (!ks_bytes_resize(raw, whole.range.bytes)) return KS_NO_MEMORY;
    memcpy(raw->data, view.data, whole.range.bytes);
    canonicalise(raw->data, handle->dtype, ks_handle_elements(handle));
    ks_digester_add(digester, raw->data, whole.range.bytes);
    return KS_OK;
}

/* OUT as a handle: the layout's last word, not any kernel's. */
static ks_handle handle_of_out(const ks_numbers *numbers) {
    const ks_tensor *out = &numbers->layout.tensors[numbers->out];
    return (ks_handle){.addr = out->addr,
                       .rows = out->rows,
                       .cols = out->cols,
                       .space = KS_HBM,
                       .dtype = out->dtype,
                       .pending = KS_NO_COMMAND};
}

ks_status ks_replay_finish(ks_replay *replay, ks_digest *out_xxh128) {
    if (replay->fault.text[0]) return KS_FAILED;
    ks_status status = land_until(replay, UINT64_MAX);
    ks_digester *digester = ks_digester_new();
    ks_bytes raw = {NULL, 0, 0};
    if (!status && !digester) status = KS_NO_MEMORY;
    for (uint32_t i = 0; !status && i < replay->program->result_count; i++)
        status = take_result(replay, replay->program->results[i], &raw, digester);
    const ks_handle out = handle_of_out(replay->numbers);
    if (!status) status = take_result(replay, &out, &raw, digester);
    if (!status) {
        ks_to_floats(replay->numbers->isa, replay->out, raw.data, out.dtype,
                     replay->numbers->out_count);
        *out_xxh128 = ks_digester_end(digester);
    }
    ks_digester_free(digester);
    ks_bytes_free(&raw);
    return status;
}
