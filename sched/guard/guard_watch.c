/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ends calls that do not return: see orr_guard_watch in guard.h. */
#include <limits.h>
#include <math.h>

#include "sched/guard/guard_private.h"

/* Ticks after the limit: until a call is ended wherever it is; until the
 * program has to end. */
enum { PATIENCE = 1000 / ORR_GUARD_TICK_MS, GIVE_UP = 2 * PATIENCE };

struct orr_guard_watch {
    GMutex mutex;      /* protects the members below */
    GPtrArray *guards; /* struct orr_guard, borrowed; newest last */
    unsigned limit;    /* ticks */
    char reason[64];
    char crash[128]; /* the message about a crash that blocks the thread */
    char error[ORR_GUARD_TEXT];
};

struct orr_guard_watch *orr_guard_watch_new(double limit_s)
{
    struct orr_guard_watch *watch = g_new0(struct orr_guard_watch, 1);

    g_mutex_init(&watch->mutex);
    watch->guards = g_ptr_array_new();
    orr_guard_watch_set_limit(watch, limit_s);
    return watch;
}

void orr_guard_watch_set_limit(struct orr_guard_watch *watch, double limit_s)
{
    g_mutex_lock(&watch->mutex);
    watch->limit = limit_s > 0
                       ? (unsigned)ceil(limit_s * 1000 / ORR_GUARD_TICK_MS)
                       : UINT_MAX - GIVE_UP;
    g_snprintf(watch->reason, sizeof(watch->reason),
               "does not return within %g s", limit_s);
    g_mutex_unlock(&watch->mutex);
}

void orr_guard_watch_free(struct orr_guard_watch *watch)
{
    if (!watch)
        return;
    g_ptr_array_unref(watch->guards);
    g_mutex_clear(&watch->mutex);
    g_free(watch);
}

unsigned orr_guard_watch_limit(struct orr_guard_watch *watch)
{
    unsigned limit;

    g_mutex_lock(&watch->mutex);
    limit = watch->limit;
    g_mutex_unlock(&watch->mutex);
    return limit;
}

const char *orr_guard_watch_reason(const struct orr_guard_watch *watch)
{
    return watch->reason;
}

void orr_guard_watch_add(struct orr_guard_watch *watch, struct orr_guard *guard)
{
    if (!watch)
        return;
    g_mutex_lock(&watch->mutex);
    g_ptr_array_add(watch->guards, guard);
    g_mutex_unlock(&watch->mutex);
}

void orr_guard_watch_remove(struct orr_guard_watch *watch,
                            struct orr_guard *guard)
{
    if (!watch)
        return;
    g_mutex_lock(&watch->mutex);
    g_ptr_array_remove(watch->guards, guard);
    g_mutex_unlock(&watch->mutex);
}

/* Whether the @i-th guard made the innermost call of its thread: an application
 * may call the runtime, which calls a policy, whose guard is newer. */
static bool is_innermost(const struct orr_guard_watch *watch, guint i)
{
    struct orr_guard *const *guards = (struct orr_guard **)watch->guards->pdata;

    if (!guards[i]->stack->call)
        return false;
    for (guint j = i + 1; j < watch->guards->len; j++) {
        if (guards[j]->stack->call &&
            pthread_equal(guards[j]->thread, guards[i]->thread))
            return false;
    }
    return true;
}

/* Returns the number of ticks that the call of the @i-th guard has lasted. */
static unsigned count_ticks(const struct orr_guard_watch *watch, guint i)
{
    struct orr_guard *guard = watch->guards->pdata[i];
    uint64_t number = guard->stack->number;

    if (!is_innermost(watch, i) || number != guard->seen) {
        guard->seen = number;
        guard->ticks = 0;
    } else {
        guard->ticks++;
    }
    return guard->ticks;
}

/* Whether a call cannot be left after a crash: its thread waits for a lock that
 * the crash has left locked, such as malloc()'s. */
static bool is_stuck(struct orr_guard *guard)
{
    bool leaves = guard->stack->call && guard->stack->is_leaving;

    guard->leaving = leaves ? guard->leaving + 1 : 0;
    return guard->leaving > PATIENCE;
}

/* Ends the call of the @i-th guard if it is overdue. Returns the call if that
 * is not possible, else NULL. */
static const struct orr_guard_call *
check_call(const struct orr_guard_watch *watch, guint i)
{
    struct orr_guard *guard = watch->guards->pdata[i];
    unsigned ticks = count_ticks(watch, i);

    if (is_stuck(guard))
        return guard->stack->call;
    if (ticks < watch->limit)
        return NULL;
    if (ticks >= watch->limit + GIVE_UP)
        return guard->stack->call;
    guard->stack->anywhere = ticks >= watch->limit + PATIENCE;
    guard->stack->overdue = guard->seen;
    pthread_kill(guard->thread, ORR_GUARD_SIGNAL);
    return NULL;
}

/* The message about the call of @guard, which cannot be ended. */
static const char *reason_of(struct orr_guard_watch *watch,
                             const struct orr_guard *guard)
{
    const struct orr_guard_crash *crash = &guard->stack->crash;

    if (guard->leaving <= PATIENCE || crash->signal == 0)
        return watch->reason;
    g_snprintf(watch->crash, sizeof(watch->crash),
               "crashes: %s, with a corrupt heap", orr_guard_crash_text(crash));
    return watch->crash;
}

/* Sends the signal once more to threads whose calls are overdue. Returns
 * whether there are any. */
static bool signal_again(struct orr_guard_watch *watch)
{
    bool any = false;

    g_mutex_lock(&watch->mutex);
    for (guint i = 0; i < watch->guards->len; i++) {
        struct orr_guard *guard = watch->guards->pdata[i];
        struct orr_guard_stack *stack = guard->stack;

        if (!stack->call || stack->is_leaving ||
            stack->overdue != stack->number)
            continue;
        any = true;
        pthread_kill(guard->thread, ORR_GUARD_SIGNAL);
    }
    g_mutex_unlock(&watch->mutex);
    return any;
}

void orr_guard_watch_wait(struct orr_guard_watch *watch)
{
    for (gulong ms = 0; ms < ORR_GUARD_TICK_MS; ms++) {
        if (!signal_again(watch)) {
            g_usleep((ORR_GUARD_TICK_MS - ms) * 1000);
            return;
        }
        g_usleep(1000);
    }
}

const char *orr_guard_watch_tick(struct orr_guard_watch *watch)
{
    const char *error = NULL;

    g_mutex_lock(&watch->mutex);
    for (guint i = 0; i < watch->guards->len && !error; i++) {
        const struct orr_guard_call *call = check_call(watch, i);

        if (!call)
            continue;
        orr_guard_describe(watch->guards->pdata[i], call,
                           reason_of(watch, watch->guards->pdata[i]),
                           watch->error);
        error = watch->error;
    }
    g_mutex_unlock(&watch->mutex);
    return error;
}
