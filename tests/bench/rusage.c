/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rusage FILE COMMAND [ARGUMENT...]: runs the command, writes its seconds of
 * user time and the KiB of memory at its peak into FILE, and exits as it did.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
    struct rusage usage;
    int status;
    FILE *file;
    pid_t child;

    if (argc < 3) {
        fputs("usage: rusage FILE COMMAND [ARGUMENT...]\n", stderr);
        return 2;
    }
    child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
        perror("rusage");
        return 1;
    }
    file = fopen(argv[1], "w");
    if (!file ||
        fprintf(file, "%.6f %ld\n", seconds(usage.ru_utime), usage.ru_maxrss) <
            0 ||
        fclose(file) != 0) {
        perror(argv[1]);
        return 1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
