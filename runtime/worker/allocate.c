/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Allocates a buffer: the part of memory.h that takes time. */
#include "runtime/data/victim.h"
#include "runtime/run.h"
#include "runtime/worker/progress.h"
#include "runtime/worker/worker.h"

#define ATTEMPTS 3

/* Reclaims twice the bytes needed: STARPU_MEMSTRATEGY_DATA_SIZE_COEFFICIENT. */
#define RECLAIM_FACTOR 2

struct driver_call {
    enum { CALL_LOCK, CALL_WORK, CALL_SYNC, CALL_END } at;
    struct orr_run *run;
    orr_time duration;
    bool frees;
};

/*
 * A driver call for memory. All GPUs share one lock for them, and a free
 * waits for the copies in flight anywhere (StarPU, driver_cuda.c).
 */
static enum orr_next call_driver(struct orr_actor *actor, void *locals)
{
    struct driver_call *call = locals;

    switch (call->at) {
    case CALL_LOCK:
        call->at = CALL_WORK;
        orr_point(actor->engine, ORR_POINT_DRIVER_LOCK, NULL);
        return orr_mutex_lock(&call->run->store.driver_lock, actor);
    case CALL_WORK:
        call->at = CALL_SYNC;
        orr_point(actor->engine, ORR_POINT_DRIVER_CALL, NULL);
        return orr_actor_sleep(actor, call->duration);
    case CALL_SYNC:
        orr_mutex_unlock(&call->run->store.driver_lock);
        orr_point(actor->engine, ORR_POINT_DRIVER_RETURN, NULL);
        call->at = CALL_END;
        if (call->frees && orr_copies_await_all(&call->run->store, actor))
            return orr_actor_suspend(actor);
        break;
    case CALL_END:
        break;
    }
    return ORR_DONE;
}

static void push_driver_call(struct orr_actor *actor, struct orr_run *run,
                             bool frees)
{
    struct driver_call *call =
        orr_actor_call(actor, call_driver, sizeof(*call));

    call->run = run;
    call->frees = frees;
    run->diagnosis.driver_freed |= frees;
    call->duration = frees ? run->overheads.gpu_free : run->overheads.gpu_alloc;
}

static void trace_allocation(struct orr_run *run,
                             const struct orr_replicate *copy)
{
    const struct orr_trace_allocation record = {
        .date = run->engine.now - run->totals.first_submission,
        .memory_node = copy->node,
        .datum = orr_data_traced(copy->data),
        .memory = orr_platform_node_name(run->platform, copy->node),
    };

    run->totals.calls.allocation(run->totals.trace, &record);
}

static void record_eviction(struct orr_run *run,
                            const struct orr_replicate *copy)
{
    struct orr_past_decision *note = orr_decision_history_add(
        &run->history, ORR_PAST_EVICT, run->engine.now);

    run->totals.report.evictions++;
    note->what = copy->data;
    note->from = copy->node;
    orr_memory_notify_freed(&run->store, copy, true);
}

struct eviction {
    enum { EVICT_START, EVICT_WAIT, EVICT_FREED } at;
    struct orr_run *run;
    struct orr_worker *worker; /* NULL: the application evicts */
    struct orr_replicate *copy;
    struct orr_request *request; /* the write-back, referenced */
    uint64_t *freed;             /* out: bytes, added; or NULL */
};

/* Drivers that lacked memory may try again. */
static enum orr_next end_eviction(struct eviction *eviction)
{
    orr_store_wake(&eviction->run->store, eviction->copy->node);
    return ORR_DONE;
}

/*
 * Frees the buffer, whose content is valid elsewhere or not needed. If a task
 * has used the buffer meanwhile, only its content is dropped.
 */
static enum orr_next drop(struct orr_actor *actor, struct eviction *eviction)
{
    struct orr_run *run = eviction->run;
    struct orr_replicate *copy = eviction->copy;
    struct orr_memory *memory = &run->store.memories[copy->node];
    enum orr_suballoc_need need;
    struct orr_block block;

    orr_replicate_drop(&run->store, copy);
    if (eviction->worker && !orr_memory_is_at(memory, &memory->evicted))
        return ORR_DONE;
    block = orr_memory_remove(memory, copy);
    orr_replicate_buffer_changed(&run->store, copy);
    record_eviction(run, copy);
    if (eviction->freed)
        *eviction->freed += copy->data->span_bytes;
    memory->refused = NULL;
    memory->full_bytes = 0;
    need = orr_suballoc_give(memory->pool, copy->data->bytes, &block);
    if (need == ORR_SUBALLOC_READY)
        return end_eviction(eviction);
    eviction->at = EVICT_FREED;
    orr_spinlock_lock(&copy->data->lock, &run->engine);
    push_driver_call(actor, run, true);
    return ORR_CONTINUE;
}

static enum orr_next write_back(struct orr_actor *actor,
                                struct eviction *eviction)
{
    struct orr_run *run = eviction->run;
    struct orr_request_spec spec = {
        .data = eviction->copy->data,
        .node = ORR_RAM,
        .mode = ORR_R,
        .level = ORR_FETCH,
    };

    eviction->request = orr_request_submit(&run->store, &spec);
    eviction->request->evicts = true;
    eviction->request->references++;
    eviction->at = EVICT_WAIT;
    orr_progress_until(actor, eviction->worker, eviction->request);
    return ORR_CONTINUE;
}

/* Writes a buffer back if it holds the only valid copy, then frees it. */
static enum orr_next evict(struct orr_actor *actor, void *locals)
{
    struct eviction *eviction = locals;

    switch (eviction->at) {
    case EVICT_WAIT:
        orr_request_unref(&eviction->run->store, eviction->request);
        /* fall through */
    case EVICT_START:
        if (!orr_eviction_may_go(eviction->copy, ORR_FETCH))
            return ORR_DONE; /* it is in use again */
        if (orr_replicate_is_owner(eviction->copy))
            return write_back(actor, eviction);
        return drop(actor, eviction);
    case EVICT_FREED:
        orr_spinlock_unlock(&eviction->copy->data->lock,
                            &eviction->run->engine);
        return end_eviction(eviction);
    }
    return ORR_DONE;
}

bool orr_memory_evict(struct orr_actor *actor, struct orr_run *run,
                      struct orr_replicate *copy)
{
    struct eviction *eviction;

    if (!orr_eviction_may_go(copy, ORR_FETCH) || orr_replicate_is_owner(copy))
        return false;
    eviction = orr_actor_call(actor, evict, sizeof(*eviction));
    *eviction = (struct eviction){.run = run, .copy = copy};
    return true;
}

struct reclaim {
    bool began;
    struct orr_worker *worker;
    struct orr_memory *memory;
    enum orr_level level;
    uint64_t goal;
    uint64_t freed;
    /* the only buffer to evict; NULL: as many as @goal needs */
    struct orr_replicate *only;
};

/* The next buffer to evict. The list is walked once; the walk restarts if the
 * buffer at which it would continue has moved meanwhile. */
static struct orr_buffer *find_next(struct reclaim *reclaim)
{
    struct orr_run *run = reclaim->worker->run;
    struct orr_memory *memory = reclaim->memory;
    struct orr_buffer *from = NULL;

    if (reclaim->began && !memory->next.copy)
        return NULL; /* the end of the list was reached */
    if (orr_memory_is_at(memory, &memory->next))
        from = memory->next.copy->buffer;
    return orr_eviction_find_any(&run->store, memory, from, reclaim->level);
}

/* Frees buffers, the least recently used first, until @goal bytes are free or
 * nothing is left to free; or evicts @only. */
static enum orr_next reclaim(struct orr_actor *actor, void *locals)
{
    struct reclaim *reclaim = locals;
    struct orr_memory *memory = reclaim->memory;
    struct orr_buffer *buffer = NULL;
    struct eviction *eviction;

    if (reclaim->only)
        buffer = reclaim->began ? NULL : reclaim->only->buffer;
    else if (reclaim->freed < reclaim->goal)
        buffer = find_next(reclaim);
    memory->evicted = orr_memory_place(buffer);
    memory->next =
        orr_memory_place(buffer ? orr_memory_newer(memory, buffer) : NULL);
    if (!buffer)
        return ORR_DONE;
    reclaim->began = true;
    eviction = orr_actor_call(actor, evict, sizeof(*eviction));
    eviction->run = reclaim->worker->run;
    eviction->worker = reclaim->worker;
    eviction->copy = buffer->copy;
    eviction->freed = &reclaim->freed;
    return ORR_CONTINUE;
}

/* Frees spare buffers until @goal bytes are free, or none is left. */
struct flush {
    struct orr_run *run;
    struct orr_memory *memory;
    uint64_t goal;
    uint64_t freed;
};

static enum orr_next flush(struct orr_actor *actor, void *locals)
{
    struct flush *flush = locals;
    struct orr_spare spare;

    while (flush->freed < flush->goal &&
           orr_memory_take_spare(flush->memory, NULL, &spare)) {
        flush->freed += spare.span_bytes;
        flush->memory->full_bytes = 0;
        if (orr_suballoc_give(flush->memory->pool, spare.bytes, &spare.block) ==
            ORR_SUBALLOC_READY)
            continue;
        push_driver_call(actor, flush->run, true);
        return ORR_CONTINUE;
    }
    return ORR_DONE;
}

struct allocation {
    enum { ALLOC_COMMIT, ALLOC_RECLAIMED } at;
    struct orr_worker *worker;
    struct orr_memory *memory;
    struct orr_replicate *copy;
    struct orr_block block; /* place of its new buffer */
    enum orr_level level;
    unsigned attempts;
    /* the copy that the eviction policy chose, or NULL */
    struct orr_replicate *victim;
    bool reclaims; /* it has set run->store.reclaiming_nodes */
    bool *done;
};

/* Reuses the buffer of @victim, which takes no time and no driver call. */
static void take_over(struct orr_run *run, struct allocation *allocation,
                      struct orr_replicate *victim)
{
    orr_replicate_drop(&run->store, victim);
    allocation->block = orr_memory_remove(allocation->memory, victim);
    orr_replicate_buffer_changed(&run->store, victim);
    record_eviction(run, victim);
}

/* The work that an allocation still has to do and that takes time. */
enum need { NEEDS_NOTHING, NEEDS_DRIVER, NEEDS_FLUSH, NEEDS_VICTIMS };

static enum need end_allocation(struct allocation *allocation, bool done)
{
    struct orr_replicate *copy = allocation->copy;
    struct orr_run *run = allocation->worker->run;

    orr_replicate_release(&run->store, copy);
    if (allocation->reclaims)
        run->store.reclaiming_nodes &= ~(1u << copy->node);
    if (done) {
        orr_memory_add(allocation->memory, copy, allocation->block);
        orr_replicate_buffer_changed(&run->store, copy);
        if (G_UNLIKELY(run->store.victims))
            orr_victims_loaded(&run->store, copy);
        if (run->totals.trace && run->totals.calls.allocation)
            trace_allocation(run, copy);
    }
    *allocation->done = done;
    return NEEDS_NOTHING;
}

/* There is no room, and a policy says what goes. */
static enum need reuse_chosen(struct allocation *allocation)
{
    struct orr_run *run = allocation->worker->run;
    bool fits = false;

    allocation->victim =
        orr_victim_choose(&run->store, allocation->memory,
                          allocation->copy->data, allocation->level, &fits);
    if (allocation->victim && !fits)
        return NEEDS_VICTIMS;
    if (allocation->victim)
        take_over(run, allocation, allocation->victim);
    return end_allocation(allocation, fits);
}

/* There is no room: reuses another buffer, unless room must be made. */
static enum need reuse(struct allocation *allocation)
{
    struct orr_memory *memory = allocation->memory;
    struct orr_run *run = allocation->worker->run;
    struct orr_buffer *victim;

    if (allocation->level == ORR_IDLE)
        return end_allocation(allocation, false);
    if (G_UNLIKELY(run->store.victims && run->store.victims->evict))
        return reuse_chosen(allocation);
    victim = orr_eviction_find_clean(&run->store, memory,
                                     allocation->copy->data, allocation->level);
    if (victim) {
        take_over(run, allocation, victim->copy);
        return end_allocation(allocation, true);
    }
    return orr_eviction_has_any(memory, allocation->level)
               ? NEEDS_VICTIMS
               : end_allocation(allocation, false);
}

static bool take_spare(struct allocation *allocation)
{
    struct orr_spare spare;

    if (!orr_memory_take_spare(allocation->memory, allocation->copy->data,
                               &spare))
        return false;
    allocation->block = spare.block;
    return true;
}

static enum need try(struct allocation *allocation)
{
    struct orr_memory *memory = allocation->memory;
    uint64_t bytes = allocation->copy->data->bytes;

    if (G_UNLIKELY(memory->spares) && take_spare(allocation))
        return end_allocation(allocation, true);
    if (memory->full_bytes > 0 && bytes == memory->full_bytes)
        return reuse(allocation);
    switch (orr_suballoc_take(memory->pool, bytes, &allocation->block)) {
    case ORR_SUBALLOC_READY:
        return end_allocation(allocation, true);
    case ORR_SUBALLOC_DRIVER:
        return NEEDS_DRIVER;
    case ORR_SUBALLOC_FULL:
        break;
    }
    if (G_UNLIKELY(memory->spares))
        return NEEDS_FLUSH;
    memory->full_bytes = bytes;
    return reuse(allocation);
}

static void make_room(struct orr_actor *actor, struct allocation *allocation)
{
    struct reclaim *frame = orr_actor_call(actor, reclaim, sizeof(*frame));

    allocation->worker->run->store.reclaiming_nodes |=
        1u << allocation->copy->node;
    allocation->reclaims = true;
    frame->worker = allocation->worker;
    frame->memory = allocation->memory;
    frame->level = allocation->level;
    frame->only = allocation->victim;
    frame->goal = RECLAIM_FACTOR * allocation->copy->data->span_bytes;
}

/* As in the reference, this does not count as an attempt: the next attempt
 * follows at once. */
static void free_spares(struct orr_actor *actor, struct allocation *allocation)
{
    struct flush *frame = orr_actor_call(actor, flush, sizeof(*frame));

    allocation->attempts--;
    frame->run = allocation->worker->run;
    frame->memory = allocation->memory;
    frame->goal = RECLAIM_FACTOR * allocation->copy->data->span_bytes;
}

/* Calls what @allocation, the frame on top, needs. */
static enum orr_next call_need(struct orr_actor *actor,
                               struct allocation *allocation, enum need need)
{
    if (need == NEEDS_NOTHING)
        return ORR_DONE;
    if (need == NEEDS_DRIVER) {
        allocation->at = ALLOC_COMMIT;
        push_driver_call(actor, allocation->worker->run, false);
    } else if (need == NEEDS_FLUSH) {
        allocation->at = ALLOC_RECLAIMED;
        free_spares(actor, allocation);
    } else {
        allocation->at = ALLOC_RECLAIMED;
        make_room(actor, allocation);
    }
    return ORR_CONTINUE;
}

static enum orr_next allocate(struct orr_actor *actor, void *locals)
{
    struct allocation *allocation = locals;
    struct orr_memory *memory = allocation->memory;
    bool committed = allocation->at == ALLOC_COMMIT;

    if (committed) {
        orr_suballoc_commit(memory->pool, allocation->copy->data->bytes,
                            &allocation->block);
        memory->full_bytes = 0;
    }
    if (committed || ++allocation->attempts == ATTEMPTS) {
        end_allocation(allocation, committed);
        return ORR_DONE;
    }
    return call_need(actor, allocation, try(allocation));
}

enum orr_next orr_memory_allocate(struct orr_actor *actor,
                                  struct orr_worker *worker,
                                  struct orr_replicate *copy,
                                  enum orr_level level, bool *done)
{
    struct allocation begun = {
        .worker = worker,
        .memory = &worker->run->store.memories[copy->node],
        .copy = copy,
        .level = level,
        .done = done,
    };
    struct allocation *frame;
    enum need need;

    if (copy->node == ORR_RAM) {
        *done = true;
        orr_pin(actor, worker->run, copy->data);
        return ORR_CONTINUE;
    }
    orr_replicate_hold(copy);
    need = try(&begun);
    if (need == NEEDS_NOTHING)
        return ORR_DONE;
    frame = orr_actor_call_some(actor, allocate, sizeof(*frame), 0);
    *frame = begun;
    return call_need(actor, frame, need);
}
