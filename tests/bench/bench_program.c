/* Part `program`: the built program from outside. Runs take turns, so that a busy minute meets both
 * sides of a ratio. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"

extern char **environ;

enum { ARGUMENTS_MAX = 24, PAIRS_MAX = 5 };

static char folder[] = "/tmp/kernsweep-bench-XXXXXX";

/* ---- running ---- */

/* Starts `kernsweep run WORDS -q -o FOLDER/NAME`; `~` stands for a blank inside of a word. */
static pid_t start(const char *name, const char *words) {
    char text[1024], out[128], program[] = KS_PROGRAM, run[] = "run", quiet[] = "-q", into[] = "-o";
    char *arguments[ARGUMENTS_MAX] = {program, run};
    int count = 2;
    pid_t pid = -1;
    posix_spawn_file_actions_t actions;
    snprintf(text, sizeof text, "%s", words);
    snprintf(out, sizeof out, "%s/%s", folder, name);
    for (char *word = strtok(text, " "); word && count < ARGUMENTS_MAX - 4;
         word = strtok(NULL, " "))
        arguments[count++] = word;
    for (int i = 2; i < count; i++)
        for (char *at = arguments[i]; (at = strchr(at, '~'));) *at = ' ';
    arguments[count++] = quiet;
    arguments[count++] = into;
    arguments[count++] = out;
    bench_check(!posix_spawn_file_actions_init(&actions) &&
                    !posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) &&
                    !posix_spawn(&pid, KS_PROGRAM, &actions, NULL, arguments, environ),
                "the program does not start");
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

/* Waits for a child, any if -1. Exit code 4: points without a golden. */
static void finish(pid_t pid) {
    int status;
    bench_check(waitpid(pid, &status, 0) > 0, "waitpid");
    bench_check(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 4),
                "a run fails");
}

/* Processor seconds of all children that have ended. */
static double spent_s(void) {
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/* ---- two threads beside two processes ---- */

#define NIGHTLY KS_SOURCE_DIR "/sweeps/decode.nightly.yaml --golden ignore "
#define SHORT "--set S=1000 "

static double threads_s(const char *limit) {
    char words[512];
    snprintf(words, sizeof words, NIGHTLY "-j 2 %s", limit);
    const double started = bench_wall_s();
    finish(start("both", words));
    return bench_wall_s() - started;
}

/* Halves of the grid that cost about the same; the mean of their times is that of equal halves. */
static double processes_s(const char *limit) {
    static const char *const kernels[] = {"decode_opt1,decode_a1", "decode_opt2,decode_opt3"};
    const double started = bench_wall_s();
    for (int i = 0; i < 2; i++) {
        char words[512];
        snprintf(words, sizeof words, NIGHTLY "-j 1 %s--where kernel~in~(%s)", limit, kernels[i]);
        start(i ? "odd" : "even", words);
    }
    finish(-1);
    const double first = bench_wall_s();
    finish(-1);
    return (first + bench_wall_s()) / 2 - started;
}

static void measure_threads(bench *b) {
    double ratios[PAIRS_MAX];
    const bool is_short = bench_repetitions(b) < BENCH_REPETITIONS;
    const int pairs = bench_is_once(b) ? 1 : PAIRS_MAX;
    for (int i = 0; i < pairs; i++) {
        const double processes = processes_s(is_short ? SHORT : "");
        ratios[i] = processes / threads_s(is_short ? SHORT : "");
    }
    bench_value(b, "2 threads over 2 processes; decode.nightly", "ratio",
                bench_median(ratios, pairs), 0.95, 1);
}

/* ---- a million calibrations of one plan ---- */

/* As seconds of two cores at BENCH_HERTZ: what the run took from processors, halved. */
static void measure_million(bench *b, const char *kernel, const char *figure) {
    double seconds[PAIRS_MAX];
    char words[512];
    const bool is_short = bench_repetitions(b) < BENCH_REPETITIONS;
    const int runs = is_short ? 1 : 3;
    snprintf(words, sizeof words, KS_SOURCE_DIR "/tests/bench/million.yaml -j 2 --set kernel=%s%s",
             kernel, is_short ? " --set dispatch_fixed_cycles=40,41" : "");
    const double scale = (is_short ? 50 : 1) / 2.0;
    for (int i = 0; i < runs; i++) {
        const double before = bench_add_s(), spent = spent_s();
        finish(start("million", words));
        seconds[i] = scale * (spent_s() - spent) / ((before + bench_add_s()) / 2) / BENCH_HERTZ;
    }
    bench_value(b, figure, "s of 2 cores", bench_median(seconds, runs), 8, 3);
}

static void remove_reports(void) {
    char words[128];
    snprintf(words, sizeof words, "rm -rf %s", folder);
    bench_check(system(words) == 0, "the reports cannot be removed");
}

int main(int argc, char **argv) {
    bench *b = bench_begin("program", argc, argv);
    bench_check(mkdtemp(folder) != NULL, "no folder for reports");
    measure_threads(b);
    measure_million(b, "decode_opt2", "1 M calibrations of opt2; rows written");
    measure_million(b, "decode_opt3", "1 M calibrations of opt3; rows written");
    remove_reports();
    return bench_end(b);
}
