/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* orrery: the command line. Each command is one cmd_*.c. */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apps/cli/cmd.h"
#include "apps/output/output.h"
#include "apps/settings/protection.h"
#include "config.h"

static const struct orr_cmd commands[] = {
    {"run", "simulate an application once", orr_cmd_run},
    {"compare", "compare scheduling policies", orr_cmd_compare},
    {"sweep", "run a campaign: many settings, one file", orr_cmd_sweep},
    {"merge", "put the shards of a campaign together", orr_cmd_merge},
    {"results", "print the results of a campaign", orr_cmd_results},
    {"plot", "draw the results of many runs", orr_cmd_plot},
    {"explain", "say where the time of a run goes", orr_cmd_explain},
    {"ablate", "measure the effect of each model", orr_cmd_ablate},
    {"explore", "look for schedules that do not finish", orr_cmd_explore},
    {"replay", "repeat a run from its token", orr_cmd_replay},
    {"shrink", "find the smallest run with the same hang", orr_cmd_shrink},
    {"platform", "list, show and check machines", orr_cmd_platform},
    {"histogram", "build and show histograms of kernel durations",
     orr_cmd_histogram},
    {"predict", "predict times or energy from earlier runs", orr_cmd_predict},
    {"graph", "show, check and convert task graphs", orr_cmd_graph},
    {"sched", "list the scheduling policies", orr_cmd_sched},
    {"evict", "list the eviction policies", orr_cmd_evict},
    {"app", "list the applications", orr_cmd_app},
    {NULL, NULL, NULL},
};

/*
 * Opens standard streams that are closed, or a file opened later would become
 * the standard output. They are opened for reading, so that writing fails.
 */
static void reserve_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", O_RDONLY) == -1)
            return;
    }
}

/* Maps large blocks on their own, whatever was freed before: they return to the
 * system at once, and leave no holes. */
static void map_large_blocks(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
}

/*
 * Closes the standard output; returns the status of the program, which is
 * @status unless that failed. When whoever reads a pipe has had enough, as
 * head, the program ends without a word by SIGPIPE, as others do, unless it was
 * begun with @ignored SIGPIPE.
 */
static enum orr_exit close_output(enum orr_exit status, bool ignored)
{
    if (orr_output_close())
        return status;
    if (errno == EPIPE && !ignored) {
        signal(SIGPIPE, SIG_DFL);
        return ORR_EXIT_SIGNAL + SIGPIPE;
    }
    orr_message_print("", "cannot write to standard output%s%s",
                      errno ? ": " : "", errno ? g_strerror(errno) : "");
    return ORR_EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    enum orr_exit status = ORR_EXIT_OK;
    bool ignored;

    reserve_standard_streams();
    map_large_blocks();
    /* Writing to a closed pipe, or more than `ulimit -f` allows, is then an
       error like others: what was begun is put away first. */
    ignored = signal(SIGPIPE, SIG_IGN) == SIG_IGN;
    signal(SIGXFSZ, SIG_IGN);

    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        puts("orrery " ORR_VERSION);
    else
        status = orr_cmd_dispatch("orrery", commands, argc, argv);

    status = close_output(status, ignored);
    if (status > ORR_EXIT_SIGNAL)
        raise((int)status - ORR_EXIT_SIGNAL);
    orr_protection_end((int)status);
    return (int)status;
}
