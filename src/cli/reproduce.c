#include "cli/reproduce.h"

#include <string.h>

#include "run/group.h"

/* `kernel == decode_opt2 and TILE == 16 ...` of those words `name=value` that `names` has. */
static void add_condition(ks_text *out, ks_names names, const char *words) {
    const char *joint = "";
    for (const char *word = words; *word;) {
        const size_t name = strcspn(word, "="), length = strcspn(word, " ");
        const ks_name id = ks_name_find(word, name);
        if (id != KS_NAME_NONE && names & KS_NAME_BIT(id)) {
            ks_text_add_format(out, "%s%.*s == %.*s", joint, (int)name, word,
                               (int)(length - name - 1), word + name + 1);
            joint = " and ";
        }
        word += length + (word[length] == ' ');
    }
}

static void add_where(ks_text *out, const char *where) {
    ks_text_add_string(out, " --where ");
    if (strpbrk(where, "\"$`\\!"))
        ks_text_add_shell(out, where);
    else
        ks_text_add_format(out, "\"%s\"", where);
}

static void add_both_wheres(ks_text *out, const char *option, const char *where) {
    ks_text both = {0};
    if (option && *where)
        ks_text_add_format(&both, "(%s) and (%s)", option, where);
    else
        ks_text_add_string(&both, option ? option : where);
    if (both.length) add_where(out, both.data);
    ks_text_free(&both);
}

void ks_reproduce_where(ks_text *out, const ks_sweep *sweep, const ks_options *options,
                        const char *where) {
    const bool is_stdin = strcmp(sweep->file, "-") == 0;
    ks_text_add_string(out, "kernsweep run ");
    if (is_stdin)
        ks_text_add_char(out, '-');
    else
        ks_text_add_shell(out, sweep->file);
    for (size_t i = 0; i < options->set_count; i++) {
        ks_text_add_string(out, " --set ");
        ks_text_add_shell(out, options->sets[i]);
    }
    add_both_wheres(out, options->where, where);
    if (options->oplog) ks_text_add_format(out, " --oplog %s", options->oplog);
    if (options->golden != KS_GOLDEN_OPTION_CHECK)
        ks_text_add_format(out, " --golden %s", ks_golden_option_name(options->golden));
    ks_text_add_string(out, " -o reports/again");
    if (is_stdin) ks_text_add_string(out, " <SWEEP");
}

void ks_reproduce_point(ks_text *out, const ks_sweep *sweep, const ks_options *options,
                        const ks_record *record) {
    const bool needs_sweep = record->change || strncmp(record->row->reason, "tolerance ", 10) == 0;
    if (!needs_sweep) {
        ks_text_add_format(out, "kernsweep show '%s'", record->key);
        if (sweep->mode == KS_MODE_DATA) ks_text_add_string(out, " --tensors tensors");
        return;
    }
    ks_text where = {0};
    add_condition(&where, ks_group_axes(sweep), record->key);
    ks_reproduce_where(out, sweep, options, ks_text_string(&where));
    ks_text_free(&where);
}

void ks_reproduce_gate(ks_text *out, const ks_sweep *sweep, const ks_options *options,
                       const ks_gate_line *line) {
    ks_text where = {0};
    add_condition(&where, ~KS_NAME_BIT(KS_NAME_MODEL), line->group);
    ks_reproduce_where(out, sweep, options, ks_text_string(&where));
    ks_text_free(&where);
}
