/* Rows and columns of a table file, filled from stored results. */
#include <string.h>

#include "run/adr_judging.h"

/* A row while its cells are made. */
typedef struct on_row {
    const ks_adr_judging *j;
    const ks_adr_row *row;
    bool is_infeasible; /* some result that was looked at does not run */
} on_row;

static bool is_fixed_to(const ks_expr_side *side, ks_name name, const ks_adr_row *row,
                        bool *is_in) {
    for (size_t i = 0; i < side->fixed_count; i++) {
        if (side->fixed[i].name != name) continue;
        *is_in = ks_point_get(&row->point, name) == side->fixed[i].value;
        return true;
    }
    return false;
}

static bool has_label(const char *labels, const char *wanted) {
    const size_t length = strlen(wanted);
    for (const char *at = labels; *at;) {
        const size_t part = strcspn(at, "|");
        if (part == length && strncmp(at, wanted, length) == 0) return true;
        at += part + (at[part] == '|');
    }
    return false;
}

static bool is_of_model(const ks_expr_side *side, const ks_adr_row *row) {
    for (size_t i = 0; i < side->fixed_count; i++)
        if (side->fixed[i].name == KS_NAME_MODEL)
            return has_label(row->label, side->fixed[i].label);
    return true;
}

/* The side's kernel and fixed names, and in all else that varies what our row has. */
static bool is_side(const ks_adr_judging *j, const ks_expr_side *side, const ks_adr_row *our,
                    const ks_adr_row *other) {
    const ks_kernel_table *kernels = j->adr->kernels;
    const ks_names both =
        ks_kernel_names(&kernels->kernels[ks_param_of(&our->point, KS_P_kernel)]) &
        ks_kernel_names(&kernels->kernels[ks_param_of(&other->point, KS_P_kernel)]);
    const ks_names heads = KS_NAME_BIT(KS_P_G) | KS_NAME_BIT(KS_P_d);
    const bool fixes_model = side->fixed_names & KS_NAME_BIT(KS_NAME_MODEL);
    if ((int)ks_param_of(&other->point, KS_P_kernel) != side->kernel) return false;
    for (ks_name name = 1; name < KS_NAME_COUNT; name++) {
        bool is_in = true;
        if (is_fixed_to(side, name, other, &is_in)) {
            if (!is_in) return false;
            continue;
        }
        const ks_names bit = KS_NAME_BIT(name);
        if (!(j->varying & both & bit) || (fixes_model && (heads & bit))) continue;
        if (ks_point_get(&our->point, name) != ks_point_get(&other->point, name)) return false;
    }
    return is_of_model(side, other);
}

/* NULL: none, or more than one. */
static const ks_adr_row *row_of_side(const ks_adr_judging *j, const ks_expr_side *side,
                                     const ks_adr_row *our) {
    const ks_adr_row *found = NULL;
    if (side->kernel < 0) return our;
    for (size_t i = 0; i < j->stored->rows.count; i++) {
        const ks_adr_row *other = &j->stored->rows.items[i];
        if (!is_side(j, side, our, other)) continue;
        if (found) return NULL;
        found = other;
    }
    return found;
}

static ks_expr_value resolve(void *context, ks_name name, const ks_expr_side *side) {
    on_row *on = context;
    const ks_expr_value nothing = {.kind = KS_EXPR_NOTHING};
    if (!side) return ks_expr_value_of(on->j->adr->kernels, &on->row->point, on->row->label, name);
    const ks_adr_row *row = row_of_side(on->j, side, on->row);
    if (row && row->row.verdict == KS_VERDICT_infeasible) on->is_infeasible = true;
    return row ? ks_adr_figure_of(row, side->column) : nothing;
}

static ks_shown shown_text(const char *text) {
    return (ks_shown){.form = KS_SHOWN_TEXT, .text = text};
}

/* What stands in a cell without a value. */
static ks_shown shown_nothing(bool is_infeasible) {
    return shown_text(is_infeasible ? "infeasible" : "–");
}

static ks_shown shown_number(const ks_adr_column *column, ks_shown_form plain, ks_exact value) {
    static const ks_shown_form forms[] = {
        [KS_ADR_DIGITS] = KS_SHOWN_DIGITS, [KS_ADR_DECIMALS] = KS_SHOWN_DECIMALS};
    const bool is_plain = column->form == KS_ADR_PLAIN;
    return (ks_shown){.form = is_plain ? plain : forms[column->form],
                      .places = is_plain ? 4 : column->places,
                      .value = value};
}

static bool make_expression(const ks_adr_judging *j, const ks_adr_row *row,
                            const ks_adr_column *column, ks_shown *cell) {
    on_row on = {.j = j, .row = row};
    ks_exact value;
    const bool has_value = ks_expr_figure(column->expr, resolve, &on, &value) == KS_EXPR_YES;
    const bool is_cycles = column->unit && strcmp(column->unit, "cycle") == 0;
    *cell = has_value ? shown_number(column, is_cycles ? KS_SHOWN_EXACT : KS_SHOWN_DIGITS, value)
                      : shown_nothing(on.is_infeasible);
    return has_value;
}

static bool make_named(ks_adr_judging *j, const ks_adr_row *row, const ks_adr_column *column,
                       ks_shown *cell) {
    const ks_column_kind kind = ks_column_describe((ks_column)column->column)->kind;
    if (!ks_row_has(&row->row, (ks_column)column->column)) {
        *cell = shown_nothing(row->row.verdict == KS_VERDICT_infeasible);
        return false;
    }
    if (kind == KS_WORD || kind == KS_DIGEST) {
        ks_text text = {0};
        ks_row_print_cell(&text, &row->row, (ks_column)column->column);
        *cell = shown_text(ks_adr_judging_keep(j, &text));
    } else {
        *cell = shown_number(column, kind == KS_REAL ? KS_SHOWN_DIGITS : KS_SHOWN_EXACT,
                             ks_adr_figure_of(row, column->column).number);
    }
    return true;
}

static ks_shown name_cell(ks_adr_judging *j, const ks_adr_row *row, ks_name name) {
    const ks_kernel_table *kernels = j->adr->kernels;
    const int kernel = (int)ks_param_of(&row->point, KS_P_kernel);
    ks_text text = {0};
    if (name == KS_NAME_MODEL)
        ks_text_add_string(&text, row->label);
    else if (ks_kernel_names(&kernels->kernels[kernel]) & KS_NAME_BIT(name))
        ks_value_print(&text, name, kernels, ks_point_get(&row->point, name));
    return shown_text(ks_adr_judging_keep(j, &text));
}

/* ---- heads ---- */

static const char *unit_of(const ks_adr_column *column) {
    if (column->unit) return column->unit;
    return column->expr ? "" : ks_column_describe((ks_column)column->column)->unit;
}

static bool is_number(const ks_adr_column *column) {
    if (column->expr) return true;
    const ks_column_kind kind = ks_column_describe((ks_column)column->column)->kind;
    return kind != KS_WORD && kind != KS_DIGEST;
}

static ks_adr_head *make_heads(ks_adr_judging *j, const ks_adr_table *table) {
    ks_words words;
    ks_adr_head *heads =
        ks_adr_judging_take(j, table->each_count + table->column_count, sizeof *heads);
    for (size_t i = 0; heads && i < table->each_count; i++) {
        const ks_name name = table->each[i];
        const bool is_word = name == KS_NAME_MODEL || ks_name_words(name, j->adr->kernels, &words);
        const bool is_constant = name >= KS_NAME_CONSTANTS && name < KS_NAME_COUNT;
        heads[i] = (ks_adr_head){
            ks_name_text(name),
            is_constant ? ks_constant_describe((ks_constant)(name - KS_NAME_CONSTANTS))->unit : "",
            !is_word};
    }
    for (size_t i = 0; heads && i < table->column_count; i++) {
        const ks_adr_column *column = &table->columns[i];
        heads[table->each_count + i] =
            (ks_adr_head){column->title, unit_of(column), is_number(column)};
    }
    return heads;
}

/* ---- rows ---- */

static bool is_shown(const ks_adr_judging *j, const ks_adr_table *table, const ks_adr_row *row) {
    return !table->where ||
           ks_expr_holds(table->where, j->adr->kernels, &row->point, row->label) == KS_EXPR_YES;
}

static bool have_same_names(const ks_adr_table *table, const ks_adr_row *a, const ks_adr_row *b) {
    for (size_t i = 0; i < table->each_count; i++) {
        const ks_name name = table->each[i];
        if (name == KS_NAME_MODEL ? strcmp(a->label, b->label) != 0
                                  : ks_point_get(&a->point, name) != ks_point_get(&b->point, name))
            return false;
    }
    return true;
}

static bool are_apart(const ks_adr_table *table, const ks_adr_row *const *rows, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (have_same_names(table, rows[i], rows[k])) return false;
    return true;
}

static bool differs(const ks_adr_row *const *rows, size_t count, ks_name name) {
    for (size_t i = 1; i < count; i++)
        if (ks_point_get(&rows[i]->point, name) != ks_point_get(&rows[0]->point, name)) return true;
    return false;
}

/* Where `each` does not tell the rows apart, whatever else differs among them comes after it. */
static ks_status tell_apart(ks_adr_judging *j, ks_adr_table *table, const ks_adr_row *const *rows,
                            size_t count) {
    if (are_apart(table, rows, count)) return KS_OK;
    ks_name *each = ks_adr_judging_take(j, table->each_count + KS_NAME_COUNT, sizeof *each);
    if (!each) return KS_NO_MEMORY;
    memcpy(each, table->each, table->each_count * sizeof *each);
    ks_names known = 0;
    for (size_t i = 0; i < table->each_count; i++) known |= KS_NAME_BIT(each[i]);
    for (ks_name name = 0; name < KS_NAME_COUNT; name++)
        if (j->varying & ~known & KS_NAME_BIT(name) && differs(rows, count, name))
            each[table->each_count++] = name;
    table->each = each;
    return KS_OK;
}

static ks_status fill(ks_adr_judging *j, const ks_adr_table *table, const ks_adr_row *const *rows,
                      ks_adr_grid *grid) {
    for (size_t c = 0; c < table->column_count; c++) {
        const ks_adr_column *column = &table->columns[c];
        bool has_value = false;
        for (size_t i = 0; i < grid->row_count; i++) {
            ks_shown *cell = &grid->cells[i * grid->column_count + table->each_count + c];
            has_value |= column->expr ? make_expression(j, rows[i], column, cell)
                                      : make_named(j, rows[i], column, cell);
        }
        if (!has_value && j->block->is_whole)
            return ks_place_fail(j->error, &column->place,
                                 "found no value of '%s' in any row, expected one in some",
                                 column->title);
    }
    for (size_t i = 0; i < grid->row_count; i++)
        for (size_t e = 0; e < table->each_count; e++)
            grid->cells[i * grid->column_count + e] = name_cell(j, rows[i], table->each[e]);
    return j->error->text[0] ? KS_NO_MEMORY : KS_OK;
}

static ks_status judge_grid(ks_adr_judging *j, const ks_adr_table *asked, ks_adr_grid *grid) {
    const ks_adr_rows *all = &j->stored->rows;
    const ks_adr_row **rows = ks_adr_judging_take(j, all->count, sizeof *rows);
    ks_adr_table table = *asked;
    *grid = (ks_adr_grid){.title = table.title};
    if (!rows) return KS_NO_MEMORY;
    for (size_t i = 0; i < all->count; i++)
        if (is_shown(j, &table, &all->items[i])) rows[grid->row_count++] = &all->items[i];
    if (grid->row_count == 0 && j->block->is_whole)
        return ks_place_fail(j->error, &table.place,
                             "found no result for the rows of a table, expected some");
    const ks_status status = tell_apart(j, &table, rows, grid->row_count);
    if (status) return status;
    grid->column_count = table.each_count + table.column_count;
    grid->heads = make_heads(j, &table);
    grid->cells = ks_adr_judging_take(j, grid->row_count * grid->column_count, sizeof *grid->cells);
    return grid->heads && grid->cells ? fill(j, &table, rows, grid) : KS_NO_MEMORY;
}

ks_status ks_adr_judge_grids(ks_adr_judging *j) {
    ks_adr_block *block = j->block;
    block->grids = ks_adr_judging_take(j, j->adr->table_count, sizeof *block->grids);
    if (!block->grids) return KS_NO_MEMORY;
    for (size_t i = 0; i < j->adr->table_count; i++) {
        block->grid_count++;
        const ks_status status = judge_grid(j, &j->adr->tables[i], &block->grids[i]);
        if (status) return status;
    }
    return KS_OK;
}
