/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The requests of one queue are started one after the other, as far as the
 * limit allows. Each request completes at once, departs (its copy is queued),
 * or is refused since memory is lacking. The requests to start are taken out of
 * the queue together, so a more urgent request that comes meanwhile has to
 * wait.
 *
 * For one request: wait for the lock of its datum, allocate its destination,
 * and queue the copy under the lock. Afterwards refused requests, and requests
 * left over when the driver has spent too long, return to their queue in their
 * former order.
 */
#include "runtime/worker/request_issue.h"

#include "runtime/run.h"
#include "runtime/worker/worker.h"

/* A driver that spent this long starting requests does something else first. */
#define PATIENCE (1000 * ORR_US)

/* A fetch that could not be started for want of memory is tried again after
 * the clock has moved a little. */
#define RETRY_DELAY (1 * ORR_US)

static enum orr_next refuse(struct orr_issuing *issuing)
{
    struct orr_request *request = issuing->request;

    if (request->level != ORR_FETCH) {
        request->holds = false;
        orr_replicate_release(&issuing->run->store, request->to);
    }
    issuing->lacks_memory = true;
    issuing->taken[issuing->refused_count++] = request;
    return ORR_DONE;
}

static enum orr_next count_started(struct orr_issuing *issuing)
{
    issuing->started_some = true;
    return ORR_DONE;
}

static enum orr_next complete(struct orr_issuing *issuing)
{
    orr_request_complete(&issuing->run->store, issuing->request);
    return count_started(issuing);
}

static enum orr_next depart(struct orr_issuing *issuing)
{
    orr_point(&issuing->run->engine, ORR_POINT_COPY_QUEUED, issuing->request);
    orr_copy_submit(&issuing->run->store, issuing->request);
    orr_queues_add_pending(&issuing->run->store, issuing->request);
    return count_started(issuing);
}

/*
 * The destination has a buffer: copies, if there is something to read. The
 * driver holds the lock of the datum while it queues the copy.
 */
static enum orr_next queue_copy(struct orr_actor *actor,
                                struct orr_issuing *issuing)
{
    struct orr_run *run = issuing->run;
    struct orr_data *data = issuing->request->data;

    if (!(issuing->request->mode & ORR_R))
        return complete(issuing);
    issuing->at = ORR_ISSUE_QUEUED;
    if (orr_switches_quirks(&run->switches)) {
        orr_spinlock_lock_for(&data->lock, &run->engine,
                              run->overheads.transfer_queue);
        data->lock.request = issuing->request;
    }
    if (orr_actor_sleep(actor, run->overheads.transfer_queue) == ORR_ASLEEP)
        return ORR_ASLEEP;
    return depart(issuing);
}

/* Records a prefetch that lacks memory, if it would lack it again. */
static void record_refused(struct orr_issuing *issuing)
{
    struct orr_run *run = issuing->run;
    struct orr_memory *memory =
        &run->store.memories[issuing->request->to->node];

    if (issuing->request->level == ORR_PREFETCH &&
        !orr_eviction_has_any(memory, ORR_PREFETCH)) {
        memory->refused = issuing->request;
        run->store.refused_nodes |= 1u << memory->node;
    }
}

/* Whether the lock of the datum is taken: calls then. */
static G_GNUC_NO_INLINE bool awaits_lock(struct orr_actor *actor,
                                         struct orr_issuing *issuing)
{
    struct orr_data *data = issuing->request->data;

    if (issuing->at == ORR_ISSUE_ALLOCATED)
        return issuing->run->turns->workers.wait_for_lock(
            actor, issuing->worker, data, ORR_LOCK_AT_ISSUE);
    if (!orr_spinlock_is_taken(&data->lock, actor->engine))
        return false;
    orr_spinlock_await(actor, &data->lock);
    return true;
}

/* After the allocation. */
static enum orr_next continue_allocated(struct orr_actor *actor,
                                        struct orr_issuing *issuing)
{
    if (orr_actor_pass(actor) == ORR_ASLEEP)
        return ORR_ASLEEP;
    if (orr_spinlocks_contended(&issuing->run->engine) &&
        awaits_lock(actor, issuing))
        return ORR_CONTINUE;
    if (issuing->allocated)
        return queue_copy(actor, issuing);
    record_refused(issuing);
    return refuse(issuing);
}

static enum orr_next begin(struct orr_actor *actor, struct orr_issuing *issuing)
{
    struct orr_request *request = issuing->request;
    struct orr_run *run = issuing->run;
    struct orr_replicate *to = request->to;

    if (request->cancelled) {
        request->has_no_effect = true;
        return complete(issuing);
    }
    if (orr_request_is_late(request)) {
        orr_request_join(&run->store, request);
        return count_started(issuing);
    }
    orr_request_load(&run->store, request);
    if (request->level != ORR_FETCH) {
        request->holds = true;
        orr_replicate_hold(to);
    }
    if (orr_replicate_is_valid(to))
        return complete(issuing);
    if (orr_replicate_is_allocated(to))
        return queue_copy(actor, issuing);
    if (run->store.reclaiming_nodes & 1u << to->node ||
        issuing->worker->no_alloc > 0)
        return refuse(issuing);
    issuing->at = ORR_ISSUE_ALLOCATED;
    orr_point(&run->engine, ORR_POINT_REQUEST_ALLOCATES, NULL);
    return orr_memory_allocate(actor, issuing->worker, to,
                               (enum orr_level)request->level,
                               &issuing->allocated) == ORR_DONE
               ? continue_allocated(actor, issuing)
               : ORR_CONTINUE;
}

/* Continues to start the request. ORR_DONE: it has completed, departed or been
 * refused. */
static enum orr_next start(struct orr_actor *actor, struct orr_issuing *issuing)
{
    if (issuing->at == ORR_ISSUE_ALLOCATED)
        return continue_allocated(actor, issuing);
    if (orr_actor_pass(actor) == ORR_ASLEEP)
        return ORR_ASLEEP;
    if (issuing->at == ORR_ISSUE_QUEUED)
        return depart(issuing);
    if (orr_spinlocks_contended(&issuing->run->engine) &&
        awaits_lock(actor, issuing))
        return ORR_CONTINUE;
    return begin(actor, issuing);
}

/* A driver that started some requests and left others over tries again soon. */
static enum orr_next resume(struct orr_issuing *issuing)
{
    orr_store_wake(&issuing->run->store, issuing->node);
    return ORR_DONE;
}

/* Puts the requests that were not started back, in their former order. */
static G_GNUC_NO_INLINE enum orr_next leave_some(struct orr_actor *actor,
                                                 struct orr_issuing *issuing)
{
    struct orr_run *run = issuing->run;

    while (issuing->count > issuing->next)
        orr_request_return(&run->store, issuing->taken[--issuing->count]);
    while (issuing->refused_count > 0)
        orr_request_return(&run->store,
                           issuing->taken[--issuing->refused_count]);
    orr_point(&run->engine, ORR_POINT_REQUESTS_LEFT, NULL);
    if (!issuing->started_some)
        return ORR_DONE;
    issuing->at = ORR_ISSUE_PAUSED;
    if (orr_actor_sleep(actor, run->switches.overheads ? RETRY_DELAY : 0) ==
        ORR_ASLEEP)
        return ORR_ASLEEP;
    return resume(issuing);
}

/* Whether to continue after a request: not with prefetches behind a refused
 * one. */
static bool goes_on(struct orr_issuing *issuing)
{
    if (issuing->refused_count > 0 && issuing->level != ORR_FETCH)
        return false;
    if (issuing->run->engine.now - issuing->since >= PATIENCE) {
        /* the reference does not count this as lack of memory */
        issuing->lacks_memory = false;
        return false;
    }
    return issuing->next < issuing->count &&
           orr_lane_room(issuing->lane, (enum orr_level)issuing->level) > 0;
}

enum orr_next orr_request_issue_resume(struct orr_actor *actor,
                                       struct orr_issuing *issuing)
{
    if (issuing->at == ORR_ISSUE_PAUSED)
        return resume(issuing);
    while (true) {
        enum orr_next next = start(actor, issuing);

        if (next != ORR_DONE)
            return next;
        if (issuing->next == issuing->count && issuing->refused_count == 0)
            return ORR_DONE; /* often there is one request, and it starts */
        if (!goes_on(issuing))
            break;
        issuing->at = ORR_ISSUE_BEGIN;
        issuing->request = issuing->taken[issuing->next++];
        issuing->allocated = false;
    }
    return issuing->next < issuing->count || issuing->refused_count > 0
               ? leave_some(actor, issuing)
               : ORR_DONE;
}

/* The node to which the requests of @queue copy. */
static unsigned destination(const struct orr_queue_id *queue)
{
    return queue->direction == ORR_IN ? queue->node : queue->peer;
}

/*
 * Refuses @request, the next of @queue, if it is a prefetch for which there is
 * clearly no room. A start would have no effect but to make it the request that
 * fills its destination. Not in lock-step, which counts the operations of a
 * start, nor with a decider, which may choose another request.
 */
static bool refuse_at_once(const struct orr_worker *worker,
                           const struct orr_queue_id *queue,
                           struct orr_request *request)
{
    struct orr_run *run = worker->run;
    unsigned node = destination(queue);
    struct orr_memory *memory = &run->store.memories[node];
    const struct orr_data *data = request->data;

    if (memory->full_bytes == 0 || queue->level != ORR_PREFETCH ||
        data->bytes != memory->full_bytes ||
        (data->valid | data->allocated) & 1u << node || request->cancelled ||
        orr_request_is_late(request) ||
        run->store.reclaiming_nodes & 1u << node || worker->no_alloc > 0 ||
        run->engine.interleaving || run->engine.decider ||
        orr_spinlock_is_taken(&data->lock, &run->engine) ||
        orr_eviction_has_any(memory, ORR_PREFETCH))
        return false;
    orr_request_load(&run->store, request);
    memory->refused = request;
    run->store.refused_nodes |= 1u << memory->node;
    return true;
}

enum orr_next orr_request_issue(struct orr_actor *actor,
                                struct orr_worker *worker,
                                const struct orr_queue_id *queue,
                                struct orr_issuing *issuing)
{
    struct orr_run *run = worker->run;
    struct orr_queues *queues = &run->store.memories[queue->node].queues;
    struct orr_lane *lane = &queues->lanes[queue->peer][queue->direction];

    issuing->at = ORR_ISSUE_BEGIN;
    issuing->allocated = false;
    issuing->started_some = false;
    issuing->lacks_memory = refuse_at_once(
        worker, queue, orr_waiting_first(&lane->waiting[queue->level]));
    if (issuing->lacks_memory)
        return ORR_DONE;
    issuing->refused_count = 0;
    issuing->count = (uint8_t)orr_queues_take(
        queues, lane, queue->level, orr_lane_room(lane, queue->level),
        run->engine.decider, issuing->taken);
    issuing->level = (uint8_t)queue->level;
    issuing->node = (uint8_t)queue->node;
    issuing->run = run;
    issuing->worker = worker;
    issuing->lane = lane;
    issuing->since = run->engine.now;
    issuing->next = 1;
    issuing->request = issuing->taken[0];
    return orr_request_issue_resume(actor, issuing);
}

/* Whether starting @request, once more, would have no effect. */
static bool would_refuse(const struct orr_run *run,
                         const struct orr_request *request)
{
    const struct orr_replicate *to = request->to;

    return request->loads && !orr_replicate_is_allocated(to) &&
           !orr_replicate_is_valid(to) && !request->cancelled &&
           !orr_spinlock_is_taken(&request->data->lock, &run->engine);
}

bool orr_prefetch_is_refused(const struct orr_run *run,
                             const struct orr_queue_id *queue)
{
    const struct orr_memory *memory = &run->store.memories[queue->node];
    const struct orr_request *first =
        orr_waiting_first(&memory->queues.lanes[queue->peer][queue->direction]
                               .waiting[ORR_PREFETCH]);
    return (first == memory->refused && !first->cancelled) ||
           (run->store.reclaiming_nodes & 1u << destination(queue) &&
            would_refuse(run, first));
}
