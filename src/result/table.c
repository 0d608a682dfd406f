#include "result/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tables called so: NAME, NAME-2, ... */
static size_t count_of_name(const ks_tables *tables, const char *name) {
    const size_t length = strlen(name);
    size_t count = 0;
    for (size_t i = 0; i < tables->count; i++) {
        const char *known = tables->items[i]->name;
        if (strncmp(known, name, length) != 0) continue;
        const char *rest = known + length;
        count += !*rest || (*rest == '-' && strspn(rest + 1, "0123456789") == strlen(rest + 1));
    }
    return count;
}

ks_table *ks_tables_add(ks_tables *tables, const char *name, const char *title,
                        const ks_table_column *columns, size_t column_count) {
    ks_table *table = calloc(1, sizeof *table);
    ks_table **items = realloc(tables->items, (tables->count + 1) * sizeof *items);
    if (items) tables->items = items;
    if (!table || !items) {
        free(table);
        return NULL;
    }
    const size_t before = count_of_name(tables, name);
    if (before)
        snprintf(table->name, sizeof table->name, "%s-%zu", name, before + 1);
    else
        snprintf(table->name, sizeof table->name, "%s", name);
    table->title = title;
    table->columns = columns;
    table->column_count = column_count;
    table->is_file = true;
    table->shown_rows = KS_TABLE_ALL_ROWS;
    tables->items[tables->count++] = table;
    return table;
}

void ks_tables_move_last(ks_tables *tables, size_t place) {
    ks_table *last = tables->items[tables->count - 1];
    for (size_t i = tables->count - 1; i > place; i--) tables->items[i] = tables->items[i - 1];
    tables->items[place] = last;
}

void ks_tables_free(ks_tables *tables) {
    for (size_t i = 0; i < tables->count; i++) {
        ks_text_free(&tables->items[i]->notes);
        ks_text_free(&tables->items[i]->cells);
        free(tables->items[i]);
    }
    free(tables->items);
    *tables = (ks_tables){0};
}

bool ks_tables_have_failed(const ks_tables *tables) {
    bool has_failed = false;
    for (size_t i = 0; i < tables->count; i++)
        has_failed |= tables->items[i]->notes.has_failed || tables->items[i]->cells.has_failed;
    return has_failed;
}

static void end_cell(ks_table *table) {
    ks_text_add(&table->cells, "", 1);
    table->cell_count++;
}

void ks_table_text(ks_table *table, const char *text) {
    ks_text_add_string(&table->cells, text);
    end_cell(table);
}

void ks_table_format(ks_table *table, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ks_table_text(table, text);
}

void ks_table_u64(ks_table *table, uint64_t value) {
    ks_text_add_u64(&table->cells, value);
    end_cell(table);
}

void ks_table_decimal(ks_table *table, uint64_t ticks) {
    ks_text_add_decimal(&table->cells, ticks);
    end_cell(table);
}

void ks_table_double(ks_table *table, double value) {
    if (isfinite(value)) ks_text_add_double(&table->cells, value);
    end_cell(table);
}

void ks_table_exact(ks_table *table, const ks_exact *value) {
    ks_exact_print(&table->cells, value);
    end_cell(table);
}

void ks_table_none(ks_table *table) { end_cell(table); }
