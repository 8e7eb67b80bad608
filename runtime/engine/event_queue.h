/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EVENT_QUEUE_H
#define ORR_EVENT_QUEUE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The queue of future events, ordered by (key, via, order), smallest first.
 *
 * A list: a run has about one pending event for each worker and copy, and most
 * new events are among the next to fire. So an insertion passes few others, and
 * a removal none.
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

    /* Private. */
    int64_t key;   /* date, not negative */
    int64_t via;   /* second key: orders events with equal @key */
    int64_t order; /* third key: orders events with equal @key and @via */
    struct orr_event *next, *before; /* NULL: not queued */
};

/* After orr_event_queue_init(). */
struct orr_event_queue {
    struct orr_event end; /* closes the list to a ring: its next is the first,
                             and its key larger than all others */
};

static inline void orr_event_queue_init(struct orr_event_queue *queue)
{
    queue->end = (struct orr_event){
        .key = INT64_MAX, .next = &queue->end, .before = &queue->end};
}

static inline bool orr_event_queue_is_empty(const struct orr_event_queue *queue)
{
    return queue->end.next == &queue->end;
}

static inline bool orr_event_is_queued(const struct orr_event *event)
{
    return event->next;
}

/*
 * Lists the events that have the same key as the next one, in the order in
 * which they would fire, but at most @most of them. They stay in the queue.
 * Returns how many were listed.
 */
unsigned orr_event_queue_equals(const struct orr_event_queue *queue,
                                struct orr_event **events, unsigned most);

/* The next event to fire. If the queue is empty, an event whose key is
 * INT64_MAX. */
static inline const struct orr_event *
orr_event_queue_next(const struct orr_event_queue *queue)
{
    return queue->end.next;
}

/* Whether @event fires before one of (@key, @via, @order). */
static inline bool orr_event_is_before(const struct orr_event *event,
                                       int64_t key, int64_t via, int64_t order)
{
    return event->key <= key && (event->key < key || event->via < via ||
                                 (event->via == via && event->order < order));
}

/* Links @event, which must not be queued, before @next. */
static inline void orr_event_link(struct orr_event *event,
                                  struct orr_event *next, int64_t key,
                                  int64_t via, int64_t order)
{
    struct orr_event *before = next->before;

    g_assert(!orr_event_is_queued(event));
    event->key = key;
    event->via = via;
    event->order = order;
    event->next = next;
    event->before = before;
    before->next = event;
    next->before = event;
}

/* Adds @event, which must not be queued; @key < INT64_MAX. (@key, @via, @order)
 * should be unique. Searches its place from the front. */
static inline void orr_event_queue_push(struct orr_event_queue *queue,
                                        struct orr_event *event, int64_t key,
                                        int64_t via, int64_t order)
{
    struct orr_event *next = queue->end.next;

    while (orr_event_is_before(next, key, via, order))
        next = next->next;
    orr_event_link(event, next, key, via, order);
}

/* As orr_event_queue_push(), but searches from the back. */
static inline void orr_event_queue_push_late(struct orr_event_queue *queue,
                                             struct orr_event *event,
                                             int64_t key, int64_t via,
                                             int64_t order)
{
    struct orr_event *before = queue->end.before;

    while (before != &queue->end &&
           !orr_event_is_before(before, key, via, order))
        before = before->before;
    orr_event_link(event, before->next, key, via, order);
}

/* Removes @event, which is queued. */
static inline void orr_event_queue_remove(struct orr_event *event)
{
    event->before->next = event->next;
    event->next->before = event->before;
    event->next = NULL;
}

/* Removes and returns the next event; the queue must not be empty. */
static inline struct orr_event *
orr_event_queue_pop(struct orr_event_queue *queue)
{
    struct orr_event *event = queue->end.next;

    queue->end.next = event->next;
    event->next->before = &queue->end;
    event->next = NULL;
    return event;
}

#endif
