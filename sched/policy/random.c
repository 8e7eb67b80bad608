/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* random: each task goes to a random worker, with a probability in proportion
 * to its speed (StarPU, random_policy.c). */
#include "sched/host.h"
#include "sched/policy/drand48.h"
#include "sched/policy/queueing.h"
#include "sched/queue/priority_fifo.h"

struct state {
    struct orr_drand48 draws;
    uint64_t arrivals;
};

struct lane {
    struct orr_priority_fifo tasks;
    double speed;
};

static struct lane *lane_of(struct orr_sched *sched, unsigned worker)
{
    return orr_sched_lane(sched, worker);
}

static void random_init(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    orr_drand48_seed(&state->draws, orr_sched_seed(sched));
    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        lane_of(sched, w)->speed = orr_sched_speed(sched, w);
}

static void random_fini(struct orr_sched *sched)
{
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        struct lane *lane = orr_sched_lane(sched, w);

        orr_priority_fifo_clear(&lane->tasks);
    }
}

static unsigned choose(struct orr_sched *sched, const struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);
    const orr_time *durations = orr_sched_durations(sched, task);
    double total = 0, sum = 0, drawn;
    unsigned able = ORR_NO_WORKER; /* the last worker that can run the task */

    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        if (durations[w] != ORR_NEVER)
            total += lane_of(sched, w)->speed;
    }
    drawn = orr_drand48_uniform(&state->draws) * total;
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        if (durations[w] == ORR_NEVER)
            continue;
        able = w;
        sum += lane_of(sched, w)->speed;
        if (sum >= drawn)
            break;
    }
    return able;
}

static void random_push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);
    unsigned worker = choose(sched, task);
    struct lane *lane = orr_sched_lane(sched, worker);

    task->arrival = state->arrivals++;
    orr_priority_fifo_push(&lane->tasks, task);
    orr_sched_wake(sched, worker);
}

static struct orr_task *random_pop(struct orr_sched *sched, unsigned worker)
{
    struct lane *lane = orr_sched_lane(sched, worker);

    return orr_priority_fifo_pop(&lane->tasks);
}

const struct orr_queueing orr_random_queueing = {.choose = choose,
                                                 .only_if_exact = true};

const struct orr_sched_ops orr_policy_random = {
    .name = "random",
    .summary = "a random worker, weighted by speed",
    .draws = true,
    .state_size = sizeof(struct state),
    .lane_size = sizeof(struct lane),
    .init = random_init,
    .fini = random_fini,
    .push = random_push,
    .pop = random_pop,
};
