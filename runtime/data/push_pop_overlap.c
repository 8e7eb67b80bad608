/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/push_pop_overlap.h"

#include "runtime/run.h"

/* Operations, counted in StarPU 1.5-dev over SimGrid 3.32. */
enum {
    POP = 3,             /* pop_task, once it has the lock */
    POST = 9,            /* _starpu_post_data_request and waking the driver */
    POST_ELSEWHERE = 12, /* post to another driver, with its lock */
    CHECK_ITSELF = 7,    /* starpu_wake_worker_relax_light */
    CHECK_OTHER = 12,
    CHECK_POPPING = 7,
    /* part of a CHECK: until the pusher reads the worker's state */
    READ_STATE = 4,
    GO_ON = 5 /* from the end of a push to the data of the next task */
};

/* Returns whether @actor is the last one that pushed, at the current date. */
static bool counts(const struct orr_run *run, const struct orr_actor *actor)
{
    return run->store.push_pop_overlap.pusher == actor &&
           run->store.push_pop_overlap.date == run->engine.now;
}

void orr_push_pop_overlap_pushed(struct orr_run *run,
                                 const struct orr_actor *actor)
{
    run->store.push_pop_overlap = (struct orr_push_pop_overlap){
        .pusher = orr_switches_quirks(&run->switches) ? actor : NULL,
        .number = run->store.push_pop_overlap.number + 1,
        .date = run->engine.now,
    };
}

void orr_push_pop_overlap_pop_begins(struct orr_run *run)
{
    run->store.push_pop_overlap.popping = true;
    run->store.push_pop_overlap.pops += POP;
    run->store.push_pop_overlap.pop = run->store.push_pop_overlap.pops;
}

void orr_push_pop_overlap_pop_ends(struct orr_run *run, struct orr_pop *pop)
{
    run->store.push_pop_overlap.popping = false;
    pop->after = run->store.push_pop_overlap.number;
    pop->operations = run->store.push_pop_overlap.pop;
}

void orr_push_pop_overlap_post(struct orr_run *run, struct orr_data *data,
                               bool elsewhere)
{
    if (!run->store.push_pop_overlap.popping)
        return;
    data->post = (struct orr_post){
        .date = run->engine.now,
        .from = run->store.push_pop_overlap.pop,
        .to = run->store.push_pop_overlap.pop +
              (elsewhere ? POST_ELSEWHERE : POST),
    };
    run->store.push_pop_overlap.pop = data->post.to;
}

bool orr_push_pop_overlap_meets_pop(struct orr_run *run,
                                    const struct orr_actor *worker,
                                    const struct orr_pop *pop)
{
    struct orr_push_pop_overlap *overlap = &run->store.push_pop_overlap;

    if (!counts(run, run->engine.acting))
        return false;
    if (overlap->pusher == worker) {
        overlap->push += CHECK_ITSELF;
        return false;
    }
    if (pop->after == overlap->number &&
        overlap->push + READ_STATE <= pop->operations) {
        overlap->push += CHECK_POPPING;
        return true;
    }
    overlap->push += CHECK_OTHER;
    return false;
}

void orr_push_pop_overlap_push_ends(struct orr_run *run)
{
    run->store.push_pop_overlap.push += GO_ON;
}

bool orr_push_pop_overlap_meets_lock(const struct orr_run *run,
                                     const struct orr_actor *actor,
                                     const struct orr_data *data)
{
    return counts(run, actor) && data->post.date == run->engine.now &&
           data->post.from <= run->store.push_pop_overlap.push &&
           run->store.push_pop_overlap.push < data->post.to;
}
