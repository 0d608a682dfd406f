/* Stages read when their row comes and write when its end has come. */
#include <stdlib.h>
#include <string.h>

#include "data/flights.h"
#include "data/numbers.h"
#include "data/numeric.h"
#include "data/replay_stage.h"

struct ks_replay {
    const ks_numbers *numbers;
    const ks_program *program;
    ks_memory *memory;
    ks_stage_room *room;
    ks_flights flights;
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

void ks_replay_free(ks_replay *replay) {
    if (!replay) return;
    ks_flights_free(&replay->flights);
    ks_memory_free(replay->memory);
    ks_stage_room_free(replay->room);
    free(replay->out);
    free(replay);
}

const char *ks_replay_fault(const ks_replay *replay) { return replay->fault.text; }
const float *ks_replay_out(const ks_replay *replay) { return replay->out; }

/* The first failure stays, with the stage that it belongs to. */
static ks_status fail(ks_replay *replay, ks_status status, uint32_t cmd, int64_t stage,
                      const ks_error *error) {
    if (replay->fault.text[0]) return status;
    return ks_fail(&replay->fault, status, "replay of cmd %lu stage %lld: %.1024s",
                   (unsigned long)cmd, (long long)stage,
                   status == KS_NO_MEMORY ? "out of memory" : error->text);
}

static ks_status land(ks_replay *replay, ks_flight *f) {
    ks_error error = {""};
    ks_status status = ks_memory_write(replay->memory, &f->who, &f->write, &f->result, &error);
    if (status) status = fail(replay, status, f->cmd, f->stage, &error);
    if (f->is_last_of_command) ks_memory_release(replay->memory, f->who.command);
    ks_flight_give(&replay->flights, f);
    return status;
}

static ks_status land_until(ks_replay *replay, uint64_t ticks) {
    ks_status status = KS_OK;
    for (ks_flight *f; !status && (f = ks_flight_land(&replay->flights, ticks));)
        status = land(replay, f);
    return status;
}

static ks_status start(ks_replay *replay, const ks_op_row *row) {
    ks_error error = {""};
    ks_flight *f = ks_flight_take(&replay->flights, row);
    if (!f) return fail(replay, KS_NO_MEMORY, row->cmd, row->stage, &error);
    ks_status status = ks_stage_run(replay->room, replay->memory, row, &f->result, &error);
    if (!status && !ks_flight_start(&replay->flights, f)) status = KS_NO_MEMORY;
    if (!status) return KS_OK;
    ks_flight_give(&replay->flights, f);
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
    ks_view view = {0};
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
    ks_bytes raw = {0};
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
