/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/application/hints.h"

#include "runtime/data/arbiter.h"
#include "runtime/run.h"
#include "runtime/worker/redux.h"
#include "runtime/worker/request_issue.h"

/* orr_data_wont_use(), once the last write has ended. In the reference, an
 * internal task acquires the datum, and its callback submits another. */
enum {
    WONT_START,
    WONT_BEGUN,
    WONT_READY,
    WONT_WAITS,
    WONT_GRANTED,
    WONT_ACQUIRED,
    WONT_PUSHED,
    WONT_HANDS_OVER,
    WONT_RELEASED,
    WONT_SUBMITTED
};

/* Data that have no home in RAM stay where they are in the lists of buffers. */
static void set_aside(struct orr_run *run, struct orr_data *data)
{
    if (data->temporary)
        return;
    for (unsigned node = 1; node < run->node_count; node++) {
        if (data->copies[node].buffer)
            orr_memory_set_aside(&run->store.memories[node],
                                 &data->copies[node]);
    }
}

/* Calls to wait if the lock of the datum is taken. Returns whether it calls. */
static bool awaits_lock(struct orr_actor *actor, struct orr_job_frame *frame)
{
    struct orr_spinlock *lock =
        &orr_access_data(&frame->job->accesses[0])->lock;
    bool is_taken = orr_spinlock_is_taken(lock, actor->engine);

    if (is_taken)
        orr_spinlock_await(actor, lock);
    return is_taken;
}

/* Passes the trace point @point, then continues at @next. */
static enum orr_next step(struct orr_actor *actor, struct orr_job_frame *frame,
                          enum orr_point point, uint8_t next)
{
    frame->at = next;
    return orr_actor_pass_point(actor, point, NULL);
}

/* The first task acquires the datum, and submits the second. */
static enum orr_next run_first(struct orr_actor *actor,
                               struct orr_job_frame *frame)
{
    struct orr_run *run = frame->run;
    struct orr_data *data = orr_access_data(&frame->job->accesses[0]);

    if (frame->at != WONT_START && awaits_lock(actor, frame))
        return ORR_CONTINUE;
    switch (frame->at) {
    case WONT_START:
        return step(actor, frame, ORR_POINT_WONT_USE_BEGINS, WONT_BEGUN);
    case WONT_BEGUN:
        return step(actor, frame, ORR_POINT_WONT_USE_HAS, WONT_READY);
    case WONT_READY:
        if (orr_arbiter_conflicts(data, false) &&
            !orr_arbiter_acquire(&run->graph, &frame->job->accesses[0])) {
            frame->at = WONT_WAITS;
            return data->redux && orr_redux_begin(actor, run, data)
                       ? ORR_CONTINUE
                       : ORR_DONE;
        }
        orr_data_hold(&run->store, data, ORR_R);
        /* fall through */
    case WONT_GRANTED:
        return step(actor, frame, ORR_POINT_WONT_USE_LISTS, WONT_ACQUIRED);
    default:
        break;
    }
    orr_point(actor->engine, ORR_POINT_WONT_USE_SUBMITS, NULL);
    set_aside(run, data);
    frame->at = WONT_PUSHED;
    return orr_actor_sleep(actor, run->overheads.push);
}

static enum orr_next wont_use(struct orr_actor *actor, void *locals)
{
    struct orr_job_frame *frame = locals;
    struct orr_run *run = frame->run;
    struct orr_data *data = orr_access_data(&frame->job->accesses[0]);

    switch (frame->at) {
    case WONT_PUSHED:
        frame->at = WONT_HANDS_OVER;
        orr_data_let_go(&run->store, data);
        /* fall through */
    case WONT_HANDS_OVER:
        if (data->arbitrated && orr_job_hand_over(actor, run, data))
            return ORR_CONTINUE;
        frame->at = WONT_RELEASED;
        orr_job_call(actor, orr_job_end, run, frame->job)->keeps = true;
        return ORR_CONTINUE;
    case WONT_WAITS:
        return ORR_DONE; /* resume() */
    case WONT_RELEASED:
        frame->at = WONT_SUBMITTED;
        orr_point(actor->engine, ORR_POINT_WONT_USE_RELEASES, NULL);
        return orr_actor_sleep(actor, run->overheads.submit);
    case WONT_SUBMITTED:
        if (awaits_lock(actor, frame))
            return ORR_CONTINUE;
        orr_data_write_back(&run->store, data);
        orr_point(actor->engine, ORR_POINT_WONT_USE_ENDS, NULL);
        orr_job_free_ended(run, frame->job);
        return ORR_DONE;
    default:
        return run_first(actor, frame);
    }
}

static enum orr_next begin(struct orr_actor *actor, struct orr_run *run,
                           struct orr_job *job)
{
    orr_job_call(actor, wont_use, run, job);
    return ORR_CONTINUE;
}

static void resume(struct orr_actor *actor, struct orr_run *run,
                   struct orr_job *job)
{
    orr_job_call(actor, wont_use, run, job)->at = WONT_GRANTED;
}

const struct orr_job_ops orr_wont_use_jobs = {
    .is_immediate = true, .ready = begin, .granted = resume};

/* A prefetch takes no time, but waits for the lock of the datum. */
struct bringing {
    struct orr_run *run;
    struct orr_data *data;
    unsigned node;
    bool idle;
};

static enum orr_next bring(struct orr_actor *actor, void *locals)
{
    const struct bringing *bringing = locals;

    if (orr_spinlock_is_taken(&bringing->data->lock, actor->engine)) {
        orr_spinlock_await(actor, &bringing->data->lock);
        return ORR_CONTINUE;
    }
    bringing->run->engine.effects |= ORR_EFFECT_RUNTIME;
    orr_data_bring(&bringing->run->store, bringing->data, bringing->node,
                   bringing->idle);
    return ORR_DONE;
}

void orr_job_prefetch(struct orr_run *run, struct orr_data *data, unsigned node,
                      bool idle)
{
    struct bringing *bringing =
        orr_actor_call(orr_run_actor(run), bring, sizeof(*bringing));

    *bringing = (struct bringing){run, data, node, idle};
    orr_actor_act(orr_run_actor(run));
}

/* An eviction gives up where StarPU, which tries the lock, does. */
struct evicting {
    struct orr_run *run;
    struct orr_data *data;
    unsigned node;
    bool began;
    bool *done;
};

static enum orr_next evict(struct orr_actor *actor, void *locals)
{
    struct evicting *evicting = locals;

    if (evicting->began ||
        orr_spinlock_is_taken(&evicting->data->lock, actor->engine))
        return ORR_DONE;
    evicting->began = true;
    evicting->run->engine.effects |= ORR_EFFECT_RUNTIME;
    *evicting->done = orr_memory_evict(actor, evicting->run,
                                       &evicting->data->copies[evicting->node]);
    return *evicting->done ? ORR_CONTINUE : ORR_DONE;
}

void orr_job_evict(struct orr_run *run, struct orr_data *data, unsigned node,
                   bool *done)
{
    struct evicting *evicting =
        orr_actor_call(orr_run_actor(run), evict, sizeof(*evicting));

    *evicting =
        (struct evicting){.run = run, .data = data, .node = node, .done = done};
    orr_actor_act(orr_run_actor(run));
}
