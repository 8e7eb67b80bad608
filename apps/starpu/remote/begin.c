/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The beginning of a session below a command. */
#include "apps/starpu/base/error.h"
#include "apps/starpu/remote/client.h"
#include "apps/starpu/remote/link.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Reports to the command an error that ends the program. */
static void report_failure(const char *message)
{
    if (getpid() != sp_link.pid)
        return;
    sp_link.out.count = 0;
    sp_begin(ORR_REMOTE_fail);
    sp_put_text(message);
    sp_ask(); /* ends the program, as the command does not answer */
}

bool sp_remote_begin(const char *call)
{
    const char *text = getenv(ORR_REMOTE_VARIABLE);

    if (sp_link.pid != 0)
        sp_fail(call, "below a command of orrery, a program has one session");
    if (!text)
        return false;
    sp_link.socket = atoi(text);
    sp_link.pid = getpid();
    /* Programs that this one starts have no session below the command. */
    unsetenv(ORR_REMOTE_VARIABLE);
    fcntl(sp_link.socket, F_SETFD, FD_CLOEXEC);
    sp_fail_hook = report_failure;
    sp_calls = &sp_remote_calls;
    return true;
}
