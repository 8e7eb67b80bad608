/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/serve.h"

#include "runtime/progress.h"
#include "runtime/run.h"
#include "runtime/turns.h"
#include "runtime/worker.h"

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

enum outcome { STARTED, NO_MEMORY };

struct starting {
    enum { START_BEGIN, START_ALLOCATED, START_QUEUED } at;
    struct orr_worker *worker;
    struct orr_request *request;
    bool allocated;
    enum outcome *outcome;
};

static enum orr_next give_up(struct starting *starting)
{
    struct orr_request *request = starting->request;

    if (request->level != ORR_FETCH) {
        request->holds = false;
        orr_replicate_release(starting->worker->run, request->to);
    }
    *starting->outcome = NO_MEMORY;
    return ORR_DONE;
}

static enum orr_next end_at_once(struct starting *starting)
{
    orr_request_complete(starting->worker->run, starting->request);
    return ORR_DONE;
}

/* The operations of that, in the midst of which the datum is given back. */
static G_GNUC_NO_INLINE void pay(const struct starting *starting)
{
    struct orr_engine *engine = &starting->worker->run->engine;
    unsigned operations = orr_copy_operations(starting->request);

    orr_engine_spend(engine, operations + (operations > 1));
    orr_spinlock_leave(&starting->request->data->lock, engine);
    orr_engine_spend(engine, LIST_PENDING);
}

static enum orr_next depart(struct starting *starting)
{
    if (G_UNLIKELY(starting->worker->run->engine.by_rounds))
        pay(starting);
    orr_copy_submit(starting->worker->run, starting->request);
    orr_request_depart(starting->worker->run, starting->request);
    return ORR_DONE;
}

/*
 * The destination has a buffer: copies, if there is something to read. The
 * driver holds the lock of the datum while it queues the copy.
 */
static enum orr_next queue_copy(struct orr_actor *actor,
                                struct starting *starting)
{
    struct orr_run *run = starting->worker->run;
    struct orr_data *data = starting->request->data;

    if (!(starting->request->mode & ORR_R))
        return end_at_once(starting);
    starting->at = START_QUEUED;
    if (orr_switches_quirks(&run->switches)) {
        orr_spinlock_hold(&data->lock, &run->engine,
                          run->overheads.transfer_queue);
        data->lock.request = starting->request;
    }
    if (orr_actor_sleep(actor, run->overheads.transfer_queue) == ORR_ASLEEP)
        return ORR_ASLEEP;
    return depart(starting);
}

static enum orr_next begin(struct orr_actor *actor, struct starting *starting)
{
    struct orr_request *request = starting->request;
    struct orr_run *run = starting->worker->run;
    struct orr_replicate *to = request->to;

    if (request->cancelled) {
        request->moot = true;
        return end_at_once(starting);
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
        return end_at_once(starting);
    if (to->allocated)
        return queue_copy(actor, starting);
    if (run->memories[to->node].reclaiming || starting->worker->is_sparing)
        return give_up(starting);
    starting->at = START_ALLOCATED;
    orr_engine_spend(&run->engine, 2);
    orr_memory_allocate(actor, starting->worker, to,
                        (enum orr_level)request->level, &starting->allocated);
    return ORR_CONTINUE;
}

/* Remembers a prefetch that lacks memory, if it would so again. */
static void refuse(struct starting *starting)
{
    struct orr_run *run = starting->worker->run;
    struct orr_memory *memory = &run->memories[starting->request->to->node];

    if (starting->request->level == ORR_PREFETCH &&
        !orr_victims_has_any(run, memory, ORR_PREFETCH))
        memory->refused = starting->request;
}

/* Starts one request; it completes at once, or departs, or lacks memory. */
static enum orr_next start(struct orr_actor *actor, void *locals)
{
    struct starting *starting = locals;
    struct orr_run *run = starting->worker->run;
    struct orr_spinlock *lock = &starting->request->data->lock;

    if (starting->at != START_QUEUED &&
        orr_spinlock_is_taken(lock, &run->engine)) {
        orr_spinlock_await(actor, lock);
        return ORR_CONTINUE;
    }
    switch (starting->at) {
    case START_BEGIN:
        return begin(actor, starting);
    case START_ALLOCATED:
        if (starting->allocated)
            return queue_copy(actor, starting);
        refuse(starting);
        return give_up(starting);
    case START_QUEUED:
        return depart(starting);
    }
    return ORR_DONE;
}

/* The same in a run by rounds. Once it has allocated it makes progress rather
 * than waits for the lock. */
static enum orr_next start_in_turn(struct orr_actor *actor, void *locals)
{
    struct starting *starting = locals;
    struct orr_data *data = starting->request->data;

    if (orr_actor_take_turns(actor, 0) == ORR_ASLEEP)
        return ORR_ASLEEP;
    if (starting->at != START_ALLOCATED ||
        !orr_spinlock_is_taken(&data->lock, actor->engine))
        return start(actor, locals);
    orr_progress_until_free(actor, starting->worker, data);
    return ORR_CONTINUE;
}

/* Starts what the limit allows of one queue. */
struct serving {
    enum { SERVE_TAKE, SERVE_STARTED, SERVE_PAUSED } at;
    struct orr_worker *worker;
    struct orr_line line;
    struct orr_request *taken[ORR_MOST_IN_FLIGHT];
    unsigned count, next;
    struct orr_request *refused[ORR_MOST_IN_FLIGHT];
    unsigned refused_count;
    orr_time since;
    enum outcome outcome;
    bool started_some;
    bool lacks_memory;
    struct orr_served *served;
};

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
        orr_request_return(run, serving->refused[--serving->refused_count]);
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

static enum orr_next next(struct orr_actor *actor, struct serving *serving)
{
    struct orr_queues *queues =
        &serving->worker->run->memories[serving->line.node].queues;
    struct starting *starting;

    if (serving->next == serving->count ||
        orr_queues_room(queues, serving->line.peer, serving->line.direction,
                        serving->line.level) == 0)
        return end_serving(actor, serving);
    serving->at = SERVE_STARTED;
    serving->outcome = STARTED;
    starting =
        orr_actor_call(actor, actor->engine->by_rounds ? start_in_turn : start,
                       sizeof(*starting));
    starting->worker = serving->worker;
    starting->request = serving->taken[serving->next++];
    starting->outcome = &serving->outcome;
    return ORR_CONTINUE;
}

static enum orr_next after_start(struct orr_actor *actor,
                                 struct serving *serving)
{
    orr_time now = serving->worker->run->engine.now;

    if (serving->outcome == STARTED) {
        serving->started_some = true;
        serving->served->some = true;
    } else {
        serving->lacks_memory = true;
        serving->refused[serving->refused_count++] =
            serving->taken[serving->next - 1];
        if (serving->line.level != ORR_FETCH)
            return end_serving(actor, serving);
    }
    if (now - serving->since >= PATIENCE) {
        serving->lacks_memory = false; /* as the reference takes it */
        return end_serving(actor, serving);
    }
    return next(actor, serving);
}

static enum orr_next serve(struct orr_actor *actor, void *locals)
{
    struct serving *serving = locals;

    switch (serving->at) {
    case SERVE_TAKE:
        take(serving);
        return next(actor, serving);
    case SERVE_STARTED:
        return after_start(actor, serving);
    case SERVE_PAUSED:
        return resume(serving);
    }
    return ORR_DONE;
}

void orr_serve(struct orr_actor *actor, struct orr_worker *worker,
               const struct orr_line *line, struct orr_served *served)
{
    struct serving *serving = orr_actor_call(actor, serve, sizeof(*serving));

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
