/* resident FILE COMMAND...: runs the command, writes into FILE the largest resident memory that it
 * had, in KiB, and ends with its exit code. */
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

int main(int argc, char **argv) {
    pid_t pid;
    int status;
    struct rusage usage;
    if (argc < 3) {
        fprintf(stderr, "usage: resident FILE COMMAND...\n");
        return 125;
    }
    if (posix_spawn(&pid, argv[2], NULL, NULL, argv + 2, environ)) {
        perror(argv[2]);
        return 126;
    }
    if (waitpid(pid, &status, 0) != pid || getrusage(RUSAGE_CHILDREN, &usage)) {
        perror("resident");
        return 125;
    }
    FILE *out = fopen(argv[1], "w");
    if (!out || fprintf(out, "%ld\n", usage.ru_maxrss) < 0 || fclose(out)) {
        perror(argv[1]);
        return 125;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
