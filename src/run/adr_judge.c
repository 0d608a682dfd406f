#include "run/adr_judging.h"

#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"

void ks_adr_stored_free(ks_adr_stored *stored) {
    ks_adr_rows_free(&stored->rows);
    ks_adr_inputs_free(&stored->inputs);
    ks_adr_robust_free(&stored->robust);
}

void *ks_adr_judging_take(ks_adr_judging *j, size_t count, size_t item_bytes) {
    void *room = ks_arena_take(j->block->arena, count + 1, item_bytes);
    if (!room) ks_fail(j->error, KS_NO_MEMORY, "out of memory");
    return room;
}

const char *ks_adr_judging_keep(ks_adr_judging *j, ks_text *text) {
    const char *kept =
        text->has_failed ? NULL : ks_arena_text(j->block->arena, ks_text_string(text));
    if (!kept) ks_fail(j->error, KS_NO_MEMORY, "out of memory");
    ks_text_free(text);
    return kept;
}

ks_expr_value ks_adr_figure_of(const ks_adr_row *row, size_t column) {
    const ks_figure *figure = &row->row.figures[column];
    ks_expr_value value = {.kind = KS_EXPR_NUMBER};
    if (!ks_row_has(&row->row, (ks_column)column)) return (ks_expr_value){.kind = KS_EXPR_NOTHING};
    switch (ks_column_describe((ks_column)column)->kind) {
    case KS_COUNT: value.number = ks_exact_of_u64(figure->count); break;
    case KS_CYCLES: value.number = ks_exact_of_ticks(figure->count); break;
    case KS_REAL: value.number = ks_exact_of_double(figure->real); break;
    case KS_WORD:
    case KS_DIGEST: value.kind = KS_EXPR_NOTHING; break;
    }
    return value;
}

/* score follows dtype, and p_dtype score, until a point says otherwise: then they are no names of
 * their own, and fixing the one that they follow fixes them. */
static bool is_follower(const ks_adr_rows *rows, ks_name name) {
    const ks_name leader = name == KS_P_score     ? KS_P_dtype
                           : name == KS_P_p_dtype ? KS_P_score
                                                  : KS_NAME_NONE;
    if (leader == KS_NAME_NONE) return false;
    for (size_t i = 0; i < rows->count; i++)
        if (ks_point_get(&rows->items[i].point, name) !=
            ks_point_get(&rows->items[i].point, leader))
            return false;
    return true;
}

/* Shapes that a kernel does not take say nothing. */
static bool varies(const ks_adr_rows *rows, ks_name name) {
    const ks_adr_row *first = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const ks_adr_row *row = &rows->items[i];
        const int kernel = (int)ks_param_of(&row->point, KS_P_kernel);
        if (!(ks_kernel_names(&rows->kernels->kernels[kernel]) & KS_NAME_BIT(name))) continue;
        if (first && ks_point_get(&first->point, name) != ks_point_get(&row->point, name))
            return !is_follower(rows, name);
        if (!first) first = row;
    }
    return false;
}

static ks_names names_that_vary(const ks_adr_rows *rows) {
    ks_names varying = KS_NAME_BIT(KS_P_kernel);
    for (ks_name name = 0; name < KS_NAME_COUNT; name++)
        if (varies(rows, name)) varying |= KS_NAME_BIT(name);
    return varying;
}

/* ---- provenance ---- */

static const char *input(const ks_adr_judging *j, const char *source, const char *name) {
    const char *value = ks_adr_inputs_find(&j->stored->inputs, source, name);
    return value ? value : "";
}

/* The calibration of a source, shared with an earlier one of the same values. */
static ks_status find_calibration(ks_adr_judging *j, const char *source, size_t *index) {
    ks_adr_block *block = j->block;
    const char *file = input(j, source, "calibration_file");
    const char *digest = input(j, source, "calibration");
    for (*index = 0; *index < block->calibration_count; (*index)++)
        if (!strcmp(block->calibrations[*index].file, file) &&
            !strcmp(block->calibrations[*index].digest, digest))
            return KS_OK;
    ks_adr_value *values = ks_adr_judging_take(j, KS_CONSTANT_COUNT, sizeof *values);
    if (!values) return KS_NO_MEMORY;
    for (int c = 0; c < KS_CONSTANT_COUNT; c++) {
        const ks_constant_info *info = ks_constant_describe((ks_constant)c);
        values[c] = (ks_adr_value){info->name, input(j, source, info->name), info->unit};
    }
    block->calibrations[block->calibration_count++] =
        (ks_adr_calibration){file, digest, values, KS_CONSTANT_COUNT};
    return KS_OK;
}

static void count_rows(const ks_adr_judging *j, ks_adr_source *source) {
    const ks_adr_rows *rows = &j->stored->rows;
    const bool has_logs = strcmp(source->mode, ks_mode_name(KS_MODE_DISPATCH)) != 0;
    for (size_t i = 0; i < rows->count; i++) {
        const ks_verdict verdict = rows->items[i].row.verdict;
        if (strcmp(rows->items[i].source, source->name) != 0) continue;
        source->held++;
        source->infeasible += verdict == KS_VERDICT_infeasible;
        source->failed += verdict != KS_VERDICT_pass && verdict != KS_VERDICT_infeasible;
        source->unlogged += has_logs && verdict == KS_VERDICT_pass &&
                            !ks_row_has(&rows->items[i].row, KS_COL_oplog_xxh128);
    }
}

/* --where and --set of a report folder's run: its points are not those of the sweep file. */
static ks_status find_limits(ks_adr_judging *j, ks_adr_source *source) {
    const char *where = input(j, source->name, "where"), *set = input(j, source->name, "set");
    ks_text text = {0}, one = {0};
    if (*where) {
        ks_text_add_string(&text, "--where ");
        ks_text_add_shell(&text, where);
    }
    while (*set) {
        const size_t length = strcspn(set, "\n");
        ks_text_clear(&one);
        ks_text_add(&one, set, length);
        ks_text_add_string(&text, text.length ? " --set " : "--set ");
        ks_text_add_shell(&text, ks_text_string(&one));
        set += length + (set[length] != '\0');
    }
    text.has_failed |= one.has_failed;
    ks_text_free(&one);
    source->limits = ks_adr_judging_keep(j, &text);
    return source->limits ? KS_OK : KS_NO_MEMORY;
}

/* What was read from a folder says how its run was asked and how it ended, or it says nothing. */
static ks_status check_folder(ks_adr_judging *j, const ks_adr_source *source) {
    static const char *const names[] = {"exit_code", "where", "set"};
    for (size_t i = 0; *source->commit && i < sizeof names / sizeof names[0]; i++)
        if (!ks_adr_inputs_find(&j->stored->inputs, source->name, names[i]))
            return ks_fail(j->error, KS_FAILED,
                           "%s: found no %s of %s in the stored inputs, expected one; take them "
                           "anew with --collect",
                           j->adr->file, names[i], source->name);
    return KS_OK;
}

/* 4: nothing wrong, though a golden is wanted. */
static const char *red_of(const ks_adr_judging *j, const char *source) {
    const char *code = input(j, source, "exit_code");
    return !*code || strcmp(code, "0") == 0 || strcmp(code, "4") == 0 ? "" : code;
}

static ks_status say_limits(ks_adr_judging *j, const ks_adr_source *source) {
    ks_text text = {0};
    j->block->is_whole = false;
    ks_text_add_format(&text, "%s was run with %s", source->name, source->limits);
    j->hole = ks_adr_judging_keep(j, &text);
    return j->hole ? KS_OK : KS_NO_MEMORY;
}

/* A row of no source that the table has, or more of them than planned, is no result of it. */
static ks_status check_sources(ks_adr_judging *j) {
    uint64_t held = 0;
    ks_status status = KS_OK;
    for (size_t i = 0; i < j->block->source_count && !status; i++) {
        const ks_adr_source *source = &j->block->sources[i];
        held += source->held;
        if (*source->limits) status = say_limits(j, source);
        j->block->is_whole &= source->held == source->planned && source->failed == 0;
    }
    j->block->is_whole &= held == j->stored->rows.count;
    return status;
}

ks_status ks_adr_judge_facts(ks_adr_judging *j) {
    ks_adr_block *block = j->block;
    const size_t count = j->adr->result_count;
    block->sources = ks_adr_judging_take(j, count, sizeof *block->sources);
    block->calibrations = ks_adr_judging_take(j, count, sizeof *block->calibrations);
    if (!block->sources || !block->calibrations) return KS_NO_MEMORY;
    block->program = input(j, "", "program");
    block->is_whole = true;
    j->hole = "a point of the table is missing or failed";
    for (size_t i = 0; i < count; i++) {
        const char *name = j->adr->results[i].text;
        const char *points = input(j, name, "points");
        ks_adr_source *source = &block->sources[block->source_count++];
        *source = (ks_adr_source){.name = name,
                                  .file = input(j, name, "file"),
                                  .digest = input(j, name, "sweep"),
                                  .mode = input(j, name, "mode"),
                                  .commit = input(j, name, "commit"),
                                  .red = red_of(j, name)};
        block->is_whole &= ks_u64_parse(points, strlen(points), &source->planned);
        count_rows(j, source);
        ks_status status = check_folder(j, source);
        if (!status) status = find_limits(j, source);
        if (!status) status = find_calibration(j, name, &source->calibration);
        if (status) return status;
    }
    return check_sources(j);
}

static ks_status judge_studies(ks_adr_judging *j) {
    ks_adr_block *block = j->block;
    block->studies = ks_adr_judging_take(j, j->adr->study_count, sizeof *block->studies);
    if (!block->studies) return KS_NO_MEMORY;
    for (size_t i = 0; i < j->adr->study_count; i++) {
        const char *name = j->adr->studies[i].text;
        block->studies[block->study_count++] =
            (ks_adr_study){name, input(j, name, "file"), input(j, name, "study")};
    }
    return KS_OK;
}

/* ---- sentences ---- */

static ks_adr_result worse(ks_adr_result a, ks_adr_result b) {
    static const int ranks[KS_ADR_RESULT_COUNT] = {
        [KS_ADR_UNDECIDED] = 1, [KS_ADR_FRAGILE] = 2, [KS_ADR_INCOMPLETE] = 3, [KS_ADR_FAIL] = 4};
    return ranks[a] >= ranks[b] ? a : b;
}

static ks_status judge_sentences(ks_adr_judging *j) {
    ks_adr_block *block = j->block;
    block->sentences = ks_adr_judging_take(j, j->adr->finding_count, sizeof *block->sentences);
    if (!block->sentences) return KS_NO_MEMORY;
    for (size_t i = 0; i < j->adr->finding_count; i++) {
        const ks_adr_finding *finding = &j->adr->findings[i];
        ks_adr_sentence *sentence = &block->sentences[block->sentence_count++];
        ks_text gates = {0};
        *sentence = (ks_adr_sentence){.text = finding->text};
        for (size_t g = 0; g < finding->gate_count; g++) {
            const ks_adr_gate_line *gate = &block->gates[finding->gates[g]];
            ks_text_add_format(&gates, "%s%s", g ? ", " : "", gate->name);
            sentence->result = worse(sentence->result, gate->result);
        }
        sentence->gates = ks_adr_judging_keep(j, &gates);
        if (!sentence->gates) return KS_NO_MEMORY;
    }
    return KS_OK;
}

ks_status ks_adr_judge(const ks_adr *adr, const ks_adr_stored *stored, ks_adr_block *block,
                       ks_error *error) {
    static ks_status (*const parts[])(ks_adr_judging *) = {
        ks_adr_judge_facts, judge_studies,      ks_adr_judge_gates,
        judge_sentences,    ks_adr_judge_grids, ks_adr_judge_others,
    };
    ks_adr_judging j = {.adr = adr, .stored = stored, .block = block, .error = error};
    *block = (ks_adr_block){.arena = ks_arena_new(1 << 15),
                            .name = adr->name,
                            .about = adr->about,
                            .file = adr->file,
                            .results = stored->digest};
    error->text[0] = '\0';
    if (!block->arena) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    j.varying = names_that_vary(&stored->rows);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const ks_status status = parts[i](&j);
        if (status) return status;
    }
    return KS_OK;
}
