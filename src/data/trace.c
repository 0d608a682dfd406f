/* Memory as versions: 128 bits for every line of 64 bytes that may be written, and for every buffer.
 * A stage's result has the digest of what it is and of the versions that it found; where it lands,
 * the versions there become a mixture of their own and of that digest. */
#include <stdlib.h>
#include <string.h>

#include "data/flights.h"
#include "data/replay_buffers.h"

enum { LINE_BYTES = 64, REGIONS = 2 };

typedef struct version {
    uint64_t words[2];
} version;

typedef struct region {
    ks_space space;
    uint64_t addr, bytes;
    version *lines;
} region;

struct ks_trace {
    const ks_program *program;
    ks_handle out;
    region regions[REGIONS]; /* TCM, OUT */
    ks_buffers *buffers;
    ks_flights flights;
    uint64_t *words; /* what a digest is made of */
    uint64_t word_count, word_room;
    bool is_lost; /* a row that the replay would refuse */
};

static bool add_region(region *r, ks_space space, uint64_t addr, uint64_t bytes) {
    *r = (region){space, addr, bytes, calloc(bytes / LINE_BYTES + 1, sizeof *r->lines)};
    return r->lines != NULL;
}

ks_trace *ks_trace_new(const ks_layout *layout, const ks_program *program) {
    ks_trace *trace = calloc(1, sizeof *trace);
    if (!trace) return NULL;
    const ks_tensor *out = ks_layout_find(layout, "OUT");
    trace->program = program;
    trace->out = (ks_handle){.addr = out->addr,
                             .rows = out->rows,
                             .cols = out->cols,
                             .space = KS_HBM,
                             .dtype = out->dtype,
                             .pending = KS_NO_COMMAND};
    trace->buffers = ks_buffers_new();
    if (trace->buffers && add_region(&trace->regions[0], KS_TCM, 0, program->tcm_peak_bytes) &&
        add_region(&trace->regions[1], KS_HBM, out->addr, ks_handle_bytes(&trace->out)))
        return trace;
    ks_trace_free(trace);
    return NULL;
}

void ks_trace_free(ks_trace *trace) {
    if (!trace) return;
    for (int i = 0; i < REGIONS; i++) free(trace->regions[i].lines);
    ks_buffers_free(trace->buffers);
    ks_flights_free(&trace->flights);
    free(trace->words);
    free(trace);
}

/* ---- words ---- */

static bool reach(ks_trace *trace, uint64_t more) {
    if (trace->word_count + more <= trace->word_room) return true;
    const uint64_t room = 2 * (trace->word_count + more) + 64;
    uint64_t *words = realloc(trace->words, room * sizeof *words);
    if (!words) return false;
    trace->words = words;
    trace->word_room = room;
    return true;
}

static bool add_words(ks_trace *trace, const uint64_t *words, uint64_t count) {
    if (!reach(trace, count)) return false;
    memcpy(&trace->words[trace->word_count], words, count * sizeof *words);
    trace->word_count += count;
    return true;
}

static version digest_words(ks_trace *trace) {
    version v;
    const ks_digest digest = ks_digest_of(trace->words, trace->word_count * sizeof *trace->words);
    memcpy(v.words, digest.bytes, sizeof v.words);
    trace->word_count = 0;
    return v;
}

static void mix_in(version *at, const version *by, uint64_t place) {
    at->words[0] = (at->words[0] ^ by->words[0]) * UINT64_C(0x9e3779b97f4a7c15) + by->words[1];
    at->words[1] = (at->words[1] ^ by->words[1]) * UINT64_C(0xbf58476d1ce4e5b9) + place;
    at->words[0] ^= at->words[1] >> 29;
}

/* ---- memory ---- */

static bool is_buffer(ks_space space) { return space != KS_HBM && space != KS_TCM; }

/* NULL: an input, which has one version, or nothing that there is. */
static const region *region_of(const ks_trace *trace, ks_space space, uint64_t addr) {
    for (int i = 0; i < REGIONS; i++) {
        const region *r = &trace->regions[i];
        if (r->space == space && addr >= r->addr && addr - r->addr < r->bytes) return r;
    }
    return NULL;
}

/* The lines of the rectangle's row number `row`. False: outside of the region. */
static bool lines_of(const region *r, const ks_access *access, uint64_t row, uint64_t *first,
                     uint64_t *count) {
    const uint64_t item = ks_access_item_bytes(access);
    const uint64_t from = access->range.addr - r->addr + row * access->handle->cols * item;
    const uint64_t length = access->cols * item;
    if (!length || from > r->bytes || length > r->bytes - from) return false;
    *first = from / LINE_BYTES;
    *count = (from + length - 1) / LINE_BYTES - *first + 1;
    return true;
}

static version *buffer_version(ks_trace *trace, const ks_command *command, const ks_range *range) {
    ks_bytes *bytes = ks_buffers_find(trace->buffers, command, range->space, range->addr);
    if (!bytes) return NULL;
    if (!bytes->length) {
        if (!ks_bytes_resize(bytes, sizeof(version))) return NULL;
        memset(bytes->data, 0, sizeof(version));
    }
    return (version *)(void *)bytes->data;
}

/* What the access is and the versions of what lies there. */
static bool add_read(ks_trace *trace, const ks_command *command, const ks_access *access) {
    const ks_range *range = &access->range;
    const ks_handle *handle = access->handle;
    const uint64_t what[] = {range->space,
                             range->addr,
                             range->bytes,
                             access->rows,
                             access->cols,
                             handle ? handle->cols : 0,
                             handle ? handle->dtype : KS_F32};
    if (!add_words(trace, what, sizeof what / sizeof *what)) return false;
    if (is_buffer(range->space)) {
        const version *v = buffer_version(trace, command, range);
        return v && add_words(trace, v->words, 2);
    }
    const region *r = region_of(trace, range->space, range->addr);
    for (uint64_t i = 0; r && handle && i < access->rows; i++) {
        uint64_t first, count;
        if (!lines_of(r, access, i, &first, &count))
            trace->is_lost = true;
        else if (!add_words(trace, r->lines[first].words, 2 * count))
            return false;
    }
    return true;
}

static bool write_back(ks_trace *trace, const ks_flight *f) {
    const ks_range *range = &f->write.range;
    const version *v = (const version *)(const void *)f->result.data;
    const uint64_t place = range->addr + range->bytes * UINT64_C(0x94d049bb133111eb);
    if (is_buffer(range->space)) {
        version *at = buffer_version(trace, f->who.command, range);
        if (at) mix_in(at, v, place);
        return at != NULL;
    }
    const region *r = region_of(trace, range->space, range->addr);
    if (!r || !f->write.handle) trace->is_lost = true;
    for (uint64_t i = 0; !trace->is_lost && i < f->write.rows; i++) {
        uint64_t first, count;
        if (!lines_of(r, &f->write, i, &first, &count))
            trace->is_lost = true;
        else
            for (uint64_t l = 0; l < count; l++) mix_in(&r->lines[first + l], v, place + i);
    }
    return true;
}

static ks_status land_until(ks_trace *trace, uint64_t ticks) {
    for (ks_flight *f; (f = ks_flight_land(&trace->flights, ticks));) {
        const bool is_written = write_back(trace, f);
        if (f->is_last_of_command) ks_buffers_release(trace->buffers, f->who.command);
        ks_flight_give(&trace->flights, f);
        if (!is_written) return KS_NO_MEMORY;
    }
    return KS_OK;
}

/* ---- rows ---- */

static bool add_row(ks_trace *trace, const ks_op_row *row) {
    const uint64_t what[] = {row->cmd,
                             (uint64_t)row->stage,
                             row->kind,
                             row->op->kind,
                             row->op->scope,
                             row->m,
                             row->n,
                             row->k,
                             row->mt,
                             row->nt,
                             row->kt,
                             row->phase,
                             row->write.range.space};
    bool is_fine = add_words(trace, what, sizeof what / sizeof *what);
    for (uint32_t i = 0; is_fine && i < row->read_count; i++)
        is_fine = add_read(trace, row->command, &row->reads[i]);
    /* A step of a tile loop adds onto what the accumulator holds. */
    if (is_fine && row->kind == KS_ROW_GEMM) is_fine = add_read(trace, row->command, &row->write);
    return is_fine;
}

ks_status ks_trace_row(void *self, const ks_op_row *row) {
    ks_trace *trace = self;
    if (row->server == KS_SERVER_CPU || !row->command || !row->command->is_data_op) return KS_OK;
    if (!row->op || row->write_count != 1) trace->is_lost = true;
    const ks_status status = land_until(trace, row->start);
    if (status || trace->is_lost) return status;
    ks_flight *f = ks_flight_take(&trace->flights, row);
    if (!f) return KS_NO_MEMORY;
    trace->word_count = 0;
    bool is_fine = add_row(trace, row) && ks_bytes_resize(&f->result, sizeof(version));
    if (is_fine) {
        const version v = digest_words(trace);
        memcpy(f->result.data, &v, sizeof v);
        is_fine = ks_flight_start(&trace->flights, f);
    }
    if (!is_fine) ks_flight_give(&trace->flights, f);
    return is_fine ? KS_OK : KS_NO_MEMORY;
}

static bool add_result(ks_trace *trace, const ks_handle *handle) {
    const ks_access whole = {ks_handle_range(handle), handle->rows, handle->cols, handle};
    return add_read(trace, NULL, &whole);
}

ks_status ks_trace_finish(ks_trace *trace, bool *is_whole, ks_digest *flow) {
    const ks_status status = land_until(trace, UINT64_MAX);
    if (status) return status;
    trace->word_count = 0;
    bool is_fine = add_result(trace, &trace->out);
    for (uint32_t i = 0; is_fine && i < trace->program->result_count; i++)
        is_fine = add_result(trace, trace->program->results[i]);
    if (!is_fine) return KS_NO_MEMORY;
    const version v = digest_words(trace);
    memcpy(flow->bytes, v.words, sizeof flow->bytes);
    *is_whole = !trace->is_lost;
    return KS_OK;
}
