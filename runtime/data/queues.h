/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_QUEUES_H
#define ORR_QUEUES_H

#include <string.h>

#include "runtime/data/request.h"
#include "runtime/data/waiting.h"

/*
 * The requests that one node handles: requests that wait to be started, and
 * pending requests, whose copies have been submitted (in flight). There is a
 * queue for each peer node, direction and level; it is ordered by priority,
 * then first come, first served (StarPU, data_request.c).
 */
struct orr_decider;

/* The limit on requests in flight between two nodes in one direction; levels
 * less urgent than ORR_FETCH have lower limits. */
#define ORR_MOST_IN_FLIGHT 5

/* The requests between a node and one peer in one direction. */
struct orr_lane {
    unsigned in_flight; /* pending requests */
    unsigned ended;     /* pending requests with copies that have ended */
    struct orr_request *pending; /* linked by next_pending */
    struct orr_waiting waiting[ORR_LEVELS];
    uint64_t unused[2]; /* makes it 128 bytes, which are found by a shift */
};

/* Masks have one bit for each peer. */
struct orr_queues {
    uint32_t has_waiting[ORR_DIRECTIONS][ORR_LEVELS];
    uint32_t startable[ORR_DIRECTIONS][ORR_LEVELS]; /* has_waiting, and the
                                                       limit allows one more */
    uint32_t has_ended[ORR_DIRECTIONS]; /* a pending request has been copied */
    uint32_t has_pending[ORR_DIRECTIONS];
    struct orr_lane lanes[ORR_MAX_NODES][ORR_DIRECTIONS];
};

/* The peers for which a waiting request of any level could start now. */
static inline uint32_t
orr_queues_startable_at_all(const struct orr_queues *queues,
                            enum orr_direction direction)
{
    return queues->startable[direction][ORR_FETCH] |
           queues->startable[direction][ORR_PREFETCH] |
           queues->startable[direction][ORR_IDLE];
}

/* Private: two masks at once, the first one at @place. */
static inline uint64_t orr_queues_pair(const struct orr_queues *queues,
                                       size_t place)
{
    uint64_t pair;

    memcpy(&pair, (const char *)queues + place, sizeof(pair));
    return pair;
}

/* Whether no copy has ended and no request may start. Drivers ask it in each of
 * their turns, so it looks at pairs of masks. */
static inline bool orr_queues_are_idle(const struct orr_queues *queues)
{
    enum {
        STARTABLE = offsetof(struct orr_queues, startable),
        ENDED = offsetof(struct orr_queues, has_ended),
        PAIR = sizeof(uint64_t)
    };

    G_STATIC_ASSERT(sizeof(queues->startable) == PAIR + PAIR + PAIR);
    G_STATIC_ASSERT(sizeof(queues->has_ended) == PAIR);
    return !(orr_queues_pair(queues, STARTABLE) |
             orr_queues_pair(queues, STARTABLE + PAIR) |
             orr_queues_pair(queues, STARTABLE + PAIR + PAIR) |
             orr_queues_pair(queues, ENDED));
}

/* A request of a level may start while fewer than this, of any level, are in
 * flight between two nodes in one direction (StarPU, data_request.h). */
extern const unsigned orr_queues_limits[ORR_LEVELS];

/* How many more requests of @level may start. */
static inline unsigned orr_lane_room(const struct orr_lane *lane,
                                     enum orr_level level)
{
    unsigned count = lane->in_flight, limit = orr_queues_limits[level];

    return count < limit ? limit - count : 0;
}

/* Puts @request into its queue, behind all others of its priority. */
void orr_request_append(struct orr_request *request);

/* Puts @request, which was taken, back into its queue, in front of all others
 * of its priority. */
void orr_request_return(struct orr_store *store, struct orr_request *request);

/* Takes the next @most requests of a queue, or all, out of it. Returns how
 * many. @decider (NULL: none) may choose others of the same priority. */
unsigned orr_queues_take(struct orr_queues *queues, struct orr_lane *lane,
                         enum orr_level level, unsigned most,
                         struct orr_decider *decider,
                         struct orr_request **taken);

/* Removes @request from the queue in which it waits. */
void orr_queues_withdraw(struct orr_queues *queues,
                         struct orr_request *request);

/* Adds @request, just started, to the pending ones of its node. */
void orr_queues_add_pending(struct orr_store *store,
                            struct orr_request *request);

/* The copy of @request, which is pending, has ended. */
void orr_request_copied(struct orr_store *store, struct orr_request *request);

/* Removes from the pending requests the one to which @link points. */
struct orr_request *orr_queues_take_pending(struct orr_queues *queues,
                                            struct orr_request **link);

#endif
