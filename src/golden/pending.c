#include "golden/pending.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_map.h"
#include "golden/golden_compare.h"
#include "golden/signature.h"

typedef struct finder {
    const ks_golden *golden, *observed;
    ks_pending *out;
    ks_text_map *signatures; /* of groups, by number */
    size_t item_room, group_room;
} finder;

void ks_pending_free(ks_pending *p) {
    for (size_t i = 0; i < p->group_count; i++) {
        free((void *)(uintptr_t)p->groups[i].what);
        free((void *)(uintptr_t)p->groups[i].where);
    }
    free(p->groups);
    free(p->items);
    *p = (ks_pending){0};
}

ks_status ks_pending_place(ks_pending *p, size_t group, const char *where, uint64_t inside) {
    p->groups[group].where = strdup(where);
    p->groups[group].inside = inside;
    return p->groups[group].where ? KS_OK : KS_NO_MEMORY;
}

/* ---- items ---- */

/* Moved cells, and by how much dispatch and total moved. Lines of other parts are compared by the
 * figures that both files pin. False: nothing moved. */
static bool compare_lines(const finder *f, ks_pending_item *item, ks_row *row, ks_change *change) {
    const size_t was_line = (size_t)item->golden, is_line = (size_t)item->observed;
    const ks_golden_parts parts[2] = {ks_golden_head_of(f->golden)->parts,
                                      ks_golden_head_of(f->observed)->parts};
    const ks_golden_line line = ks_golden_at(f->observed, is_line);
    const ks_golden_line golden_line = ks_golden_at(f->golden, was_line);
    ks_row was;
    ks_log_blocks blocks;
    if (line.length == golden_line.length &&
        memcmp(line.cells, golden_line.cells, line.length) == 0)
        return false;
    ks_golden_row_of(f->golden, was_line, &was, &blocks);
    ks_golden_row_of(f->observed, is_line, row, &blocks);
    const uint64_t both = ks_golden_columns(parts[0]) & ks_golden_columns(parts[1]);
    *change = (ks_change){.was = was,
                          .is_verdict = was.verdict != row->verdict,
                          .is_reason = strcmp(was.reason, row->reason) != 0};
    for (int c = 0; c < KS_COLUMN_COUNT; c++) {
        ks_text a = {0}, b = {0};
        if (!(both >> c & 1)) continue;
        ks_row_print_cell(&a, &was, (ks_column)c);
        ks_row_print_cell(&b, row, (ks_column)c);
        if (strcmp(ks_text_string(&a), ks_text_string(&b)) != 0)
            change->columns |= UINT64_C(1) << c;
        ks_text_free(&a);
        ks_text_free(&b);
    }
    item->has_dispatch =
        ks_row_has(&was, KS_COL_dispatch_cycles) && ks_row_has(row, KS_COL_dispatch_cycles);
    item->has_total = ks_row_has(&was, KS_COL_total_cycles) && ks_row_has(row, KS_COL_total_cycles);
    item->dispatch_ticks = (int64_t)(row->figures[KS_COL_dispatch_cycles].count -
                                     was.figures[KS_COL_dispatch_cycles].count);
    item->total_ticks =
        (int64_t)(row->figures[KS_COL_total_cycles].count - was.figures[KS_COL_total_cycles].count);
    return true;
}

/* The kernel that a KEY names. */
static void add_kernel(ks_text *out, const char *key) {
    const char *name = strncmp(key, "kernel=", 7) == 0 ? key + 7 : key;
    ks_text_add(out, name, strcspn(name, " "));
}

/* What lines of one cause have in common, and the same in words. */
static void print_cause(ks_text *signature, ks_text *what, ks_pending_kind kind, const char *key,
                        const ks_row *row, const ks_change *change) {
    static const char *const words[] = {[KS_PENDING_CHANGED] =
                                            " is stored anew, its figures as they were",
                                        [KS_PENDING_NEW] = ": not in the golden yet",
                                        [KS_PENDING_GONE] = ": no points of the sweep any more"};
    ks_text kernel = {0};
    add_kernel(&kernel, key);
    const ks_record record = {.row = row,
                              .key = key,
                              .kernel = ks_text_string(&kernel),
                              .why = "",
                              .detail = "",
                              .change = change};
    if (change && ks_change_count(change)) {
        ks_signature_print(signature, &record);
        ks_signature_say(what, &record);
    } else {
        ks_text_add_format(what, "%s%s", record.kernel, words[kind]);
        ks_text_add_string(signature, ks_text_string(what));
    }
    if (kernel.has_failed) signature->has_failed = true;
    ks_text_free(&kernel);
}

/* The number of its group, a new one if need be; SIZE_MAX: out of memory. */
static size_t group_of(finder *f, ks_pending_kind kind, const char *key, const ks_row *row,
                       const ks_change *change) {
    ks_pending *p = f->out;
    ks_text signature = {0}, what = {0};
    print_cause(&signature, &what, kind, key, row, change);
    size_t number = signature.has_failed || what.has_failed
                        ? KS_TEXT_MAP_NONE
                        : ks_text_map_add(f->signatures, signature.data);
    ks_text_free(&signature);
    if (number == p->group_count && number == f->group_room) {
        const size_t room = f->group_room ? 2 * f->group_room : 16;
        ks_pending_group *groups = realloc(p->groups, room * sizeof *groups);
        if (groups) {
            p->groups = groups;
            f->group_room = room;
        } else {
            number = KS_TEXT_MAP_NONE;
        }
    }
    if (number == p->group_count) {
        p->groups[p->group_count++] =
            (ks_pending_group){.kind = kind, .what = what.data, .first_key = key};
        return number;
    }
    ks_text_free(&what);
    return number == KS_TEXT_MAP_NONE ? SIZE_MAX : number;
}

static bool add_item(finder *f, ks_pending_item item, const char *key, const ks_row *row,
                     const ks_change *change) {
    ks_pending *p = f->out;
    if (p->count == f->item_room) {
        const size_t room = f->item_room ? 2 * f->item_room : 256;
        ks_pending_item *items = realloc(p->items, room * sizeof *items);
        if (!items) return false;
        p->items = items;
        f->item_room = room;
    }
    item.group = group_of(f, item.kind, key, row, change);
    if (item.group == SIZE_MAX) return false;
    p->groups[item.group].count++;
    p->items[p->count++] = item;
    return true;
}

static bool find_in_observed(finder *f, size_t index, const char *key) {
    ks_change change;
    ks_row row;
    size_t golden = 0;
    ks_pending_item item = {.kind = KS_PENDING_NEW, .golden = KS_NO_LINE, .observed = (long)index};
    if (f->golden && ks_golden_find(f->golden, key, &golden)) {
        item.kind = KS_PENDING_CHANGED;
        item.golden = (long)golden;
        if (!compare_lines(f, &item, &row, &change)) {
            f->out->unchanged++;
            return true;
        }
    }
    const bool is_new = item.kind == KS_PENDING_NEW;
    return add_item(f, item, key, is_new ? NULL : &row, is_new ? NULL : &change);
}

static bool find_gone(finder *f, size_t index, const char *key) {
    const ks_pending_item item = {
        .kind = KS_PENDING_GONE, .golden = (long)index, .observed = KS_NO_LINE};
    size_t observed;
    if (ks_golden_find(f->observed, key, &observed)) return true;
    return add_item(f, item, key, NULL, NULL);
}

/* ---- spreads ---- */

static int compare_ticks(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void measure(ks_pending_spread *spread, int64_t *ticks, size_t count) {
    if (!count) return;
    qsort(ticks, count, sizeof *ticks, compare_ticks);
    for (size_t i = 0; i < count; i++) {
        spread->up += ticks[i] > 0;
        spread->down += ticks[i] < 0;
        spread->same += ticks[i] == 0;
    }
    spread->least = ticks[0];
    spread->median = ticks[(count - 1) / 2];
    spread->most = ticks[count - 1];
}

static bool measure_groups(ks_pending *p) {
    int64_t *ticks = malloc((p->count + 1) * sizeof *ticks);
    if (!ticks) return false;
    for (size_t g = 0; g < p->group_count; g++) {
        size_t count = 0;
        for (size_t i = 0; i < p->count; i++)
            if (p->items[i].group == g && p->items[i].has_dispatch)
                ticks[count++] = p->items[i].dispatch_ticks;
        measure(&p->groups[g].dispatch, ticks, count);
        count = 0;
        for (size_t i = 0; i < p->count; i++)
            if (p->items[i].group == g && p->items[i].has_total)
                ticks[count++] = p->items[i].total_ticks;
        measure(&p->groups[g].total, ticks, count);
    }
    free(ticks);
    return true;
}

ks_status ks_pending_find(const ks_golden *golden, const ks_golden *observed, const void *self,
                          bool (*is_asked)(const void *self, const char *key), ks_pending *out) {
    finder f = {
        .golden = golden, .observed = observed, .out = out, .signatures = ks_text_map_new()};
    bool is_fine = f.signatures != NULL;
    *out = (ks_pending){0};
    for (size_t i = 0; i < ks_golden_count(observed) && is_fine; i++) {
        const char *key = ks_golden_at(observed, i).key;
        if (!is_asked || is_asked(self, key)) is_fine = find_in_observed(&f, i, key);
    }
    for (size_t i = 0; golden && i < ks_golden_count(golden) && is_fine; i++) {
        const char *key = ks_golden_at(golden, i).key;
        if (!is_asked || is_asked(self, key)) is_fine = find_gone(&f, i, key);
    }
    ks_text_map_free(f.signatures);
    if (is_fine && measure_groups(out)) return KS_OK;
    ks_pending_free(out);
    return KS_NO_MEMORY;
}

/* ---- the golden after it ---- */

typedef enum fate { STAYS, IS_REPLACED, IS_ADDED, IS_LEFT_OUT } fate;

typedef struct merger {
    const ks_golden *golden, *observed;
    fate *of_observed, *of_golden; /* by line */
    ks_golden_writer writer;
    ks_text *out;
} merger;

static void put(merger *m, const ks_golden *from, size_t index) {
    const ks_golden_line line = ks_golden_at(from, index);
    ks_golden_line_print(m->out, &m->writer, line.cells, line.length, false);
}

/* Lines that are gone but stay, from `index` on up to one that is observed. */
static void put_stayers(merger *m, size_t index) {
    size_t observed;
    for (; index < ks_golden_count(m->golden); index++) {
        if (ks_golden_find(m->observed, ks_golden_at(m->golden, index).key, &observed)) return;
        if (m->of_golden[index] == STAYS) put(m, m->golden, index);
    }
}

static void merge(merger *m) {
    if (m->golden) put_stayers(m, 0);
    for (size_t i = 0; i < ks_golden_count(m->observed); i++) {
        size_t golden = 0;
        const bool is_blessed =
            m->golden && ks_golden_find(m->golden, ks_golden_at(m->observed, i).key, &golden);
        if (m->of_observed[i] == IS_REPLACED || m->of_observed[i] == IS_ADDED)
            put(m, m->observed, i);
        else if (is_blessed)
            put(m, m->golden, golden);
        if (is_blessed) put_stayers(m, golden + 1);
    }
}

ks_status ks_pending_apply(const ks_pending *p, const ks_golden *golden, const ks_golden *observed,
                           const ks_golden_head *head, long cause, ks_text *out) {
    merger m = {.golden = golden, .observed = observed, .out = out};
    m.of_observed = calloc(ks_golden_count(observed) + 1, sizeof(fate));
    m.of_golden = calloc((golden ? ks_golden_count(golden) : 0) + 1, sizeof(fate));
    const bool is_fine = m.of_observed && m.of_golden;
    for (size_t i = 0; i < p->count && is_fine; i++) {
        const ks_pending_item *item = &p->items[i];
        if (cause != KS_NO_LINE && item->group != (size_t)cause) continue;
        if (item->kind == KS_PENDING_GONE)
            m.of_golden[item->golden] = IS_LEFT_OUT;
        else
            m.of_observed[item->observed] = item->kind == KS_PENDING_NEW ? IS_ADDED : IS_REPLACED;
    }
    if (is_fine) {
        m.writer = ks_golden_begin(out, head);
        merge(&m);
        ks_golden_end(out, &m.writer);
    }
    free(m.of_observed);
    free(m.of_golden);
    return is_fine && !out->has_failed ? KS_OK : KS_NO_MEMORY;
}
