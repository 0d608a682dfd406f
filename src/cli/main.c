#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/verbs.h"
#include "run/point_run.h"

/* The first signal lets the running points end; the second ends the process by that signal. */
static void stop(int signal_number) {
    (void)signal_number;
    atomic_store(&ks_is_stopped, 1);
}

/* A signal that was ignored when the program started (nohup) stays so. */
static void set_up_stopping(void) {
    const int stopping[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof stopping / sizeof stopping[0]; i++) {
        struct sigaction action;
        sigaction(stopping[i], NULL, &action);
        if (action.sa_handler == SIG_IGN) continue;
        action = (struct sigaction){.sa_handler = stop, .sa_flags = (int)SA_RESETHAND};
        sigaction(stopping[i], &action, NULL);
    }
}

/* A closed standard stream must not become the number of a report's file. What is opened here
 * cannot be read (0) or written (1, 2), so that fails as on the closed one. */
static void hold_standard_streams(void) {
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
            _exit(3);
}

int main(int argc, char **argv) {
    static int (*const run[])(const ks_options *) = {
        [KS_VERB_RUN] = ks_verb_run,           [KS_VERB_LIST] = ks_verb_list,
        [KS_VERB_SHOW] = ks_verb_show,         [KS_VERB_DIFF] = ks_verb_diff,
        [KS_VERB_SELFTEST] = ks_verb_selftest, [KS_VERB_STUDY] = ks_verb_study,
        [KS_VERB_ADR] = ks_verb_adr,           [KS_VERB_BLESS] = ks_verb_bless};
    ks_options options;
    ks_error error = {{0}};
    hold_standard_streams();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    switch (ks_options_parse(argc, argv, &options, &error)) {
    case KS_OPTIONS_DONE: return ks_close_stdout(0);
    case KS_OPTIONS_WRONG: return ks_say_error(KS_INPUT, &error);
    case KS_OPTIONS_RUN: break;
    }
    if (ks_isa_choose(getenv("KS_ISA"), &options.isa, &error))
        return ks_say_error(KS_INPUT, &error);
    if (options.verb & (KS_VERB_RUN | KS_VERB_STUDY | KS_VERB_ADR)) set_up_stopping();
    return ks_close_stdout(run[options.verb](&options));
}
