/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads that a program makes while it is simulated. Before starpu_init() and
 * after starpu_shutdown(), these functions are the ones of the system. */
#include "apps/starpu/base/threads.h"

#include <starpu_thread.h>

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/device/waiting.h"

/* Threads that can still be joined, or have not ended. */
static GPtrArray *made;

static void forget(struct sp_thread *thread)
{
    g_ptr_array_remove_fast(made, thread);
    pthread_cond_destroy(&thread->control);
    g_free(thread);
}

/* The calling thread ends; it may have called pthread_exit(). */
static void end(void *data)
{
    struct sp_thread *thread = data;
    thread->ended = true;
    sp_wake_all(thread);
    if (thread->detached)
        g_ptr_array_remove_fast(made, thread);
    sp_calls->run_thread_end(sp_session.run);
    if (thread->detached)
        g_free(thread);
}

/* NOLINTNEXTLINE(readability-function-size): the macros are nested loops */
static void *run(void *data)
{
    struct sp_thread *thread = data;
    void *result;
    sp_thread_enter(thread);
    pthread_cleanup_push(end, thread);
    result = thread->routine(thread->argument);
    pthread_cleanup_pop(1);
    return result;
}

/* The thread of the system @system, if it is simulated. */
static struct sp_thread *find(pthread_t system)
{
    for (guint i = 0; made && i < made->len; i++) {
        struct sp_thread *thread = made->pdata[i];
        if (pthread_equal(thread->system, system))
            return thread;
    }
    return NULL;
}

int starpu_pthread_create(starpu_pthread_t *thread,
                          const starpu_pthread_attr_t *attr,
                          void *(*routine)(void *), void *arg)
{
    static const char call[] = "starpu_pthread_create()";
    if (!sp_is_simulated())
        return pthread_create(thread, attr, routine, arg);
    unsigned number = sp_calls->run_thread_new(sp_session.run);
    GError *error = NULL;
    if (number == 0 && !sp_calls->run_wait(sp_session.run, &error))
        sp_fail_error(call, error);
    if (!made)
        made = g_ptr_array_new();
    struct sp_thread *new = g_new0(struct sp_thread, 1);
    int state = PTHREAD_CREATE_JOINABLE;
    if (attr)
        pthread_attr_getdetachstate(attr, &state);
    new->detached = state == PTHREAD_CREATE_DETACHED;
    new->routine = routine;
    new->argument = arg;
    g_ptr_array_add(made, new);
    int status = sp_thread_new(number, attr, run, new);
    if (status)
        sp_fail(call, "%s", g_strerror(status)); /* the run has the thread */
    *thread = new->system;
    return 0;
}

int starpu_pthread_join(starpu_pthread_t thread, void **retval)
{
    struct sp_thread *joined = find(thread);
    while (joined && !joined->ended && sp_is_simulated())
        sp_wait_on(&(struct sp_wait){"starpu_pthread_join()", "the end", joined,
                                     joined->number});
    int status = pthread_join(thread, retval);
    if (joined && !status)
        forget(joined);
    return status;
}

int starpu_pthread_detach(starpu_pthread_t thread)
{
    struct sp_thread *found = find(thread);
    if (found)
        found->detached = true;
    return pthread_detach(thread);
}
