/* Gates, rows and columns of a table file. */
#include <string.h>

#include "base/near.h"
#include "sweep/adr_reader.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- gates ---- */

static ks_status read_gate(ks_adr_reader *r, const ks_tree *map, ks_gate *gates,
                           ks_adr_gate *facts) {
    static const char *const keys[] = {"name", "text", "expr",   "twin",
                                       "when", "unit", "robust", "pool"};
    const size_t i = r->adr->gate_count;
    ks_status status =
        ks_tree_expect_keys(map, "a gate", keys, COUNT(keys), KS_EXPR_ADVICE, r->common.error);
    if (!status) status = ks_sweep_read_question(&r->common, map, gates, &gates[i]);
    if (!status) status = ks_sweep_read_pool(&r->common, map, &gates[i]);
    if (!status) status = ks_reader_line(&r->common, map, "text", false, &facts[i].text);
    if (!status) status = ks_reader_line(&r->common, map, "unit", false, &facts[i].unit);
    if (!status) status = ks_reader_line(&r->common, map, "robust", false, &facts[i].figure);
    if (status) return status;
    if (!*facts[i].unit) facts[i].unit = gates[i].twins ? "digest" : "ratio";
    gates[i].why = "";
    r->adr->gate_count++;
    return KS_OK;
}

ks_status ks_adr_read_gates(ks_adr_reader *r, const ks_tree *root) {
    const ks_tree *list;
    ks_status status = ks_reader_list(&r->common, root, "gates", false,
                                      "a list of {name: NAME, text: TEXT, expr: \"...\"}", &list);
    if (status || !list) return status;
    ks_gate *gates = ks_reader_take(&r->common, list->count, sizeof *gates);
    ks_adr_gate *facts = gates ? ks_reader_take(&r->common, list->count, sizeof *facts) : NULL;
    if (!facts) return KS_NO_MEMORY;
    r->adr->gates = gates;
    r->adr->gate_facts = facts;
    for (const ks_tree *map = list->first; map && !status; map = map->next)
        status = read_gate(r, map, gates, facts);
    return status;
}

/* ---- rows ---- */

static ks_status read_each_name(ks_adr_reader *r, const ks_tree *node, ks_name *each,
                                ks_adr_table *table) {
    if (node->kind != KS_TREE_SCALAR)
        return ks_reader_expected(&r->common, node, node, "each",
                                  "the name of a parameter or a constant");
    const ks_name name = ks_name_find(node->text, node->length);
    const char *near = ks_name_near(node->text);
    if (name == KS_NAME_NONE)
        return ks_place_fail(r->common.error, &node->place,
                             "found '%s' for each, expected a parameter or a constant%s%s%s",
                             node->text, near ? " (did you mean " : "", near ? near : "",
                             near ? "?)" : "");
    for (size_t i = 0; i < table->each_count; i++)
        if (each[i] == name)
            return ks_place_fail(r->common.error, &node->place,
                                 "found %s a second time, expected each name once", node->text);
    each[table->each_count++] = name;
    return KS_OK;
}

static ks_status read_rows(ks_adr_reader *r, const ks_tree *map, ks_adr_table *table) {
    static const char *const keys[] = {"each", "where"};
    static const char *const EXPECTED = "the name, or names, that tell the rows apart: each: TILE";
    ks_status status =
        ks_tree_expect_keys(map, "rows", keys, COUNT(keys), KS_EXPR_ADVICE, r->common.error);
    if (status) return status;
    const ks_tree *node = ks_tree_find(map, "each"), *where = ks_tree_find(map, "where");
    if (!node || (node->kind == KS_TREE_LIST && node->count == 0))
        return ks_reader_expected(&r->common, map, node, "each", EXPECTED);
    ks_name *each =
        ks_reader_take(&r->common, node->kind == KS_TREE_LIST ? node->count : 1, sizeof *each);
    if (!each) return KS_NO_MEMORY;
    table->each = each;
    if (node->kind != KS_TREE_LIST) status = read_each_name(r, node, each, table);
    for (const ks_tree *item = node->first; item && !status; item = item->next)
        status = read_each_name(r, item, each, table);
    if (status || !where) return status;
    return ks_sweep_read_expr(&r->common, where, KS_EXPR_CONDITION, &table->where);
}

/* ---- columns ---- */

static ks_status read_form(ks_adr_reader *r, const ks_tree *map, ks_adr_column *column) {
    const ks_tree *digits = ks_tree_find(map, "digits"), *decimals = ks_tree_find(map, "decimals");
    uint64_t places = 0;
    if (digits && decimals)
        return ks_place_fail(r->common.error, &decimals->place,
                             "found digits and decimals, expected one of them");
    ks_status status = ks_tree_whole(digits, "digits", 1, 17, &places, r->common.error);
    if (!status) status = ks_tree_whole(decimals, "decimals", 0, 17, &places, r->common.error);
    column->form = digits ? KS_ADR_DIGITS : decimals ? KS_ADR_DECIMALS : KS_ADR_PLAIN;
    column->places = (unsigned)places;
    return status;
}

static ks_status read_named(ks_adr_reader *r, const ks_tree *node, ks_adr_column *column) {
    const ks_sweep_options *options = r->common.options;
    const char *names[128];
    size_t count = 0;
    if (node->kind != KS_TREE_SCALAR)
        return ks_reader_expected(&r->common, node, node, "name", "a result column");
    for (; count < options->column_count && count < COUNT(names); count++) {
        names[count] = options->columns[count].name;
        column->column = count;
        if (strcmp(names[count], node->text) == 0) return KS_OK;
    }
    const char *near = ks_near(node->text, names, count);
    return ks_place_fail(r->common.error, &node->place,
                         "found '%s' for name, expected a result column%s%s%s", node->text,
                         near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
}

static ks_status read_column(ks_adr_reader *r, const ks_tree *map, ks_adr_column *column) {
    static const char *const keys[] = {"name", "expr", "title", "unit", "digits", "decimals"};
    ks_status status =
        ks_tree_expect_keys(map, "a column", keys, COUNT(keys), KS_EXPR_ADVICE, r->common.error);
    if (status) return status;
    const ks_tree *name = ks_tree_find(map, "name"), *expr = ks_tree_find(map, "expr");
    if (!name == !expr)
        return ks_place_fail(r->common.error, &map->place,
                             "found %s of name and expr in a column, expected one of them",
                             name ? "both" : "neither");
    column->place = name ? name->place : expr->place;
    status = name ? read_named(r, name, column)
                  : ks_sweep_read_expr(&r->common, expr, KS_EXPR_FIGURE, &column->expr);
    if (!status)
        status = ks_reader_line(&r->common, map, "title", column->expr != NULL, &column->title);
    if (!status && ks_tree_find(map, "unit"))
        status = ks_reader_line(&r->common, map, "unit", false, &column->unit);
    if (!status) status = read_form(r, map, column);
    if (!status && !*column->title) column->title = name->text;
    return status;
}

static ks_status read_columns(ks_adr_reader *r, const ks_tree *list, ks_adr_table *table) {
    ks_adr_column *columns = ks_reader_take(&r->common, list->count, sizeof *columns);
    ks_status status = columns ? KS_OK : KS_NO_MEMORY;
    table->columns = columns;
    for (const ks_tree *map = list->first; map && !status; map = map->next)
        status = read_column(r, map, &columns[table->column_count++]);
    return status;
}

/* ---- tables ---- */

/* rows and columns of the map: the file's own, or an entry of `tables`. */
static ks_status read_table(ks_adr_reader *r, const ks_tree *map, ks_adr_table *table) {
    static const char *const EXPECTED = "a list of {name: COLUMN, title: TEXT}";
    const ks_tree *rows = ks_tree_find(map, "rows"), *columns;
    table->place = map->place;
    ks_status status = ks_reader_list(&r->common, map, "columns", false, EXPECTED, &columns);
    if (status) return status;
    if (!rows)
        return ks_reader_expected(&r->common, map, NULL, "rows",
                                  "{each: NAME, where: \"...\"} beside columns");
    if (!columns) return ks_reader_expected(&r->common, map, NULL, "columns", EXPECTED);
    status = read_rows(r, rows, table);
    return status ? status : read_columns(r, columns, table);
}

static ks_status read_entry(ks_adr_reader *r, const ks_tree *map, ks_adr_table *table) {
    static const char *const keys[] = {"title", "rows", "columns"};
    ks_status status = ks_tree_expect_keys(map, "a table", keys, COUNT(keys), "", r->common.error);
    if (!status) status = ks_reader_line(&r->common, map, "title", false, &table->title);
    return status ? status : read_table(r, map, table);
}

ks_status ks_adr_read_tables(ks_adr_reader *r, const ks_tree *root) {
    const ks_tree *list;
    ks_status status = ks_reader_list(&r->common, root, "tables", false,
                                      "a list of {title: TEXT, rows: ..., columns: ...}", &list);
    const bool has_own = ks_tree_find(root, "rows") || ks_tree_find(root, "columns");
    if (status || (!list && !has_own)) return status;
    ks_adr_table *tables =
        ks_reader_take(&r->common, (list ? list->count : 0) + has_own, sizeof *tables);
    if (!tables) return KS_NO_MEMORY;
    r->adr->tables = tables;
    if (has_own) {
        tables[0].title = "";
        status = read_table(r, root, &tables[0]);
        r->adr->table_count++;
    }
    for (const ks_tree *map = list ? list->first : NULL; map && !status; map = map->next)
        status = read_entry(r, map, &tables[r->adr->table_count++]);
    return status;
}
