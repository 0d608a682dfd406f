#include "selftest/golden_spoils.h"

#include <stdlib.h>
#include <string.h>

#include "golden/golden_form.h"

/* The lines of a golden: the first says what it is, the second names the cells, the last ends it. */
typedef struct lines {
    char **at; /* without line feeds; owned */
    size_t count;
} lines;

static bool split(const ks_text *bytes, lines *l) {
    *l = (lines){0};
    size_t room = 0;
    for (size_t i = 0; i < bytes->length; i++) room += bytes->data[i] == '\n';
    l->at = calloc(room + 2, sizeof *l->at); /* and one that may be added */
    for (const char *line = bytes->data; l->at && l->count < room; l->count++) {
        const size_t length = strcspn(line, "\n");
        l->at[l->count] = strndup(line, length);
        if (!l->at[l->count]) return false;
        line += length + 1;
    }
    return l->at && l->count >= 4;
}

static void free_lines(lines *l) {
    for (size_t i = 0; i < l->count; i++) free(l->at[i]);
    free(l->at);
}

static void join(const lines *l, ks_text *bytes) {
    ks_text_clear(bytes);
    for (size_t i = 0; i < l->count; i++) ks_text_add_format(bytes, "%s\n", l->at[i]);
}

/* ---- cells ---- */

static size_t index_of(const char *names, const char *name) {
    for (size_t i = 0;; i++) {
        const size_t length = strcspn(names, ",");
        if (strlen(name) == length && strncmp(names, name, length) == 0) return i;
        if (!names[length]) return SIZE_MAX;
        names += length + 1;
    }
}

static char *cell_of(char *line, size_t index) {
    for (; index > 0 && line; index--) {
        line = strchr(line, ',');
        if (line) line++;
    }
    return line;
}

/* The line with other text in its cell. */
static bool set_cell(char **line, size_t index, const char *value) {
    ks_text out = {0};
    char *cell = index == SIZE_MAX ? NULL : cell_of(*line, index);
    if (!cell) return false;
    ks_text_add(&out, *line, (size_t)(cell - *line));
    ks_text_add_string(&out, value);
    ks_text_add_string(&out, cell + strcspn(cell, ","));
    if (out.has_failed) return false;
    free(*line);
    *line = out.data;
    return true;
}

/* The line of a point. */
static size_t find_point(const lines *l, const char *key) {
    const size_t length = strlen(key);
    for (size_t i = 2; i + 1 < l->count; i++)
        if (strncmp(l->at[i], key, length) == 0 && l->at[i][length] == ',') return i;
    return 0;
}

/* ---- seals, as the program that wrote other cells would have made them ---- */

static bool seal_line(char **line, const ks_digest *keys) {
    char check[KS_GOLDEN_CHECK];
    const char *last = strrchr(*line, ',');
    if (!last) return false;
    ks_golden_check_of(check, *line, (size_t)(last + 1 - *line), keys);
    size_t index = 0;
    for (const char *c = *line; *c; c++) index += *c == ',';
    return set_cell(line, index, check);
}

static bool seal(lines *l) {
    ks_digest keys = {{0}};
    char count[24];
    bool is_fine = seal_line(&l->at[0], NULL);
    for (size_t i = 2; i + 1 < l->count && is_fine; i++) {
        ks_golden_seal_key(&keys, l->at[i], strcspn(l->at[i], ","));
        is_fine = seal_line(&l->at[i], NULL);
    }
    ks_text text = {0};
    ks_text_add_u64(&text, l->count - 3);
    is_fine &= !text.has_failed && text.length < sizeof count;
    if (is_fine) memcpy(count, text.data, text.length + 1);
    ks_text_free(&text);
    return is_fine && set_cell(&l->at[l->count - 1], 1, count) &&
           seal_line(&l->at[l->count - 1], &keys);
}

/* ---- lines ---- */

static bool drop_line(lines *l, size_t at) {
    free(l->at[at]);
    for (; at + 1 < l->count; at++) l->at[at] = l->at[at + 1];
    l->count--;
    return true;
}

static bool double_line(lines *l, size_t at) {
    char *copy = strdup(l->at[at]);
    if (!copy) return false;
    for (size_t i = l->count++; i > at; i--) l->at[i] = l->at[i - 1];
    l->at[at] = copy;
    return true;
}

static bool swap_lines(lines *l, size_t at) {
    char *kept = l->at[at];
    if (at + 2 >= l->count) return false;
    l->at[at] = l->at[at + 1];
    l->at[at + 1] = kept;
    return true;
}

/* A default of the model, and the digest of them all. */
static bool change_default(lines *l, const char *from, const char *to) {
    char *cell = cell_of(l->at[0], 6), *at = cell ? strstr(cell, from) : NULL;
    const size_t length = cell ? strcspn(cell, ",") : 0;
    ks_text defaults = {0}, digest = {0};
    if (!at || at > cell + length) return false;
    ks_text_add(&defaults, cell, (size_t)(at - cell));
    ks_text_add_string(&defaults, to);
    at += strlen(from);
    ks_text_add(&defaults, at, (size_t)(cell + length - at));
    char hex[KS_DIGEST_HEX];
    const ks_digest own = ks_digest_of(ks_text_string(&defaults), defaults.length);
    ks_digest_print(hex, &own);
    ks_text_add_format(&digest, "defaults %s", hex);
    const bool is_fine = !defaults.has_failed && !digest.has_failed &&
                         set_cell(&l->at[0], 6, defaults.data) &&
                         set_cell(&l->at[0], 5, digest.data);
    ks_text_free(&defaults);
    ks_text_free(&digest);
    return is_fine;
}

/* The cell with its last letter or digit changed to another. */
static bool nudge(lines *l, size_t at, size_t index) {
    char *cell = index == SIZE_MAX ? NULL : cell_of(l->at[at], index);
    const size_t length = cell ? strcspn(cell, ",") : 0;
    if (!length) return false;
    char *last = &cell[length - 1];
    *last = *last == '1' ? '2' : '1';
    return true;
}

static bool spoil_lines(const ks_golden_spoil *s, lines *l) {
    const size_t at = s->key ? find_point(l, s->key) : 0;
    if (s->key && !at) return false;
    switch (s->what) {
    case KS_SPOIL_CELL: return set_cell(&l->at[at], index_of(l->at[1], s->from), s->to);
    case KS_SPOIL_NUDGE: return nudge(l, at, index_of(l->at[1], s->from));
    case KS_SPOIL_LOSE: return drop_line(l, at);
    case KS_SPOIL_DOUBLE: return double_line(l, at);
    case KS_SPOIL_SWAP: return swap_lines(l, at);
    case KS_SPOIL_DEFAULT: return change_default(l, s->from, s->to);
    case KS_SPOIL_HEAD: return set_cell(&l->at[0], (size_t)s->number, s->to);
    case KS_SPOIL_END: return drop_line(l, l->count - 1);
    default: return false;
    }
}

/* ---- bytes ---- */

static bool spoil_bytes(const ks_golden_spoil *s, ks_text *bytes) {
    switch (s->what) {
    case KS_SPOIL_CUT: bytes->length -= (size_t)s->number; break;
    case KS_SPOIL_FLIP: bytes->data[bytes->length * (size_t)s->number / 100] ^= 1; break;
    case KS_SPOIL_EMPTY: bytes->length = 0; break;
    default: return false;
    }
    bytes->data[bytes->length] = '\0';
    return true;
}

static bool replace_all(const char *from, const char *to, ks_text *bytes) {
    ks_text out = {0};
    const char *at = ks_text_string(bytes);
    for (const char *found; (found = strstr(at, from)); at = found + strlen(from)) {
        ks_text_add(&out, at, (size_t)(found - at));
        ks_text_add_string(&out, to);
    }
    ks_text_add_string(&out, at);
    ks_text_free(bytes);
    *bytes = out;
    return !out.has_failed;
}

bool ks_golden_spoil_apply(const ks_golden_spoil *spoil, ks_text *bytes) {
    lines l;
    if (spoil->what == KS_SPOIL_GONE) return true; /* the caller's to remove */
    if (spoil->what >= KS_SPOIL_CUT) return bytes->length > 100 && spoil_bytes(spoil, bytes);
    if (spoil->what == KS_SPOIL_REPLACE) return replace_all(spoil->from, spoil->to, bytes);
    bool is_fine = split(bytes, &l) && spoil_lines(spoil, &l) && (!spoil->is_sealed || seal(&l));
    if (is_fine) join(&l, bytes);
    free_lines(&l);
    return is_fine && !bytes->has_failed;
}
