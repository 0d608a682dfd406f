/* forge_golden GOLDEN LINE COLUMN VALUE: the golden with another cell in one of its lines (`all`: in
 * every one), sealed as bless would: what another program would have blessed. To standard output.
 * forge_golden GOLDEN defaults WORD OTHER: another word among the defaults of its first line. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden/golden_file.h"

/* The cells with `value` in place of cell `index`. */
static void replace_cell(ks_text *out, const ks_golden_line *line, size_t index,
                         const char *value) {
    const char *cell = line->cells, *end = line->cells + line->length;
    for (size_t i = 0; cell <= end; i++) {
        const char *comma = memchr(cell, ',', (size_t)(end - cell));
        const size_t length = (size_t)((comma ? comma : end) - cell);
        if (i) ks_text_add_char(out, ',');
        if (i == index)
            ks_text_add_string(out, value);
        else
            ks_text_add(out, cell, length);
        cell += length + 1;
    }
}

static size_t find_cell(const ks_golden_head *head, const char *column) {
    const char *name;
    for (size_t i = 0; (name = ks_golden_cell_name(head, i)); i++)
        if (strcmp(name, column) == 0) return i;
    fprintf(stderr, "no column %s\n", column);
    exit(2);
}

int main(int argc, char **argv) {
    ks_golden *golden;
    ks_error error = {""};
    if (argc != 5 || ks_golden_read(argv[1], KS_GOLDEN_BLESSED, &golden, &error)) {
        fprintf(stderr, "forge_golden: %s\n", error.text);
        return 2;
    }
    ks_text out = {0}, cells = {0};
    const ks_golden_head *head = ks_golden_head_of(golden);
    const bool is_head = strcmp(argv[2], "defaults") == 0;
    const bool is_all = strcmp(argv[2], "all") == 0;
    const size_t number = is_head ? 0 : strtoul(argv[2], NULL, 10);
    const size_t index = is_head ? 0 : find_cell(head, argv[3]);
    ks_text defaults = {0};
    ks_golden_head forged = *head;
    if (is_head) {
        const char *at = strstr(head->defaults, argv[3]);
        if (!at) return 2;
        ks_text_add(&defaults, head->defaults, (size_t)(at - head->defaults));
        ks_text_add_string(&defaults, argv[4]);
        ks_text_add_string(&defaults, at + strlen(argv[3]));
        forged.defaults = defaults.data;
    }
    ks_golden_writer writer = ks_golden_begin(&out, &forged);
    for (size_t i = 0; i < ks_golden_count(golden); i++) {
        const ks_golden_line line = ks_golden_at(golden, i);
        ks_text_clear(&cells);
        replace_cell(&cells, &line, is_all || line.line == number ? index : SIZE_MAX, argv[4]);
        ks_golden_line_print(&out, &writer, cells.data, cells.length, false);
    }
    ks_golden_end(&out, &writer);
    fputs(ks_text_string(&out), stdout);
    ks_text_free(&out);
    ks_text_free(&cells);
    ks_text_free(&defaults);
    ks_golden_free(golden);
    return 0;
}
