/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FITNESS_H
#define ORR_FITNESS_H

#include "sched/host.h"

/*
 * Chooses the best worker for a task by predictions (StarPU,
 * deque_modeling_policy_data_aware.c, helper_mct.c): the one with the least
 *
 *     alpha (end - least end) + beta transfer + gamma joules
 *
 * in us, plus gamma x idle power x (end - end of all planned work) if that
 * difference is above 0. Unknown joules count as 0.
 */

/* A possible choice for a task: a worker and an implementation of its kernel.
 */
struct orr_prospect {
    orr_time begin;    /* end of the work planned on the worker */
    orr_time transfer; /* predicted duration of the task's copies */
    orr_time end;      /* predicted end of the task; ORR_NEVER: impossible */
};

struct orr_weights {
    struct orr_sched_weights of;
    bool plain; /* alpha = beta = 1 and idle power 0: without joules, ends and
                   transfers are compared in whole ns */
};

/* The weights of the host, or StarPU's. */
void orr_weights_init(struct orr_weights *weights,
                      const struct orr_sched *sched);

/*
 * The index of the best of @count @prospects for a task; on ties, the first. At
 * least one must be possible. @joules: by prospect; NULL: not known.
 */
unsigned orr_fitness_best(const struct orr_weights *weights,
                          const struct orr_prospect *prospects, unsigned count,
                          const double *joules);

#endif
