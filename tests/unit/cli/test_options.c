/* The command line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <getopt.h>
#include <string.h>
#include <cmocka.h>

#include "cli/options.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { MOST_WORDS = 300 };

/* Words of a line, parted by single blanks; `''` is an empty one. The words are the line's. */
typedef struct command_line {
    char text[8192];
    char *words[MOST_WORDS];
    int count;
} command_line;

static void split(command_line *l, const char *line) {
    assert_true(strlen(line) < sizeof l->text);
    strcpy(l->text, line);
    l->count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(l->text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (strcmp(word, "''") == 0) *word = '\0';
        l->words[l->count++] = word;
    }
    l->words[l->count] = NULL;
}

static ks_options_answer parse(command_line *l, const char *line, ks_options *options,
                               ks_error *error) {
    /* getopt remembers a word that it gave up in the middle; a program parses but once. */
    optind = 0;
    getopt(0, (char *[]){NULL}, "");
    split(l, line);
    error->text[0] = '\0';
    return ks_options_parse(l->count, l->words, options, error);
}

static ks_options parsed(command_line *l, const char *line) {
    ks_options options;
    ks_error error;
    if (parse(l, line, &options, &error) != KS_OPTIONS_RUN) fail_msg("%s: %s", line, error.text);
    return options;
}

static void without_options_the_defaults_hold(void **state) {
    command_line l;
    (void)state;
    const ks_options o = parsed(&l, "kernsweep run a.yaml");
    assert_int_equal(o.verb, KS_VERB_RUN);
    assert_int_equal(o.argument_count, 1);
    assert_string_equal(o.arguments[0], "a.yaml");
    assert_null(o.output);
    assert_int_equal(o.threads, 0);
    assert_int_equal(o.set_count, 0);
    assert_null(o.where);
    assert_null(o.oplog);
    assert_int_equal(o.max_points, 10000000);
    assert_int_equal(o.progress, KS_PROGRESS_AUTO);
    assert_false(o.is_fail_fast || o.is_json || o.is_quiet || o.is_verbose);
    assert_int_equal(o.golden, KS_GOLDEN_OPTION_CHECK);
}

static void every_option_of_run_is_taken_wherever_it_stands(void **state) {
    command_line l;
    (void)state;
    const ks_options o = parsed(
        &l,
        "kernsweep run a.yaml -o out -j 8 --set TILE=16 --set=S=64 b.yaml --where TILE==16 "
        "--max-points 1 --fail-fast --cache 0 --oplog full --golden ignore --exact full --progress "
        "plain -q - -- -odd.yaml");
    assert_int_equal(o.argument_count, 4);
    assert_string_equal(o.arguments[1], "b.yaml");
    assert_string_equal(o.arguments[2], "-");
    assert_string_equal(o.arguments[3], "-odd.yaml");
    assert_string_equal(o.output, "out");
    assert_int_equal(o.threads, 8);
    assert_int_equal(o.set_count, 2);
    assert_string_equal(o.sets[0], "TILE=16");
    assert_string_equal(o.sets[1], "S=64");
    assert_string_equal(o.where, "TILE==16");
    assert_int_equal(o.max_points, 1);
    assert_int_equal(o.cache_mib, 0);
    assert_string_equal(o.oplog, "full");
    assert_int_equal(o.progress, KS_PROGRESS_PLAIN);
    assert_true(o.is_fail_fast && o.is_quiet && !o.is_verbose);
    assert_int_equal(o.golden, KS_GOLDEN_OPTION_IGNORE);
    assert_true(parsed(&l, "kernsweep run a.yaml -v").is_verbose);
}

static void long_and_short_names_of_an_option_are_one(void **state) {
    command_line l;
    (void)state;
    assert_string_equal(parsed(&l, "kernsweep run a --output=x").output, "x");
    assert_string_equal(parsed(&l, "kernsweep run a -ox").output, "x");
    assert_int_equal(parsed(&l, "kernsweep run a --threads 3").threads, 3);
    assert_int_equal(parsed(&l, "kernsweep run a -j3").threads, 3);
}

static void options_of_list_and_show_are_taken(void **state) {
    command_line l;
    (void)state;
    ks_options o = parsed(&l, "kernsweep list a --points --json --where S>1 --set S=2");
    assert_true(o.shows_points && o.is_json);
    o = parsed(&l, "kernsweep list --constants");
    assert_true(o.shows_constants);
    assert_int_equal(o.argument_count, 0);
    o = parsed(&l, "kernsweep list --columns --json");
    assert_true(o.shows_columns);
    o = parsed(&l, "kernsweep show KEY --commands");
    assert_true(o.shows_commands);
    o = parsed(&l, "kernsweep show KEY --plan");
    assert_true(o.shows_plan);
    o = parsed(&l, "kernsweep show KEY --oplog");
    assert_true(o.shows_oplog);
    o = parsed(&l, "kernsweep show KEY --tensors d -v");
    assert_string_equal(o.tensor_folder, "d");
}

static void options_of_bless_are_taken(void **state) {
    command_line l;
    (void)state;
    ks_options o = parsed(&l, "kernsweep bless a --reason why -o d --where S>1 --cause 2 --yes");
    assert_string_equal(o.reason, "why");
    assert_string_equal(o.output, "d");
    assert_string_equal(o.where, "S>1");
    assert_int_equal(o.cause, 2);
    assert_true(o.is_sure && !o.is_dry_run && !o.prunes);
    o = parsed(&l, "kernsweep bless a --dry-run --prune");
    assert_null(o.reason);
    assert_int_equal(o.cause, 0);
    assert_true(!o.is_sure && o.is_dry_run && o.prunes);
}

static void counts_are_taken_at_their_edges_and_no_further(void **state) {
    command_line l;
    (void)state;
    assert_int_equal(parsed(&l, "kernsweep run a -j 1").threads, 1);
    assert_int_equal(parsed(&l, "kernsweep run a -j 1024").threads, 1024);
    assert_true(parsed(&l, "kernsweep list a --max-points 9223372036854775807").max_points ==
                UINT64_MAX >> 1);
}

static void what_is_wrong_is_refused_and_named(void **state) {
    static const struct {
        const char *line, *message;
    } table[] = {
        {"kernsweep", "no verb"},
        {"kernsweep runn a", "did you mean 'run'?"},
        {"kernsweep --points", "--points"},
        {"kernsweep run", "SWEEP"},
        {"kernsweep list", "SWEEP"},
        {"kernsweep list a b", "SWEEP"},
        {"kernsweep show", "KEY"},
        {"kernsweep show a b", "KEY"},
        {"kernsweep run a --nope", "no option '--nope'"},
        {"kernsweep run a --fail-fats", "did you mean '--fail-fast'?"},
        {"kernsweep run a -x", "no option '-x'"},
        {"kernsweep run a -xq", "no option '-x'"},
        {"kernsweep list a -o x", "no option '-o'"},
        {"kernsweep show k -q", "no option '-q'"},
        {"kernsweep run a --points", "no option '--points'"},
        {"kernsweep run a --json", "no option '--json'"},
        {"kernsweep run a -o", "needs a value"},
        {"kernsweep run a --where", "needs a value"},
        {"kernsweep run a --fail-fast=yes", "--fail-fast"},
        {"kernsweep run a -o ''", "empty"},
        {"kernsweep show k --tensors ''", "empty"},
        {"kernsweep run a -j 0", "from 1 to 1024"},
        {"kernsweep run a -j 1025", "from 1 to 1024"},
        {"kernsweep run a -j 4x", "found '4x'"},
        {"kernsweep run a -j +4", "found '+4'"},
        {"kernsweep run a -j -1", "found '-1'"},
        {"kernsweep run a -j 0x4", "found '0x4'"},
        {"kernsweep run a -j 1e1", "found '1e1'"},
        {"kernsweep run a -j ''", "found ''"},
        {"kernsweep run a -j 99999999999999999999", "found '99999999999999999999'"},
        {"kernsweep run a --max-points 1e6", "found '1e6'"},
        {"kernsweep run a --max-points 0", "found '0'"},
        {"kernsweep run a --max-points 9223372036854775808", "found '9223372036854775808'"},
        {"kernsweep run a --cache -1", "--cache: found '-1', expected a whole number from 0 to"},
        {"kernsweep run a --cache 1073741825", "found '1073741825'"},
        {"kernsweep run a --oplog some", "expected one of none, hash, full"},
        {"kernsweep run a --oplog Full", "did you mean 'full'?"},
        {"kernsweep run a --golden never", "expected one of check, ignore, require"},
        {"kernsweep run a --exact some", "expected one of full"},
        {"kernsweep run a --progress loud", "expected one of auto, plain, none"},
        {"kernsweep run a --where x --where y", "given twice"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        command_line l;
        ks_options options;
        ks_error error;
        if (parse(&l, table[i].line, &options, &error) != KS_OPTIONS_WRONG)
            fail_msg("%s: not refused", table[i].line);
        if (!strstr(error.text, table[i].message))
            fail_msg("%s: '%s' does not say '%s'", table[i].line, error.text, table[i].message);
    }
}

static void what_is_not_built_yet_says_so(void **state) {
    static const char *const lines[] = {
        "kernsweep report d",
        "kernsweep merge d -o e",
        "kernsweep history",
        "kernsweep run a --shard 1/2",
        "kernsweep run a --shard 1/2x",
        "kernsweep run a --resume",
        "kernsweep run a --baseline d",
        "kernsweep run a --timeout 5m",
        "kernsweep run a --timeout 5",
        "kernsweep run a --memory 100",
        "kernsweep show k --trace perfetto",
        "kernsweep list a --shard 1/2",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        command_line l;
        ks_options options;
        ks_error error;
        if (parse(&l, lines[i], &options, &error) != KS_OPTIONS_WRONG ||
            !strstr(error.text, "not built yet"))
            fail_msg("%s: %s", lines[i], error.text);
    }
}

static void too_many_sets_and_sweeps_are_refused_at_the_limit(void **state) {
    command_line l;
    ks_options options;
    ks_error error;
    char line[8192] = "kernsweep run a";
    (void)state;
    for (int i = 0; i < KS_MAX_SETS; i++) strcat(line, " --set S=1");
    assert_int_equal(parsed(&l, line).set_count, KS_MAX_SETS);
    strcat(line, " --set S=1");
    assert_int_equal(parse(&l, line, &options, &error), KS_OPTIONS_WRONG);

    strcpy(line, "kernsweep run");
    for (int i = 0; i < KS_MAX_ARGUMENTS; i++) strcat(line, " a");
    assert_int_equal(parsed(&l, line).argument_count, KS_MAX_ARGUMENTS);
    strcat(line, " a");
    assert_int_equal(parse(&l, line, &options, &error), KS_OPTIONS_WRONG);
}

/* INTERFACE.md: `--commands`, `--plan`, `--oplog`, `--trace` (one of them, to standard output). */
static void show_prints_one_thing_to_standard_output(void **state) {
    static const char *const lines[] = {
        "kernsweep show k --commands --plan", "kernsweep show k --plan --oplog",
        "kernsweep show k --oplog --commands", "kernsweep show k --oplog --json"};
    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        command_line l;
        ks_options options;
        ks_error error;
        if (parse(&l, lines[i], &options, &error) != KS_OPTIONS_WRONG)
            fail_msg("%s: not refused", lines[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_options_the_defaults_hold),
        cmocka_unit_test(every_option_of_run_is_taken_wherever_it_stands),
        cmocka_unit_test(long_and_short_names_of_an_option_are_one),
        cmocka_unit_test(options_of_list_and_show_are_taken),
        cmocka_unit_test(options_of_bless_are_taken),
        cmocka_unit_test(counts_are_taken_at_their_edges_and_no_further),
        cmocka_unit_test(what_is_wrong_is_refused_and_named),
        cmocka_unit_test(what_is_not_built_yet_says_so),
        cmocka_unit_test(too_many_sets_and_sweeps_are_refused_at_the_limit),
        cmocka_unit_test(show_prints_one_thing_to_standard_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
