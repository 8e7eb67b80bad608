/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/progress.h"

#include "runtime/run.h"
#include "runtime/worker.h"

/* How many requests of each level may be in flight between two nodes, in one
 * direction, counting all levels (StarPU, data_request.h). */
static const unsigned limits[ORR_LEVELS] = {5, 2, 1};
#define MOST 5

/* A driver that spent this long starting requests does something else first. */
#define PATIENCE (1000 * ORR_US)

/* A fetch that could not be started for want of memory is tried again after
 * the clock has moved a little. */
#define RETRY_DELAY (1 * ORR_US)

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
    if (run->switches.quirks)
        data->locked_until = run->engine.now + run->overheads.transfer_queue;
    return orr_actor_sleep(actor, run->overheads.transfer_queue);
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
        to->uses++;
    }
    if (to->state != ORR_INVALID)
        return end_at_once(starting);
    if (to->allocated)
        return queue_copy(actor, starting);
    if (run->memories[to->node].reclaiming)
        return give_up(starting);
    starting->at = START_ALLOCATED;
    orr_memory_allocate(actor, starting->worker, to,
                        (enum orr_level)request->level, &starting->allocated);
    return ORR_CONTINUE;
}

/* Starts one request; it completes at once, or departs, or lacks memory. */
static enum orr_next start(struct orr_actor *actor, void *locals)
{
    struct starting *starting = locals;
    struct orr_run *run = starting->worker->run;
    orr_time delay =
        orr_data_lock_delay(starting->request->data, &run->engine);

    if (delay > 0 && starting->at != START_QUEUED)
        return orr_actor_sleep(actor, delay);
    switch (starting->at) {
    case START_BEGIN:
        return begin(actor, starting);
    case START_ALLOCATED:
        if (!starting->allocated) {
            if (starting->request->level == ORR_PREFETCH)
                run->memories[starting->request->to->node].refused =
                    starting->request;
            return give_up(starting);
        }
        return queue_copy(actor, starting);
    case START_QUEUED:
        orr_copy_submit(run, starting->request);
        orr_request_depart(run, starting->request);
        break;
    }
    return ORR_DONE;
}

/* Starts what the limit allows of one queue. */
struct serving {
    enum { SERVE_TAKE, SERVE_NEXT, SERVE_STARTED, SERVE_PAUSED } at;
    struct orr_worker *worker;
    unsigned node, peer;
    enum orr_direction direction;
    enum orr_level level;
    struct orr_request *taken[MOST];
    unsigned count, next;
    struct orr_request *refused[MOST];
    unsigned refused_count;
    orr_time since;
    enum outcome outcome;
    bool started_some;
    bool lacks_memory;
    struct group *group;
};

/* One direction of one node, with all its peers or one of them. */
struct group {
    enum { GROUP_BEGIN, GROUP_SERVED } at;
    struct orr_worker *worker;
    unsigned node;
    enum orr_direction direction;
    uint32_t peers;  /* a bit each */
    unsigned kept;   /* requests looked at that are still in flight */
    unsigned level;
    unsigned peer;
    bool lacks_memory; /* lower levels are left alone */
    bool busy;         /* something is in flight: nothing idle starts */
    bool *progressed;
};

static void take(struct serving *serving)
{
    struct orr_queues *queues =
        &serving->worker->run->memories[serving->node].queues;
    struct orr_heap *heap =
        &queues->waiting[serving->peer][serving->direction][serving->level];
    unsigned in_flight = queues->in_flight[serving->peer][serving->direction];

    while (in_flight + serving->count < limits[serving->level] &&
           heap->count > 0)
        serving->taken[serving->count++] = orr_request_take(
            queues, serving->peer, serving->direction, serving->level);
    serving->since = serving->worker->run->engine.now;
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

static enum orr_next end_serving(struct orr_actor *actor,
                                 struct serving *serving)
{
    bool some_left =
        serving->next < serving->count || serving->refused_count > 0;

    serving->at = SERVE_PAUSED;
    put_back(serving);
    if (some_left && serving->started_some)
        return orr_actor_sleep(actor, serving->worker->run->switches.overheads
                                          ? RETRY_DELAY
                                          : 0);
    serving->started_some = false;
    return ORR_CONTINUE;
}

static enum orr_next next(struct orr_actor *actor, struct serving *serving)
{
    struct orr_queues *queues =
        &serving->worker->run->memories[serving->node].queues;
    struct starting *starting;

    if (serving->next == serving->count ||
        queues->in_flight[serving->peer][serving->direction] >=
            limits[serving->level])
        return end_serving(actor, serving);
    serving->at = SERVE_STARTED;
    serving->outcome = STARTED;
    starting = orr_actor_call(actor, start, sizeof(*starting));
    starting->worker = serving->worker;
    starting->request = serving->taken[serving->next++];
    starting->outcome = &serving->outcome;
    return ORR_CONTINUE;
}

static enum orr_next after_start(struct orr_actor *actor,
                                 struct serving *serving)
{
    orr_time now = serving->worker->run->engine.now;

    serving->at = SERVE_NEXT;
    if (serving->outcome == STARTED) {
        serving->started_some = true;
        *serving->group->progressed = true;
    } else {
        serving->lacks_memory = true;
        serving->refused[serving->refused_count++] =
            serving->taken[serving->next - 1];
        if (serving->level != ORR_FETCH)
            return end_serving(actor, serving);
    }
    if (now - serving->since >= PATIENCE) {
        serving->lacks_memory = false; /* as the reference takes it */
        return end_serving(actor, serving);
    }
    return ORR_CONTINUE;
}

static enum orr_next serve(struct orr_actor *actor, void *locals)
{
    struct serving *serving = locals;

    switch (serving->at) {
    case SERVE_TAKE:
        take(serving);
        serving->at = SERVE_NEXT;
        return next(actor, serving);
    case SERVE_NEXT:
        return next(actor, serving);
    case SERVE_STARTED:
        return after_start(actor, serving);
    case SERVE_PAUSED:
        if (serving->started_some)
            orr_run_wake_node(serving->worker->run, serving->node);
        serving->group->lacks_memory |= serving->lacks_memory;
        break;
    }
    return ORR_DONE;
}

/*
 * Completes the requests to or from one peer whose copies have ended; looking
 * at a request takes the lock of its datum. Returns how long to wait for a
 * lock before going on, or 0 once all were looked at.
 */
static orr_time notice_ends(struct group *group)
{
    struct orr_run *run = group->worker->run;
    struct orr_queues *queues = &run->memories[group->node].queues;
    struct orr_request **link =
        &queues->pending[group->peer][group->direction];

    for (unsigned i = 0; i < group->kept; i++)
        link = &(*link)->next_pending;
    while (*link) {
        struct orr_request *request = *link;
        orr_time delay = orr_data_lock_delay(request->data, &run->engine);

        if (delay > 0)
            return delay;
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
    return 0;
}

/* Does so for all peers of the group, from group->peer on. */
static orr_time notice_all_ends(struct group *group)
{
    const struct orr_queues *queues =
        &group->worker->run->memories[group->node].queues;

    for (; group->peer < ORR_MAX_NODES; group->peer++) {
        uint32_t pending =
            (queues->has_pending[group->direction] & group->peers) >>
            group->peer;
        orr_time delay;

        if (!pending)
            break;
        group->peer += (unsigned)__builtin_ctz(pending);
        delay = notice_ends(group);
        if (delay > 0)
            return delay;
    }
    group->peer = 0;
    return 0;
}

static void call_serve(struct orr_actor *actor, struct group *group)
{
    struct serving *serving = orr_actor_call(actor, serve, sizeof(*serving));

    serving->worker = group->worker;
    serving->node = group->node;
    serving->peer = group->peer;
    serving->direction = group->direction;
    serving->level = (enum orr_level)group->level;
    serving->group = group;
}

/* The next peer, from group->peer on, with something to start. */
static bool find_peer(struct group *group, const struct orr_queues *queues)
{
    uint32_t waiting = queues->has_waiting[group->direction][group->level] &
                       group->peers;

    if (group->peer >= ORR_MAX_NODES || !(waiting >> group->peer))
        return false;
    group->peer += (unsigned)__builtin_ctz(waiting >> group->peer);
    return true;
}

/*
 * Whether the first prefetch in line was refused for want of memory, and
 * would be again: the reference tries each time.
 */
static bool is_refused(const struct group *group,
                       const struct orr_memory *memory)
{
    const struct orr_request *refused = memory->refused;

    return group->level == ORR_PREFETCH && refused && !refused->cancelled &&
           refused->peer == group->peer &&
           refused->direction == group->direction &&
           memory->queues.in_flight[group->peer][group->direction] <
               limits[ORR_PREFETCH] &&
           orr_heap_first(&memory->queues.waiting[group->peer]
                                                 [group->direction]
                                                 [ORR_PREFETCH])
                   ->item == &refused->item;
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

    if (group->at == GROUP_BEGIN) {
        orr_time delay = notice_all_ends(group);

        if (delay > 0)
            return orr_actor_sleep(actor, delay);
        if (group->node != ORR_RAM)
            orr_memory_tidy(run, memory);
        group->at = GROUP_SERVED;
    } else {
        group->peer++;
    }
    for (; !group->lacks_memory && group->level < ORR_LEVELS;
         group->level++, group->peer = 0) {
        if (group->level == ORR_IDLE &&
            !may_start_idle(group, &memory->queues))
            break;
        if (!find_peer(group, &memory->queues))
            continue;
        if (is_refused(group, memory))
            break;
        call_serve(actor, group);
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

static enum orr_next next_node(struct orr_actor *actor, struct turn *turn)
{
    struct orr_run *run = turn->worker->run;
    orr_time cost = run->overheads.progress;

    turn->at = TURN_IN;
    turn->peer = 0;
    if (turn->worker->device == ORR_RAM || handles_ram(run))
        return orr_actor_sleep(actor, cost);
    turn->node = turn->worker->device; /* both nodes in one go */
    return orr_actor_sleep(actor, 2 * cost);
}

static enum orr_next outward(struct orr_actor *actor, struct turn *turn)
{
    struct orr_run *run = turn->worker->run;
    uint32_t peers =
        busy_peers(&run->memories[turn->node].queues, ORR_OUT);

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
        return next_node(actor, turn);
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

orr_time orr_progress_idle_time(const struct orr_worker *worker)
{
    const struct orr_run *run = worker->run;
    const struct orr_memory *memory = &run->memories[worker->device];

    if (worker->device == ORR_RAM || handles_ram(run))
        return 0;
    for (unsigned way = 0; way < ORR_DIRECTIONS; way++) {
        uint32_t pending = memory->queues.has_pending[way];

        if (busy_peers(&memory->queues, way) != pending)
            return 0;
        for (; pending; pending &= pending - 1) {
            const struct orr_request *request =
                memory->queues.pending[__builtin_ctz(pending)][way];

            for (; request; request = request->next_pending) {
                if (request->copied)
                    return 0;
            }
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
    unsigned turns;
    bool progressed; /* of no interest here */
};

static enum orr_next lock(struct orr_actor *actor, void *locals)
{
    struct locking *locking = locals;
    if (!orr_data_is_locked(locking->data, actor->engine))
        return ORR_DONE;
    if (!locking->worker || locking->turns++ == LOCK_TURNS)
        return orr_actor_sleep(
            actor, orr_data_lock_delay(locking->data, actor->engine));
    orr_progress_once(actor, locking->worker, &locking->progressed);
    return ORR_CONTINUE;
}

void orr_progress_until_free(struct orr_actor *actor,
                             struct orr_worker *worker, struct orr_data *data)
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
    struct awaiting *awaiting =
        orr_actor_call(actor, await, sizeof(*awaiting));

    awaiting->worker = worker;
    awaiting->request = request;
}
