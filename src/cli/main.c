#include <signal.h>
#include <stdio.h>

#include "cli/verbs.h"

/* The first signal lets the running points end; the second ends the process by that signal. */
static void stop(int signal_number) {
    (void)signal_number;
    atomic_store(&ks_is_stopped, 1);
}

static void set_up_signals(void) {
    const int stopping[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof stopping / sizeof stopping[0]; i++) {
        struct sigaction action = {.sa_handler = stop, .sa_flags = (int)SA_RESETHAND};
        sigaction(stopping[i], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

int main(int argc, char **argv) {
    static int (*const run[])(const ks_options *) = {
        [KS_VERB_RUN] = ks_verb_run, [KS_VERB_LIST] = ks_verb_list, [KS_VERB_SHOW] = ks_verb_show};
    ks_options options;
    ks_error error = {{0}};
    set_up_signals();
    switch (ks_options_parse(argc, argv, &options, &error)) {
    case KS_OPTIONS_DONE: return ks_close_stdout(0);
    case KS_OPTIONS_WRONG: return ks_say_error(KS_INPUT, &error);
    case KS_OPTIONS_RUN: break;
    }
    return ks_close_stdout(run[options.verb](&options));
}
