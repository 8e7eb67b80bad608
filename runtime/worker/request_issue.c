/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/worker/request_issue.h"

#include "runtime/run.h"
#include "runtime/worker/worker.h"

/* A driver that spent this long starting requests does something else first. */
#define PATIENCE (1000 * ORR_US)

/* A fetch that could not be started for want of memory is tried again after
 * the clock has moved a little. */
#define RETRY_DELAY (1 * ORR_US)

/*
 * Starts the requests of one queue, one after the other, as far as the limit
 * allows. Each completes at once, departs (its copy is queued), or is refused:
 * it lacks memory.
 */
struct issuing {
    enum { ISSUE_TAKE, ISSUE_START, ISSUE_PAUSED } at;
    enum { START_BEGIN, START_ALLOCATED, START_QUEUED } start;
    struct orr_worker *worker;
    struct orr_queue_id queue;
    struct orr_issue_result *result;
    orr_time since;
    struct orr_request *request; /* that is being started */
    bool allocated;
    bool refused; /* it lacks memory */
    bool started_some;
    bool lacks_memory;
    unsigned refused_count;
    unsigned next, count;
    /* Not zeroed. First the refused ones; from next on, those still to start.
     */
    struct orr_request *taken[ORR_MOST_IN_FLIGHT];
};

static enum orr_next refuse(struct issuing *issuing)
{
    struct orr_request *request = issuing->request;

    if (request->level != ORR_FETCH) {
        request->holds = false;
        orr_replicate_release(issuing->worker->run, request->to);
    }
    issuing->refused = true;
    return ORR_DONE;
}

static enum orr_next complete(struct issuing *issuing)
{
    orr_request_complete(issuing->worker->run, issuing->request);
    return ORR_DONE;
}

static enum orr_next depart(struct issuing *issuing)
{
    orr_point(&issuing->worker->run->engine, ORR_POINT_COPY_QUEUED,
              issuing->request);
    orr_copy_submit(issuing->worker->run, issuing->request);
    orr_queues_add_pending(issuing->worker->run, issuing->request);
    return ORR_DONE;
}

/*
 * The destination has a buffer: copies, if there is something to read. The
 * driver holds the lock of the datum while it queues the copy.
 */
static enum orr_next queue_copy(struct orr_actor *actor,
                                struct issuing *issuing)
{
    struct orr_run *run = issuing->worker->run;
    struct orr_data *data = issuing->request->data;

    if (!(issuing->request->mode & ORR_R))
        return complete(issuing);
    issuing->start = START_QUEUED;
    if (orr_switches_quirks(&run->switches)) {
        orr_spinlock_hold(&data->lock, &run->engine,
                          run->overheads.transfer_queue);
        data->lock.request = issuing->request;
    }
    if (orr_actor_sleep(actor, run->overheads.transfer_queue) == ORR_ASLEEP)
        return ORR_ASLEEP;
    return depart(issuing);
}

static enum orr_next begin(struct orr_actor *actor, struct issuing *issuing)
{
    struct orr_request *request = issuing->request;
    struct orr_run *run = issuing->worker->run;
    struct orr_replicate *to = request->to;

    if (request->cancelled) {
        request->has_no_effect = true;
        return complete(issuing);
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
        return complete(issuing);
    if (to->allocated)
        return queue_copy(actor, issuing);
    if (run->memories[to->node].reclaiming || issuing->worker->no_alloc > 0)
        return refuse(issuing);
    issuing->start = START_ALLOCATED;
    orr_point(&run->engine, ORR_POINT_REQUEST_ALLOCATES, NULL);
    orr_memory_allocate(actor, issuing->worker, to,
                        (enum orr_level)request->level, &issuing->allocated);
    return ORR_CONTINUE;
}

/* Notes a prefetch that lacks memory, if it would lack it again. */
static void note_refused(struct issuing *issuing)
{
    struct orr_run *run = issuing->worker->run;
    struct orr_memory *memory = &run->memories[issuing->request->to->node];

    if (issuing->request->level == ORR_PREFETCH &&
        !orr_eviction_has_any(run, memory, ORR_PREFETCH))
        memory->refused = issuing->request;
}

/* Whether the lock of the datum is taken: calls then. */
static G_GNUC_NO_INLINE bool awaits_lock(struct orr_actor *actor,
                                         struct issuing *issuing)
{
    struct orr_data *data = issuing->request->data;

    if (issuing->start == START_ALLOCATED)
        return issuing->worker->run->interleaving->wait_for_lock(
            actor, issuing->worker, data, ORR_LOCK_AT_ISSUE);
    if (!orr_spinlock_is_taken(&data->lock, actor->engine))
        return false;
    orr_spinlock_await(actor, &data->lock);
    return true;
}

/* Goes on to start the request. ORR_DONE: it has completed, departed or been
 * refused. */
static enum orr_next start(struct orr_actor *actor, struct issuing *issuing)
{
    if (orr_actor_pass(actor) == ORR_ASLEEP)
        return ORR_ASLEEP;
    if (issuing->start != START_QUEUED &&
        orr_spinlocks_contended(actor->engine) && awaits_lock(actor, issuing))
        return ORR_CONTINUE;
    switch (issuing->start) {
    case START_BEGIN:
        return begin(actor, issuing);
    case START_ALLOCATED:
        if (issuing->allocated)
            return queue_copy(actor, issuing);
        note_refused(issuing);
        return refuse(issuing);
    case START_QUEUED:
        return depart(issuing);
    }
    return ORR_DONE;
}

static void take(struct issuing *issuing)
{
    struct orr_run *run = issuing->worker->run;
    const struct orr_queue_id *queue = &issuing->queue;
    struct orr_queues *queues = &run->memories[queue->node].queues;
    const struct orr_waiting *waiting =
        &queues->waiting[queue->peer][queue->direction][queue->level];
    unsigned room =
        orr_queues_room(queues, queue->peer, queue->direction, queue->level);

    while (issuing->count < room && !orr_waiting_is_empty(waiting)) {
        struct orr_request *request =
            orr_request_take(queues, queue->peer, queue->direction,
                             queue->level, run->engine.decider);

        __builtin_prefetch(request->data);
        __builtin_prefetch(&request->data->lock);
        __builtin_prefetch(request->from);
        __builtin_prefetch(request->to);
        issuing->taken[issuing->count++] = request;
    }
    issuing->since = run->engine.now;
}

/* Puts the requests that were not started back, in their former order. */
static void put_back(struct issuing *issuing)
{
    struct orr_run *run = issuing->worker->run;

    while (issuing->count > issuing->next)
        orr_request_return(run, issuing->taken[--issuing->count]);
    while (issuing->refused_count > 0)
        orr_request_return(run, issuing->taken[--issuing->refused_count]);
}

static enum orr_next report(struct issuing *issuing)
{
    issuing->result->lacks_memory |= issuing->lacks_memory;
    return ORR_DONE;
}

/* A driver that started some requests and left others tries again soon. */
static enum orr_next resume(struct issuing *issuing)
{
    orr_run_wake_node(issuing->worker->run, issuing->queue.node);
    return report(issuing);
}

static enum orr_next end_issuing(struct orr_actor *actor,
                                 struct issuing *issuing)
{
    bool some_left =
        issuing->next < issuing->count || issuing->refused_count > 0;
    orr_time delay = issuing->worker->run->switches.overheads ? RETRY_DELAY : 0;

    put_back(issuing);
    if (some_left)
        orr_point(actor->engine, ORR_POINT_REQUESTS_LEFT, NULL);
    if (!some_left || !issuing->started_some)
        return report(issuing);
    issuing->at = ISSUE_PAUSED;
    if (orr_actor_sleep(actor, delay) == ORR_ASLEEP)
        return ORR_ASLEEP;
    return resume(issuing);
}

/* Moves on to the next request to start. Returns false if there is none. */
static bool take_next(struct issuing *issuing)
{
    const struct orr_queue_id *queue = &issuing->queue;
    const struct orr_queues *queues =
        &issuing->worker->run->memories[queue->node].queues;

    if (issuing->next == issuing->count ||
        orr_queues_room(queues, queue->peer, queue->direction, queue->level) ==
            0)
        return false;
    issuing->at = ISSUE_START;
    issuing->start = START_BEGIN;
    issuing->request = issuing->taken[issuing->next++];
    issuing->allocated = false;
    issuing->refused = false;
    return true;
}

/* Notes the outcome of the request. Returns whether to go on. */
static bool note_start(struct issuing *issuing)
{
    orr_time now = issuing->worker->run->engine.now;

    if (!issuing->refused) {
        issuing->started_some = true;
        issuing->result->started = true;
    } else {
        issuing->lacks_memory = true;
        issuing->taken[issuing->refused_count++] = issuing->request;
        if (issuing->queue.level != ORR_FETCH)
            return false;
    }
    if (now - issuing->since < PATIENCE)
        return true;
    issuing->lacks_memory = false; /* as the reference takes it */
    return false;
}

static enum orr_next issue(struct orr_actor *actor, void *locals)
{
    struct issuing *issuing = locals;
    enum orr_next next;

    if (issuing->at == ISSUE_PAUSED)
        return resume(issuing);
    if (issuing->at == ISSUE_TAKE) {
        take(issuing);
        if (!take_next(issuing))
            return end_issuing(actor, issuing);
    }
    do {
        next = start(actor, issuing);
        if (next != ORR_DONE)
            return next;
    } while (note_start(issuing) && take_next(issuing));
    return end_issuing(actor, issuing);
}

void orr_request_issue(struct orr_actor *actor, struct orr_worker *worker,
                       const struct orr_queue_id *queue,
                       struct orr_issue_result *result)
{
    struct issuing *issuing = orr_actor_call_some(
        actor, issue, sizeof(*issuing), offsetof(struct issuing, taken));

    issuing->worker = worker;
    issuing->queue = *queue;
    issuing->result = result;
}

/* Whether starting @request, once more, would have no effect. */
static bool would_refuse(const struct orr_run *run,
                         const struct orr_request *request)
{
    const struct orr_replicate *to = request->to;

    return to->loading == request && !to->allocated &&
           to->state == ORR_INVALID && !request->cancelled &&
           !orr_spinlock_is_taken(&request->data->lock, &run->engine);
}

bool orr_request_issue_is_refused(const struct orr_run *run,
                                  const struct orr_queue_id *queue)
{
    const struct orr_memory *memory = &run->memories[queue->node];
    unsigned to = queue->direction == ORR_IN ? queue->node : queue->peer;
    const struct orr_request *first;

    if (queue->level != ORR_PREFETCH)
        return false;
    first = orr_waiting_first(
        &memory->queues.waiting[queue->peer][queue->direction][ORR_PREFETCH]);
    return (first == memory->refused && !first->cancelled) ||
           (run->memories[to].reclaiming && would_refuse(run, first));
}
