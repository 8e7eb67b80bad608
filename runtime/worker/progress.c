/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A turn of progress. For each node of the worker: let a little time pass; then
 * the group into the node; then the groups out of it, one for each peer with
 * work. A group first completes requests whose copies have ended, and tidies
 * the memory; then it starts requests, level by level, peer by peer.
 *
 * Most turns find nothing. So masks of all queues of a node are tested at once,
 * and the functions for rare work are not inline.
 *
 * At the end: the two procedures that make turns until a lock is free, or until
 * a request is complete.
 */
#include "runtime/worker/progress.h"

#include "runtime/run.h"
#include "runtime/worker/arrival.h"
#include "runtime/worker/worker.h"

/*
 * Completes the requests in flight with the peer of the group's queue whose
 * copies have ended. To check a request, the actor locks the datum. Calls if it
 * has to wait for a lock; sleeps while an interleaving executes the operations
 * of a completion, after which the next lock may be free.
 */
static inline enum orr_next complete_requests(struct orr_actor *actor,
                                              struct orr_turn *turn)
{
    struct orr_group *group = &turn->group;
    const struct orr_queue_id *queue = &group->queue;
    struct orr_run *run = turn->worker->run;
    struct orr_queues *queues = &turn->memory->queues;
    struct orr_request **link =
        &queues->lanes[queue->peer][queue->direction].pending;

    for (unsigned i = 0; i < group->in_flight; i++)
        link = &(*link)->next_pending;
    while (*link) {
        struct orr_request *request = *link;
        struct orr_spinlock *lock = &request->data->lock;

        if (orr_actor_pass(actor) == ORR_ASLEEP)
            return ORR_ASLEEP;
        if (orr_spinlock_is_taken(lock, &run->engine)) {
            orr_spinlock_await(actor, lock);
            return ORR_CONTINUE;
        }
        if (!request->copied) {
            group->in_flight++;
            link = &request->next_pending;
            continue;
        }
        orr_request_complete(&run->store,
                             orr_queues_take_pending(queues, link));
        turn->progressed = true;
    }
    group->in_flight = 0;
    if (!queues->lanes[queue->peer][queue->direction].pending)
        queues->has_pending[queue->direction] &= ~(1u << queue->peer);
    return ORR_DONE;
}

/* Returns whether it calls: an interleaving scans lists of requests first. */
static inline bool scan(struct orr_actor *actor, struct orr_turn *turn,
                        enum orr_scan_mode mode)
{
    return G_UNLIKELY(actor->engine->interleaving) &&
           turn->worker->run->turns->workers.scan(actor, turn, mode);
}

/* Completes requests with all peers of the group, from the queue's on. Not
 * inline: most groups have none. */
static G_GNUC_NO_INLINE enum orr_next complete_all(struct orr_actor *actor,
                                                   struct orr_turn *turn)
{
    struct orr_group *group = &turn->group;
    struct orr_queue_id *queue = &group->queue;
    const struct orr_queues *queues = &turn->memory->queues;

    for (; queue->peer < ORR_MAX_NODES; queue->peer++) {
        uint32_t pending =
            (queues->has_pending[queue->direction] & group->peers) >>
            queue->peer;
        enum orr_next next;

        if (!pending)
            break;
        queue->peer += (unsigned)__builtin_ctz(pending);
        if (scan(actor, turn, ORR_SCAN_PENDING))
            return ORR_CONTINUE;
        next = complete_requests(actor, turn);
        if (next != ORR_DONE)
            return next;
    }
    return ORR_DONE;
}

/*
 * Moves @queue on to the first one with one of @peers in which a request may
 * start. Idle copies start only while nothing else is in flight; requests
 * behind a prefetch that lacks memory wait with it.
 */
static inline bool find_queue(const struct orr_run *run,
                              const struct orr_queues *queues,
                              struct orr_queue_id *queue, uint32_t peers)
{
    if (!(orr_queues_startable_at_all(queues, queue->direction) & peers))
        return false;
    for (; queue->level < ORR_LEVELS; queue->level++, queue->peer = 0) {
        uint64_t startable =
            queues->startable[queue->direction][queue->level] & peers;

        /* shifts by 32 after the last peer */
        startable &= UINT64_MAX << queue->peer;
        if (!startable)
            continue;
        if (queue->level == ORR_IDLE &&
            queues->has_pending[queue->direction] & peers)
            return false;
        queue->peer = (unsigned)__builtin_ctzll(startable);
        return queue->level != ORR_PREFETCH ||
               !(run->store.refused_nodes | run->store.reclaiming_nodes) ||
               !orr_prefetch_is_refused(run, queue);
    }
    return false;
}

/* Mask of the peers with requests in one direction. */
static inline uint32_t busy_peers(const struct orr_queues *queues,
                                  enum orr_direction direction)
{
    return queues->has_pending[direction] |
           queues->has_waiting[direction][ORR_FETCH] |
           queues->has_waiting[direction][ORR_PREFETCH] |
           queues->has_waiting[direction][ORR_IDLE];
}

/*
 * The peers of a node for which a group has work besides starting requests: a
 * copy has ended, or it may have to wait for a lock. While memory is not tidy,
 * each group tidies up.
 */
static inline uint32_t find_work(const struct orr_run *run,
                                 const struct orr_memory *memory,
                                 enum orr_direction direction)
{
    const struct orr_queues *queues = &memory->queues;
    uint32_t work = queues->has_ended[direction];

    if (orr_spinlocks_may_contend(&run->engine))
        work |= queues->has_pending[direction];
    if (!orr_memory_is_tidy(memory))
        work |= busy_peers(queues, direction);
    return work;
}

/* The peers to which a request may start from a node. */
static inline uint32_t find_startable_out(const struct orr_queues *queues)
{
    return queues->startable[ORR_OUT][ORR_FETCH] |
           queues->startable[ORR_OUT][ORR_PREFETCH] |
           (queues->startable[ORR_OUT][ORR_IDLE] &
            ~queues->has_pending[ORR_OUT]);
}

/* Whether a request may start into @node. */
static bool may_start_in(const struct orr_run *run, unsigned node)
{
    struct orr_queue_id queue = {.node = node, .direction = ORR_IN};

    return find_queue(run, &run->store.memories[node].queues, &queue,
                      UINT32_MAX);
}

/* Completes the requests of the group, if any may have ended, and requests
 * write-backs if clean buffers are rare. */
static inline enum orr_next begin_group(struct orr_actor *actor,
                                        struct orr_turn *turn)
{
    struct orr_group *group = &turn->group;
    struct orr_run *run = turn->worker->run;

    if (find_work(run, turn->memory, group->queue.direction) & group->peers) {
        enum orr_next next = complete_all(actor, turn);

        if (next != ORR_DONE)
            return next;
    }
    group->queue.peer = 0; /* it may have waited for a lock */
    orr_memory_tidy(&run->store, turn->memory);
    return ORR_DONE;
}

/* Requests of a queue were started. Returns whether further ones may be. */
static inline bool end_issuing(struct orr_actor *actor, struct orr_turn *turn)
{
    struct orr_group *group = &turn->group;

    turn->progressed |= group->issuing.started_some;
    if (group->issuing.lacks_memory) {
        scan(actor, turn, ORR_SCAN_SKIP);
        return false;
    }
    group->queue.peer++;
    return true;
}

/* Continues the group of the turn. ORR_DONE: it has nothing left to do. */
static inline enum orr_next run_group(struct orr_actor *actor,
                                      struct orr_turn *turn)
{
    struct orr_group *group = &turn->group;
    enum orr_next next = ORR_DONE;

    if (group->at == ORR_GROUP_BEGIN)
        next = begin_group(actor, turn);
    else if (group->at == ORR_GROUP_ISSUING)
        next = orr_request_issue_resume(actor, &group->issuing);
    else
        scan(actor, turn, ORR_SCAN_RESUME);
    if (next != ORR_DONE)
        return next;
    if (group->at == ORR_GROUP_ISSUING && !end_issuing(actor, turn))
        return ORR_DONE;
    while (find_queue(turn->worker->run, &turn->memory->queues, &group->queue,
                      group->peers)) {
        group->at = ORR_GROUP_SCANNED;
        if (scan(actor, turn, ORR_SCAN_WAITING))
            return ORR_CONTINUE;
        group->at = ORR_GROUP_ISSUING;
        next = orr_request_issue(actor, turn->worker, &group->queue,
                                 &group->issuing);
        if (next != ORR_DONE)
            return next;
        if (!end_issuing(actor, turn))
            break;
    }
    return ORR_DONE;
}

static inline void begin(struct orr_turn *turn, enum orr_direction direction,
                         uint32_t peers)
{
    struct orr_group *group = &turn->group;

    turn->in_group = true;
    group->at = ORR_GROUP_BEGIN;
    group->queue =
        (struct orr_queue_id){.node = turn->node, .direction = direction};
    group->peers = peers;
    group->in_flight = 0;
}

void orr_turn_begin_group(struct orr_turn *turn, enum orr_direction direction,
                          uint32_t peers)
{
    begin(turn, direction, peers);
}

static inline bool find_out(struct orr_turn *turn)
{
    const struct orr_run *run = turn->worker->run;
    const struct orr_queues *queues = &turn->memory->queues;
    uint32_t peers;

    if (!busy_peers(queues, ORR_OUT) || turn->peer >= ORR_MAX_NODES)
        return false;
    peers =
        (find_work(run, turn->memory, ORR_OUT) | find_startable_out(queues)) >>
        turn->peer;
    if (peers)
        turn->peer += (unsigned)__builtin_ctz(peers) + 1;
    return peers != 0;
}

bool orr_turn_find_out(struct orr_turn *turn)
{
    return find_out(turn);
}

/* Begins the group into the node, @memory. Returns false if no group has work.
 */
static inline bool begin_groups(struct orr_turn *turn,
                                struct orr_memory *memory)
{
    const struct orr_run *run = turn->worker->run;

    turn->memory = memory;
    if (orr_memory_is_idle(memory) && !orr_spinlocks_may_contend(&run->engine))
        return false;
    turn->scan = (struct orr_queue_scan){turn->node, ORR_IN, 0, false};
    turn->at = ORR_TURN_OUT;
    turn->peer = 0;
    begin(turn, ORR_IN, UINT32_MAX);
    return true;
}

/* Begins the next group out of the node, if there is one. */
static inline enum orr_next begin_next_group(struct orr_actor *actor,
                                             struct orr_turn *turn)
{
    struct orr_run *run = turn->worker->run;

    turn->in_group = false;
    if (G_UNLIKELY(run->app.arrivals) && orr_arrivals_act(actor, run))
        return ORR_CONTINUE;
    if (G_UNLIKELY(run->engine.interleaving))
        return run->turns->workers.find_group(actor, turn);
    if (find_out(turn))
        begin(turn, ORR_OUT, 1u << (turn->peer - 1));
    return ORR_DONE;
}

/* Continues the groups of the node: into it, then out of it. Not inline, so
 * that a turn which finds nothing saves no registers. */
static G_GNUC_NO_INLINE enum orr_next run_groups(struct orr_actor *actor,
                                                 struct orr_turn *turn)
{
    enum orr_next next;

    do {
        if (turn->in_group) {
            next = run_group(actor, turn);
            if (next != ORR_DONE)
                return next;
        }
        next = begin_next_group(actor, turn);
        if (next != ORR_DONE)
            return next;
    } while (turn->in_group);
    return ORR_DONE;
}

/*
 * Lets the time pass that comes before each node, also before RAM where GPU
 * drivers skip it. ORR_DONE: the groups of the node may begin.
 */
static inline enum orr_next begin_node(struct orr_actor *actor,
                                       struct orr_turn *turn)
{
    const struct orr_run *run = turn->worker->run;
    orr_time delay = run->overheads.progress;

    if (turn->node == ORR_RAM && run->store.skips_ram) {
        turn->node = turn->worker->device;
        if (orr_actor_sleep(actor, delay) == ORR_ASLEEP)
            return ORR_ASLEEP;
    }
    turn->at = ORR_TURN_IN;
    return orr_actor_sleep(actor, delay) == ORR_ASLEEP ? ORR_ASLEEP : ORR_DONE;
}

/* Continues the turn, at any node. */
static G_GNUC_NO_INLINE enum orr_next continue_turn(struct orr_actor *actor,
                                                    struct orr_turn *turn)
{
    unsigned last = turn->worker->device;
    enum orr_next next;

    for (;;) {
        if (turn->at == ORR_TURN_NODE && begin_node(actor, turn) == ORR_ASLEEP)
            return ORR_ASLEEP;
        if (turn->at == ORR_TURN_OUT ||
            begin_groups(turn,
                         &turn->worker->run->store.memories[turn->node])) {
            next = run_groups(actor, turn);
            if (next != ORR_DONE)
                return next;
        }
        if (turn->node == last)
            return ORR_DONE;
        turn->node = last;
        turn->at = ORR_TURN_NODE;
    }
}

/* Most turns are of GPU drivers that skip RAM, and nothing comes while time
 * passes. They need no loop, and save no registers for it. */
enum orr_next orr_turn_resume(struct orr_actor *actor, struct orr_turn *turn)
{
    const struct orr_worker *worker = turn->worker;
    const struct orr_run *run = worker->run;

    if (turn->at == ORR_TURN_NODE && turn->node == ORR_RAM &&
        run->store.skips_ram &&
        orr_actor_skip(actor, run->overheads.progress, 2)) {
        turn->node = worker->device;
        turn->at = ORR_TURN_IN;
    }
    if (turn->at == ORR_TURN_NODE || turn->node != worker->device)
        return continue_turn(actor, turn);
    return turn->at == ORR_TURN_OUT || begin_groups(turn, worker->memory)
               ? run_groups(actor, turn)
               : ORR_DONE;
}

bool orr_progress_is_quiet(const struct orr_run *run, unsigned node)
{
    const struct orr_memory *memory = &run->store.memories[node];

    return orr_memory_is_tidy(memory) && !find_work(run, memory, ORR_IN) &&
           !find_work(run, memory, ORR_OUT) && !may_start_in(run, node) &&
           !find_startable_out(&memory->queues);
}

enum orr_turn_outlook orr_turn_predict(const struct orr_turn *turn,
                                       uint64_t *relied)
{
    const struct orr_run *run = turn->worker->run;

    if (turn->at == ORR_TURN_IN) {
        if (!orr_progress_is_quiet(run, turn->node))
            return ORR_TURN_FINDS;
        *relied = UINT64_C(1) << turn->node;
        if (turn->node == turn->worker->device)
            return ORR_TURN_ENDS;
    }
    /* It begins with another node, which may take time. */
    return turn->at != ORR_TURN_OUT && run->overheads.progress > 0
               ? ORR_TURN_SLEEPS
               : ORR_TURN_FINDS;
}

/* Turns of progress until a lock is free, or a request complete. */

/* Turns of progress that a worker makes before it merely waits for a lock
 * (StarPU, STARPU_SPIN_MAXTRY). */
#define LOCK_TURNS 10

struct locking {
    struct orr_worker *worker;
    struct orr_data *data;
    bool began;
    bool turning; /* a turn is under way */
    unsigned turns;
    struct orr_turn turn;
};

static bool is_locked(const struct locking *locking,
                      const struct orr_actor *actor)
{
    const struct orr_spinlock *lock = &locking->data->lock;

    return locking->worker ? locking->worker->run->turns->data.is_locked(
                                 lock, actor->engine)
                           : orr_spinlock_is_held(lock, actor->engine);
}

static enum orr_next lock(struct orr_actor *actor, void *locals)
{
    struct locking *locking = locals;

    for (;;) {
        if (locking->turning) {
            enum orr_next next = orr_turn_resume(actor, &locking->turn);

            if (next != ORR_DONE)
                return next;
            locking->turning = false;
            orr_point(actor->engine, ORR_POINT_SPIN_ENDS, locking->worker);
        }
        /* A worker takes a turn even if the lock is free by now. */
        if (locking->began && !is_locked(locking, actor))
            return ORR_DONE;
        locking->began = true;
        if (!locking->worker || locking->turns++ == LOCK_TURNS) {
            orr_spinlock_await(actor, &locking->data->lock);
            return ORR_CONTINUE;
        }
        orr_point(actor->engine, ORR_POINT_SPIN_BEGINS, locking->worker);
        locking->turning = true;
        orr_turn_begin(&locking->turn, locking->worker);
    }
}

void orr_progress_until_free(struct orr_actor *actor, struct orr_worker *worker,
                             struct orr_data *data)
{
    struct locking *locking = orr_actor_call_some(
        actor, lock, sizeof(*locking), offsetof(struct locking, turn));

    locking->worker = worker;
    locking->data = data;
}

struct awaiting {
    enum { AWAIT_LOOK, AWAIT_CLEARED, AWAIT_TURN } at;
    struct orr_worker *worker;
    struct orr_request *request;
    struct orr_turn turn; /* in AWAIT_TURN */
};

/* Whether the request is complete; the worker then awaits it no longer. */
static bool ends(struct orr_actor *actor, const struct awaiting *awaiting)
{
    if (!awaiting->request->completed)
        return false;
    awaiting->worker->awaited = NULL;
    /* past signals may have been meant for the worker's loop */
    orr_actor_signal(actor);
    return true;
}

static enum orr_next await(struct orr_actor *actor, void *locals)
{
    struct awaiting *awaiting = locals;

    for (;;) {
        enum orr_next next;

        switch (awaiting->at) {
        case AWAIT_LOOK:
            awaiting->at = AWAIT_CLEARED;
            orr_actor_clear_signal(actor);
            if (orr_actor_pass(actor) == ORR_ASLEEP)
                return ORR_ASLEEP;
            /* fall through */
        case AWAIT_CLEARED:
            if (orr_engine_turn(actor->engine) &&
                orr_engine_check(actor->engine))
                return orr_actor_suspend(actor);
            if (ends(actor, awaiting))
                return ORR_DONE;
            awaiting->at = AWAIT_TURN;
            orr_turn_begin(&awaiting->turn, awaiting->worker);
            /* fall through */
        case AWAIT_TURN:
            next = orr_turn_resume(actor, &awaiting->turn);
            if (next != ORR_DONE)
                return next;
            awaiting->at = AWAIT_LOOK;
            if (orr_actor_wait(actor) == ORR_ASLEEP)
                return ORR_ASLEEP;
        }
    }
}

void orr_progress_until(struct orr_actor *actor, struct orr_worker *worker,
                        struct orr_request *request)
{
    struct awaiting *awaiting = orr_actor_call_some(
        actor, await, sizeof(*awaiting), offsetof(struct awaiting, turn));

    awaiting->worker = worker;
    awaiting->request = request;
    worker->awaited = request;
}

const struct orr_turn *orr_progress_turn_in(const struct orr_frame *frame)
{
    const struct locking *locking = (const void *)(frame + 1);
    const struct awaiting *awaiting = (const void *)(frame + 1);

    if (frame->procedure == lock)
        return locking->turning ? &locking->turn : NULL;
    return frame->procedure == await && awaiting->at == AWAIT_TURN
               ? &awaiting->turn
               : NULL;
}
