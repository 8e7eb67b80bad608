/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/queues.h"

#include "runtime/run.h"

static struct orr_waiting *queue_of(struct orr_queues *queues,
                                    const struct orr_request *request)
{
    return &queues->waiting[request->peer][request->direction][request->level];
}

/* A request of a level may start while fewer than this, of any level, are in
 * flight between two nodes in one direction (StarPU, data_request.h). */
static const unsigned limits[ORR_LEVELS] = {ORR_MOST_IN_FLIGHT, 2, 1};

unsigned orr_queues_room(const struct orr_queues *queues, unsigned peer,
                         enum orr_direction direction, enum orr_level level)
{
    unsigned count = queues->in_flight[peer][direction];

    return count < limits[level] ? limits[level] - count : 0;
}

static void note_waiting(struct orr_queues *queues,
                         const struct orr_request *request)
{
    unsigned level = request->level;
    uint32_t peer = 1u << request->peer;

    queues->has_waiting[request->direction][level] |= peer;
    if (queues->in_flight[request->peer][request->direction] < limits[level])
        queues->startable[request->direction][level] |= peer;
}

void orr_request_append(struct orr_request *request)
{
    struct orr_queues *queues = &request->run->memories[request->node].queues;

    orr_waiting_append(queue_of(queues, request), request);
    note_waiting(queues, request);
    orr_point(&request->run->engine, ORR_POINT_REQUEST_WAITS, request);
}

void orr_queues_withdraw(struct orr_queues *queues, struct orr_request *request)
{
    struct orr_waiting *waiting = queue_of(queues, request);
    uint32_t peer = 1u << request->peer;

    orr_waiting_remove(waiting, request);
    if (!orr_waiting_is_empty(waiting))
        return;
    queues->has_waiting[request->direction][request->level] &= ~peer;
    queues->startable[request->direction][request->level] &= ~peer;
}

void orr_request_return(struct orr_run *run, struct orr_request *request)
{
    struct orr_queues *queues = &run->memories[request->node].queues;

    orr_waiting_prepend(queue_of(queues, request), request);
    note_waiting(queues, request);
}

struct orr_request *orr_request_take(struct orr_queues *queues, unsigned peer,
                                     enum orr_direction direction,
                                     enum orr_level level,
                                     struct orr_decider *decider)
{
    struct orr_request *request =
        orr_waiting_choose(&queues->waiting[peer][direction][level], decider);

    orr_queues_withdraw(queues, request);
    return request;
}

/* @count requests are in flight now, one more than before. */
static void fill_up(struct orr_queues *queues, unsigned peer,
                    unsigned direction, unsigned count)
{
    for (unsigned level = 0; level < ORR_LEVELS; level++) {
        if (count == limits[level])
            queues->startable[direction][level] &= ~(1u << peer);
    }
}

/* One of @count requests in flight has ended. */
static void make_room(struct orr_queues *queues, unsigned peer,
                      unsigned direction, unsigned count)
{
    for (unsigned level = 0; level < ORR_LEVELS; level++) {
        if (count == limits[level])
            queues->startable[direction][level] |=
                queues->has_waiting[direction][level] & 1u << peer;
    }
}

void orr_queues_add_pending(struct orr_run *run, struct orr_request *request)
{
    struct orr_queues *queues = &run->memories[request->node].queues;
    struct orr_request **place =
        &queues->pending[request->peer][request->direction];

    while (*place && (*place)->priority >= request->priority)
        place = &(*place)->next_pending;
    request->next_pending = *place;
    *place = request;
    fill_up(queues, request->peer, request->direction,
            ++queues->in_flight[request->peer][request->direction]);
    queues->has_pending[request->direction] |= 1u << request->peer;
}

void orr_request_copied(struct orr_run *run, struct orr_request *request)
{
    struct orr_queues *queues = &run->memories[request->node].queues;

    request->copied = true;
    queues->ended[request->peer][request->direction]++;
    queues->has_ended[request->direction] |= 1u << request->peer;
}

struct orr_request *orr_queues_take_pending(struct orr_queues *queues,
                                            struct orr_request **link)
{
    struct orr_request *request = *link;

    *link = request->next_pending;
    make_room(queues, request->peer, request->direction,
              queues->in_flight[request->peer][request->direction]--);
    if (--queues->ended[request->peer][request->direction] == 0)
        queues->has_ended[request->direction] &= ~(1u << request->peer);
    return request;
}
