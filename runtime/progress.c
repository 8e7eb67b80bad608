/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/progress.h"

#include "runtime/run.h"
#include "runtime/serve.h"
#include "runtime/worker.h"

/* One direction of one node, with all its peers or one of them. */
struct group {
    enum { GROUP_BEGIN, GROUP_SERVED } at;
    struct orr_worker *worker;
    unsigned node;
    enum orr_direction direction;
    uint32_t peers; /* a bit each */
    unsigned kept;  /* requests looked at that are still in flight */
    unsigned level;
    unsigned peer;
    struct orr_served served;
    bool *progressed;
};

/*
 * Completes the requests to or from one peer whose copies have ended; looking
 * at a request takes the lock of its datum. Returns the lock to wait for
 * before going on, or NULL once all were looked at.
 */
static struct orr_spinlock *notice_ends(struct group *group)
{
    struct orr_run *run = group->worker->run;
    struct orr_queues *queues = &run->memories[group->node].queues;
    struct orr_request **link = &queues->pending[group->peer][group->direction];

    for (unsigned i = 0; i < group->kept; i++)
        link = &(*link)->next_pending;
    while (*link) {
        struct orr_request *request = *link;

        if (orr_spinlock_is_taken(&request->data->lock, &run->engine))
            return &request->data->lock;
        if (!request->copied) {
            group->kept++;
            link = &request->next_pending;
            continue;
        }
        *link = request->next_pending;
        queues->in_flight[group->peer][group->direction]--;
        orr_request_complete(run, request);
        *group->progressed = true;
    }
    group->kept = 0;
    if (!queues->pending[group->peer][group->direction])
        queues->has_pending[group->direction] &= ~(1u << group->peer);
    return NULL;
}

/* Does so for all peers of the group, from group->peer on. */
static struct orr_spinlock *notice_all_ends(struct group *group)
{
    const struct orr_queues *queues =
        &group->worker->run->memories[group->node].queues;

    for (; group->peer < ORR_MAX_NODES; group->peer++) {
        uint32_t pending =
            (queues->has_pending[group->direction] & group->peers) >>
            group->peer;
        struct orr_spinlock *lock;

        if (!pending)
            break;
        group->peer += (unsigned)__builtin_ctz(pending);
        lock = notice_ends(group);
        if (lock)
            return lock;
    }
    group->peer = 0;
    return NULL;
}

/* The next peer, from group->peer on, with something that may start. */
static bool find_peer(struct group *group, const struct orr_queues *queues)
{
    uint32_t waiting =
        queues->has_waiting[group->direction][group->level] & group->peers;

    if (group->peer >= ORR_MAX_NODES)
        return false;
    waiting &= UINT32_MAX << group->peer;
    for (; waiting; waiting &= waiting - 1) {
        group->peer = (unsigned)__builtin_ctz(waiting);
        if (!orr_serve_is_full(queues, group->peer, group->direction,
                               (enum orr_level)group->level))
            return true;
    }
    return false;
}

static bool may_start_idle(const struct group *group,
                           const struct orr_queues *queues)
{
    return !(queues->has_pending[group->direction] & group->peers);
}

static enum orr_next group_turn(struct orr_actor *actor, void *locals)
{
    struct group *group = locals;
    struct orr_run *run = group->worker->run;
    struct orr_memory *memory = &run->memories[group->node];
    struct orr_line line;

    if (group->at == GROUP_BEGIN) {
        struct orr_spinlock *lock = notice_all_ends(group);

        if (lock) {
            orr_spinlock_await(actor, lock);
            return ORR_CONTINUE;
        }
        if (group->node != ORR_RAM)
            orr_memory_tidy(run, memory);
        group->at = GROUP_SERVED;
    } else {
        group->peer++;
    }
    *group->progressed |= group->served.some;
    for (; !group->served.lacks_memory && group->level < ORR_LEVELS;
         group->level++, group->peer = 0) {
        if (group->level == ORR_IDLE && !may_start_idle(group, &memory->queues))
            break;
        if (!find_peer(group, &memory->queues))
            continue;
        line = (struct orr_line){
            .node = group->node,
            .peer = group->peer,
            .direction = group->direction,
            .level = (enum orr_level)group->level,
        };
        if (orr_serve_is_refused(run, &line))
            break;
        orr_serve(actor, group->worker, &line, &group->served);
        return ORR_CONTINUE;
    }
    return ORR_DONE;
}

/* Peers with which there is something to do in one direction. */
static uint32_t busy_peers(const struct orr_queues *queues,
                           enum orr_direction direction)
{
    uint32_t peers = queues->has_pending[direction];

    for (unsigned level = 0; level < ORR_LEVELS; level++)
        peers |= queues->has_waiting[direction][level];
    return peers;
}

/*
 * A turn: the nodes that a worker drives, RAM and then its own. Each takes a
 * little time, then its incoming group, then the outgoing group of each peer.
 */
struct turn {
    enum { TURN_NODE, TURN_IN, TURN_OUT } at;
    struct orr_worker *worker;
    unsigned node;
    unsigned peer;
    bool *progressed;
};

static enum orr_next call_group(struct orr_actor *actor, struct turn *turn,
                                enum orr_direction direction, uint32_t peers)
{
    struct group *group = orr_actor_call(actor, group_turn, sizeof(*group));

    group->worker = turn->worker;
    group->node = turn->node;
    group->direction = direction;
    group->peers = peers;
    group->progressed = turn->progressed;
    return ORR_CONTINUE;
}

/* Only CPU workers have requests for RAM to handle. */
static bool handles_ram(const struct orr_run *run)
{
    return run->worker_count > run->gpu_count;
}

static enum orr_next outward(struct orr_actor *actor, struct turn *turn)
{
    struct orr_run *run = turn->worker->run;
    uint32_t peers = busy_peers(&run->memories[turn->node].queues, ORR_OUT);

    if (turn->peer < ORR_MAX_NODES && peers >> turn->peer) {
        turn->peer += (unsigned)__builtin_ctz(peers >> turn->peer) + 1;
        return call_group(actor, turn, ORR_OUT, 1u << (turn->peer - 1));
    }
    if (turn->node == turn->worker->device)
        return ORR_DONE;
    turn->node = turn->worker->device;
    turn->at = TURN_NODE;
    return ORR_CONTINUE;
}

static enum orr_next take_turn(struct orr_actor *actor, void *locals)
{
    struct turn *turn = locals;
    struct orr_run *run = turn->worker->run;
    struct orr_memory *memory = &run->memories[turn->node];

    switch (turn->at) {
    case TURN_NODE:
        if (turn->node == ORR_RAM && !handles_ram(run)) {
            turn->node = turn->worker->device;
        } else {
            turn->at = TURN_IN;
            turn->peer = 0;
        }
        return orr_actor_sleep(actor, run->overheads.progress);
    case TURN_IN:
        turn->at = TURN_OUT;
        if (busy_peers(&memory->queues, ORR_IN))
            return call_group(actor, turn, ORR_IN, UINT32_MAX);
        if (turn->node != ORR_RAM)
            orr_memory_tidy(run, memory);
        return outward(actor, turn);
    case TURN_OUT:
        return outward(actor, turn);
    }
    return ORR_DONE;
}

static struct turn *call_turn(struct orr_actor *actor,
                              struct orr_worker *worker, bool *progressed)
{
    struct turn *turn = orr_actor_call(actor, take_turn, sizeof(*turn));

    turn->worker = worker;
    turn->progressed = progressed;
    return turn;
}

void orr_progress_once(struct orr_actor *actor, struct orr_worker *worker,
                       bool *progressed)
{
    call_turn(actor, worker, progressed);
}

void orr_progress_now(struct orr_actor *actor, struct orr_worker *worker,
                      bool *progressed)
{
    struct turn *turn = call_turn(actor, worker, progressed);

    turn->node = worker->device;
    turn->at = TURN_IN;
}

/* Whether one of the copies of this list has ended. */
static bool has_ended(const struct orr_request *request)
{
    for (; request; request = request->next_pending) {
        if (request->copied)
            return true;
    }
    return false;
}

orr_time orr_progress_idle_time(const struct orr_worker *worker)
{
    const struct orr_run *run = worker->run;
    const struct orr_memory *memory = &run->memories[worker->device];

    if (worker->device == ORR_RAM || handles_ram(run))
        return 0;
    for (unsigned way = 0; way < ORR_DIRECTIONS; way++) {
        uint32_t pending = memory->queues.has_pending[way];

        if (orr_serve_could(&memory->queues, way))
            return 0;
        for (; pending; pending &= pending - 1) {
            if (has_ended(memory->queues.pending[__builtin_ctz(pending)][way]))
                return 0;
        }
    }
    return orr_memory_is_tidy(memory) ? 2 * run->overheads.progress : 0;
}

/* Turns that a worker takes instead of waiting for a lock (StarPU,
 * STARPU_SPIN_MAXTRY). */
#define LOCK_TURNS 10

struct locking {
    struct orr_worker *worker;
    struct orr_data *data;
    bool began;
    unsigned turns;
    bool progressed; /* of no interest here */
};

static enum orr_next lock(struct orr_actor *actor, void *locals)
{
    struct locking *locking = locals;

    /* A worker has a turn even if the lock is free again by then. */
    if (locking->began &&
        !orr_spinlock_is_held(&locking->data->lock, actor->engine))
        return ORR_DONE;
    locking->began = true;
    if (!locking->worker || locking->turns++ == LOCK_TURNS) {
        orr_spinlock_await(actor, &locking->data->lock);
        return ORR_CONTINUE;
    }
    orr_progress_once(actor, locking->worker, &locking->progressed);
    return ORR_CONTINUE;
}

void orr_progress_until_free(struct orr_actor *actor, struct orr_worker *worker,
                             struct orr_data *data)
{
    struct locking *locking = orr_actor_call(actor, lock, sizeof(*locking));

    locking->worker = worker;
    locking->data = data;
}

struct awaiting {
    enum { AWAIT_LOOK, AWAIT_PROGRESSED } at;
    struct orr_worker *worker;
    struct orr_request *request;
    bool progressed; /* of no interest here */
};

static enum orr_next await(struct orr_actor *actor, void *locals)
{
    struct awaiting *awaiting = locals;

    switch (awaiting->at) {
    case AWAIT_LOOK:
        orr_actor_heed(actor);
        if (awaiting->request->completed) {
            /* Signals may have been meant for the worker's own loop. */
            orr_actor_signal(actor);
            return ORR_DONE;
        }
        awaiting->at = AWAIT_PROGRESSED;
        orr_progress_once(actor, awaiting->worker, &awaiting->progressed);
        return ORR_CONTINUE;
    case AWAIT_PROGRESSED:
        awaiting->at = AWAIT_LOOK;
        return orr_actor_wait(actor);
    }
    return ORR_DONE;
}

void orr_progress_until(struct orr_actor *actor, struct orr_worker *worker,
                        struct orr_request *request)
{
    struct awaiting *awaiting = orr_actor_call(actor, await, sizeof(*awaiting));

    awaiting->worker = worker;
    awaiting->request = request;
}
