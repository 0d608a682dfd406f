#include "golden/log_start.h"

#include <stdlib.h>
#include <string.h>

/* ---- ranges ---- */

typedef struct range {
    const char *space;
    size_t space_length;
    uint64_t addr, bytes;
    bool is_slot; /* addr is the number of a buffer */
} range;

/* The range at `text`, checked when the log was read; `*next`: the one after it, or NULL. */
static range range_at(const char *text, const char **next) {
    range r = {.space = text, .space_length = strcspn(text, ":")};
    char *end;
    r.is_slot = strncmp(text, "hbm", 3) != 0 && strncmp(text, "tcm", 3) != 0;
    r.addr = strtoull(text + r.space_length + 1, &end, 16);
    r.bytes = strtoull(end + 1, &end, 10);
    *next = *end == '|' ? end + 1 : NULL;
    return r;
}

static bool overlaps(const range *a, const range *b) {
    if (a->space_length != b->space_length || memcmp(a->space, b->space, a->space_length) != 0)
        return false;
    if (a->is_slot) return a->addr == b->addr;
    return a->addr < b->addr + b->bytes && b->addr < a->addr + a->bytes;
}

/* Whether one of the ranges of `writes` overlaps one of `reads`. */
static bool feeds(const char *writes, const char *reads) {
    for (const char *w = *writes ? writes : NULL; w;) {
        const range written = range_at(w, &w);
        for (const char *r = *reads ? reads : NULL; r;) {
            const range read = range_at(r, &r);
            if (overlaps(&written, &read)) return true;
        }
    }
    return false;
}

/* ---- relations, the likeliest first ---- */

enum { NONE = 8 };

static const char *const words[NONE] = {
    "what it reads was written by",  "its server was freed by",
    "its command was dispatched by", "an earlier stage of its command was",
    "PE_CPU was let go by",          "PE_CPU had waited for",
    "another command ended with",    "its DMA server had been occupied by",
};

static int relation_of(const ks_log_row *ended, const ks_log_row *row) {
    const bool is_own = ended->cmd == row->cmd;
    if (row->server == KS_SERVER_CPU) {
        if (ended->server == KS_SERVER_CPU) return ks_log_row_is_pause(ended) ? 4 : 1;
        return is_own ? 3 : 5;
    }
    if (ended->server == KS_SERVER_CPU) return is_own && !ks_log_row_is_pause(ended) ? 2 : NONE;
    if (is_own && feeds(ended->writes, row->reads)) return 0;
    if (ended->server == row->server) return 1;
    return is_own ? 3 : 6;
}

/* The row before `seq` on the same server. */
static size_t previous_on_server(const ks_log *log, size_t seq) {
    for (size_t i = seq; i-- > 0;)
        if (log->rows[i].server == log->rows[seq].server) return i;
    return KS_LOG_NO_ROW;
}

ks_log_start ks_log_start_of(const ks_log *log, size_t seq) {
    const ks_log_row *row = &log->rows[seq];
    int best = NONE;
    size_t found = KS_LOG_NO_ROW;
    for (size_t i = 0; i < log->count; i++) {
        if (log->rows[i].end != row->start || i == seq) continue;
        const int relation = relation_of(&log->rows[i], row);
        if (relation >= best) continue;
        best = relation;
        found = i;
    }
    /* A DMA server is free at the end of an occupancy, which the log does not hold. */
    const bool is_dma = row->server == KS_SERVER_DMA_RD || row->server == KS_SERVER_DMA_WR;
    const size_t previous = is_dma && best > 2 ? previous_on_server(log, seq) : KS_LOG_NO_ROW;
    if (previous != KS_LOG_NO_ROW && log->rows[previous].end > row->start)
        return (ks_log_start){previous, words[7]};
    return (ks_log_start){found, best == NONE ? "" : words[best]};
}

size_t ks_log_holder(const ks_log *log, const ks_log_row *row, uint64_t ticks) {
    for (size_t i = 0; i < log->count; i++) {
        const ks_log_row *other = &log->rows[i];
        if (other->server != row->server || ks_log_row_is_pause(other)) continue;
        if (other->cmd == row->cmd && other->stage == row->stage) continue;
        if (other->start <= ticks && ticks < other->end) return i;
    }
    return KS_LOG_NO_ROW;
}
