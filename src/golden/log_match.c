#include "golden/log_match.h"

#include <stdlib.h>

typedef struct entry {
    const ks_log_row *row;
    size_t seq;
} entry;

/* Stages of a command by number, PE_CPU rows (all of stage -1) by kind. */
static int compare_rows(const ks_log_row *a, const ks_log_row *b) {
    if (a->cmd != b->cmd) return a->cmd < b->cmd ? -1 : 1;
    if (a->stage != b->stage) return a->stage < b->stage ? -1 : 1;
    if (a->stage != KS_CPU_STAGE) return 0;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

static int compare_entries(const void *left, const void *right) {
    const entry *a = left, *b = right;
    const int order = compare_rows(a->row, b->row);
    return order ? order : (a->seq > b->seq) - (a->seq < b->seq);
}

static entry *sort_rows(const ks_log *log) {
    entry *entries = calloc(log->count + 1, sizeof *entries);
    for (size_t i = 0; entries && i < log->count; i++) entries[i] = (entry){&log->rows[i], i};
    if (entries) qsort(entries, log->count, sizeof *entries, compare_entries);
    return entries;
}

static size_t *new_seqs(size_t count) {
    size_t *seqs = malloc((count + 1) * sizeof *seqs);
    for (size_t i = 0; seqs && i < count; i++) seqs[i] = KS_LOG_NO_ROW;
    return seqs;
}

static void pair_up(const entry *a, size_t a_count, const entry *b, size_t b_count,
                    ks_log_match *match) {
    size_t i = 0, k = 0;
    while (i < a_count && k < b_count) {
        const int order = compare_rows(a[i].row, b[k].row);
        if (order == 0) {
            match->got_of[a[i].seq] = b[k].seq;
            match->expected_of[b[k].seq] = a[i].seq;
        }
        i += order <= 0;
        k += order >= 0;
    }
}

ks_status ks_log_match_rows(const ks_log *expected, const ks_log *got, ks_log_match *match) {
    entry *a = sort_rows(expected), *b = sort_rows(got);
    *match = (ks_log_match){new_seqs(expected->count), new_seqs(got->count)};
    const bool is_fine = a && b && match->got_of && match->expected_of;
    if (is_fine)
        pair_up(a, expected->count, b, got->count, match);
    else
        ks_log_match_free(match);
    free(a);
    free(b);
    return is_fine ? KS_OK : KS_NO_MEMORY;
}

void ks_log_match_free(ks_log_match *match) {
    free(match->got_of);
    free(match->expected_of);
    *match = (ks_log_match){0};
}
