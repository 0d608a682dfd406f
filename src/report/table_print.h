/* Tables as CSV and on a Markdown page. */
#ifndef KS_REPORT_TABLE_PRINT_H
#define KS_REPORT_TABLE_PRINT_H

#include "result/table.h"

/* RFC 4180, with a header line; every row. */
void ks_table_print_csv(ks_text *out, const ks_table *table);

/* A heading, its notes, the rows that are shown without columns of the file alone, and how many more
 * the file has. */
void ks_table_print_page(ks_text *out, const ks_table *table);

/* What every column of every file means. */
void ks_tables_print_columns(ks_text *out, const ks_tables *tables);

#endif
