/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POINTS_H
#define ORR_POINTS_H

#include "runtime/engine/engine.h"

/*
 * What the reference does where ordinary code says that it is: the elementary
 * operations between one thing that is simulated and the next, as the acting
 * actor does them. Most take and give locks that all workers share. Counted in
 * StarPU 1.5-dev over SimGrid 3.32, in the functions named in points.c.
 */
struct orr_run;

/* The member of orr_interleaving_lockstep. */
void orr_points_play(struct orr_engine *engine, enum orr_point point,
                     void *object);

/* A task has become ready (sched_policy.c: _starpu_push_task()). */
void orr_points_ready(struct orr_run *run);

/* Frees what points keep of @run. */
void orr_points_clear(struct orr_run *run);

#endif
