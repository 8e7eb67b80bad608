/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FITNESS_H
#define ORR_FITNESS_H

#include "sched/host.h"

/*
 * Which worker suits a task best, by predictions (StarPU,
 * deque_modeling_policy_data_aware.c, helper_mct.c): the one with the least
 *
 *     alpha (end - least end) + beta transfer + gamma joules
 *
 * in us, and gamma idle power (end - end of all planned work) more, if that is
 * above 0. Joules that are not known count as 0.
 */

/* What a task would meet on a worker, with one implementation of its kernel. */
struct orr_prospect {
    orr_time begin; /* when the work planned there would end */
    orr_time transfer;
    orr_time end; /* of the task; ORR_NEVER: it cannot run so */
};

struct orr_weights {
    struct orr_sched_weights of;
    bool plain; /* 1, 1, any, 0: whole ns are compared if no joules are known */
};

/* The weights of the host, or StarPU's. */
void orr_weights_init(struct orr_weights *weights,
                      const struct orr_sched *sched);

/*
 * The best of @count @prospects for a task; on ties, the first. One of them at
 * least has an end. @joules: of each; NULL: not known.
 */
unsigned orr_fitness_best(const struct orr_weights *weights,
                          const struct orr_prospect *prospects, unsigned count,
                          const double *joules);

#endif
