/* Proof that the gate bites: a small sweep is run as it is, and then once for each mutation, which spoils
 * an op_log, a program, a result, a golden or another input file on its way. The runs are those of any user: the
 * same checks, gates, account, exit code. A mutation counts as caught if exactly the expected points
 * changed, by the expected check, and the exit code is the expected one. */
#ifndef KS_SELFTEST_SELFTEST_H
#define KS_SELFTEST_SELFTEST_H

#include "base/status.h"
#include "run/spoil.h"

enum { KS_COMMAND_WORDS = 16 };

/* A command line, as a user would give it in `folder`. */
typedef struct ks_command_line {
    const char *folder;
    const char *words[KS_COMMAND_WORDS]; /* after the program's name; NULL after the last */
    const ks_spoil *spoil;               /* NULL: none */
    bool is_in_ci;                       /* the environment says so */
} ks_command_line;

#define KS_COMMAND_SAID "said.txt" /* in the folder: standard output and standard error */

/* What became of a mutation. Texts hold until `tell` returns. */
typedef struct ks_mutation_line {
    const char *name;
    bool is_caught;
    const char *text; /* what caught it, or what was found in place of what was expected */
} ks_mutation_line;

typedef struct ks_selftest_host {
    void *self;
    /* Runs it; its exit code, or 128 and the signal that ended it. -1: it could not be started. */
    int (*call)(void *self, const ks_command_line *call);
    void (*tell)(void *self, const ks_mutation_line *line);
} ks_selftest_host;

/* Works in `folder`, which is there and empty. KS_OK: every mutation was tried, *caught of *count were
 * caught; KS_FAILED: the unspoilt run is not clean, so nothing is proved; KS_IO, KS_NO_MEMORY. */
KS_CHECKED ks_status ks_selftest_run(const ks_selftest_host *host, const char *folder,
                                     uint64_t *caught, uint64_t *count, ks_error *error);

#endif
