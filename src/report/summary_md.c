#include "report/summary_md.h"

#include <inttypes.h>
#include <string.h>

#include "report/account.h"
#include "report/cause_text.h"

enum { SHOWN_CAUSES = 20 };

void ks_text_add_md(ks_text *out, const char *string) {
    for (; *string; string++) {
        const unsigned char c = (unsigned char)*string;
        if (c < 0x20 || c == 0x7f) {
            ks_text_add_char(out, ' ');
            continue;
        }
        if (strchr("\\`*_{}[]<>#|&~$!", c)) ks_text_add_char(out, '\\');
        ks_text_add_char(out, (char)c);
    }
}

/* Lines that are code, whatever they hold: a fence longer than any run of backticks in them. */
static void add_code(ks_text *out, const char *lines) {
    size_t longest = 2, run = 0;
    for (const char *c = lines; *c; c++) {
        run = *c == '`' ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    for (int end = 0; end < 2; end++) {
        for (size_t i = 0; i <= longest; i++) ks_text_add_char(out, '`');
        ks_text_add_char(out, '\n');
        for (const char *c = lines; !end && *c; c++) {
            const bool is_control = ((unsigned char)*c < 0x20 && *c != '\n') || *c == 0x7f;
            ks_text_add_char(out, is_control ? ' ' : *c);
        }
    }
    ks_text_add_char(out, '\n');
}

static void add_cause(ks_text *out, const ks_failure_cause *cause, size_t number, uint64_t ran) {
    ks_text lines = {0};
    ks_cause_print(&lines, cause, number, ran);
    const char *text = ks_text_string(&lines), *rest = strchr(text, '\n');
    ks_text_add_format(out, "### %zu. ", number);
    ks_text_add_md(out, cause->what);
    ks_text_add_string(out, "\n\n");
    if (rest) add_code(out, rest + 1);
    if (lines.has_failed) out->has_failed = true;
    ks_text_free(&lines);
}

static void add_causes(ks_text *out, const ks_summary *s) {
    const ks_cause_list *list = s->causes;
    uint64_t points = list->more_points;
    for (size_t i = 0; i < list->count; i++) points += list->causes[i].points;
    if (!points) return;
    ks_text_add_string(out, "## Red points: ");
    ks_text_add_count(out, points, "point");
    ks_text_add_string(out, ", ");
    ks_text_add_count(out, list->count, "cause");
    ks_text_add_string(out, list->more_points ? " and more\n\n" : "\n\n");
    for (size_t i = 0; i < list->count && i < SHOWN_CAUSES; i++) {
        add_cause(out, &list->causes[i], i + 1, s->ran);
        points -= list->causes[i].points;
    }
    if (points) {
        ks_text_add_string(out, "And ");
        ks_text_add_count(out, points, "point");
        ks_text_add_string(out, " of other causes.\n\n");
    }
    if (s->failures[0]) ks_text_add_format(out, "%s\n", s->failures);
}

void ks_summary_rule_print(ks_text *out, uint64_t points, const char *what, const char *why) {
    ks_text_add_string(out, "- ");
    ks_text_add_count(out, points, "point");
    ks_text_add_format(out, " %s: ", what);
    ks_text_add_md(out, why[0] ? why : "no reason given");
    ks_text_add_char(out, '\n');
}

void ks_summary_md_print(ks_text *out, const ks_summary *s) {
    ks_text account = {0};
    ks_text_add_format(out, "# %s: exit %d, %s\n\n", s->sweep, s->exit_code, s->verdict);
    if (s->about[0]) {
        ks_text_add_md(out, s->about);
        ks_text_add_string(out, "\n\n");
    }
    ks_text_add_format(out, "Mode %s.\n\n", s->mode);
    ks_account_print(&account, s->account);
    add_code(out, ks_text_string(&account));
    if (s->notes[0]) add_code(out, s->notes);
    if (s->rules[0]) ks_text_add_format(out, "## Rules\n\n%s\n", s->rules);
    add_causes(out, s);
    if (s->gates[0]) {
        ks_text_add_string(out, "## Red gates\n\n");
        add_code(out, s->gates);
    }
    if (account.has_failed) out->has_failed = true;
    ks_text_free(&account);
    while (out->length > 1 && out->data[out->length - 1] == '\n' &&
           out->data[out->length - 2] == '\n')
        out->data[--out->length] = '\0';
}
