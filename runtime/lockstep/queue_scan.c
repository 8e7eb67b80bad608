/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Scans of lists of requests. A scan is a walk through the locks of the lists
 * (lock_walk.h), up to a list that has requests, or to the end. The lists of a
 * node and direction are numbered in the order of a scan; most of them are
 * empty, so their locks are all that a scan touches.
 *
 * A request may be posted while a scan is under way: then the scan stops behind
 * that list, if it has not asked for the list's lock yet, and the turn of
 * progress handles the group of that list once more.
 */
#include "runtime/lockstep/queue_scan.h"

#include "runtime/lockstep/members.h"
#include "runtime/lockstep/state.h"
#include "runtime/run.h"
#include "runtime/worker/worker.h"

/* The lists for one peer: in flight, and one for each level. */
enum { LISTS = 1 + ORR_LEVELS };

/* The lists in one direction of a node. */
static unsigned count_lists(const struct orr_run *run)
{
    return LISTS * run->node_count;
}

/* The place of the list number @list for @peer in the order of a scan. */
static unsigned place_of(const struct orr_run *run,
                         enum orr_direction direction, unsigned list,
                         unsigned peer)
{
    return direction == ORR_IN ? run->node_count * list + peer
                               : LISTS * peer + list;
}

/* The place of the list of requests that wait in @queue. */
static unsigned place_of_queue(const struct orr_run *run,
                               const struct orr_queue_id *queue)
{
    return place_of(run, queue->direction, 1 + queue->level, queue->peer);
}

/* Idle requests are scanned only while nothing is in flight: into a node, with
 * any peer; out of a node, with the same peer. */
static void set_lists(struct orr_run *run, enum orr_direction direction,
                      unsigned peer)
{
    struct orr_lists *lists = &orr_lockstep_run(&run->engine)->lists[direction];

    for (unsigned list = 0; list < LISTS; list++) {
        unsigned place = place_of(run, direction, list, peer);
        struct orr_walk_lock *lock = &lists->locks[place];

        lock->lock = &orr_lockstep_run(&run->engine)
                          ->list_locks[direction][2 * peer + (list == 0)];
        if (list == LISTS - 1)
            lock->skip_mask = direction == ORR_IN ? UINT32_MAX : 1u << peer;
        if (list == 0)
            lists->put_back[place + 1] = 1u << peer;
    }
}

void orr_queue_scan_init(struct orr_run *run)
{
    for (unsigned i = 0; i < ORR_DIRECTIONS; i++) {
        struct orr_lists *lists = &orr_lockstep_run(&run->engine)->lists[i];

        lists->locks = g_new0(struct orr_walk_lock, count_lists(run));
        lists->put_back = g_new0(uint32_t, count_lists(run));
        for (unsigned peer = 0; peer < run->node_count; peer++)
            set_lists(run, i, peer);
    }
}

void orr_queue_scan_clear(struct orr_run *run)
{
    for (unsigned i = 0; i < ORR_DIRECTIONS; i++) {
        g_free(orr_lockstep_run(&run->engine)->lists[i].locks);
        g_free(orr_lockstep_run(&run->engine)->lists[i].put_back);
    }
}

/* The operations that it takes to scan the lists from @begin to before @end.
 * The last two lock and unlock the last list. */
static unsigned count_operations(const struct orr_lists *lists, unsigned begin,
                                 unsigned end, uint32_t pending)
{
    unsigned locks = end - begin;

    for (unsigned i = begin; pending && i < end; i++) {
        locks += (lists->put_back[i] & pending) != 0;
        locks -= (lists->locks[i].skip_mask & pending) != 0;
    }
    return 2 * locks;
}

struct orr_queue_scanning {
    enum { SCAN_BEGIN, SCAN_LISTS, SCAN_END } at;
    struct orr_worker *worker;
    struct orr_queue_scan *scan;
    const struct orr_lists *lists;
    unsigned begin;            /* the first of them */
    unsigned operations;       /* on lists of a GPU */
    struct orr_lock_walk walk; /* on lists of RAM */
};

/* Other workers may scan the lists of RAM meanwhile. The lists of a GPU are
 * scanned by one worker only, which takes all its ticks at once, unless a
 * request is posted meanwhile. */
static enum orr_next scan_lists(struct orr_actor *actor, void *locals)
{
    struct orr_queue_scanning *scanning = locals;

    switch (scanning->at) {
    case SCAN_BEGIN:
        scanning->at = SCAN_LISTS;
        if (orr_lockstep_has_pending(actor))
            return orr_actor_pass(actor);
        /* fall through */
    case SCAN_LISTS:
        scanning->at = SCAN_END;
        return scanning->scan->node == ORR_RAM
                   ? orr_lock_walk_begin(&scanning->walk, actor)
                   : orr_lockstep_pass(actor, scanning->operations);
    case SCAN_END:
        orr_lockstep_worker(scanning->worker)->scanning = NULL;
        break;
    }
    return ORR_DONE;
}

static void call_scan(struct orr_actor *actor, struct orr_worker *worker,
                      struct orr_queue_scan *scan, unsigned begin)
{
    struct orr_run *run = worker->run;
    const struct orr_lists *lists =
        &orr_lockstep_run(&run->engine)->lists[scan->direction];
    const uint32_t *pending =
        &run->store.memories[scan->node].queues.has_pending[scan->direction];
    struct orr_queue_scanning *frame =
        orr_actor_call(actor, scan_lists, sizeof(*frame));

    orr_lockstep_worker(worker)->scanning = frame;
    frame->worker = worker;
    frame->scan = scan;
    frame->lists = lists;
    frame->begin = begin;
    frame->walk.bits = pending;
    if (scan->node == ORR_RAM) {
        frame->walk.next = &lists->locks[begin];
        frame->walk.end = &lists->locks[scan->scanned];
    } else {
        frame->operations =
            count_operations(lists, begin, scan->scanned, *pending);
    }
}

bool orr_queue_scan_until(struct orr_actor *actor, struct orr_worker *worker,
                          struct orr_queue_scan *scan, unsigned end)
{
    unsigned begin = scan->scanned;

    if (begin >= end)
        return false;
    scan->scanned = end;
    if (!orr_clock_is_busy(actor->engine) && !orr_lockstep_has_pending(actor))
        return false; /* no other actor can come in between */
    call_scan(actor, worker, scan, begin);
    return true;
}

/* Stops a scan of the lists of RAM behind the list at @place. Returns false if
 * that list is past. */
static bool stop_walk(struct orr_queue_scanning *scanning, unsigned place)
{
    const struct orr_walk_lock *lock = &scanning->lists->locks[place];

    if (lock < scanning->walk.next)
        return false;
    scanning->walk.end = lock + 1;
    return true;
}

/* Stops a scan of the lists of a GPU, which has begun to take its ticks or is
 * about to, behind the list at @place. Returns false if that list is past. */
static bool stop_ticks(struct orr_queue_scanning *scanning, unsigned place)
{
    unsigned *left = &orr_ticks_of(&scanning->worker->actor)->left;
    unsigned operations = count_operations(scanning->lists, scanning->begin,
                                           place + 1, *scanning->walk.bits);

    if (scanning->at == SCAN_END) {
        unsigned done = scanning->operations - *left;

        if (done + 2 >= operations)
            return false; /* it has asked for the lock of the list */
        *left = operations - done;
    }
    scanning->operations = operations;
    return true;
}

static void stop_at(struct orr_queue_scanning *scanning, unsigned place)
{
    struct orr_queue_scan *scan = scanning->scan;

    if (place < scanning->begin || place >= scan->scanned ||
        scanning->lists->locks[place].skip_mask & *scanning->walk.bits)
        return;
    if (scan->node == ORR_RAM ? stop_walk(scanning, place)
                              : stop_ticks(scanning, place)) {
        scan->scanned = place + 1;
        scan->stopped = true;
    }
}

void orr_queue_scan_posted(const struct orr_request *request)
{
    const struct orr_run *run = request->store->run;
    const struct orr_queue_id queue = {request->node, request->peer,
                                       (enum orr_direction)request->direction,
                                       (enum orr_level)request->level};

    for (unsigned i = 0; i < run->worker_count; i++) {
        struct orr_queue_scanning *scanning =
            orr_lockstep_worker(run->workers[i])->scanning;

        if (scanning && scanning->scan->node == queue.node &&
            scanning->scan->direction == queue.direction)
            stop_at(scanning, place_of_queue(run, &queue));
    }
}

void orr_queue_scan_resume(const struct orr_run *run,
                           struct orr_queue_scan *scan,
                           struct orr_queue_id *queue)
{
    unsigned last = scan->scanned - 1;

    scan->stopped = false;
    if (scan->direction == ORR_IN) {
        queue->level = (enum orr_level)(last / run->node_count - 1);
        queue->peer = last % run->node_count;
    } else {
        queue->level = (enum orr_level)(last % LISTS - 1);
        queue->peer = last / LISTS;
    }
}

/* Skips the rest of the group of @queue: all lists into its node, or all lists
 * out to its peer. */
static void skip_group(const struct orr_run *run, struct orr_queue_scan *scan,
                       const struct orr_queue_id *queue)
{
    unsigned peers =
        queue->direction == ORR_IN ? run->node_count : queue->peer + 1;

    scan->scanned = MAX(scan->scanned, LISTS * peers);
}

bool orr_progress_scan(struct orr_actor *actor, struct orr_turn *turn,
                       enum orr_scan_mode mode)
{
    const struct orr_run *run = turn->worker->run;
    struct orr_queue_id *queue = &turn->group.queue;
    unsigned last = 0;

    switch (mode) {
    case ORR_SCAN_PENDING:
        last = place_of(run, queue->direction, 0, queue->peer);
        break;
    case ORR_SCAN_WAITING:
        last = place_of_queue(run, queue);
        break;
    case ORR_SCAN_RESUME:
        orr_queue_scan_resume(run, &turn->scan, queue);
        return false;
    case ORR_SCAN_SKIP:
        skip_group(run, &turn->scan, queue);
        return false;
    }
    return orr_queue_scan_until(actor, turn->worker, &turn->scan, last + 1);
}

/* Returns to a group that was done, or had nothing to do: a request was posted
 * to the last list scanned. */
static void begin_stopped_group(struct orr_turn *turn)
{
    bool is_in = turn->scan.direction == ORR_IN;
    /* peer of a scan out of the node */
    unsigned peer = (turn->scan.scanned - 1) / LISTS;

    orr_turn_begin_group(turn, turn->scan.direction,
                         is_in ? UINT32_MAX : 1u << peer);
    turn->group.at = ORR_GROUP_SCANNED;
    if (!is_in)
        turn->peer = peer + 1;
}

/* Scans the lists that the groups have not scanned. */
static bool end_scan(struct orr_actor *actor, struct orr_turn *turn)
{
    return orr_queue_scan_until(actor, turn->worker, &turn->scan,
                                count_lists(turn->worker->run));
}

/* Begins the group out to the peer that was found, unless a request is posted
 * to an earlier list. */
static enum orr_next begin_out(struct orr_actor *actor, struct orr_turn *turn)
{
    unsigned peer = turn->peer - 1;

    if (orr_queue_scan_until(actor, turn->worker, &turn->scan, LISTS * peer)) {
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
        begin_stopped_group(turn);
        return ORR_DONE;
    }
    if (turn->scan.direction == ORR_IN) {
        if (end_scan(actor, turn))
            return ORR_CONTINUE;
        turn->scan = (struct orr_queue_scan){turn->node, ORR_OUT, 0, false};
    }
    if (orr_turn_find_out(turn))
        return begin_out(actor, turn);
    return end_scan(actor, turn) ? ORR_CONTINUE : ORR_DONE;
}
