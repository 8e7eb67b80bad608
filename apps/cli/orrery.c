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
#include "apps/cli/fill.h"
#include "apps/output/output.h"
#include "apps/settings/protection.h"
#include "config.h"

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
    /* Then writing to a closed pipe, or more than `ulimit -f` allows, is an
       error like others, and unfinished files are removed. */
    ignored = signal(SIGPIPE, SIG_IGN) == SIG_IGN;
    signal(SIGXFSZ, SIG_IGN);

    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        puts("orrery " ORR_VERSION);
    else if (argc == 3 && strcmp(argv[1], ORR_FILL) == 0)
        status = orr_fill(argv[2]);
    else
        status = orr_cmd_dispatch("orrery", orr_commands, argc, argv);

    status = close_output(status, ignored);
    if (status > ORR_EXIT_SIGNAL)
        raise((int)status - ORR_EXIT_SIGNAL);
    orr_protection_end((int)status);
    return (int)status;
}
