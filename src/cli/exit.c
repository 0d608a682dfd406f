#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/verbs.h"

atomic_int ks_is_stopped;

int ks_say_error(ks_status status, const ks_error *error) {
    static const int codes[] = {
        [KS_OK] = 0, [KS_FAILED] = 1, [KS_INPUT] = 2, [KS_IO] = 3, [KS_NO_MEMORY] = 3};
    if (error->text[0]) fprintf(stderr, "kernsweep: %s\n", error->text);
    return codes[status];
}

int ks_worst_code(int a, int b) {
    static const int ranks[] = {[0] = 0, [4] = 1, [1] = 2, [3] = 3, [2] = 4};
    return ranks[a] >= ranks[b] ? a : b;
}

int ks_close_stdout(int exit_code) {
    const bool has_failed = ferror(stdout) != 0;
    const bool has_rest_failed = fflush(stdout) != 0;
    if (!has_failed && !has_rest_failed) return exit_code;
    /* Why an earlier write failed is forgotten; another one fails likewise. */
    if (has_failed && write(STDOUT_FILENO, "\n", 1) == 1) errno = EIO;
    if (errno == EPIPE) return exit_code;
    fprintf(stderr, "kernsweep: cannot write to standard output: %s\n", strerror(errno));
    return ks_worst_code(exit_code, 3);
}
