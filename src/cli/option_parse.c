/* The command line against the tables: help, getopt, what is wrong. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/build_info.h"
#include "base/near.h"
#include "cli/option_table.h"

enum { CODE = 1000, CODE_HELP = 2000, CODE_VERSION };

/* ---- help ---- */

static void print_usage(const ks_verb_info *only) {
    printf("kernsweep %s - parallel batch sweeps over a simulated accelerator PE\n\n",
           ks_build_version());
    if (only) {
        printf("usage: kernsweep %s %s [options]\n\n  %s\n", only->name, only->arguments,
               only->about);
    } else {
        printf("usage: kernsweep VERB ... [options]\n\nverbs:\n");
        for (size_t i = 0; i < ks_verb_count; i++)
            printf("  %-8s %s%s%s%s\n", ks_verb_table[i].name, ks_verb_table[i].arguments,
                   *ks_verb_table[i].arguments ? ": " : "", ks_verb_table[i].about,
                   ks_verb_table[i].is_built ? "" : " (not built yet)");
    }
    printf("\noptions:\n");
    for (size_t i = 0; i < ks_option_count; i++) {
        const ks_option_info *info = &ks_option_table[i];
        char name[64];
        if (only && (!(info->verbs & (int)only->id) || !info->set)) continue;
        snprintf(name, sizeof name, "--%s%s%s", info->name, info->value ? " " : "",
                 info->value ? info->value : "");
        printf("  %c%c%s %-26s %s%s\n", info->letter ? '-' : ' ', info->letter ? info->letter : ' ',
               info->letter ? "," : " ", name, info->about, info->set ? "" : " (not built yet)");
    }
    printf(
        "      --help                     this text; after a verb, its own\n"
        "      --version                  version, commit and compiler\n\n"
        "exit codes: 0 clean; 1 a check failed; 2 usage or input is wrong, or nothing selected;\n"
        "3 incomplete (I/O, memory, interrupted); 4 nothing wrong, but points without a golden\n");
}

static void print_version(void) {
    printf("kernsweep %s\ncommit %s%s\ncompiler %s\n", ks_build_version(), ks_build_commit(),
           ks_build_is_dirty() ? " (dirty)" : "", ks_build_compiler());
}

/* ---- parsing ---- */

static const ks_verb_info *find_verb(const char *name, ks_error *error) {
    const char *names[KS_MOST_VERBS];
    for (size_t i = 0; i < ks_verb_count; i++) {
        names[i] = ks_verb_table[i].name;
        if (strcmp(names[i], name) != 0) continue;
        if (ks_verb_table[i].is_built) return &ks_verb_table[i];
        ks_fail(error, KS_INPUT, "%s: not built yet", name);
        return NULL;
    }
    const char *near = ks_near(name, names, ks_verb_count);
    ks_fail(error, KS_INPUT,
            "found verb '%s', expected one of those that `kernsweep --help` lists%s%s%s", name,
            near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
    return NULL;
}

/* getopt leaves an unknown letter, or the code of an option that got a value it does not take, in
 * optopt; of an unknown long option only its place in argv is known. */
static void fail_unknown(const ks_verb_info *verb, const char *argument, ks_error *error) {
    const char *names[KS_MOST_OPTIONS];
    char given[64];
    for (size_t i = 0; i < ks_option_count; i++)
        names[i] = ks_option_table[i].verbs & (int)verb->id ? ks_option_table[i].name : NULL;
    if (optopt >= CODE) {
        ks_fail(error, KS_INPUT, "%s: option '%s' takes no value", verb->name, argument);
        return;
    }
    if (optopt)
        snprintf(given, sizeof given, "-%c", optopt);
    else
        snprintf(given, sizeof given, "%.*s", (int)strcspn(argument, "="), argument);
    const char *near = optopt ? NULL : ks_near(given + 2, names, ks_option_count);
    ks_fail(error, KS_INPUT, "%s: no option '%s'%s%s%s; `kernsweep %s --help` lists them",
            verb->name, given, near ? " (did you mean '--" : "", near ? near : "",
            near ? "'?)" : "", verb->name);
}

static const ks_option_info *info_of(const ks_verb_info *verb, int code) {
    for (size_t i = 0; i < ks_option_count; i++)
        if ((ks_option_table[i].letter == code || CODE + (int)i == code) &&
            ks_option_table[i].verbs & (int)verb->id)
            return &ks_option_table[i];
    return NULL;
}

/* getopt's tables for one verb. */
static void make_tables(const ks_verb_info *verb, struct option *longs, char *shorts) {
    size_t count = 0, letters = 0;
    shorts[letters++] = ':';
    for (size_t i = 0; i < ks_option_count; i++) {
        if (!(ks_option_table[i].verbs & (int)verb->id)) continue;
        longs[count++] = (struct option){ks_option_table[i].name,
                                         ks_option_table[i].value ? required_argument : no_argument,
                                         NULL, CODE + (int)i};
        if (!ks_option_table[i].letter) continue;
        shorts[letters++] = (char)ks_option_table[i].letter;
        if (ks_option_table[i].value) shorts[letters++] = ':';
    }
    longs[count++] = (struct option){"help", no_argument, NULL, CODE_HELP};
    longs[count++] = (struct option){"version", no_argument, NULL, CODE_VERSION};
    longs[count] = (struct option){0};
    shorts[letters] = '\0';
}

static ks_options_answer take_arguments(const ks_verb_info *verb, int argc, char **argv,
                                        ks_options *o, ks_error *error) {
    for (; optind < argc; optind++) {
        if (o->argument_count == KS_MAX_ARGUMENTS) break;
        o->arguments[o->argument_count++] = argv[optind];
    }
    const bool needs_none = o->shows_constants || o->shows_columns;
    if (o->shows_commands + o->shows_plan + o->shows_oplog + o->is_json > 1 &&
        verb->id == KS_VERB_SHOW) {
        ks_fail(error, KS_INPUT,
                "show: --commands, --plan, --oplog and --json each fill standard output; "
                "give one of them");
        return KS_OPTIONS_WRONG;
    }
    if (o->shows_points + o->shows_constants + o->shows_columns > 1) {
        ks_fail(error, KS_INPUT,
                "list: --points, --constants and --columns each fill standard output; give one of "
                "them");
        return KS_OPTIONS_WRONG;
    }
    if (o->is_quiet && o->is_verbose) {
        ks_fail(error, KS_INPUT, "%s: found -q and -v, expected one of them", verb->name);
        return KS_OPTIONS_WRONG;
    }
    if (needs_none && o->argument_count) {
        ks_fail(error, KS_INPUT, "list: found '%s' beside --%s, which needs no sweep",
                o->arguments[0], o->shows_columns ? "columns" : "constants");
        return KS_OPTIONS_WRONG;
    }
    const size_t least = verb->id == KS_VERB_LIST && !needs_none ? 1 : verb->least;
    if (o->argument_count >= least && o->argument_count <= verb->most && optind == argc)
        return KS_OPTIONS_RUN;
    ks_fail(error, KS_INPUT, "%s: found %zu arguments, expected %s", verb->name, o->argument_count,
            verb->arguments);
    return KS_OPTIONS_WRONG;
}

static ks_options_answer parse_verb(const ks_verb_info *verb, int argc, char **argv, ks_options *o,
                                    ks_error *error) {
    struct option longs[KS_MOST_OPTIONS + 3];
    char shorts[2 * KS_MOST_OPTIONS + 2];
    make_tables(verb, longs, shorts);
    opterr = 0;
    optind = 0; /* glibc: start anew */
    for (int code; (code = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        if (code == CODE_HELP) print_usage(verb);
        if (code == CODE_VERSION) print_version();
        if (code == CODE_HELP || code == CODE_VERSION) return KS_OPTIONS_DONE;
        const ks_option_info *info = info_of(verb, code == ':' || code == '?' ? optopt : code);
        if (code == ':') {
            ks_fail(error, KS_INPUT, "%s: option '%s' needs a value: %s", verb->name,
                    argv[optind - 1], info ? info->value : "");
            return KS_OPTIONS_WRONG;
        }
        if (code == '?' || !info) {
            fail_unknown(verb, argv[optind - 1], error);
            return KS_OPTIONS_WRONG;
        }
        if (!info->set) {
            ks_fail(error, KS_INPUT, "--%s: not built yet", info->name);
            return KS_OPTIONS_WRONG;
        }
        if (info->set(o, optarg, error)) return KS_OPTIONS_WRONG;
    }
    return take_arguments(verb, argc, argv, o, error);
}

ks_options_answer ks_options_parse(int argc, char **argv, ks_options *options, ks_error *error) {
    *options = (ks_options){.max_points = 10000000, .cache_mib = 256};
    if (argc < 2) {
        ks_fail(error, KS_INPUT, "found no verb; `kernsweep --help` lists them");
        return KS_OPTIONS_WRONG;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        print_usage(NULL);
        return KS_OPTIONS_DONE;
    }
    if (!strcmp(argv[1], "--version")) {
        print_version();
        return KS_OPTIONS_DONE;
    }
    const ks_verb_info *verb = find_verb(argv[1], error);
    if (!verb) return KS_OPTIONS_WRONG;
    options->verb = verb->id;
    return parse_verb(verb, argc - 1, argv + 1, options, error);
}
