/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"

#include <starpu_thread.h>

/* A wait is over after so much simulated time; without tasks in flight, it may
 * be for a callback of an acquisition, but not for ever. */
enum { WAIT_NS = 1000, MOST_IDLE_WAITS = 1000000 };

int starpu_pthread_cond_wait(starpu_pthread_cond_t *cond,
                             starpu_pthread_mutex_t *mutex)
{
    if (!sp_session.run || !pthread_equal(sp_session.thread, pthread_self()))
        return pthread_cond_wait(cond, mutex);
    static unsigned idle_waits;
    GError *error = NULL;
    if (sp_calls->run_tasks_in_flight(sp_session.run) > 0)
        idle_waits = 0;
    else if (++idle_waits > MOST_IDLE_WAITS)
        sp_fail("starpu_pthread_cond_wait()",
                "no task is in flight, and nothing signals");
    pthread_mutex_unlock(mutex);
    if (!sp_calls->run_sleep(sp_session.run, WAIT_NS, &error))
        sp_fail_error("starpu_pthread_cond_wait()", error);
    return pthread_mutex_lock(mutex);
}
