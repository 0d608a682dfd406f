/* The command line: verbs, options, and which of them are built. */
#ifndef KS_CLI_OPTIONS_H
#define KS_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef enum ks_verb_id {
    KS_VERB_RUN = 1 << 0,
    KS_VERB_LIST = 1 << 1,
    KS_VERB_SHOW = 1 << 2,
    KS_VERB_BLESS = 1 << 3,
    KS_VERB_DIFF = 1 << 4,
    KS_VERB_STUDY = 1 << 5,
    KS_VERB_ADR = 1 << 6,
    KS_VERB_REPORT = 1 << 7,
    KS_VERB_MERGE = 1 << 8,
    KS_VERB_HISTORY = 1 << 9,
    KS_VERB_SELFTEST = 1 << 10
} ks_verb_id;

enum { KS_MAX_SETS = 64, KS_MAX_ARGUMENTS = 256 };

typedef enum ks_progress_mode {
    KS_PROGRESS_AUTO,
    KS_PROGRESS_PLAIN,
    KS_PROGRESS_NONE
} ks_progress_mode;

typedef enum ks_golden_option {
    KS_GOLDEN_OPTION_CHECK,  /* default: a point without one makes exit code 4 */
    KS_GOLDEN_OPTION_IGNORE, /* compare with none */
    KS_GOLDEN_OPTION_REQUIRE /* a point without one makes exit code 1 */
} ks_golden_option;
const char *ks_golden_option_name(ks_golden_option option);

typedef struct ks_isa ks_isa;
typedef struct ks_spoil ks_spoil;

/* Texts are those of argv. */
typedef struct ks_options {
    ks_verb_id verb;
    const char *arguments[KS_MAX_ARGUMENTS];
    size_t argument_count;
    const char *output; /* NULL: the default */
    int threads;        /* 0: all */
    const char *sets[KS_MAX_SETS];
    size_t set_count;
    const char *where; /* NULL: none */
    const char *oplog; /* NULL: the sweep's */
    uint64_t max_points;
    uint64_t cache_mib; /* for what points of mode data share; 0: nothing */
    ks_progress_mode progress;
    bool is_exact_full;
    bool asks_gates; /* study */
    ks_golden_option golden;
    bool is_fail_fast, is_json, is_quiet, is_verbose;
    bool shows_points, shows_constants, shows_columns;         /* list */
    bool shows_commands, shows_plan, shows_oplog;              /* show */
    bool checks, checks_inputs, verifies, collects, is_forced; /* adr */
    bool only_changed;                                         /* diff */
    const char *against;                                       /* diff; NULL: none */
    const char *reason;                                        /* bless; NULL: none */
    uint64_t cause;                                            /* bless, from 1; 0: all */
    bool is_dry_run, is_sure, prunes;                          /* bless */
    const char *tensor_folder;                                 /* show; NULL: none */
    const ks_isa *isa;                                         /* main sets it from KS_ISA */
    const ks_spoil *spoil; /* run, set by selftest; NULL: none */
} ks_options;

typedef enum ks_options_answer {
    KS_OPTIONS_RUN,  /* go on */
    KS_OPTIONS_DONE, /* --help or --version was printed */
    KS_OPTIONS_WRONG /* exit code 2; `error` says why */
} ks_options_answer;

ks_options_answer ks_options_parse(int argc, char **argv, ks_options *options, ks_error *error);

#endif
