/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/progress_lockstep.h"

#include "runtime/lockstep/queue_scan.h"
#include "runtime/worker/worker.h"

bool orr_progress_look(struct orr_actor *actor, struct orr_turn *turn,
                       enum orr_look_at at)
{
    const struct orr_run *run = turn->worker->run;
    struct orr_line *line = &turn->group.line;
    unsigned until = 0;

    switch (at) {
    case ORR_LOOK_PENDING:
        until = orr_queue_scan_to_flight(line);
        break;
    case ORR_LOOK_WAITING:
        until = orr_queue_scan_to_line(run, line);
        break;
    case ORR_LOOK_AGAIN:
        orr_queue_scan_take_up(run, &turn->scan, line);
        return false;
    case ORR_LOOK_NOWHERE:
        orr_queue_scan_skip_rest(run, &turn->scan, line);
        return false;
    }
    return orr_queue_scan_until(actor, turn->worker, &turn->scan, until);
}

/* Goes on where something was posted to a list of a group that had nothing to
 * do there, or had done all. */
static void begin_late(struct orr_turn *turn)
{
    unsigned peer = orr_queue_scan_peer(&turn->scan);
    bool is_in = turn->scan.direction == ORR_IN;

    orr_turn_begin_group(turn, turn->scan.direction,
                         is_in ? UINT32_MAX : 1u << peer);
    turn->group.at = ORR_GROUP_ISSUED;
    turn->group.looked = true;
    if (!is_in)
        turn->peer = peer + 1;
}

/* Looks at those lists that the groups have not looked at. */
static bool end_scan(struct orr_actor *actor, struct orr_turn *turn)
{
    return orr_queue_scan_until(actor, turn->worker, &turn->scan,
                                orr_queue_scan_lists(turn->worker->run));
}

/* The group out to the peer that was found. On the way there something may be
 * posted to another. */
static enum orr_next go_out(struct orr_actor *actor, struct orr_turn *turn)
{
    unsigned peer = turn->peer - 1;

    if (orr_queue_scan_until(actor, turn->worker, &turn->scan,
                             orr_queue_scan_to_peer(peer))) {
        turn->peer = peer;
        return ORR_CONTINUE;
    }
    orr_turn_begin_group(turn, ORR_OUT, 1u << peer);
    return ORR_DONE;
}

enum orr_next orr_progress_find_group(struct orr_actor *actor,
                                      struct orr_turn *turn)
{
    if (turn->scan.stopped) {
        begin_late(turn);
        return ORR_DONE;
    }
    if (turn->scan.direction == ORR_IN) {
        if (end_scan(actor, turn))
            return ORR_CONTINUE;
        turn->scan = (struct orr_queue_scan){turn->node, ORR_OUT, 0, false};
    }
    if (orr_turn_find_outward(turn))
        return go_out(actor, turn);
    return end_scan(actor, turn) ? ORR_CONTINUE : ORR_DONE;
}
