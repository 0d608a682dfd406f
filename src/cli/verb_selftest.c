/* selftest: every call of the program is a child process, in a folder of its own. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/verbs.h"
#include "selftest/selftest.h"

/* In the child: as if the words had been given to the program. Does not return. */
static void run_words(const ks_command_line *call, const ks_isa *isa) {
    char *argv[KS_COMMAND_WORDS + 2] = {(char *)(uintptr_t) "kernsweep"};
    int argc = 1;
    ks_options options;
    ks_error error = {{0}};
    for (size_t i = 0; i < KS_COMMAND_WORDS && call->words[i]; i++)
        argv[argc++] = (char *)(uintptr_t)call->words[i];
    if (call->is_in_ci ? setenv("CI", "1", 1) : unsetenv("CI")) _exit(127);
    if (chdir(call->folder) || !freopen(KS_COMMAND_SAID, "w", stdout) ||
        dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
        _exit(127);
    if (ks_options_parse(argc, argv, &options, &error) != KS_OPTIONS_RUN)
        exit(ks_close_stdout(ks_say_error(KS_INPUT, &error)));
    options.isa = isa;
    options.spoil = call->spoil;
    const int code =
        options.verb == KS_VERB_BLESS ? ks_verb_bless(&options) : ks_verb_run(&options);
    exit(ks_close_stdout(code));
}

static int call(void *self, const ks_command_line *call) {
    const ks_options *options = self;
    int state = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) run_words(call, options->isa);
    if (child < 0 || waitpid(child, &state, 0) != child) return -1;
    return WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
}

static void tell(void *self, const ks_mutation_line *line) {
    const ks_options *options = self;
    if (!line->is_caught || options->is_verbose)
        printf("%s  %s: %s\n", line->is_caught ? "caught" : "NOT CAUGHT", line->name, line->text);
}

static ks_status make_folder(ks_text *path, ks_error *error) {
    const char *base = getenv("TMPDIR");
    ks_text_add_format(path, "%s/kernsweep-selftest.XXXXXX", base && *base ? base : "/tmp");
    if (path->has_failed) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    if (mkdtemp(path->data)) return KS_OK;
    return ks_fail(error, KS_IO, "cannot make the folder '%s'", path->data);
}

int ks_verb_selftest(const ks_options *options) {
    const ks_selftest_host host = {(void *)(uintptr_t)options, call, tell};
    uint64_t caught = 0, count = 0;
    ks_error error = {{0}};
    ks_text folder = {0};
    ks_status status = make_folder(&folder, &error);
    if (!status) {
        status = ks_selftest_run(&host, folder.data, &caught, &count, &error);
        const ks_status removed = ks_path_remove(folder.data, status ? NULL : &error);
        if (!status) status = removed;
    }
    ks_text_free(&folder);
    if (status) return ks_say_error(status, &error);
    printf("gate: %" PRIu64 "/%" PRIu64 " mutations caught\n", caught, count);
    return caught == count ? 0 : 1;
}
