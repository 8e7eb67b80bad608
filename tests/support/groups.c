/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The main() of a room's tests. Each file of tests is a group, see ORR_TESTS().

   Usage: PROGRAM            all groups, each in a process of its own
          PROGRAM GROUP...   these groups, in this process, as for a debugger

   All groups are reported in TAP, the format of Automake's tap-driver: a group
   that crashes or leaks fails alone. What a group prints goes to stderr. */
#include "tests/support/cmocka_all.h"

#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct group {
    const char *name;
    int (*run)(void);
};

/* Constructors fill it, before there is anything that could own it. */
static struct group groups[256];
static size_t count;

bool orr_tests_are_full(void)
{
    return g_strcmp0(g_getenv("test_length"), "full") == 0;
}

unsigned orr_tests_share(unsigned all)
{
    const char *sanitizers = g_getenv("sanitizers");

    if (orr_tests_are_full() || !sanitizers || !*sanitizers)
        return all;
    return MAX(all / 10, 1);
}

void orr_tests_add(const char *name, int (*run)(void))
{
    if (count == G_N_ELEMENTS(groups)) {
        fputs("too many groups of tests\n", stderr);
        abort();
    }
    groups[count++] = (struct group){name, run};
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct group *)a)->name,
                  ((const struct group *)b)->name);
}

/* Performs @group in a process of its own, whose output goes to stderr. Returns
   what waitpid() says of it. Not fork(): the program has one of its own. */
static int run_apart(const struct group *group)
{
    char *arguments[] = {(char *)"tests", (char *)group->name, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    if (posix_spawn(&child, "/proc/self/exe", &actions, NULL, arguments,
                    environ) != 0 ||
        waitpid(child, &status, 0) != child) {
        perror("a group of tests cannot be run");
        exit(EXIT_FAILURE);
    }
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

static bool run_all(void)
{
    bool good = true;

    printf("1..%zu\n", count);
    for (size_t i = 0; i < count; i++) {
        gint64 begin = g_get_monotonic_time();
        int status = run_apart(&groups[i]);
        bool passed = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;

        good &= passed;
        printf("%s %zu %s\n", passed ? "ok" : "not ok", i + 1, groups[i].name);
        if (WIFSIGNALED(status))
            printf("# ended by signal %d\n", WTERMSIG(status));
        printf("# %.2f s\n",
               (double)(g_get_monotonic_time() - begin) / G_USEC_PER_SEC);
        fflush(stdout);
    }
    return good;
}

static bool run_named(const char *name)
{
    struct group key = {name, NULL};
    struct group *group =
        bsearch(&key, groups, count, sizeof groups[0], compare_names);

    if (!group) {
        fprintf(stderr, "no group of tests is called '%s'; these are:", name);
        for (size_t i = 0; i < count; i++)
            fprintf(stderr, " %s", groups[i].name);
        fputc('\n', stderr);
        exit(2);
    }
    return group->run() == 0;
}

int main(int argc, char **argv)
{
    bool good = true;

    qsort(groups, count, sizeof groups[0], compare_names);
    for (int i = 1; i < argc; i++)
        good &= run_named(argv[i]);
    if (argc == 1)
        good = run_all();
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
