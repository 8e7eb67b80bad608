/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/queue_scan.h"

#include "runtime/lockstep/state.h"
#include "runtime/run.h"
#include "runtime/worker/worker.h"

/* The lists for one peer: in flight, and one for each level. */
enum { LISTS = 1 + ORR_LEVELS };

unsigned orr_queue_scan_lists(const struct orr_run *run)
{
    return LISTS * run->node_count;
}

unsigned orr_queue_scan_to_peer(unsigned peer)
{
    return LISTS * peer;
}

unsigned orr_queue_scan_peer(const struct orr_queue_scan *scan)
{
    return (scan->looked - 1) / LISTS;
}

unsigned orr_queue_scan_to_flight(const struct orr_line *line)
{
    return 1 + (line->direction == ORR_IN ? line->peer : LISTS * line->peer);
}

unsigned orr_queue_scan_to_line(const struct orr_run *run,
                                const struct orr_line *line)
{
    if (line->direction == ORR_IN)
        return run->node_count * (1 + line->level) + line->peer + 1;
    return LISTS * line->peer + 1 + line->level + 1;
}

void orr_queue_scan_skip_rest(const struct orr_run *run,
                              struct orr_queue_scan *scan,
                              const struct orr_line *line)
{
    unsigned peers =
        line->direction == ORR_IN ? run->node_count : line->peer + 1;

    scan->looked = MAX(scan->looked, LISTS * peers);
}

static unsigned place_of(const struct orr_run *run,
                         enum orr_direction direction, unsigned list,
                         unsigned peer)
{
    return direction == ORR_IN ? run->node_count * list + peer
                               : LISTS * peer + list;
}

/* Idle requests are looked at only while nothing is in flight, which into a
 * node is with any of its peers. */
static void set_lists(struct orr_run *run, enum orr_direction direction,
                      unsigned peer)
{
    struct orr_lists *lists = &orr_lockstep_run(&run->engine)->lists[direction];

    for (unsigned list = 0; list < LISTS; list++) {
        unsigned place = place_of(run, direction, list, peer);
        struct orr_walk_lock *gate = &lists->gates[place];

        gate->lock = &orr_lockstep_run(&run->engine)
                          ->list_locks[direction][2 * peer + (list == 0)];
        if (list == LISTS - 1)
            gate->shut = direction == ORR_IN ? UINT32_MAX : 1u << peer;
        if (list == 0)
            lists->put_back[place + 1] = 1u << peer;
    }
}

void orr_queue_scan_init(struct orr_run *run)
{
    for (unsigned i = 0; i < ORR_DIRECTIONS; i++) {
        struct orr_lists *lists = &orr_lockstep_run(&run->engine)->lists[i];

        lists->gates = g_new0(struct orr_walk_lock, orr_queue_scan_lists(run));
        lists->put_back = g_new0(uint32_t, orr_queue_scan_lists(run));
        for (unsigned peer = 0; peer < run->node_count; peer++)
            set_lists(run, i, peer);
    }
}

void orr_queue_scan_clear(struct orr_run *run)
{
    for (unsigned i = 0; i < ORR_DIRECTIONS; i++) {
        g_free(orr_lockstep_run(&run->engine)->lists[i].gates);
        g_free(orr_lockstep_run(&run->engine)->lists[i].put_back);
    }
}

/* The operations of looking at some lists, of which the last two are those of
 * taking the lock of the last, and giving it back. */
static unsigned count(const struct orr_lists *lists, unsigned begin,
                      unsigned end, uint32_t pending)
{
    unsigned looks = end - begin;

    for (unsigned i = begin; pending && i < end; i++) {
        looks += (lists->put_back[i] & pending) != 0;
        looks -= (lists->gates[i].shut & pending) != 0;
    }
    return 2 * looks;
}

struct orr_look {
    enum { LOOK_BEGIN, LOOK_LOOK, LOOK_END } at;
    struct orr_worker *worker;
    struct orr_queue_scan *scan;
    const struct orr_lists *lists;
    unsigned begin;            /* the first of those that it looks at */
    unsigned operations;       /* if of a GPU */
    struct orr_lock_walk walk; /* if of RAM */
};

/* At lists of RAM others may look, too. At those of a GPU nobody else does: it
 * takes all its turns at once, but for what is posted there meanwhile. */
static enum orr_next look(struct orr_actor *actor, void *locals)
{
    struct orr_look *look = locals;

    switch (look->at) {
    case LOOK_BEGIN:
        look->at = LOOK_LOOK;
        if (orr_lockstep_has_pending(actor))
            return orr_actor_pass(actor);
        /* fall through */
    case LOOK_LOOK:
        look->at = LOOK_END;
        return look->scan->node == ORR_RAM
                   ? orr_lock_walk_begin(&look->walk, actor)
                   : orr_lockstep_pass(actor, look->operations);
    case LOOK_END:
        orr_lockstep_worker(look->worker)->look = NULL;
        break;
    }
    return ORR_DONE;
}

static void call_look(struct orr_actor *actor, struct orr_worker *worker,
                      struct orr_queue_scan *scan, unsigned begin)
{
    struct orr_run *run = worker->run;
    const struct orr_lists *lists =
        &orr_lockstep_run(&run->engine)->lists[scan->direction];
    const uint32_t *pending =
        &run->memories[scan->node].queues.has_pending[scan->direction];
    struct orr_look *frame = orr_actor_call(actor, look, sizeof(*frame));

    orr_lockstep_worker(worker)->look = frame;
    frame->worker = worker;
    frame->scan = scan;
    frame->lists = lists;
    frame->begin = begin;
    frame->walk.bits = pending;
    if (scan->node == ORR_RAM) {
        frame->walk.next = &lists->gates[begin];
        frame->walk.end = &lists->gates[scan->looked];
    } else {
        frame->operations = count(lists, begin, scan->looked, *pending);
    }
}

bool orr_queue_scan_until(struct orr_actor *actor, struct orr_worker *worker,
                          struct orr_queue_scan *scan, unsigned until)
{
    unsigned begin = scan->looked;

    if (begin >= until)
        return false;
    scan->looked = until;
    if (!orr_clock_is_busy(actor->engine) && !orr_lockstep_has_pending(actor))
        return false; /* nobody is to come in between */
    call_look(actor, worker, scan, begin);
    return true;
}

/* Has who looks at lists of RAM look at none behind that at @place. */
static bool stop_in_passage(struct orr_look *look, unsigned place)
{
    const struct orr_walk_lock *gate = &look->lists->gates[place];

    if (gate < look->walk.next)
        return false;
    look->walk.end = gate + 1;
    return true;
}

/* The same of a GPU, who is in the midst of its turns, or about to begin. */
static bool stop_in_turns(struct orr_look *look, unsigned place)
{
    unsigned *left = &orr_turns_of(&look->worker->actor)->left;
    unsigned operations =
        count(look->lists, look->begin, place + 1, *look->walk.bits);

    if (look->at == LOOK_END) {
        unsigned done = look->operations - *left;

        if (done + 2 >= operations)
            return false; /* it has asked for the lock, if not more */
        *left = operations - done;
    }
    look->operations = operations;
    return true;
}

static void stop_at(struct orr_look *look, unsigned place)
{
    struct orr_queue_scan *scan = look->scan;

    if (place < look->begin || place >= scan->looked ||
        look->lists->gates[place].shut & *look->walk.bits)
        return;
    if (scan->node == ORR_RAM ? stop_in_passage(look, place)
                              : stop_in_turns(look, place)) {
        scan->looked = place + 1;
        scan->stopped = true;
    }
}

void orr_queue_scan_posted(const struct orr_request *request)
{
    const struct orr_run *run = request->run;
    const struct orr_line line = {request->node, request->peer,
                                  (enum orr_direction)request->direction,
                                  (enum orr_level)request->level};

    for (unsigned i = 0; i < run->worker_count; i++) {
        struct orr_look *look = orr_lockstep_worker(run->workers[i])->look;

        if (look && look->scan->node == line.node &&
            look->scan->direction == line.direction)
            stop_at(look, orr_queue_scan_to_line(run, &line) - 1);
    }
}

void orr_queue_scan_take_up(const struct orr_run *run,
                            struct orr_queue_scan *scan, struct orr_line *line)
{
    unsigned last = scan->looked - 1;

    scan->stopped = false;
    if (scan->direction == ORR_IN) {
        line->level = (enum orr_level)(last / run->node_count - 1);
        line->peer = last % run->node_count;
    } else {
        line->level = (enum orr_level)(last % LISTS - 1);
        line->peer = last / LISTS;
    }
}
