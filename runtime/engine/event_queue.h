/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EVENT_QUEUE_H
#define ORR_EVENT_QUEUE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The queue of future events, ordered by (key, tie), smallest first.
 *
 * A sorted array: a run has about one pending event for each worker and copy,
 * and most new events are among the next to fire. So few entries move at an
 * insertion, and none at a removal of the first.
 */

/*
 * One future event, embedded in the object that it concerns (a worker, a
 * copy), so that scheduling never allocates per event.
 *
 * Ownership: the caller owns the storage, zero-initialised, and keeps it
 * alive until the event has fired or was cancelled.
 */
struct orr_event {
    void (*fire)(void *arg);
    void *arg;
    bool queued; /* private */
};

struct orr_queued_event {
    int64_t key;  /* date, not negative */
    uint64_t tie; /* order among those of one date */
    struct orr_event *event;
};

/* Zero-initialised is empty. The last entry is the next to fire. */
struct orr_event_queue {
    struct orr_queued_event *entries;
    unsigned count;
    unsigned capacity;
};

/* Frees the memory of the queue, not the events. */
void orr_event_queue_clear(struct orr_event_queue *queue);

/* Private: makes room for one more. */
void orr_event_queue_grow(struct orr_event_queue *queue);

/* Private: opens a gap for (@key, @tie) among the first @count entries, behind
 * which there is one already. Returns its place. */
unsigned orr_event_queue_open(struct orr_event_queue *queue, unsigned count,
                              int64_t key, uint64_t tie);

/* Removes @event, which is queued. */
void orr_event_queue_remove(struct orr_event_queue *queue,
                            struct orr_event *event);

/*
 * Lists the events that have the same key as the next one, in the order in
 * which they would fire, but at most @most of them. They stay in the queue.
 * Returns how many were listed.
 */
unsigned orr_event_queue_equals(const struct orr_event_queue *queue,
                                struct orr_event **events, unsigned most);

static inline bool
orr_queued_event_precedes(const struct orr_queued_event *entry, int64_t key,
                          uint64_t tie)
{
    return entry->key != key ? entry->key < key : entry->tie < tie;
}

/* The next to fire; the queue must not be empty. */
static inline const struct orr_queued_event *
orr_event_queue_next(const struct orr_event_queue *queue)
{
    return &queue->entries[queue->count - 1];
}

/* Entries that an insertion passes one by one before it searches. */
#define ORR_EVENT_QUEUE_NEAR 16

/* Adds @event, which must not be queued. (@key, @tie) should be unique. */
static inline void orr_event_queue_push(struct orr_event_queue *queue,
                                        struct orr_event *event, int64_t key,
                                        uint64_t tie)
{
    unsigned place = queue->count;
    unsigned far =
        place > ORR_EVENT_QUEUE_NEAR ? place - ORR_EVENT_QUEUE_NEAR : 0;
    struct orr_queued_event *entries;

    g_assert(!event->queued);
    if (G_UNLIKELY(place == queue->capacity))
        orr_event_queue_grow(queue);
    entries = queue->entries;
    while (place > far &&
           orr_queued_event_precedes(&entries[place - 1], key, tie)) {
        entries[place] = entries[place - 1];
        place--;
    }
    if (G_UNLIKELY(place == far) && far > 0)
        place = orr_event_queue_open(queue, far, key, tie);
    entries[place] =
        (struct orr_queued_event){.key = key, .tie = tie, .event = event};
    queue->count++;
    event->queued = true;
}

/* Removes and returns the next event; the queue must not be empty. */
static inline struct orr_event *
orr_event_queue_pop(struct orr_event_queue *queue)
{
    struct orr_event *event = queue->entries[--queue->count].event;

    event->queued = false;
    return event;
}

#endif
