#include "report/table_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *next(const char *cell) { return cell + strlen(cell) + 1; }

void ks_table_print_csv(ks_text *out, const ks_table *table) {
    for (size_t c = 0; c < table->column_count; c++) {
        if (c) ks_text_add_char(out, ',');
        ks_text_add_csv(out, table->columns[c].name);
    }
    ks_text_add_char(out, '\n');
    const char *cell = ks_text_string(&table->cells);
    for (size_t i = 0; i < table->cell_count; i++, cell = next(cell)) {
        if (i % table->column_count) ks_text_add_char(out, ',');
        ks_text_add_csv(out, cell);
        if ((i + 1) % table->column_count == 0) ks_text_add_char(out, '\n');
    }
}

/* A decimal loses digits behind those that are shown, never ahead of its point. */
static void add_rounded(ks_text *out, const char *cell, int digits) {
    char *end;
    const double value = strtod(cell, &end);
    char rounded[64];
    const size_t whole = strspn(cell + (*cell == '-'), "0123456789");
    const int shown = whole > (size_t)digits ? (int)whole : digits;
    if (*end || whole > 15) {
        ks_text_add_string(out, cell);
        return;
    }
    snprintf(rounded, sizeof rounded, "%.*g", shown, value);
    ks_text_add_string(out, rounded);
}

/* `|` would end the cell. */
static void add_escaped(ks_text *out, const char *cell) {
    for (; *cell; cell++) {
        if (*cell == '|') ks_text_add_char(out, '\\');
        ks_text_add_char(out, *cell);
    }
}

static void add_cell(ks_text *out, const ks_table_column *column, const char *cell) {
    ks_text_add_char(out, ' ');
    if (column->is_number && column->digits && *cell)
        add_rounded(out, cell, column->digits);
    else
        add_escaped(out, cell);
    ks_text_add_string(out, " |");
}

static void add_head(ks_text *out, const ks_table *table) {
    ks_text_add_char(out, '|');
    for (size_t c = 0; c < table->column_count; c++)
        if (table->columns[c].digits >= 0) ks_text_add_format(out, " %s |", table->columns[c].name);
    ks_text_add_string(out, "\n|");
    for (size_t c = 0; c < table->column_count; c++)
        if (table->columns[c].digits >= 0)
            ks_text_add_string(out, table->columns[c].is_number ? "--:|" : "---|");
    ks_text_add_char(out, '\n');
}

static void add_rows(ks_text *out, const ks_table *table, size_t rows) {
    const char *cell = ks_text_string(&table->cells);
    for (size_t i = 0; i < rows * table->column_count; i++, cell = next(cell)) {
        if (i % table->column_count == 0) ks_text_add_char(out, '|');
        const ks_table_column *column = &table->columns[i % table->column_count];
        if (column->digits >= 0) add_cell(out, column, cell);
        if ((i + 1) % table->column_count == 0) ks_text_add_char(out, '\n');
    }
}

void ks_table_print_page(ks_text *out, const ks_table *table) {
    const size_t rows = ks_table_row_count(table);
    const size_t shown = rows < table->shown_rows ? rows : table->shown_rows;
    ks_text_add_format(out, "\n## %s\n", table->title);
    if (table->notes.length) ks_text_add_format(out, "\n%s", ks_text_string(&table->notes));
    if (shown) {
        ks_text_add_char(out, '\n');
        add_head(out, table);
        add_rows(out, table, shown);
    }
    if (!table->is_file) return;
    if (shown < rows)
        ks_text_add_format(out, "\n%zu rows, %zu of them here: `%s.csv`\n", rows, shown,
                           table->name);
    else
        ks_text_add_format(out, "\nUnrounded: `%s.csv`\n", table->name);
}

void ks_tables_print_columns(ks_text *out, const ks_tables *tables) {
    ks_text_add_string(out,
                       "\n## Columns of the files\n\n| file | column | meaning |\n|---|---|---|\n");
    for (size_t i = 0; i < tables->count; i++) {
        const ks_table *table = tables->items[i];
        for (size_t c = 0; c < table->column_count && table->is_file; c++)
            ks_text_add_format(out, "| %s%s | %s | %s |\n", c ? "" : table->name, c ? "" : ".csv",
                               table->columns[c].name, table->columns[c].about);
    }
}
