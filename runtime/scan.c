/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/scan.h"

#include "runtime/run.h"
#include "runtime/turns.h"

/* The lists for one peer: in flight, and one for each level. */
enum { LISTS = 1 + ORR_LEVELS };

unsigned orr_scan_lists(const struct orr_run *run)
{
    return LISTS * run->node_count;
}

unsigned orr_scan_to_flight(const struct orr_line *line)
{
    return 1 + (line->direction == ORR_IN ? line->peer : LISTS * line->peer);
}

unsigned orr_scan_to_line(const struct orr_run *run,
                          const struct orr_line *line)
{
    if (line->direction == ORR_IN)
        return run->node_count * (1 + line->level) + line->peer + 1;
    return LISTS * line->peer + 1 + line->level + 1;
}

void orr_scan_skip_rest(const struct orr_run *run, struct orr_scan *scan,
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
    struct orr_lists *lists = &run->shared.lists[direction];

    for (unsigned list = 0; list < LISTS; list++) {
        unsigned place = place_of(run, direction, list, peer);
        struct orr_gate *gate = &lists->gates[place];

        gate->lock = &run->shared.list_locks[direction][2 * peer + (list == 0)];
        if (list == LISTS - 1)
            gate->shut = direction == ORR_IN ? UINT32_MAX : 1u << peer;
        if (list == 0)
            lists->put_back[place + 1] = 1u << peer;
    }
}

void orr_scan_init(struct orr_run *run)
{
    for (unsigned i = 0; i < ORR_DIRECTIONS; i++) {
        struct orr_lists *lists = &run->shared.lists[i];

        lists->gates = g_new0(struct orr_gate, orr_scan_lists(run));
        lists->put_back = g_new0(uint32_t, orr_scan_lists(run));
        for (unsigned peer = 0; peer < run->node_count; peer++)
            set_lists(run, i, peer);
    }
}

void orr_scan_clear(struct orr_run *run)
{
    for (unsigned i = 0; i < ORR_DIRECTIONS; i++) {
        g_free(run->shared.lists[i].gates);
        g_free(run->shared.lists[i].put_back);
    }
}

struct scanning {
    enum { SCAN_BEGIN, SCAN_LOOK, SCAN_END } at;
    struct orr_passage passage;
};

/* At lists of RAM, where others may look, too. */
static enum orr_next look(struct orr_actor *actor, void *locals)
{
    struct scanning *scanning = locals;

    switch (scanning->at) {
    case SCAN_BEGIN:
        scanning->at = SCAN_LOOK;
        if (orr_actor_owes(actor))
            return orr_actor_take_turns(actor, 0);
        /* fall through */
    case SCAN_LOOK:
        scanning->at = SCAN_END;
        return orr_passage_pass(&scanning->passage, actor);
    case SCAN_END:
        break;
    }
    return ORR_DONE;
}

/* The operations of looking at the lists of a GPU, at which nobody else looks.
 * All are taken at once, so what is posted there meanwhile is seen only in the
 * next turn of progress; in the reference, if its list comes later, in this. */
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

struct counting {
    bool done;
    unsigned operations;
};

static enum orr_next look_alone(struct orr_actor *actor, void *locals)
{
    struct counting *counting = locals;

    if (counting->done)
        return ORR_DONE;
    counting->done = true;
    return orr_actor_take_turns(actor, counting->operations);
}

static void call_look_alone(struct orr_actor *actor, unsigned operations)
{
    struct counting *counting =
        orr_actor_call(actor, look_alone, sizeof(*counting));

    counting->operations = operations;
}

static void call_look(struct orr_actor *actor, const struct orr_gate *begin,
                      const struct orr_gate *end, const uint32_t *pending)
{
    struct scanning *scanning = orr_actor_call(actor, look, sizeof(*scanning));

    scanning->passage.next = begin;
    scanning->passage.end = end;
    scanning->passage.bits = pending;
}

bool orr_scan_until(struct orr_actor *actor, struct orr_run *run,
                    struct orr_scan *scan, unsigned until)
{
    const struct orr_lists *lists = &run->shared.lists[scan->direction];
    const uint32_t *pending =
        &run->memories[scan->node].queues.has_pending[scan->direction];
    unsigned begin = scan->looked;

    if (begin >= until)
        return false;
    scan->looked = until;
    if (!run->engine.turns && !orr_actor_owes(actor))
        return false; /* nobody is to come in between */
    if (scan->node == ORR_RAM)
        call_look(actor, &lists->gates[begin], &lists->gates[until], pending);
    else
        call_look_alone(actor, count(lists, begin, until, *pending));
    return true;
}
