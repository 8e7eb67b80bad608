/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/device/waiting.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/base/threads.h"

/* A thread that waits, on its stack. */
struct waiter {
    const void *object;
    unsigned thread;
    bool woken;
};

static GQueue waiters = G_QUEUE_INIT; /* first come, first served */

bool sp_is_simulated(void)
{
    return sp_session.run && sp_thread_self();
}

static void park(const struct sp_wait *wait, const struct waiter *waiter,
                 int64_t ns)
{
    const struct orr_park how = {
        ORR_PARK_INIT,          .ns = ns,
        .what = wait->what,     .held = wait->holder != SP_ANY_THREAD,
        .holder = wait->holder,
    };
    GError *error = NULL;
    if (!waiter->woken && !sp_calls->run_park(sp_session.run, &how, &error))
        sp_fail_error(wait->call, error);
}

void sp_wait_on(const struct sp_wait *wait)
{
    struct waiter waiter = {wait->object, sp_thread_self()->number, false};
    g_queue_push_tail(&waiters, &waiter);
    while (!waiter.woken)
        park(wait, &waiter, 0);
}

bool sp_wait_for(const struct sp_wait *wait, int64_t ns)
{
    struct waiter waiter = {wait->object, sp_thread_self()->number, false};
    int64_t end = sp_calls->run_now(sp_session.run) + ns;
    g_queue_push_tail(&waiters, &waiter);
    while (!waiter.woken && ns > 0) {
        park(wait, &waiter, ns);
        ns = end - sp_calls->run_now(sp_session.run);
    }
    g_queue_remove(&waiters, &waiter);
    return waiter.woken;
}

static bool wake(const void *object, bool all)
{
    bool woke = false;
    for (GList *link = waiters.head, *next; link && (all || !woke);
         link = next) {
        struct waiter *waiter = link->data;
        next = link->next;
        if (waiter->object != object)
            continue;
        waiter->woken = woke = true;
        g_queue_delete_link(&waiters, link);
        sp_calls->run_unpark(sp_session.run, waiter->thread);
    }
    return woke;
}

bool sp_wake_one(const void *object)
{
    return wake(object, false);
}

bool sp_wake_all(const void *object)
{
    return wake(object, true);
}
