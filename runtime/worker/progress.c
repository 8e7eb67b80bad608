/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/worker/progress.h"

#include "runtime/lockstep/lockstep.h"
#include "runtime/run.h"
#include "runtime/worker/progress_private.h"
#include "runtime/worker/request_issue.h"
#include "runtime/worker/worker.h"

static inline bool notice_ends(struct orr_group *group, bool in_turns,
                               struct orr_spinlock **lock)
{
    const struct orr_line *line = &group->line;
    struct orr_run *run = group->worker->run;
    struct orr_queues *queues = &run->memories[line->node].queues;
    struct orr_request **link = &queues->pending[line->peer][line->direction];

    for (unsigned i = 0; i < group->kept; i++)
        link = &(*link)->next_pending;
    while (*link) {
        struct orr_request *request = *link;

        if (in_turns && orr_actor_has_pending(run->engine.acting))
            return false;
        if (orr_spinlock_is_taken(&request->data->lock, &run->engine)) {
            *lock = &request->data->lock;
            return false;
        }
        if (!request->copied) {
            group->kept++;
            link = &request->next_pending;
            continue;
        }
        orr_request_complete(run, orr_request_land(queues, link));
        *group->progressed = true;
    }
    group->kept = 0;
    if (!queues->pending[line->peer][line->direction])
        queues->has_pending[line->direction] &= ~(1u << line->peer);
    return true;
}

/* Does so for all peers of the group, from the line's on. */
static struct orr_spinlock *notice_all_ends(struct orr_group *group)
{
    struct orr_line *line = &group->line;
    const struct orr_queues *queues =
        &group->worker->run->memories[line->node].queues;

    for (; line->peer < ORR_MAX_NODES; line->peer++) {
        uint32_t pending =
            (queues->has_pending[line->direction] & group->peers) >> line->peer;
        struct orr_spinlock *lock = NULL;

        if (!pending)
            break;
        line->peer += (unsigned)__builtin_ctz(pending);
        if (!notice_ends(group, false, &lock))
            return lock;
    }
    line->peer = 0;
    return NULL;
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
 * look after: a copy has ended, or a lock is taken for which it may have to
 * wait; and where memory is not tidy each group tidies up.
 */
static uint32_t find_duties(const struct orr_run *run, unsigned node,
                            enum orr_direction direction)
{
    const struct orr_memory *memory = &run->memories[node];
    const struct orr_queues *queues = &memory->queues;
    uint32_t duties = queues->has_ended[direction];

    /* By rounds, somebody may take it before the list's turn comes. */
    if (run->engine.by_rounds || orr_spinlocks_contended(&run->engine))
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

bool orr_group_notice_ends(struct orr_group *group, struct orr_spinlock **lock)
{
    return notice_ends(group, true, lock);
}

bool orr_group_find_line(struct orr_group *group)
{
    return find_line(group->worker->run, &group->line, group->peers);
}

bool orr_group_has_duties(const struct orr_group *group)
{
    const struct orr_line *line = &group->line;

    return find_duties(group->worker->run, line->node, line->direction) &
           group->peers;
}

/* Goes on with a group; done when nothing is left to do for it. */
static enum orr_next group_turn(struct orr_actor *actor,
                                struct orr_group *group)
{
    struct orr_run *run = group->worker->run;

    if (group->at == ORR_GROUP_BEGIN) {
        uint32_t duties =
            find_duties(run, group->line.node, group->line.direction);
        struct orr_spinlock *lock = NULL;

        if (duties & group->peers)
            lock = notice_all_ends(group);
        else
            group->line.peer = 0; /* it may have waited for a lock */
        if (lock) {
            orr_spinlock_await(actor, lock);
            return ORR_CONTINUE;
        }
        orr_memory_tidy(run, &run->memories[group->line.node]);
        group->at = ORR_GROUP_ISSUED;
    } else {
        group->line.peer++;
    }
    *group->progressed |= group->served.some;
    if (group->served.lacks_memory ||
        !find_line(run, &group->line, group->peers))
        return ORR_DONE;
    orr_request_issue(actor, group->worker, &group->line, &group->served);
    return ORR_CONTINUE;
}

struct turn {
    struct orr_turn plain;
    bool in_group;
    struct orr_group group; /* if so */
};

static void begin_group(struct turn *turn, enum orr_direction direction,
                        uint32_t peers)
{
    turn->in_group = true;
    turn->group = (struct orr_group){
        .worker = turn->plain.worker,
        .line = {.node = turn->plain.node, .direction = direction},
        .peers = peers,
        .progressed = turn->plain.progressed,
    };
}

/* Only CPU workers have requests for RAM to handle. */
static bool handles_ram(const struct orr_run *run)
{
    return run->worker_count > run->gpu_count;
}

static inline bool find_outward(struct orr_turn *turn)
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

bool orr_turn_find_outward(struct orr_turn *turn)
{
    return find_outward(turn);
}

bool orr_turn_has_inward(const struct orr_turn *turn)
{
    const struct orr_run *run = turn->worker->run;

    return !orr_memory_is_tidy(&run->memories[turn->node]) ||
           find_duties(run, turn->node, ORR_IN) || may_arrive(run, turn->node);
}

/*
 * A little time passes for RAM even where GPUs leave it to others. Done when
 * the node can be looked after.
 */
static enum orr_next begin_node(struct orr_actor *actor, struct orr_turn *turn)
{
    const struct orr_run *run = turn->worker->run;
    orr_time delay = run->overheads.progress;

    if (turn->node == ORR_RAM && !handles_ram(run)) {
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

/* Begins with the group into the node. */
static void begin_groups(struct turn *turn)
{
    struct orr_turn *plain = &turn->plain;
    const struct orr_run *run = plain->worker->run;

    plain->at = ORR_TURN_OUT;
    plain->peer = 0;
    if (!is_at_rest(&run->memories[plain->node]) ||
        orr_spinlocks_contended(&run->engine))
        begin_group(turn, ORR_IN, UINT32_MAX);
}

/* Turns to the next group out of the node. */
static void turn_to_group(struct turn *turn)
{
    turn->in_group = find_outward(&turn->plain);
    if (turn->in_group)
        begin_group(turn, ORR_OUT, 1u << (turn->plain.peer - 1));
}

enum orr_next orr_progress_turn(struct orr_actor *actor, void *locals)
{
    struct turn *turn = locals;
    struct orr_turn *plain = &turn->plain;

    switch (plain->at) {
    case ORR_TURN_NODE:
        while (plain->at == ORR_TURN_NODE) {
            if (begin_node(actor, plain) == ORR_ASLEEP)
                return ORR_ASLEEP;
        }
        /* fall through */
    case ORR_TURN_IN:
        begin_groups(turn);
        /* fall through */
    case ORR_TURN_OUT:
        for (; turn->in_group; turn_to_group(turn)) {
            if (group_turn(actor, &turn->group) == ORR_CONTINUE)
                return ORR_CONTINUE;
        }
    }
    return orr_turn_next_node(plain);
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
    struct turn *turn = orr_actor_call_some(
        actor, orr_progress_turn, sizeof(*turn), offsetof(struct turn, group));

    turn->plain.worker = worker;
    turn->plain.progressed = progressed;
    return &turn->plain;
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

    if (worker->device == ORR_RAM || handles_ram(run))
        return 0;
    return is_at_rest(&run->memories[worker->device])
               ? 2 * run->overheads.progress
               : 0;
}
