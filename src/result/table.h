/* A table as reports show it: columns with their meaning, cells as text, row by row. */
#ifndef KS_RESULT_TABLE_H
#define KS_RESULT_TABLE_H

#include "base/exact.h"
#include "base/text.h"

typedef struct ks_table_column {
    const char *name, *about;
    bool is_number; /* set flush right */
    int digits;     /* significant ones on a page; 0: as it stands. A file holds all */
} ks_table_column;

enum { KS_TABLE_ALL_ROWS = 1 << 30, KS_TABLE_FILE_ONLY = -1 };

typedef struct ks_table {
    char name[64];     /* of its file, without .csv */
    const char *title; /* on the page */
    const ks_table_column *columns;
    size_t column_count;
    bool is_file;      /* false: on the page alone */
    size_t shown_rows; /* on the page, from the first; 0: only the file holds them */
    ks_text notes;     /* Markdown ahead of it: how it was made, what to beware of */
    ks_text cells;     /* each ended by a NUL */
    size_t cell_count;
} ks_table;

/* In the order of a report. */
typedef struct ks_tables {
    ks_table **items; /* owned; a table stays where it is */
    size_t count;
} ks_tables;

/* A new table at the end; of a name that is there already NAME-2, and so on. NULL: out of memory. */
ks_table *ks_tables_add(ks_tables *tables, const char *name, const char *title,
                        const ks_table_column *columns, size_t column_count);
/* The last table becomes number `place`, from 0; those from there on move back by one. */
void ks_tables_move_last(ks_tables *tables, size_t place);
void ks_tables_free(ks_tables *tables);
bool ks_tables_have_failed(const ks_tables *tables); /* a text did not find memory */

/* The next cell. */
void ks_table_text(ks_table *table, const char *text);
void ks_table_format(ks_table *table, const char *format, ...) KS_PRINTF(2, 3);
void ks_table_u64(ks_table *table, uint64_t value);
void ks_table_decimal(ks_table *table, uint64_t ticks);
void ks_table_double(ks_table *table, double value); /* empty where it is not finite */
void ks_table_exact(ks_table *table, const ks_exact *value);
void ks_table_none(ks_table *table); /* an empty cell */

static inline size_t ks_table_row_count(const ks_table *table) {
    return table->cell_count / table->column_count;
}

#endif
