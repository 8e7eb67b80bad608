/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORRERY_DECIDE_H
#define ORRERY_DECIDE_H

#include <glib.h>
#include <orrery_data.h>

G_BEGIN_DECLS

/*
 * Runs in which the program decides, instead of a policy. Included by orrery.h.
 *
 *     orr_config_set_policy(config, orr_sched_decide());
 *     run = orr_run_new(config, &error);
 *     ... register data, submit tasks ...
 *     while ((decision = orr_run_decide(run, &error)))
 *         orr_run_choose(run, best_of(decision));
 *
 * The run is suspended in the middle of a worker's turn, so a decision costs
 * little more than a call.
 */
struct orr_sched_decision;
struct orr_sched;     /* sched/sched.h */
struct orr_sched_ops; /* sched/sched.h */
struct orr_task;      /* sched/sched.h */

/* A worker asks for a task. Valid until the next call of orr_run_decide(); the
 * library allocates it, and later versions may have more members. */
struct orr_sched_decision {
    unsigned worker; /* GPUs first, from 0 */
    unsigned count;  /* of @tasks, 1 or more */
    /* The ready tasks that the worker can run. The task that has been ready for
     * the longest time is the first. */
    struct orr_task *const *tasks;
    /* For the functions of sched/sched.h: predicted durations and transfers,
     * data, successors, prefetches, the implementation of the chosen task. */
    struct orr_sched *sched;
};

/*
 * The policy "decide", for orr_config_set_policy(). It gives tasks their
 * priorities, and prefetches nothing itself: orr_sched_prefetch(). Tasks
 * with `pinned` pass it. The option window is an error with it.
 */
ORR_API const struct orr_sched_ops *orr_sched_decide(void);

/*
 * Simulates until the next decision. Tasks and hints since the last call are
 * submitted meanwhile, 1 us each. Returns NULL without @error when all tasks
 * are complete; more can be submitted then.
 *
 * Without orr_run_choose() before it, the worker of the last decision gets no
 * task. The run then asks the other idle workers, and this one again when
 * another task is ready or has ended.
 *
 * Fails with NULL and @error as orr_run_wait(), which is not for such runs, nor
 * is anything else that waits; also if the run has another policy, or if it is
 * called by a function that the run itself has called.
 */
ORR_API const struct orr_sched_decision *orr_run_decide(struct orr_run *run,
                                                        GError **error);

/* The worker of the last decision gets task @task of orr_sched_decision.tasks,
 * from 0. Called again, the last choice counts. If there is no such task, or no
 * decision, orr_run_decide() fails. */
ORR_API void orr_run_choose(struct orr_run *run, unsigned task);

G_END_DECLS

#endif
