/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_MCT_H
#define ORR_STARPU_MCT_H

#include <sched/sched.h>

#include <starpu_sched_component.h>

/*
 * Minimum completion time: when each child of a component would have executed a
 * task, and which is best. Lengths and dates are in microseconds. The cost of a
 * child is
 *
 *   alpha (end - first end) + beta transfer + gamma energy,
 *
 * and gamma idle_power (end - last end) more if it delays the last of the
 * children (StarPU, component_mct.c).
 */

/* From @data; NULL: the weights of the run. */
struct orr_sched_weights
sp_mct_weights(const struct starpu_sched_component_mct_data *data);

/* What one child offers. */
struct sp_offer {
    unsigned child;
    double length, transfer;
    double end;    /* of the task */
    double energy; /* J */
};

/* Of the children that can run a task and have a prediction, in their order. */
struct sp_offers {
    struct sp_offer *list; /* owned */
    unsigned count;
    double first_end; /* of the task, whichever child runs it */
    double last_end;  /* of earlier tasks of the children */
};

/* First lengths and transfers; then ends, which other threads may change, and
 * energy. */
void sp_offers_init(struct sp_offers *offers,
                    struct starpu_sched_component *component,
                    struct starpu_task *task);
void sp_offers_find_ends(struct sp_offers *offers,
                         struct starpu_sched_component *component,
                         struct starpu_task *task);

/* The best child, and its predictions in @task; NULL: there is none. */
struct starpu_sched_component *sp_offers_choose(
    const struct sp_offers *offers, const struct orr_sched_weights *weights,
    struct starpu_sched_component *component, struct starpu_task *task);

void sp_offers_clear(struct sp_offers *offers);

#endif
