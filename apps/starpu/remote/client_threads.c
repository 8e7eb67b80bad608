/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The calls about threads of the application. */
#include "apps/starpu/remote/client_threads.h"

#include "apps/starpu/base/threads.h"
#include "apps/starpu/remote/link.h"

/* The other process says which thread has control: link.c. */
void sp_remote_run_set_switch(struct orr_run *run,
                              void (*function)(void *data, unsigned thread),
                              void *data)
{
    (void)run;
    (void)function;
    (void)data;
}

unsigned sp_remote_run_thread_new(struct orr_run *run)
{
    (void)run;
    sp_link.threads = true;
    sp_begin(ORR_REMOTE_run_thread_new);
    return (unsigned)sp_ask_word();
}

void sp_remote_run_thread_end(struct orr_run *run)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_thread_end);
    sp_send_last();
}

bool sp_remote_run_park(struct orr_run *run, const struct orr_park *park,
                        GError **error)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_park);
    sp_put((uint64_t)park->ns);
    sp_put(park->held);
    sp_put(park->holder);
    sp_put_text(park->what);
    return sp_ask_error(error);
}

void sp_remote_run_unpark(struct orr_run *run, unsigned thread)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_unpark);
    sp_put(thread);
    sp_send();
}
