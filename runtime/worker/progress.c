/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/worker/progress.h"

#include "runtime/run.h"
#include "runtime/worker/progress_private.h"
#include "runtime/worker/request_issue.h"
#include "runtime/worker/worker.h"

/*
 * Completes the requests to or from the peer of the group's line whose copies
 * have ended; looking at a request takes the lock of its datum. Done, unless
 * there is something to wait for before going on: a lock, for which it calls,
 * or operations that it takes to tell of an end. By the end of them the lock of
 * the next may have been given back.
 */
static inline enum orr_next notice_ends(struct orr_actor *actor,
                                        struct orr_group *group)
{
    const struct orr_line *line = &group->line;
    struct orr_run *run = group->worker->run;
    struct orr_queues *queues = &run->memories[line->node].queues;
    struct orr_request **link = &queues->pending[line->peer][line->direction];

    for (unsigned i = 0; i < group->kept; i++)
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
            group->kept++;
            link = &request->next_pending;
            continue;
        }
        orr_request_complete(run, orr_queues_take_pending(queues, link));
        *group->progressed = true;
    }
    group->kept = 0;
    if (!queues->pending[line->peer][line->direction])
        queues->has_pending[line->direction] &= ~(1u << line->peer);
    return ORR_DONE;
}

/* Whether it calls: an interleaving looks at lists of requests first. */
static inline bool look(struct orr_actor *actor, struct orr_turn *turn,
                        enum orr_look_at at)
{
    const struct orr_interleaving *interleaving = actor->engine->interleaving;

    return G_UNLIKELY(interleaving) && interleaving->look(actor, turn, at);
}

/* Does so for all peers of the group, from the line's on. */
static enum orr_next notice_all_ends(struct orr_actor *actor,
                                     struct orr_turn *turn)
{
    struct orr_group *group = &turn->group;
    struct orr_line *line = &group->line;
    const struct orr_queues *queues =
        &group->worker->run->memories[line->node].queues;

    for (; line->peer < ORR_MAX_NODES; line->peer++) {
        uint32_t pending =
            (queues->has_pending[line->direction] & group->peers) >> line->peer;
        enum orr_next next;

        if (!pending)
            break;
        line->peer += (unsigned)__builtin_ctz(pending);
        if (look(actor, turn, ORR_LOOK_PENDING))
            return ORR_CONTINUE;
        next = notice_ends(actor, group);
        if (next != ORR_DONE)
            return next;
    }
    line->peer = 0;
    return ORR_DONE;
}

/*
 * Moves @line on to the first, of those with one of @peers, in which something
 * may start. Idle copies start only while nothing else is in flight; and what
 * comes after a prefetch that lacks memory waits with it.
 */
static bool find_line(const struct orr_run *run, struct orr_line *line,
                      uint32_t peers)
{
    const struct orr_queues *queues = &run->memories[line->node].queues;

    for (; line->level < ORR_LEVELS; line->level++, line->peer = 0) {
        uint64_t startable =
            queues->startable[line->direction][line->level] & peers;

        startable &= UINT64_MAX << line->peer; /* by 32 after the last one */
        if (!startable)
            continue;
        if (line->level == ORR_IDLE &&
            queues->has_pending[line->direction] & peers)
            return false;
        line->peer = (unsigned)__builtin_ctzll(startable);
        return !orr_request_issue_is_refused(run, line);
    }
    return false;
}

/* Peers with which there is something to do in one direction. */
static uint32_t busy_peers(const struct orr_queues *queues,
                           enum orr_direction direction)
{
    return queues->has_pending[direction] |
           queues->has_waiting[direction][ORR_FETCH] |
           queues->has_waiting[direction][ORR_PREFETCH] |
           queues->has_waiting[direction][ORR_IDLE];
}

/*
 * Of the peers of @node, those with which a turn of a group has something to
 * look after: a copy has ended, or a lock may be taken for which it has to
 * wait; and where memory is not tidy each group tidies up.
 */
static inline uint32_t find_duties(const struct orr_run *run, unsigned node,
                                   enum orr_direction direction)
{
    const struct orr_memory *memory = &run->memories[node];
    const struct orr_queues *queues = &memory->queues;
    uint32_t duties = queues->has_ended[direction];

    /* In lock-step, a lock may be taken before the turn of its list comes. */
    if (run->engine.interleaving || orr_spinlocks_contended(&run->engine))
        duties |= queues->has_pending[direction];
    if (!orr_memory_is_tidy(memory))
        duties |= busy_peers(queues, direction);
    return duties;
}

/* Of the peers of @node, those to which something may start. */
static uint32_t find_departures(const struct orr_run *run, unsigned node)
{
    const struct orr_queues *queues = &run->memories[node].queues;

    return queues->startable[ORR_OUT][ORR_FETCH] |
           queues->startable[ORR_OUT][ORR_PREFETCH] |
           (queues->startable[ORR_OUT][ORR_IDLE] &
            ~queues->has_pending[ORR_OUT]);
}

/* Whether something may start into @node. */
static bool may_arrive(const struct orr_run *run, unsigned node)
{
    struct orr_line line = {.node = node, .direction = ORR_IN};

    return orr_queues_startable_at_all(&run->memories[node].queues, ORR_IN) &&
           find_line(run, &line, UINT32_MAX);
}

/* Goes on with the group of the turn; done when nothing is left to do for it.
 */
static enum orr_next group_turn(struct orr_actor *actor, struct orr_turn *turn)
{
    struct orr_group *group = &turn->group;
    struct orr_line *line = &group->line;
    struct orr_run *run = group->worker->run;

    if (group->at == ORR_GROUP_BEGIN) {
        enum orr_next next = ORR_DONE;

        if (find_duties(run, line->node, line->direction) & group->peers)
            next = notice_all_ends(actor, turn);
        else
            line->peer = 0; /* it may have waited for a lock */
        if (next != ORR_DONE)
            return next;
        orr_memory_tidy(run, &run->memories[line->node]);
        group->at = ORR_GROUP_ISSUED;
    } else if (group->looked) {
        look(actor, turn, ORR_LOOK_AGAIN);
    } else {
        line->peer++;
    }
    group->looked = false;
    *group->progressed |= group->issued.some;
    if (group->issued.lacks_memory) {
        look(actor, turn, ORR_LOOK_NOWHERE);
        return ORR_DONE;
    }
    if (!find_line(run, line, group->peers))
        return ORR_DONE;
    if (look(actor, turn, ORR_LOOK_WAITING)) {
        group->looked = true;
        return ORR_CONTINUE;
    }
    orr_request_issue(actor, group->worker, line, &group->issued);
    return ORR_CONTINUE;
}

static inline void begin_group(struct orr_turn *turn,
                               enum orr_direction direction, uint32_t peers)
{
    turn->in_group = true;
    turn->group = (struct orr_group){
        .worker = turn->worker,
        .line = {.node = turn->node, .direction = direction},
        .peers = peers,
        .progressed = turn->progressed,
    };
}

void orr_turn_begin_group(struct orr_turn *turn, enum orr_direction direction,
                          uint32_t peers)
{
    begin_group(turn, direction, peers);
}

bool orr_turn_find_outward(struct orr_turn *turn)
{
    const struct orr_run *run = turn->worker->run;
    uint32_t peers;

    if (turn->peer >= ORR_MAX_NODES ||
        !busy_peers(&run->memories[turn->node].queues, ORR_OUT))
        return false;
    peers = (find_duties(run, turn->node, ORR_OUT) |
             find_departures(run, turn->node)) >>
            turn->peer;
    if (peers)
        turn->peer += (unsigned)__builtin_ctz(peers) + 1;
    return peers != 0;
}

/*
 * A little time passes for RAM even where GPUs leave it to others. Done when
 * the node can be looked after.
 */
static enum orr_next begin_node(struct orr_actor *actor, struct orr_turn *turn)
{
    const struct orr_run *run = turn->worker->run;
    orr_time delay = run->overheads.progress;

    if (turn->node == ORR_RAM && run->skips_ram) {
        turn->node = turn->worker->device;
        if (!orr_actor_skip(actor, delay, 2))
            return orr_actor_sleep(actor, delay);
        turn->at = ORR_TURN_IN;
        return ORR_DONE;
    }
    turn->at = ORR_TURN_IN;
    return orr_actor_sleep(actor, delay) == ORR_ASLEEP ? ORR_ASLEEP : ORR_DONE;
}

/* Whether there is nothing to be found for a node, as far as can be seen at a
 * glance: no copy has ended, and no request may start. */
static inline bool is_at_rest(const struct orr_memory *memory)
{
    const struct orr_queues *queues = &memory->queues;

    return !(queues->has_ended[ORR_IN] | queues->has_ended[ORR_OUT] |
             orr_queues_startable_at_all(queues, ORR_IN) |
             orr_queues_startable_at_all(queues, ORR_OUT)) &&
           orr_memory_is_tidy(memory);
}

/* Begins with the group into the node. Returns false if there is nothing to do
 * for it, nor for any other. */
static bool begin_groups(struct orr_turn *turn)
{
    const struct orr_run *run = turn->worker->run;

    if (run->engine.interleaving)
        turn->scan = (struct orr_queue_scan){turn->node, ORR_IN, 0, false};
    else if (is_at_rest(&run->memories[turn->node]) &&
             !orr_spinlocks_contended(&run->engine))
        return false;
    turn->at = ORR_TURN_OUT;
    turn->peer = 0;
    begin_group(turn, ORR_IN, UINT32_MAX);
    return true;
}

/* Turns to the next group out of the node, if there is one: done then. */
static inline enum orr_next turn_to_group(struct orr_actor *actor,
                                          struct orr_turn *turn)
{
    const struct orr_interleaving *interleaving = actor->engine->interleaving;

    turn->in_group = false;
    if (G_UNLIKELY(interleaving))
        return interleaving->find_group(actor, turn);
    if (orr_turn_find_outward(turn))
        begin_group(turn, ORR_OUT, 1u << (turn->peer - 1));
    return ORR_DONE;
}

/* All groups of the node: that into it, then those out of it. */
static enum orr_next turn_groups(struct orr_actor *actor, struct orr_turn *turn)
{
    enum orr_next next;

    do {
        if (turn->in_group) {
            next = group_turn(actor, turn);
            if (next != ORR_DONE)
                return next;
        }
        next = turn_to_group(actor, turn);
        if (next != ORR_DONE)
            return next;
    } while (turn->in_group);
    return ORR_DONE;
}

enum orr_next orr_progress_turn(struct orr_actor *actor, void *locals)
{
    struct orr_turn *turn = locals;
    enum orr_next next;

    switch (turn->at) {
    case ORR_TURN_NODE:
        while (turn->at == ORR_TURN_NODE) {
            if (begin_node(actor, turn) == ORR_ASLEEP)
                return ORR_ASLEEP;
        }
        /* fall through */
    case ORR_TURN_IN:
        if (!begin_groups(turn))
            break;
        /* fall through */
    case ORR_TURN_OUT:
        next = turn_groups(actor, turn);
        if (next != ORR_DONE)
            return next;
    }
    if (turn->node == turn->worker->device)
        return ORR_DONE;
    turn->node = turn->worker->device;
    turn->at = ORR_TURN_NODE;
    return ORR_CONTINUE;
}

bool orr_progress_is_quiet(const struct orr_run *run, unsigned node)
{
    const struct orr_memory *memory = &run->memories[node];

    return orr_memory_is_tidy(memory) && !find_duties(run, node, ORR_IN) &&
           !find_duties(run, node, ORR_OUT) && !may_arrive(run, node) &&
           !find_departures(run, node);
}

enum orr_turn_outlook orr_progress_predict(const void *locals, uint64_t *relied)
{
    const struct orr_turn *turn = locals;
    const struct orr_run *run = turn->worker->run;

    if (turn->at == ORR_TURN_IN) {
        if (!orr_progress_is_quiet(run, turn->node))
            return ORR_TURN_FINDS;
        *relied = UINT64_C(1) << turn->node;
        if (turn->node == turn->worker->device)
            return ORR_TURN_ENDS;
    }
    /* The time that it takes to begin with a node; if any. */
    return turn->at != ORR_TURN_OUT && run->overheads.progress > 0
               ? ORR_TURN_SLEEPS
               : ORR_TURN_FINDS;
}

static struct orr_turn *call_turn(struct orr_actor *actor,
                                  struct orr_worker *worker, bool *progressed)
{
    struct orr_turn *turn =
        orr_actor_call_some(actor, orr_progress_turn, sizeof(*turn),
                            offsetof(struct orr_turn, scan));

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
    struct orr_turn *turn = call_turn(actor, worker, progressed);

    turn->node = worker->device;
    turn->at = ORR_TURN_IN;
}

orr_time orr_progress_idle_time(const struct orr_worker *worker)
{
    const struct orr_run *run = worker->run;

    return run->skips_ram && is_at_rest(&run->memories[worker->device])
               ? 2 * run->overheads.progress
               : 0;
}
