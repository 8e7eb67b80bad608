/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/push_overlap.h"

#include "runtime/run.h"
#include "runtime/worker/worker.h"

/* Operations, counted in StarPU 1.5-dev over SimGrid 3.32. */
enum {
    POP = 3,             /* pop_task, once it has the lock */
    POST = 9,            /* _starpu_post_data_request and waking the driver */
    POST_ELSEWHERE = 12, /* the same with the lock of another driver */
    LOOK_AT_ONESELF = 7, /* starpu_wake_worker_relax_light */
    LOOK_AT_OTHER = 12,
    LOOK_AT_POPPER = 7,
    REACH_POPPER = 4, /* of those, until it sees the other's state */
    GO_ON = 5         /* from the end of a push to the data of the next task */
};

static bool counts(const struct orr_run *run, const struct orr_actor *actor)
{
    return run->push_overlap.pusher == actor &&
           run->push_overlap.date == run->engine.now;
}

void orr_push_overlap_pushed(struct orr_run *run, const struct orr_actor *actor)
{
    run->push_overlap = (struct orr_push_overlap){
        .pusher = orr_switches_quirks(&run->switches) ? actor : NULL,
        .number = run->push_overlap.number + 1,
        .date = run->engine.now,
    };
}

void orr_push_overlap_pop_begins(struct orr_run *run)
{
    run->push_overlap.popping = true;
    run->push_overlap.pops += POP;
    run->push_overlap.pop = run->push_overlap.pops;
}

void orr_push_overlap_pop_ends(struct orr_run *run, struct orr_worker *worker)
{
    run->push_overlap.popping = false;
    worker->popped_after = run->push_overlap.number;
    worker->pop_rounds = run->push_overlap.pop;
}

void orr_push_overlap_post(struct orr_run *run, struct orr_data *data,
                           bool elsewhere)
{
    if (!run->push_overlap.popping)
        return;
    data->post = (struct orr_post){
        .date = run->engine.now,
        .from = run->push_overlap.pop,
        .to = run->push_overlap.pop + (elsewhere ? POST_ELSEWHERE : POST),
    };
    run->push_overlap.pop = data->post.to;
}

bool orr_push_overlap_meets_pop(struct orr_run *run,
                                const struct orr_worker *worker)
{
    struct orr_push_overlap *rounds = &run->push_overlap;

    if (!counts(run, run->engine.acting))
        return false;
    if (rounds->pusher == &worker->actor) {
        rounds->push += LOOK_AT_ONESELF;
        return false;
    }
    if (worker->popped_after == rounds->number &&
        rounds->push + REACH_POPPER <= worker->pop_rounds) {
        rounds->push += LOOK_AT_POPPER;
        return true;
    }
    rounds->push += LOOK_AT_OTHER;
    return false;
}

void orr_push_overlap_go_on(struct orr_run *run)
{
    run->push_overlap.push += GO_ON;
}

bool orr_push_overlap_meets_lock(const struct orr_run *run,
                                 const struct orr_actor *actor,
                                 const struct orr_data *data)
{
    return counts(run, actor) && data->post.date == run->engine.now &&
           data->post.from <= run->push_overlap.push &&
           run->push_overlap.push < data->post.to;
}
