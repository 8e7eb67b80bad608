/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fixed: replays a given mapping and order, and the choice among several
 * implementations of a kernel. Each worker pops its tasks in the order of the
 * file, and waits if the next one is not ready. The runtime has checked that
 * the file has each submitted task.
 */
#include "models/import/mapping.h"
#include "sched/host.h"

struct state {
    struct orr_task **ready; /* by place in the mapping; NULL: not ready */
};

struct lane {
    unsigned next; /* place of the next task */
    unsigned end;
};

static void fixed_init(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);
    const struct orr_mapping *mapping = sched->host->mapping;

    state->ready = g_new0(struct orr_task *, mapping->count);
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        struct lane *lane = orr_sched_lane(sched, w);

        lane->next = mapping->first[w];
        lane->end = mapping->first[w + 1];
    }
}

static void fixed_fini(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    g_free(state->ready);
}

/* The worker that has @place. */
static unsigned worker_at(const struct orr_mapping *mapping, unsigned place,
                          unsigned workers)
{
    unsigned low = 0;

    while (workers - low > 1) {
        unsigned middle = low + (workers - low) / 2;

        if (mapping->first[middle] <= place)
            low = middle;
        else
            workers = middle;
    }
    return low;
}

/* The worker is known, so the data can be prefetched, as in the dm family. */
static void fixed_push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);
    const struct orr_sched_host *host = sched->host;
    const struct orr_mapping_task *mapped =
        &host->mapping->tasks[host->assigned(host->data, task)];
    unsigned place = mapped->place;
    unsigned worker = worker_at(host->mapping, place, orr_sched_workers(sched));
    struct lane *lane = orr_sched_lane(sched, worker);

    if (mapped->implementation > 0)
        orr_sched_choose_implementation(sched, task, mapped->implementation);
    state->ready[place] = task;
    orr_sched_prefetch(sched, task, worker);
    if (lane->next == place)
        orr_sched_wake(sched, worker);
}

static struct orr_task *fixed_pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct lane *lane = orr_sched_lane(sched, worker);

    if (lane->next == lane->end || !state->ready[lane->next])
        return NULL;
    return g_steal_pointer(&state->ready[lane->next++]);
}

const struct orr_sched_ops orr_policy_fixed = {
    .name = "fixed",
    .summary = "the mapping and order of FILE, replayed",
    .state_size = sizeof(struct state),
    .lane_size = sizeof(struct lane),
    .prefetches = true,
    .init = fixed_init,
    .fini = fixed_fini,
    .push = fixed_push,
    .pop = fixed_pop,
};
