/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Turns of progress in a run by rounds: the same as in others, but for the
 * operations that it takes to look at lists of requests. */
#include "runtime/lockstep/lockstep.h"
#include "runtime/lockstep/queue_scan.h"
#include "runtime/run.h"
#include "runtime/worker/progress.h"
#include "runtime/worker/progress_private.h"
#include "runtime/worker/worker.h"

struct group {
    struct orr_group plain;
    struct orr_queue_scan *scan;
    bool looked; /* at lists, of which the last is the line's */
};

/* Completes the requests of all peers of the group, from the line's on; done
 * then. */
static enum orr_next notice_all_ends(struct orr_actor *actor,
                                     struct group *group)
{
    struct orr_line *line = &group->plain.line;
    struct orr_run *run = group->plain.worker->run;
    const struct orr_queues *queues = &run->memories[line->node].queues;

    for (; line->peer < ORR_MAX_NODES; line->peer++) {
        uint32_t pending =
            (queues->has_pending[line->direction] & group->plain.peers) >>
            line->peer;
        struct orr_spinlock *lock = NULL;

        if (!pending)
            break;
        line->peer += (unsigned)__builtin_ctz(pending);
        if (orr_queue_scan_until(actor, group->plain.worker, group->scan,
                                 orr_queue_scan_to_flight(line)))
            return ORR_CONTINUE;
        if (orr_group_notice_ends(&group->plain, &lock))
            continue;
        if (!lock)
            return orr_actor_take_turns(actor, 0);
        orr_spinlock_await(actor, lock);
        return ORR_CONTINUE;
    }
    line->peer = 0;
    return ORR_DONE;
}

static enum orr_next begin(struct orr_actor *actor, struct group *group)
{
    struct orr_line *line = &group->plain.line;
    struct orr_run *run = group->plain.worker->run;
    enum orr_next next = ORR_DONE;

    if (!orr_group_has_duties(&group->plain))
        line->peer = 0; /* it may have waited for a lock */
    else
        next = notice_all_ends(actor, group);
    if (next != ORR_DONE)
        return next;
    orr_memory_tidy(run, &run->memories[line->node]);
    group->plain.at = ORR_GROUP_ISSUED;
    return ORR_DONE;
}

static enum orr_next group_turn(struct orr_actor *actor, void *locals)
{
    struct group *group = locals;
    struct orr_group *plain = &group->plain;
    struct orr_run *run = plain->worker->run;

    if (plain->at == ORR_GROUP_BEGIN) {
        enum orr_next next = begin(actor, group);

        if (next != ORR_DONE)
            return next;
    } else if (group->looked) {
        orr_queue_scan_take_up(run, group->scan, &plain->line);
    } else {
        plain->line.peer++;
    }
    group->looked = false;
    *plain->progressed |= plain->served.some;
    if (plain->served.lacks_memory) {
        orr_queue_scan_skip_rest(run, group->scan, &plain->line);
        return ORR_DONE;
    }
    if (!orr_group_find_line(plain))
        return ORR_DONE;
    if (orr_queue_scan_until(actor, plain->worker, group->scan,
                             orr_queue_scan_to_line(run, &plain->line))) {
        group->looked = true;
        return ORR_CONTINUE;
    }
    orr_request_issue(actor, plain->worker, &plain->line, &plain->served);
    return ORR_CONTINUE;
}

struct turn {
    struct orr_turn plain;
    struct orr_queue_scan scan;
    bool looked; /* at all lists into the node */
};

static struct group *call_group(struct orr_actor *actor, struct turn *turn,
                                uint32_t peers)
{
    struct group *group = orr_actor_call(actor, group_turn, sizeof(*group));

    group->scan = &turn->scan;
    group->plain.worker = turn->plain.worker;
    group->plain.line.node = turn->plain.node;
    group->plain.line.direction = turn->scan.direction;
    group->plain.peers = peers;
    group->plain.progressed = turn->plain.progressed;
    return group;
}

/* Goes on where something was posted to a list of a group that had nothing to
 * do there, or had done all. */
static enum orr_next call_group_late(struct orr_actor *actor, struct turn *turn)
{
    unsigned peer = orr_queue_scan_peer(&turn->scan);
    bool is_in = turn->scan.direction == ORR_IN;
    struct group *group =
        call_group(actor, turn, is_in ? UINT32_MAX : 1u << peer);

    group->plain.at = ORR_GROUP_ISSUED;
    group->looked = true;
    if (!is_in)
        turn->plain.peer = peer + 1;
    return ORR_CONTINUE;
}

static void begin_scan(struct turn *turn, enum orr_direction direction)
{
    turn->scan = (struct orr_queue_scan){.node = turn->plain.node,
                                         .direction = direction};
}

/* Looks at those lists of the scan that the groups have not looked at. */
static bool end_scan(struct orr_actor *actor, struct turn *turn)
{
    struct orr_worker *worker = turn->plain.worker;

    return orr_queue_scan_until(actor, worker, &turn->scan,
                                orr_queue_scan_lists(worker->run));
}

/* The group out to the peer that was found. On the way there something may be
 * posted to another. */
static enum orr_next go_out(struct orr_actor *actor, struct turn *turn)
{
    struct orr_turn *plain = &turn->plain;
    unsigned peer = plain->peer - 1;

    if (orr_queue_scan_until(actor, plain->worker, &turn->scan,
                             orr_queue_scan_to_peer(peer)))
        plain->peer = peer;
    else
        call_group(actor, turn, 1u << peer);
    return ORR_CONTINUE;
}

static enum orr_next turn_out(struct orr_actor *actor, struct turn *turn)
{
    struct orr_turn *plain = &turn->plain;

    if (turn->scan.stopped)
        return call_group_late(actor, turn);
    if (!turn->looked) {
        if (end_scan(actor, turn))
            return ORR_CONTINUE;
        turn->looked = true;
        begin_scan(turn, ORR_OUT);
    }
    if (orr_turn_find_outward(plain))
        return go_out(actor, turn);
    if (end_scan(actor, turn))
        return ORR_CONTINUE;
    return orr_turn_next_node(plain);
}

static enum orr_next progress_turn(struct orr_actor *actor, void *locals)
{
    struct turn *turn = locals;
    struct orr_turn *plain = &turn->plain;

    switch (plain->at) {
    case ORR_TURN_NODE:
        plain->at = ORR_TURN_IN;
        plain->peer = 0;
        return orr_actor_sleep(actor, plain->worker->run->overheads.progress);
    case ORR_TURN_IN:
        plain->at = ORR_TURN_OUT;
        turn->looked = false;
        begin_scan(turn, ORR_IN);
        if (orr_turn_has_inward(plain))
            call_group(actor, turn, UINT32_MAX);
        return ORR_CONTINUE;
    case ORR_TURN_OUT:
        return turn_out(actor, turn);
    }
    return ORR_DONE;
}

void orr_progress_once_by_rounds(struct orr_actor *actor,
                                 struct orr_worker *worker, bool *progressed)
{
    struct turn *turn = orr_actor_call(actor, progress_turn, sizeof(*turn));

    turn->plain.worker = worker;
    turn->plain.progressed = progressed;
}
