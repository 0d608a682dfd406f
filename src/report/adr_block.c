#include "report/adr_block.h"

#include <inttypes.h>
#include <string.h>

#include "base/exact_text.h"

enum { MOST_DECIMALS = 17, DIGITS_OF_AN_ENDLESS = 6, SHORT_DIGEST = 12 };

/* In a cell or a sentence: no new column, line, tag or comment. */
static void add_text(ks_text *out, const char *text) {
    static const char tag[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/!?";
    for (; *text; text++) {
        if (*text == '<' && text[1] && strchr(tag, text[1]))
            ks_text_add_string(out, "&lt;");
        else if (*text == '|')
            ks_text_add_string(out, "\\|");
        else
            ks_text_add_char(out, *text == '\n' ? ' ' : *text);
    }
}

/* Between backquotes everything is literal but the bar of a table. */
static void add_code(ks_text *out, const char *text) {
    ks_text_add_char(out, '`');
    for (; *text; text++) {
        if (*text == '|') ks_text_add_char(out, '\\');
        ks_text_add_char(out, *text == '`' ? '\'' : *text == '\n' ? ' ' : *text);
    }
    ks_text_add_char(out, '`');
}

static void add_shown(ks_text *out, const ks_shown *shown) {
    switch (shown->form) {
    case KS_SHOWN_TEXT: add_text(out, shown->text); break;
    case KS_SHOWN_EXACT:
        if (!ks_exact_add_shortest(out, &shown->value, MOST_DECIMALS))
            ks_exact_add_digits(out, &shown->value, DIGITS_OF_AN_ENDLESS);
        break;
    case KS_SHOWN_DIGITS: ks_exact_add_digits(out, &shown->value, shown->places); break;
    case KS_SHOWN_DECIMALS: ks_exact_add_decimals(out, &shown->value, shown->places); break;
    }
}

/* ---- gates ---- */

static void add_threshold(ks_text *out, const ks_adr_gate_line *gate) {
    add_text(out, gate->op);
    ks_text_add_char(out, ' ');
    add_shown(out, &gate->limit);
}

/* One decimal; two digits where that would be nothing. */
static void add_margin(ks_text *out, const ks_adr_gate_line *gate) {
    const ks_exact thousand = ks_exact_of_u64(1000);
    if (!gate->has_margin) return;
    ks_exact scaled = ks_exact_mul(&gate->margin_percent, &thousand);
    const double size = ks_exact_double(&scaled); /* its size decides on the form alone */
    if (ks_exact_sign(&scaled) >= 0) ks_text_add_char(out, '+');
    if (size != 0 && size > -50 && size < 50)
        ks_exact_add_digits(out, &gate->margin_percent, 2);
    else
        ks_exact_add_decimals(out, &gate->margin_percent, 1);
    ks_text_add_string(out, " %");
    ks_exact_free(&scaled);
}

static void add_group(ks_text *out, const ks_adr_gate_line *gate) {
    add_text(out, gate->group);
    if (gate->group_count > 1) {
        const bool fails = gate->result == KS_ADR_FAIL;
        ks_text_add_format(out, "%s(%s of %zu)", *gate->group ? " " : "",
                           fails ? "worst" : "nearest", gate->group_count);
    }
}

static void print_gate(ks_text *out, const ks_adr_gate_line *gate) {
    ks_text_add_string(out, "| ");
    add_text(out, gate->name);
    ks_text_add_string(out, " | ");
    add_text(out, gate->text);
    if (*gate->text) ks_text_add_string(out, ": ");
    add_code(out, gate->question);
    ks_text_add_string(out, " | ");
    add_group(out, gate);
    ks_text_add_string(out, " | ");
    if (gate->has_sides) add_shown(out, &gate->value);
    ks_text_add_string(out, " | ");
    add_text(out, gate->unit);
    ks_text_add_string(out, " | ");
    if (gate->has_sides) add_threshold(out, gate);
    ks_text_add_string(out, " | ");
    add_margin(out, gate);
    ks_text_add_string(out, " | ");
    add_text(out, *gate->robust ? gate->robust : "not studied");
    ks_text_add_format(out, " | %s", ks_adr_result_name(gate->result));
    if (gate->result == KS_ADR_INCOMPLETE) {
        ks_text_add_string(out, ": ");
        add_text(out, gate->why);
    }
    ks_text_add_string(out, " |\n");
}

static void print_gates(ks_text *out, const ks_adr_block *block) {
    if (block->gate_count == 0) return;
    ks_text_add_string(
        out, "| gate | figure | where | value | unit | threshold | margin | robust over its box | "
             "result |\n|---|---|---|--:|---|--:|--:|---|---|\n");
    for (size_t i = 0; i < block->gate_count; i++) print_gate(out, &block->gates[i]);
    ks_text_add_char(out, '\n');
}

static void print_sentences(ks_text *out, const ks_adr_block *block) {
    static const char *const weak[KS_ADR_RESULT_COUNT] = {
        [KS_ADR_UNDECIDED] = "; undecided", [KS_ADR_FRAGILE] = "; fragile"};
    if (block->sentence_count == 0) return;
    ks_text_add_string(out, "What follows, each sentence with the gates that carry it:\n\n");
    for (size_t i = 0; i < block->sentence_count; i++) {
        const ks_adr_sentence *sentence = &block->sentences[i];
        ks_text_add_string(out, "- ");
        if (sentence->result == KS_ADR_FAIL) ks_text_add_string(out, "**no longer true:** ");
        if (sentence->result == KS_ADR_INCOMPLETE) ks_text_add_string(out, "**not known:** ");
        add_text(out, sentence->text);
        ks_text_add_string(out, " (");
        add_text(out, sentence->gates);
        ks_text_add_format(out, "%s)\n", weak[sentence->result] ? weak[sentence->result] : "");
    }
    ks_text_add_char(out, '\n');
}

/* ---- tables ---- */

static void print_head(ks_text *out, const ks_adr_head *head) {
    ks_text_add_string(out, " ");
    add_text(out, head->title);
    if (*head->unit) {
        ks_text_add_string(out, " [");
        add_text(out, head->unit);
        ks_text_add_char(out, ']');
    }
    ks_text_add_string(out, " |");
}

static void print_title(ks_text *out, const char *title) {
    if (!*title) return;
    ks_text_add_string(out, "**");
    add_text(out, title);
    ks_text_add_string(out, "**\n\n");
}

static void print_grid(ks_text *out, const ks_adr_grid *grid) {
    print_title(out, grid->title);
    ks_text_add_char(out, '|');
    for (size_t c = 0; c < grid->column_count; c++) print_head(out, &grid->heads[c]);
    ks_text_add_string(out, "\n|");
    for (size_t c = 0; c < grid->column_count; c++)
        ks_text_add_string(out, grid->heads[c].is_number ? "--:|" : "---|");
    ks_text_add_char(out, '\n');
    for (size_t r = 0; r < grid->row_count; r++) {
        ks_text_add_char(out, '|');
        for (size_t c = 0; c < grid->column_count; c++) {
            ks_text_add_char(out, ' ');
            add_shown(out, &grid->cells[r * grid->column_count + c]);
            ks_text_add_string(out, " |");
        }
        ks_text_add_char(out, '\n');
    }
    ks_text_add_char(out, '\n');
}

static void print_others(ks_text *out, const ks_adr_block *block) {
    if (block->other_count == 0) return;
    ks_text_add_string(
        out, "**Alternatives that do not run here**\n\n| alternative | commands a tile | logical "
             "bytes a tile [byte] | dispatch a tile [cycle] | why it does not run |\n"
             "|---|--:|--:|--:|---|\n");
    for (size_t i = 0; i < block->other_count; i++) {
        const ks_adr_other *other = &block->others[i];
        ks_text_add_string(out, "| ");
        add_text(out, other->title);
        if (other->has_dispatch) {
            ks_text_add_format(out, " | %" PRIu64 " | %" PRIu64 " | ", other->command_count,
                               other->byte_count);
            ks_text_add_decimal(out, other->ticks);
        } else {
            ks_text_add_string(out, " | – | – | –");
        }
        ks_text_add_string(out, " | ");
        add_text(out, other->why);
        ks_text_add_string(out, " |\n");
    }
    ks_text_add_char(out, '\n');
}

/* ---- provenance ---- */

static void add_short(ks_text *out, const char *hex) {
    ks_text_add_format(out, " xxh128 `%.*s`", SHORT_DIGEST, hex);
}

static void print_source(ks_text *out, const ks_adr_source *source) {
    const uint64_t missing = source->planned > source->held ? source->planned - source->held : 0;
    ks_text_add_string(out, "- sweep ");
    add_code(out, source->file);
    add_short(out, source->digest);
    ks_text_add_format(out,
                       ", mode %s: %" PRIu64 " points = %" PRIu64 " passed + %" PRIu64
                       " infeasible + %" PRIu64 " failed + %" PRIu64 " missing",
                       source->mode, source->planned,
                       source->held - source->infeasible - source->failed, source->infeasible,
                       source->failed, missing);
    if (source->unlogged)
        ks_text_add_format(out, "; %" PRIu64 " without op_log: invariants were not checked",
                           source->unlogged);
    if (*source->commit) {
        ks_text_add_string(out, "; read from ");
        add_code(out, source->name);
        ks_text_add_string(out, ", run by git ");
        add_code(out, source->commit);
    }
    if (*source->limits) {
        ks_text_add_string(out, "; **not the whole sweep:** run with ");
        add_code(out, source->limits);
    }
    if (*source->red) {
        ks_text_add_string(out, "; **its run ended red:** exit code ");
        add_text(out, source->red);
    }
    ks_text_add_char(out, '\n');
}

static void print_calibration(ks_text *out, const ks_adr_calibration *calibration) {
    ks_text_add_string(out, "- calibration ");
    if (*calibration->file)
        add_code(out, calibration->file);
    else
        ks_text_add_string(out, "of the model's defaults");
    ks_text_add_string(out, ", its values");
    add_short(out, calibration->digest);
    for (size_t i = 0; i < calibration->value_count; i++) {
        const ks_adr_value *value = &calibration->values[i];
        ks_text_add_string(out, i ? ", " : ": ");
        add_text(out, value->name);
        ks_text_add_char(out, ' ');
        add_text(out, value->value);
        if (*value->unit) ks_text_add_format(out, " %s", value->unit);
    }
    ks_text_add_char(out, '\n');
}

static void print_study(ks_text *out, const ks_adr_study *study) {
    ks_text_add_string(out, "- robustness of gates: study ");
    add_code(out, study->file);
    add_short(out, study->digest);
    if (strcmp(study->name, study->file) != 0) {
        ks_text_add_string(out, ", read from ");
        add_code(out, study->name);
    }
    ks_text_add_char(out, '\n');
}

static void print_provenance(ks_text *out, const ks_adr_block *block) {
    char hex[KS_DIGEST_HEX];
    ks_digest_print(hex, &block->results);
    ks_text_add_string(out, "*Provenance:* simulated by ");
    add_text(out, block->program);
    ks_text_add_string(out, "; stored results");
    add_short(out, hex);
    ks_text_add_string(out, "\n\n");
    for (size_t i = 0; i < block->source_count; i++) print_source(out, &block->sources[i]);
    for (size_t i = 0; i < block->calibration_count; i++)
        print_calibration(out, &block->calibrations[i]);
    for (size_t i = 0; i < block->study_count; i++) print_study(out, &block->studies[i]);
    ks_text_add_string(out, "\n*Regenerate:* ");
    ks_text_add_string(out, "`kernsweep adr ");
    ks_text_add_string(out, block->file);
    ks_text_add_string(out, "`\n");
}

void ks_adr_block_print(ks_text *out, const ks_adr_block *block) {
    ks_text_add_string(out, "**");
    add_text(out, block->name);
    ks_text_add_string(out, "**");
    if (*block->about) {
        ks_text_add_string(out, ": ");
        add_text(out, block->about);
    }
    ks_text_add_string(out, "\n\n");
    print_gates(out, block);
    print_sentences(out, block);
    for (size_t i = 0; i < block->grid_count; i++) print_grid(out, &block->grids[i]);
    print_others(out, block);
    print_provenance(out, block);
}

void ks_adr_sources_say(ks_text *out, const ks_adr_block *block) {
    for (size_t i = 0; i < block->source_count; i++) {
        const ks_adr_source *source = &block->sources[i];
        if (*source->limits)
            ks_text_add_format(out,
                               "incomplete: %s was run with %s, expected a run of the whole %s\n",
                               source->name, source->limits, source->file);
        if (*source->red)
            ks_text_add_format(out, "red: the run of %s ended with exit code %s\n", source->name,
                               source->red);
    }
}

void ks_adr_gates_say(ks_text *out, const ks_adr_block *block, bool is_quiet) {
    for (size_t i = 0; i < block->gate_count; i++) {
        const ks_adr_gate_line *gate = &block->gates[i];
        if (ks_adr_result_holds(gate->result) && is_quiet) continue;
        ks_text_add_format(out, "  %s %s", gate->name, ks_adr_result_name(gate->result));
        if (*gate->group) ks_text_add_format(out, " at %s", gate->group);
        if (gate->has_sides) {
            ks_text_add_string(out, ": ");
            add_shown(out, &gate->value);
            ks_text_add_format(out, " %s %s ", gate->unit, gate->op);
            add_shown(out, &gate->limit);
        }
        if (gate->result == KS_ADR_INCOMPLETE) ks_text_add_format(out, ": %s", gate->why);
        ks_text_add_char(out, '\n');
    }
}
