/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/push_pop_overlap.h"

#include "runtime/data/store.h"

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
static bool counts(const struct orr_store *store, const struct orr_actor *actor)
{
    return store->push_pop_overlap.pusher == actor &&
           store->push_pop_overlap.date == store->engine->now;
}

void orr_push_pop_overlap_pushed(struct orr_store *store,
                                 const struct orr_actor *actor)
{
    store->push_pop_overlap = (struct orr_push_pop_overlap){
        .pusher = orr_switches_quirks(store->switches) ? actor : NULL,
        .number = store->push_pop_overlap.number + 1,
        .date = store->engine->now,
    };
}

void orr_push_pop_overlap_pop_begins(struct orr_store *store)
{
    store->push_pop_overlap.popping = true;
    store->push_pop_overlap.pops += POP;
    store->push_pop_overlap.pop = store->push_pop_overlap.pops;
}

void orr_push_pop_overlap_pop_ends(struct orr_store *store, struct orr_pop *pop)
{
    store->push_pop_overlap.popping = false;
    pop->after = store->push_pop_overlap.number;
    pop->operations = store->push_pop_overlap.pop;
}

void orr_push_pop_overlap_post(struct orr_store *store, struct orr_data *data,
                               bool elsewhere)
{
    if (!store->push_pop_overlap.popping)
        return;
    data->post = (struct orr_post){
        .date = store->engine->now,
        .from = store->push_pop_overlap.pop,
        .to = store->push_pop_overlap.pop + (elsewhere ? POST_ELSEWHERE : POST),
    };
    store->push_pop_overlap.pop = data->post.to;
}

bool orr_push_pop_overlap_meets_pop(struct orr_store *store,
                                    const struct orr_actor *worker,
                                    const struct orr_pop *pop)
{
    struct orr_push_pop_overlap *overlap = &store->push_pop_overlap;

    if (!counts(store, store->engine->acting))
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

void orr_push_pop_overlap_push_ends(struct orr_store *store)
{
    store->push_pop_overlap.push += GO_ON;
}

bool orr_push_pop_overlap_meets_lock(const struct orr_store *store,
                                     const struct orr_actor *actor,
                                     const struct orr_data *data)
{
    return counts(store, actor) && data->post.date == store->engine->now &&
           data->post.from <= store->push_pop_overlap.push &&
           store->push_pop_overlap.push < data->post.to;
}
