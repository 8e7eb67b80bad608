/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ends calls that do not return. */
#include <math.h>

#include "sched/guard/guard_private.h"

/* Ticks after the limit until a call is ended wherever it is, and until it is
 * given up. */
enum { PATIENCE = 1000 / ORR_GUARD_TICK_MS, GIVE_UP = 2 * PATIENCE };

struct orr_guard_watch {
    GMutex mutex;      /* protects the members below */
    GPtrArray *guards; /* struct orr_guard, borrowed */
    unsigned limit;    /* ticks; constant */
    char reason[64];   /* constant */
    char error[ORR_GUARD_TEXT];
};

struct orr_guard_watch *orr_guard_watch_new(double limit_s)
{
    struct orr_guard_watch *watch = g_new0(struct orr_guard_watch, 1);

    g_mutex_init(&watch->mutex);
    watch->guards = g_ptr_array_new();
    watch->limit = (unsigned)ceil(limit_s * 1000 / ORR_GUARD_TICK_MS);
    g_snprintf(watch->reason, sizeof(watch->reason),
               "does not return within %g s", limit_s);
    return watch;
}

void orr_guard_watch_free(struct orr_guard_watch *watch)
{
    if (!watch)
        return;
    g_ptr_array_unref(watch->guards);
    g_mutex_clear(&watch->mutex);
    g_free(watch);
}

unsigned orr_guard_watch_limit(const struct orr_guard_watch *watch)
{
    return watch->limit;
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
    g_ptr_array_remove_fast(watch->guards, guard);
    g_mutex_unlock(&watch->mutex);
}

/* Returns for how many ticks the call of @guard has lasted. */
static unsigned count_ticks(struct orr_guard *guard)
{
    uint64_t number = guard->stack->number;

    if (!guard->stack->call || number != guard->seen) {
        guard->seen = number;
        guard->ticks = 0;
    } else {
        guard->ticks++;
    }
    return guard->ticks;
}

/* Ends the call of @guard if it is overdue. Returns the call if that is not
 * possible, else NULL. */
static const struct orr_guard_call *look_at(const struct orr_guard_watch *watch,
                                            struct orr_guard *guard)
{
    unsigned ticks = count_ticks(guard);

    if (ticks < watch->limit)
        return NULL;
    if (ticks >= watch->limit + GIVE_UP)
        return guard->stack->call;
    guard->stack->anywhere = ticks >= watch->limit + PATIENCE;
    guard->stack->overdue = guard->seen;
    pthread_kill(guard->thread, ORR_GUARD_SIGNAL);
    return NULL;
}

const char *orr_guard_watch_tick(struct orr_guard_watch *watch)
{
    const char *error = NULL;

    g_mutex_lock(&watch->mutex);
    for (guint i = 0; i < watch->guards->len && !error; i++) {
        struct orr_guard *guard = watch->guards->pdata[i];
        const struct orr_guard_call *call = look_at(watch, guard);

        if (!call)
            continue;
        orr_guard_describe(guard, call, watch->reason, watch->error);
        error = watch->error;
    }
    g_mutex_unlock(&watch->mutex);
    return error;
}
