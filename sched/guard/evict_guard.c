/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/guard/evict_guard.h"

#include "models/base/error.h"
#include "sched/evict_host.h"

struct orr_evict_guard {
    struct orr_evict_ops ops; /* first member: the table of the guard */
    const struct orr_evict_ops *policy;
    struct orr_guard *calls;
};

enum which { INIT, FINI, CHOOSE, LOADED, USED, EVICTED };

/* A call of the plug-in. */
struct evict_call {
    struct orr_guard_call call; /* first member */
    enum which which;
    struct orr_evict *evict;
    const struct orr_evict_need *need;
    const struct orr_evict_candidate *candidates;
    size_t count;
    size_t chosen;
    unsigned node;
    uint64_t datum;
    orr_time now;
};

static const struct orr_evict_guard *guard_of(const struct orr_evict *evict)
{
    return (const struct orr_evict_guard *)evict->ops;
}

static void describe(const struct orr_guard_call *of, char *text, size_t size)
{
    const struct evict_call *call = (const struct evict_call *)of;

    *text = '\0';
    if (call->which == CHOOSE)
        g_snprintf(text, size, ", for datum %" G_GUINT64_FORMAT " on node %u",
                   call->need->datum, call->need->node);
    else if (call->which > CHOOSE)
        g_snprintf(text, size, " of datum %" G_GUINT64_FORMAT " on node %u",
                   call->datum, call->node);
}

/* The caller of all functions of the policy: see policy_guard.c. */
__attribute__((noinline)) static void invoke(struct orr_guard_call *guarded)
{
    struct evict_call *call = (struct evict_call *)guarded;
    const struct orr_evict_ops *ops = guard_of(call->evict)->policy;

    switch (call->which) {
    case INIT:
        ops->init(call->evict);
        break;
    case FINI:
        ops->fini(call->evict);
        break;
    case CHOOSE:
        call->chosen =
            ops->choose(call->evict, call->need, call->candidates, call->count);
        break;
    case LOADED:
        ops->loaded(call->evict, call->node, call->datum, call->now);
        break;
    case USED:
        ops->used(call->evict, call->node, call->datum, call->now);
        break;
    case EVICTED:
        ops->evicted(call->evict, call->node, call->datum, call->now);
        break;
    }
    __asm__ volatile("" : : : "memory");
}

static bool perform(struct evict_call *call)
{
    static const char *const names[] = {"init",   "fini", "choose",
                                        "loaded", "used", "evicted"};

    call->call.function = names[call->which];
    call->call.invoke = invoke;
    call->call.describe = describe;
    return orr_guard_perform(guard_of(call->evict)->calls, &call->call);
}

static void guard_init(struct orr_evict *evict)
{
    struct evict_call call = {.which = INIT, .evict = evict};

    perform(&call);
}

static void guard_fini(struct orr_evict *evict)
{
    struct evict_call call = {.which = FINI, .evict = evict};

    perform(&call);
}

static size_t guard_choose(struct orr_evict *evict,
                           const struct orr_evict_need *need,
                           const struct orr_evict_candidate *candidates,
                           size_t count)
{
    struct evict_call call = {
        .which = CHOOSE,
        .evict = evict,
        .need = need,
        .candidates = candidates,
        .count = count,
        .chosen = ORR_EVICT_NONE,
    };

    if (!perform(&call))
        return ORR_EVICT_NONE;
    if (call.chosen < count || call.chosen == ORR_EVICT_NONE)
        return call.chosen;
    orr_guard_record(guard_of(evict)->calls, ORR_ERROR_POLICY, &call.call,
                     "returns candidate %zu; there are %zu", call.chosen,
                     count);
    return ORR_EVICT_NONE;
}

static void tell(struct orr_evict *evict, enum which which, unsigned node,
                 uint64_t datum, orr_time now)
{
    struct evict_call call = {
        .which = which,
        .evict = evict,
        .node = node,
        .datum = datum,
        .now = now,
    };

    perform(&call);
}

static void guard_loaded(struct orr_evict *evict, unsigned node, uint64_t datum,
                         orr_time now)
{
    tell(evict, LOADED, node, datum, now);
}

static void guard_used(struct orr_evict *evict, unsigned node, uint64_t datum,
                       orr_time now)
{
    tell(evict, USED, node, datum, now);
}

static void guard_evicted(struct orr_evict *evict, unsigned node,
                          uint64_t datum, orr_time now)
{
    tell(evict, EVICTED, node, datum, now);
}

struct orr_evict_guard *orr_evict_guard_new(const struct orr_evict_ops *ops,
                                            struct orr_guard *calls)
{
    struct orr_evict_guard *guard = g_new0(struct orr_evict_guard, 1);

    guard->policy = ops;
    guard->calls = calls;
    guard->ops = *ops;
    guard->ops.init = ops->init ? guard_init : NULL;
    guard->ops.fini = ops->fini ? guard_fini : NULL;
    guard->ops.choose = guard_choose;
    guard->ops.loaded = ops->loaded ? guard_loaded : NULL;
    guard->ops.used = ops->used ? guard_used : NULL;
    guard->ops.evicted = ops->evicted ? guard_evicted : NULL;
    return guard;
}

void orr_evict_guard_free(struct orr_evict_guard *guard)
{
    g_free(guard);
}

const struct orr_evict_ops *
orr_evict_guard_policy(const struct orr_evict_guard *guard)
{
    return &guard->ops;
}
