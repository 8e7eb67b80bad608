/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The host that a plug-in calls: checks workers, memory nodes and tasks, then
 * calls the host of the run. */
#include "sched/guard/policy_guard.h"
#include "sched/guard/policy_guard_private.h"

static const struct orr_sched_host *check_worker(struct orr_policy_guard *guard,
                                                 unsigned worker,
                                                 const char *function)
{
    if (worker >= guard->host->workers)
        orr_guard_stop(guard->calls, "calls %s() for worker %u; there are %u",
                       function, worker, guard->host->workers);
    return guard->host;
}

static const struct orr_sched_host *
check_node(struct orr_policy_guard *guard, unsigned node, const char *function)
{
    const struct orr_sched_host *host = guard->host;

    for (unsigned w = 0; node > 0 && w < host->workers; w++) {
        if (host->node(host->data, w) == node)
            return host;
    }
    if (node > 0)
        orr_guard_stop(guard->calls,
                       "calls %s() for memory node %u, which is no "
                       "worker's",
                       function, node);
    return host;
}

static void check_held(struct orr_policy_guard *guard,
                       const struct orr_task *task, const char *function)
{
    if (!orr_policy_guard_holds(guard, task))
        orr_guard_stop(guard->calls,
                       "calls %s() for a task that it does not hold", function);
}

static unsigned node(void *data, unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_node");

    return host->node(host->data, worker);
}

static double speed(void *data, unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_speed");

    return host->speed(host->data, worker);
}

static unsigned socket(void *data, unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_socket");

    return host->socket(host->data, worker);
}

static unsigned caller(void *data)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    return host->caller(host->data);
}

static orr_time duration(void *data, const struct orr_task *task,
                         unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_duration");

    return host->duration(host->data, task, worker);
}

static const orr_time *durations(void *data, const struct orr_task *task)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    return host->durations(host->data, task);
}

static unsigned implementations(void *data, const struct orr_task *task,
                                const orr_time **durations)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    if (host->implementations)
        return host->implementations(host->data, task, durations);
    *durations = host->durations(host->data, task);
    return 1;
}

static void choose_implementation(void *data, struct orr_task *task,
                                  unsigned implementation)
{
    struct orr_policy_guard *guard = data;
    const struct orr_sched_host *host = guard->host;
    const orr_time *durations;
    unsigned count = implementations(data, task, &durations);

    check_held(data, task, "orr_sched_choose_implementation");
    if (implementation >= count)
        orr_guard_stop(guard->calls,
                       "calls orr_sched_choose_implementation() for "
                       "implementation %u; there are %u",
                       implementation, count);
    if (host->choose_implementation)
        host->choose_implementation(host->data, task, implementation);
}

static orr_time transfer(void *data, const struct orr_task *task,
                         unsigned memory)
{
    const struct orr_sched_host *host =
        check_node(data, memory, "orr_sched_transfer");

    return host->transfer(host->data, task, memory);
}

static void missing(void *data, const struct orr_task *task, unsigned memory,
                    struct orr_missing *answer)
{
    const struct orr_sched_host *host =
        check_node(data, memory, "orr_sched_missing");

    host->missing(host->data, task, memory, answer);
}

static bool task_access(void *data, const struct orr_task *task, unsigned i,
                        struct orr_task_access *answer)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    check_held(data, task, "orr_sched_access");
    return host->access(host->data, task, i, answer);
}

static const struct orr_sched_host *check_datum(struct orr_policy_guard *guard,
                                                uint64_t datum,
                                                const char *function)
{
    uint64_t count = guard->host->data_count(guard->host->data);

    if (datum >= count)
        orr_guard_stop(guard->calls,
                       "calls %s() for datum %" G_GUINT64_FORMAT
                       "; there are %" G_GUINT64_FORMAT,
                       function, datum, count);
    return guard->host;
}

static bool has(void *data, uint64_t datum, unsigned memory)
{
    const struct orr_sched_host *host =
        check_node(data, memory, "orr_sched_has");

    check_datum(data, datum, "orr_sched_has");
    return host->has(host->data, datum, memory);
}

static orr_time load(void *data, uint64_t datum, unsigned memory)
{
    const struct orr_sched_host *host =
        check_node(data, memory, "orr_sched_load");

    check_datum(data, datum, "orr_sched_load");
    return host->load(host->data, datum, memory);
}

static void watch(void *data, struct orr_task *task, unsigned memory,
                  struct orr_missing *answer)
{
    const struct orr_sched_host *host =
        check_node(data, memory, "orr_sched_watch");

    check_held(data, task, "orr_sched_watch");
    host->watch(host->data, task, memory, answer);
}

static const struct orr_task *successor(void *data, const struct orr_task *task,
                                        const void **cursor,
                                        unsigned *predecessors)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    return host->successor(host->data, task, cursor, predecessors);
}

static void prefetch(void *data, struct orr_task *task, unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_prefetch");

    check_held(data, task, "orr_sched_prefetch");
    host->prefetch(host->data, task, worker);
}

static bool wake(void *data, unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_wake");

    return host->wake(host->data, worker);
}

static void collide(void *data, unsigned worker)
{
    const struct orr_sched_host *host =
        check_worker(data, worker, "orr_sched_collide");

    host->collide(host->data, worker);
}

static void fail_check(void *data, char *what)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    host->fail_check(host->data, what);
}

static struct orr_lock *lock_new(void *data, const char *name)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    return host->locks->lock_new(host->data, name);
}

static struct orr_cond *cond_new(void *data, const char *name)
{
    const struct orr_sched_host *host = ((struct orr_policy_guard *)data)->host;

    return host->locks->cond_new(host->data, name);
}

const struct orr_sched_host *
orr_policy_guard_host(struct orr_policy_guard *guard)
{
    const struct orr_sched_host *host = guard->host;
    struct orr_sched_host *own = &guard->own_host;

    *own = (struct orr_sched_host){
        .workers = host->workers,
        .seed = host->seed,
        .data = guard,
        .node = node,
        .speed = speed,
        .socket = host->socket ? socket : NULL,
        .caller = host->caller ? caller : NULL,
        .now = host->now,
        .duration = duration,
        .durations = durations,
        .implementations = implementations,
        .choose_implementation = choose_implementation,
        .transfer = transfer,
        .missing = missing,
        .access = task_access,
        .has = has,
        .load = load,
        .watch = watch,
        .successor = host->successor ? successor : NULL,
        .prefetch = prefetch,
        .wake = wake,
        .collide = host->collide ? collide : NULL,
        .fail_check = host->fail_check ? fail_check : NULL,
    };
    if (host->locks) {
        guard->locks = *host->locks;
        guard->locks.lock_new = lock_new;
        guard->locks.cond_new = cond_new;
        own->locks = &guard->locks;
    }
    return own;
}
