/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/queues.h"

#include "runtime/data/store.h"

static struct orr_lane *lane_of(struct orr_queues *queues,
                                const struct orr_request *request)
{
    return &queues->lanes[request->peer][request->direction];
}

const unsigned orr_queues_limits[ORR_LEVELS] = {ORR_MOST_IN_FLIGHT, 2, 1};

static inline void mark_waiting(struct orr_queues *queues,
                                const struct orr_lane *lane,
                                const struct orr_request *request)
{
    unsigned level = request->level;
    uint32_t peer = 1u << request->peer;

    queues->has_waiting[request->direction][level] |= peer;
    if (lane->in_flight < orr_queues_limits[level])
        queues->startable[request->direction][level] |= peer;
}

/* Out of line: with this call inside, orr_request_append() would have to save
 * most registers each time. */
static G_GNUC_NO_INLINE void append_to_other_list(struct orr_waiting *waiting,
                                                  struct orr_request *request)
{
    orr_waiting_find_list(waiting, request->priority);
    orr_request_append(request);
}

void orr_request_append(struct orr_request *request)
{
    struct orr_queues *queues = &request->store->memories[request->node].queues;
    struct orr_lane *lane = lane_of(queues, request);
    struct orr_waiting *waiting = &lane->waiting[request->level];

    if (!orr_waiting_is_recent(waiting, request->priority)) {
        append_to_other_list(waiting, request);
        return;
    }
    orr_waiting_append(waiting, request);
    mark_waiting(queues, lane, request);
    orr_point(request->store->engine, ORR_POINT_REQUEST_WAITS, request);
}

/* One or several requests like @request have left their queue. */
static inline void mark_taken(struct orr_queues *queues,
                              const struct orr_waiting *waiting,
                              const struct orr_request *request)
{
    uint32_t peer = 1u << request->peer;

    if (!orr_waiting_is_empty(waiting))
        return;
    queues->has_waiting[request->direction][request->level] &= ~peer;
    queues->startable[request->direction][request->level] &= ~peer;
}

void orr_queues_withdraw(struct orr_queues *queues, struct orr_request *request)
{
    struct orr_waiting *waiting =
        &lane_of(queues, request)->waiting[request->level];

    orr_waiting_remove(waiting, request);
    mark_taken(queues, waiting, request);
}

/* Loads what the start of @request needs into the cache. */
static inline void prefetch_cache(const struct orr_request *request)
{
    __builtin_prefetch(&request->data->lock);
    __builtin_prefetch(request->from);
    __builtin_prefetch(&request->references);
}

/* Loads into the cache the fields that decide whether @request, the next to be
 * taken, may start, and the head of the request behind it: thousands may
 * wait. */
static inline void prefetch_next(const struct orr_request *request)
{
    __builtin_prefetch(request->data);
    __builtin_prefetch(request->to);
    __builtin_prefetch(request->wait.behind);
}

unsigned orr_queues_take(struct orr_queues *queues, struct orr_lane *lane,
                         enum orr_level level, unsigned most,
                         struct orr_decider *decider,
                         struct orr_request **taken)
{
    struct orr_waiting *waiting = &lane->waiting[level];
    unsigned count = 0;

    while (count < most && !orr_waiting_is_empty(waiting)) {
        struct orr_request *request = G_UNLIKELY(decider)
                                          ? orr_waiting_choose(waiting, decider)
                                          : orr_waiting_first(waiting);

        orr_waiting_remove(waiting, request);
        prefetch_cache(request);
        taken[count++] = request;
    }
    g_assert(count > 0);
    if (!orr_waiting_is_empty(waiting))
        prefetch_next(orr_waiting_first(waiting));
    mark_taken(queues, waiting, taken[0]);
    return count;
}

void orr_request_return(struct orr_store *store, struct orr_request *request)
{
    struct orr_queues *queues = &store->memories[request->node].queues;
    struct orr_lane *lane = lane_of(queues, request);

    orr_waiting_prepend(&lane->waiting[request->level], request);
    mark_waiting(queues, lane, request);
}

/* @count requests are in flight now, one more than before. */
static void fill_up(struct orr_queues *queues, unsigned peer,
                    unsigned direction, unsigned count)
{
    for (unsigned level = 0; level < ORR_LEVELS; level++) {
        if (count == orr_queues_limits[level])
            queues->startable[direction][level] &= ~(1u << peer);
    }
}

/* One of @count requests in flight has ended. */
static void make_room(struct orr_queues *queues, unsigned peer,
                      unsigned direction, unsigned count)
{
    for (unsigned level = 0; level < ORR_LEVELS; level++) {
        if (count == orr_queues_limits[level])
            queues->startable[direction][level] |=
                queues->has_waiting[direction][level] & 1u << peer;
    }
}

void orr_queues_add_pending(struct orr_store *store,
                            struct orr_request *request)
{
    struct orr_queues *queues = &store->memories[request->node].queues;
    struct orr_lane *lane = lane_of(queues, request);
    struct orr_request **place = &lane->pending;

    while (*place && (*place)->priority >= request->priority)
        place = &(*place)->next_pending;
    request->next_pending = *place;
    *place = request;
    fill_up(queues, request->peer, request->direction, ++lane->in_flight);
    queues->has_pending[request->direction] |= 1u << request->peer;
}

void orr_request_copied(struct orr_store *store, struct orr_request *request)
{
    struct orr_queues *queues = &store->memories[request->node].queues;

    request->copied = true;
    lane_of(queues, request)->ended++;
    queues->has_ended[request->direction] |= 1u << request->peer;
}

struct orr_request *orr_queues_take_pending(struct orr_queues *queues,
                                            struct orr_request **link)
{
    struct orr_request *request = *link;
    struct orr_lane *lane = lane_of(queues, request);

    *link = request->next_pending;
    make_room(queues, request->peer, request->direction, lane->in_flight--);
    if (--lane->ended == 0)
        queues->has_ended[request->direction] &= ~(1u << request->peer);
    return request;
}
