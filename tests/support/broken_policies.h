/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BROKEN_POLICIES_H
#define ORR_BROKEN_POLICIES_H

#include "models/base/error.h"
#include "runtime/config/run_config.h"
#include "runtime/diagnosis/hang.h"
#include "runtime/run.h"
#include "runtime/worker/worker.h"
#include "tests/support/unit_run.h"

/*
 * Policies that do not do what policies should, and runs that hang for it.
 */
#define BROKEN_TILE UINT64_C(3686400) /* bytes */

/* Has a run that has not begun follow @policy, one of the following. */
static inline void broken_set_policy(struct unit_run *unit,
                                     const struct orr_sched_ops *policy)
{
    struct orr_run *run = unit->run;

    orr_sched_free(run->policy.sched);
    run->policy.sched = orr_sched_new(policy, &run->policy.host);
    run->policy.ops = policy;
    run->policy.places = policy->place != NULL;
    run->policy.passes_locks = policy->prefetches;
    run->policy.pops_first = policy->pushed != NULL;
}

static inline struct unit_run *
broken_run_with(const struct orr_sched_ops *policy,
                const struct orr_config *config)
{
    struct unit_run *unit = unit_run_new("three-gpus.xml", config);

    broken_set_policy(unit, policy);
    return unit;
}

static inline struct unit_run *broken_run(const struct orr_sched_ops *policy,
                                          int cpus, int gpus)
{
    struct orr_config config;

    orr_config_init(&config);
    config.cpus = cpus;
    config.gpus = gpus;
    return broken_run_with(policy, &config);
}

static inline const struct orr_hang *broken_wait(struct unit_run *unit,
                                                 enum orr_error code)
{
    g_autoptr(GError) error = NULL;

    assert_false(orr_run_wait(unit->run, &error));
    if (!g_error_matches(error, ORR_ERROR, (gint)code))
        fail_msg("%s", error->message);
    return orr_run_hang(unit->run);
}

static inline const struct orr_hang *broken_stall(struct unit_run *unit)
{
    const struct orr_hang *hang = broken_wait(unit, ORR_ERROR_STALLED);

    assert_false(hang->livelock);
    return hang;
}

static inline void broken_check_chain(const struct orr_hang *hang,
                                      enum orr_hang_kind kind,
                                      const char *const *chain)
{
    g_autofree char *actual = g_strjoinv("\n", hang->chain);
    g_autofree char *expected = g_strjoinv("\n", (char **)chain);

    assert_string_equal(orr_hang_kind_name(hang->kind),
                        orr_hang_kind_name(kind));
    assert_string_equal(actual, expected);
}

/* First come, first served, without wake-ups. */
struct broken_queue {
    struct orr_task *first, *last;
    unsigned count;
};

static inline void broken_push_mute(struct orr_sched *sched,
                                    struct orr_task *task)
{
    struct broken_queue *queue = orr_sched_state(sched);

    if (queue->first)
        queue->last->next = task;
    else
        queue->first = task;
    queue->last = task;
    queue->count++;
}

static inline struct orr_task *broken_pop(struct orr_sched *sched,
                                          unsigned worker)
{
    struct broken_queue *queue = orr_sched_state(sched);
    struct orr_task *task = queue->first;

    (void)worker;
    if (task) {
        queue->first = task->next;
        queue->count--;
    }
    return task;
}

static inline void broken_push(struct orr_sched *sched, struct orr_task *task)
{
    broken_push_mute(sched, task);
    orr_sched_wake(sched, 0);
}

static const struct orr_sched_ops broken_fifo G_GNUC_UNUSED = {
    .name = "fifo",
    .state_size = sizeof(struct broken_queue),
    .push = broken_push,
    .pop = broken_pop,
};

static const struct orr_sched_ops broken_mute G_GNUC_UNUSED = {
    .name = "mute",
    .state_size = sizeof(struct broken_queue),
    .push = broken_push_mute,
    .pop = broken_pop,
};

static inline struct orr_task *broken_pop_nothing(struct orr_sched *sched,
                                                  unsigned worker)
{
    (void)sched;
    (void)worker;
    return NULL;
}

static const struct orr_sched_ops broken_hole G_GNUC_UNUSED = {
    .name = "hole",
    .state_size = sizeof(struct broken_queue),
    .push = broken_push,
    .pop = broken_pop_nothing,
};

#endif
