/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/serve.h"

#include "runtime/data/progress.h"
#include "runtime/lockstep/turns.h"
#include "runtime/run.h"
#include "runtime/worker/worker.h"

/* A driver that spent this long starting requests does something else first. */
#define PATIENCE (1000 * ORR_US)

/* A fetch that could not be started for want of memory is tried again after
 * the clock has moved a little. */
#define RETRY_DELAY (1 * ORR_US)

/* Operations that it takes to put a request into the list of those in flight.
 */
enum { LIST_PENDING = 2 };

/* And those left over back into that of those that wait. */
enum { LIST_AGAIN = 2 };

/*
 * Starts what the limit allows of one queue, one request after the other: each
 * completes at once, or departs, or lacks memory.
 */
struct serving {
    enum { SERVE_TAKE, SERVE_START, SERVE_PAUSED } at;
    enum { START_BEGIN, START_ALLOCATED, START_QUEUED } start;
    struct orr_worker *worker;
    struct orr_line line;
    struct orr_served *served;
    orr_time since;
    struct orr_request *request; /* that is being started */
    bool allocated;
    bool refused; /* it lacks memory */
    bool started_some;
    bool lacks_memory;
    unsigned refused_count;
    unsigned next, count;
    /* Not zeroed. Those that were refused, and, from next on, those that are
     * to be started. */
    struct orr_request *taken[ORR_MOST_IN_FLIGHT];
};

static enum orr_next give_up(struct serving *serving)
{
    struct orr_request *request = serving->request;

    if (request->level != ORR_FETCH) {
        request->holds = false;
        orr_replicate_release(serving->worker->run, request->to);
    }
    serving->refused = true;
    return ORR_DONE;
}

static enum orr_next end_at_once(struct serving *serving)
{
    orr_request_complete(serving->worker->run, serving->request);
    return ORR_DONE;
}

/* The operations of that, in the midst of which the datum is given back. */
static G_GNUC_NO_INLINE void pay(const struct serving *serving)
{
    struct orr_engine *engine = &serving->worker->run->engine;
    unsigned operations = orr_copy_operations(serving->request);

    orr_engine_spend(engine, operations + (operations > 1));
    orr_spinlock_leave(&serving->request->data->lock, engine);
    orr_engine_spend(engine, LIST_PENDING);
}

static enum orr_next depart(struct serving *serving)
{
    if (G_UNLIKELY(serving->worker->run->engine.by_rounds))
        pay(serving);
    orr_copy_submit(serving->worker->run, serving->request);
    orr_request_depart(serving->worker->run, serving->request);
    return ORR_DONE;
}

/*
 * The destination has a buffer: copies, if there is something to read. The
 * driver holds the lock of the datum while it queues the copy.
 */
static enum orr_next queue_copy(struct orr_actor *actor,
                                struct serving *serving)
{
    struct orr_run *run = serving->worker->run;
    struct orr_data *data = serving->request->data;

    if (!(serving->request->mode & ORR_R))
        return end_at_once(serving);
    serving->start = START_QUEUED;
    if (orr_switches_quirks(&run->switches)) {
        orr_spinlock_hold(&data->lock, &run->engine,
                          run->overheads.transfer_queue);
        data->lock.request = serving->request;
    }
    if (orr_actor_sleep(actor, run->overheads.transfer_queue) == ORR_ASLEEP)
        return ORR_ASLEEP;
    return depart(serving);
}

static enum orr_next begin(struct orr_actor *actor, struct serving *serving)
{
    struct orr_request *request = serving->request;
    struct orr_run *run = serving->worker->run;
    struct orr_replicate *to = request->to;

    if (request->cancelled) {
        request->moot = true;
        return end_at_once(serving);
    }
    if (to->loading && to->loading != request) {
        orr_request_join(run, request, to->loading);
        return ORR_DONE;
    }
    orr_replicate_set_loading(run, to, request);
    if (request->level != ORR_FETCH) {
        request->holds = true;
        orr_replicate_hold(to);
    }
    if (to->state != ORR_INVALID)
        return end_at_once(serving);
    if (to->allocated)
        return queue_copy(actor, serving);
    if (run->memories[to->node].reclaiming || serving->worker->is_sparing)
        return give_up(serving);
    serving->start = START_ALLOCATED;
    orr_engine_spend(&run->engine, 2);
    orr_memory_allocate(actor, serving->worker, to,
                        (enum orr_level)request->level, &serving->allocated);
    return ORR_CONTINUE;
}

/* Remembers a prefetch that lacks memory, if it would so again. */
static void refuse(struct serving *serving)
{
    struct orr_run *run = serving->worker->run;
    struct orr_memory *memory = &run->memories[serving->request->to->node];

    if (serving->request->level == ORR_PREFETCH &&
        !orr_victims_has_any(run, memory, ORR_PREFETCH))
        memory->refused = serving->request;
}

/* Goes on to start the request; done when it has completed at once, or
 * departed, or lacks memory. */
static enum orr_next start(struct orr_actor *actor, struct serving *serving)
{
    struct orr_run *run = serving->worker->run;
    struct orr_spinlock *lock = &serving->request->data->lock;

    if (serving->start != START_QUEUED &&
        orr_spinlock_is_taken(lock, &run->engine)) {
        orr_spinlock_await(actor, lock);
        return ORR_CONTINUE;
    }
    switch (serving->start) {
    case START_BEGIN:
        return begin(actor, serving);
    case START_ALLOCATED:
        if (serving->allocated)
            return queue_copy(actor, serving);
        refuse(serving);
        return give_up(serving);
    case START_QUEUED:
        return depart(serving);
    }
    return ORR_DONE;
}

/* The same in a run by rounds. Once it has allocated it makes progress rather
 * than waits for the lock. */
static enum orr_next start_in_turn(struct orr_actor *actor,
                                   struct serving *serving)
{
    struct orr_data *data = serving->request->data;

    if (orr_actor_take_turns(actor, 0) == ORR_ASLEEP)
        return ORR_ASLEEP;
    if (serving->start != START_ALLOCATED ||
        !orr_spinlock_is_taken(&data->lock, actor->engine))
        return start(actor, serving);
    orr_progress_until_free(actor, serving->worker, data);
    return ORR_CONTINUE;
}

static void take(struct serving *serving)
{
    struct orr_run *run = serving->worker->run;
    const struct orr_line *line = &serving->line;
    struct orr_queues *queues = &run->memories[line->node].queues;
    const struct orr_waiting *waiting =
        &queues->waiting[line->peer][line->direction][line->level];
    unsigned room =
        orr_queues_room(queues, line->peer, line->direction, line->level);

    while (serving->count < room && !orr_waiting_is_empty(waiting)) {
        struct orr_request *request =
            orr_request_take(queues, line->peer, line->direction, line->level,
                             run->engine.decider);

        __builtin_prefetch(request->data);
        __builtin_prefetch(&request->data->lock);
        __builtin_prefetch(request->from);
        __builtin_prefetch(request->to);
        serving->taken[serving->count++] = request;
    }
    serving->since = run->engine.now;
}

/* Puts what was not started back, in the order in which it was. */
static void put_back(struct serving *serving)
{
    struct orr_run *run = serving->worker->run;

    while (serving->count > serving->next)
        orr_request_return(run, serving->taken[--serving->count]);
    while (serving->refused_count > 0)
        orr_request_return(run, serving->taken[--serving->refused_count]);
}

static enum orr_next report(struct serving *serving)
{
    serving->served->lacks_memory |= serving->lacks_memory;
    return ORR_DONE;
}

/* A driver that started something and left something tries again soon. */
static enum orr_next resume(struct serving *serving)
{
    orr_run_wake_node(serving->worker->run, serving->line.node);
    return report(serving);
}

static enum orr_next end_serving(struct orr_actor *actor,
                                 struct serving *serving)
{
    bool some_left =
        serving->next < serving->count || serving->refused_count > 0;
    orr_time delay = serving->worker->run->switches.overheads ? RETRY_DELAY : 0;

    put_back(serving);
    if (some_left)
        orr_engine_spend(&serving->worker->run->engine, LIST_AGAIN);
    if (!some_left || !serving->started_some)
        return report(serving);
    serving->at = SERVE_PAUSED;
    if (orr_actor_sleep(actor, delay) == ORR_ASLEEP)
        return ORR_ASLEEP;
    return resume(serving);
}

/* Turns to the next request that is to be started, if there is one. */
static bool turn_to_next(struct serving *serving)
{
    const struct orr_line *line = &serving->line;
    const struct orr_queues *queues =
        &serving->worker->run->memories[line->node].queues;

    if (serving->next == serving->count ||
        orr_queues_room(queues, line->peer, line->direction, line->level) == 0)
        return false;
    serving->at = SERVE_START;
    serving->start = START_BEGIN;
    serving->request = serving->taken[serving->next++];
    serving->allocated = false;
    serving->refused = false;
    return true;
}

/* Takes note of how the request fared; returns whether to go on. */
static bool note_start(struct serving *serving)
{
    orr_time now = serving->worker->run->engine.now;

    if (!serving->refused) {
        serving->started_some = true;
        serving->served->some = true;
    } else {
        serving->lacks_memory = true;
        serving->taken[serving->refused_count++] = serving->request;
        if (serving->line.level != ORR_FETCH)
            return false;
    }
    if (now - serving->since < PATIENCE)
        return true;
    serving->lacks_memory = false; /* as the reference takes it */
    return false;
}

static enum orr_next serve(struct orr_actor *actor, void *locals)
{
    struct serving *serving = locals;
    enum orr_next next;

    if (serving->at == SERVE_PAUSED)
        return resume(serving);
    if (serving->at == SERVE_TAKE) {
        take(serving);
        if (!turn_to_next(serving))
            return end_serving(actor, serving);
    }
    do {
        next = actor->engine->by_rounds ? start_in_turn(actor, serving)
                                        : start(actor, serving);
        if (next != ORR_DONE)
            return next;
    } while (note_start(serving) && turn_to_next(serving));
    return end_serving(actor, serving);
}

void orr_serve(struct orr_actor *actor, struct orr_worker *worker,
               const struct orr_line *line, struct orr_served *served)
{
    struct serving *serving = orr_actor_call_some(
        actor, serve, sizeof(*serving), offsetof(struct serving, taken));

    serving->worker = worker;
    serving->line = *line;
    serving->served = served;
}

/* The whole effect of starting @request was had the last time. */
static bool would_give_up(const struct orr_run *run,
                          const struct orr_request *request)
{
    const struct orr_replicate *to = request->to;

    return to->loading == request && !to->allocated &&
           to->state == ORR_INVALID && !request->cancelled &&
           !orr_spinlock_is_taken(&request->data->lock, &run->engine);
}

bool orr_serve_is_refused(const struct orr_run *run,
                          const struct orr_line *line)
{
    const struct orr_memory *memory = &run->memories[line->node];
    unsigned to = line->direction == ORR_IN ? line->node : line->peer;
    const struct orr_request *first;

    if (line->level != ORR_PREFETCH)
        return false;
    first = orr_waiting_first(
        &memory->queues.waiting[line->peer][line->direction][ORR_PREFETCH]);
    return (first == memory->refused && !first->cancelled) ||
           (run->memories[to].reclaiming && would_give_up(run, first));
}
