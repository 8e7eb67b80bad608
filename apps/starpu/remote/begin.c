/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The beginning of a session below a command. */
#include "apps/starpu/base/error.h"
#include "apps/starpu/remote/client.h"
#include "apps/starpu/remote/link.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reports to the command an error that ends the program. */
static void report_failure(const char *message)
{
    if (getpid() != sp_link.pid)
        return;
    fflush(NULL); /* the command kills the program when it knows */
    sp_link.out.count = 0;
    sp_begin(ORR_REMOTE_fail);
    sp_put_text(message);
    if (sp_link.ended)
        sp_send_at_end();
    sp_ask(); /* ends the program, as the command does not answer */
}

/* The program may have closed it, or got the variable from another one. */
static int socket_of(const char *text, const char *call)
{
    char *end;
    guint64 number = g_ascii_strtoull(text, &end, 10);
    struct stat status;

    if (end == text || *end || number > INT_MAX ||
        fstat((int)number, &status) != 0 || !S_ISSOCK(status.st_mode))
        sp_fail(call,
                ORR_REMOTE_VARIABLE
                "=%s is not the socket to `orrery`: was it closed?",
                text);
    return (int)number;
}

bool sp_remote_begin(const char *call)
{
    const char *text = getenv(ORR_REMOTE_VARIABLE);

    if (sp_link.pid != 0)
        sp_fail(call, "below a command of orrery, a program has one session");
    if (!text)
        return false;
    sp_link.socket = socket_of(text, call);
    sp_link.pid = getpid();
    /* Programs that this one starts have no session below the command. */
    unsetenv(ORR_REMOTE_VARIABLE);
    fcntl(sp_link.socket, F_SETFD, FD_CLOEXEC);
    sp_fail_hook = report_failure;
    sp_calls = &sp_remote_calls;
    return true;
}
