#include "run/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "run/runner.h"
#include "sweep/key.h"

enum { DEFAULT_BYTES = 256 << 20 };

/* One point's result: its key, then its cells, in one array of words. */
struct ks_batch {
    ks_batch_options options;
    ks_job job;
    ks_column columns[KS_COLUMN_COUNT];
    ks_name key_names[KS_NAME_COUNT];
    size_t key_words, entry_words;

    uint64_t *words;           /* entries */
    unsigned char *verdicts;   /* by entry */
    size_t count, room, limit; /* entries */
    uint32_t *slots;           /* hash table: entry + 1; 0: free */
    size_t slot_count;         /* a power of two */

    ks_worker **workers;
    size_t *todo; /* of the present run: entries, and the points that they are of */
    size_t *todo_points;
    size_t todo_count, todo_room;
    const ks_point *points;
    atomic_int status;
    uint64_t asked, simulated;
    ks_text trouble;
};

ks_batch *ks_batch_new(const ks_batch_options *options) {
    ks_batch *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    b->options = *options;
    b->job = (ks_job){.kernels = options->kernels, .mode = options->mode, .oplog = KS_OPLOG_NONE};
    memcpy(b->columns, options->columns, options->column_count * sizeof(ks_column));
    for (ks_name name = 0; name < KS_NAME_COUNT; name++)
        if (options->names & KS_NAME_BIT(name)) b->key_names[b->key_words++] = name;
    b->entry_words = b->key_words + options->column_count;
    const size_t bytes = options->memory_bytes ? options->memory_bytes : DEFAULT_BYTES;
    b->limit = bytes / (b->entry_words * sizeof(uint64_t) + 9);
    if (b->limit > UINT32_MAX / 4) b->limit = UINT32_MAX / 4;
    b->workers = calloc((size_t)options->threads, sizeof(ks_worker *));
    bool is_fine = b->workers != NULL;
    for (int i = 0; is_fine && i < options->threads; i++)
        is_fine = (b->workers[i] = ks_worker_new()) != NULL;
    if (is_fine) return b;
    ks_batch_free(b);
    return NULL;
}

void ks_batch_free(ks_batch *b) {
    if (!b) return;
    for (int i = 0; b->workers && i < b->options.threads; i++) ks_worker_free(b->workers[i]);
    free(b->workers);
    free(b->words);
    free(b->verdicts);
    free(b->slots);
    free(b->todo);
    free(b->todo_points);
    ks_text_free(&b->trouble);
    free(b);
}

uint64_t ks_batch_asked(const ks_batch *b) { return b->asked; }
uint64_t ks_batch_simulated(const ks_batch *b) { return b->simulated; }
const char *ks_batch_trouble(const ks_batch *b) { return ks_text_string(&b->trouble); }

/* ---- entries ---- */

static uint64_t *key_of(const ks_batch *b, size_t entry) {
    return b->words + entry * b->entry_words;
}

static size_t slot_of(const ks_batch *b, const uint64_t *key) {
    uint64_t hash;
    const ks_digest digest = ks_digest_of(key, b->key_words * sizeof *key);
    memcpy(&hash, digest.bytes, sizeof hash);
    size_t slot = hash & (b->slot_count - 1);
    while (b->slots[slot] &&
           memcmp(key_of(b, b->slots[slot] - 1), key, b->key_words * sizeof *key) != 0)
        slot = (slot + 1) & (b->slot_count - 1);
    return slot;
}

static bool grow_slots(ks_batch *b, size_t slot_count) {
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (!slots) return false;
    free(b->slots);
    b->slots = slots;
    b->slot_count = slot_count;
    for (size_t entry = 0; entry < b->count; entry++)
        b->slots[slot_of(b, key_of(b, entry))] = (uint32_t)entry + 1;
    return true;
}

/* Room for `more` entries; forgets all when that would be too many. */
static bool make_room(ks_batch *b, size_t more) {
    if (b->count + more > b->limit) {
        b->count = 0;
        if (b->slots) memset(b->slots, 0, b->slot_count * sizeof *b->slots);
    }
    const size_t needed = b->count + more;
    if (needed > b->room) {
        const size_t room = 2 * b->room > needed ? 2 * b->room : needed;
        uint64_t *words = realloc(b->words, room * b->entry_words * sizeof *words);
        if (words) b->words = words;
        unsigned char *verdicts = realloc(b->verdicts, room);
        if (verdicts) b->verdicts = verdicts;
        if (!words || !verdicts) return false;
        b->room = room;
    }
    size_t slot_count = b->slot_count ? b->slot_count : 1024;
    while (slot_count < 2 * needed) slot_count *= 2;
    return slot_count == b->slot_count || grow_slots(b, slot_count);
}

/* The point's entry; a new one is still to be run. */
static size_t entry_of(ks_batch *b, const ks_point *point, size_t index) {
    uint64_t key[KS_NAME_COUNT];
    for (size_t i = 0; i < b->key_words; i++) key[i] = ks_point_get(point, b->key_names[i]);
    const size_t slot = slot_of(b, key);
    if (b->slots[slot]) return b->slots[slot] - 1;
    const size_t entry = b->count++;
    memcpy(key_of(b, entry), key, b->key_words * sizeof *key);
    b->slots[slot] = (uint32_t)entry + 1;
    b->todo[b->todo_count] = entry;
    b->todo_points[b->todo_count++] = index;
    return entry;
}

/* ---- running ---- */

static bool is_stopped(const ks_batch *b) {
    return b->options.is_stopped && atomic_load(b->options.is_stopped);
}

static bool has_cells(const ks_batch *b, const ks_row *row) {
    for (size_t i = 0; i < b->options.column_count; i++)
        if (!ks_row_has(row, b->columns[i])) return false;
    return row->verdict == KS_VERDICT_pass;
}

static void run_one(void *self, int thread, size_t index) {
    ks_batch *b = self;
    ks_row row;
    ks_error detail;
    if (atomic_load(&b->status) || is_stopped(b)) return;
    const ks_point *point = &b->points[b->todo_points[index]];
    const ks_status status = ks_point_run(b->workers[thread], &b->job, point, "", &row,
                                          &detail); /* nobody asks its id */
    if (status) {
        atomic_store(&b->status, (int)status);
        return;
    }
    const size_t entry = b->todo[index];
    b->verdicts[entry] = (unsigned char)row.verdict;
    if (row.verdict == KS_VERDICT_pass && !has_cells(b, &row)) KS_BUG("a figure without a value");
    ks_batch_cell *cells = (ks_batch_cell *)(void *)(key_of(b, entry) + b->key_words);
    for (size_t i = 0; i < b->options.column_count; i++) {
        const bool is_real = ks_column_describe(b->columns[i])->kind == KS_REAL;
        if (is_real)
            cells[i].real = row.figures[b->columns[i]].real;
        else
            cells[i].count = row.figures[b->columns[i]].count;
    }
}

/* Runs the first such point again, alone, for its reason. */
static ks_status describe_trouble(ks_batch *b, const ks_point *point) {
    ks_row row;
    ks_error detail;
    const ks_status status = ks_point_run(b->workers[0], &b->job, point, "", &row, &detail);
    if (status) return status;
    ks_key_print(&b->trouble, b->options.kernels, point);
    ks_text_add_format(&b->trouble, ": %s %s%s%s", ks_verdict_name(row.verdict), row.reason,
                       detail.text[0] ? "; " : "", detail.text);
    return b->trouble.has_failed ? KS_NO_MEMORY : KS_OK;
}

static ks_status run_todo(ks_batch *b) {
    atomic_store(&b->status, KS_OK);
    ks_run_each(b->options.threads, b->todo_count, b, run_one);
    ks_status status = (ks_status)atomic_load(&b->status);
    b->simulated += b->todo_count;
    for (size_t i = 0; i < b->todo_count && !status && !b->trouble.length && !is_stopped(b); i++)
        if (b->verdicts[b->todo[i]] != KS_VERDICT_pass)
            status = describe_trouble(b, &b->points[b->todo_points[i]]);
    return status;
}

static bool make_todo_room(ks_batch *b, size_t count) {
    b->todo_count = 0;
    if (count <= b->todo_room) return true;
    size_t *todo = realloc(b->todo, count * sizeof *todo);
    if (todo) b->todo = todo;
    size_t *points = realloc(b->todo_points, count * sizeof *points);
    if (points) b->todo_points = points;
    if (!todo || !points) return false;
    b->todo_room = count;
    return true;
}

/* After a failure entries are there that have no result: none is kept. */
static ks_status forget(ks_batch *b, ks_status status, ks_error *error) {
    b->count = 0;
    if (b->slots) memset(b->slots, 0, b->slot_count * sizeof *b->slots);
    if (is_stopped(b)) return ks_fail(error, KS_IO, "interrupted");
    if (status == KS_NO_MEMORY) return ks_fail(error, status, "out of memory");
    return ks_fail(error, status, "a point could not be run to its end");
}

ks_status ks_batch_run(ks_batch *b, const ks_point *points, size_t count, ks_batch_row *rows,
                       ks_error *error) {
    if (!make_room(b, count) || !make_todo_room(b, count)) return forget(b, KS_NO_MEMORY, error);
    size_t *entries = malloc((count + 1) * sizeof *entries);
    if (!entries) return forget(b, KS_NO_MEMORY, error);
    b->points = points;
    for (size_t i = 0; i < count; i++) entries[i] = entry_of(b, &points[i], i);
    const ks_status status = run_todo(b);
    const bool is_done = !status && !is_stopped(b);
    for (size_t i = 0; i < count && is_done; i++) {
        rows[i].verdict = (ks_verdict)b->verdicts[entries[i]];
        rows[i].cells =
            rows[i].verdict == KS_VERDICT_pass
                ? (const ks_batch_cell *)(const void *)(key_of(b, entries[i]) + b->key_words)
                : NULL;
    }
    free(entries);
    b->asked += count;
    return is_done ? KS_OK : forget(b, status, error);
}
