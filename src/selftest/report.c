#include "selftest/report.h"

#include <string.h>

#include "base/csv_read.h"
#include "base/text.h"

enum { FILE_LIMIT = 1 << 24, FIRST_ROOM = 64 };

typedef struct reader {
    ks_arena *arena;
    ks_sheet *sheet;
    size_t room;
} reader;

static ks_status add_row(reader *r, char **cells) {
    ks_sheet *sheet = r->sheet;
    if (sheet->rows == r->room) {
        const size_t room = r->room ? 2 * r->room : FIRST_ROOM;
        char ***larger = ks_arena_take(r->arena, room, sizeof *larger);
        if (!larger) return KS_NO_MEMORY;
        for (size_t i = 0; i < sheet->rows; i++) larger[i] = sheet->cells[i];
        sheet->cells = larger;
        r->room = room;
    }
    sheet->cells[sheet->rows++] = cells;
    return KS_OK;
}

static ks_status take(void *self, const ks_csv_row *row, ks_error *error) {
    reader *r = self;
    char **cells = ks_arena_take(r->arena, row->count, sizeof *cells);
    (void)error;
    for (size_t i = 0; cells && i < row->count; i++) {
        cells[i] = ks_arena_text(r->arena, row->fields[i].text);
        if (!cells[i]) return KS_NO_MEMORY;
    }
    if (!cells) return KS_NO_MEMORY;
    if (r->sheet->header) return add_row(r, cells);
    r->sheet->header = cells;
    r->sheet->columns = row->count;
    return KS_OK;
}

static ks_status read_sheet(const char *folder, const char *name, ks_arena *arena, ks_sheet *sheet,
                            ks_error *error) {
    reader r = {.arena = arena, .sheet = sheet};
    ks_text path = {0};
    *sheet = (ks_sheet){0};
    ks_text_add_format(&path, "%s/%s", folder, name);
    const ks_status status = path.has_failed ? ks_fail(error, KS_NO_MEMORY, "out of memory")
                                             : ks_csv_read(path.data, FILE_LIMIT, take, &r, error);
    ks_text_free(&path);
    return status;
}

ks_status ks_report_read(const char *folder, ks_arena *arena, ks_report *report, ks_error *error) {
    const ks_status status = read_sheet(folder, "points.csv", arena, &report->points, error);
    return status ? status : read_sheet(folder, "gates.csv", arena, &report->gates, error);
}

const char *ks_sheet_cell(const ks_sheet *sheet, size_t row, const char *column) {
    for (size_t i = 0; i < sheet->columns; i++)
        if (strcmp(sheet->header[i], column) == 0) return sheet->cells[row][i];
    return "";
}
