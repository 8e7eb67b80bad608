/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/engine/event_queue.h"

#include <string.h>

#define FIRST_CAPACITY 64

void orr_event_queue_clear(struct orr_event_queue *queue)
{
    g_free(queue->entries);
    *queue = (struct orr_event_queue){0};
}

void orr_event_queue_grow(struct orr_event_queue *queue)
{
    queue->capacity = MAX(2 * queue->capacity, FIRST_CAPACITY);
    queue->entries =
        g_renew(struct orr_queued_event, queue->entries, queue->capacity);
}

unsigned orr_event_queue_open(struct orr_event_queue *queue, unsigned count,
                              int64_t key, uint64_t tie)
{
    unsigned low = 0, high = count;

    while (low < high) {
        unsigned middle = low + (high - low) / 2;

        if (orr_queued_event_precedes(&queue->entries[middle], key, tie))
            high = middle;
        else
            low = middle + 1;
    }
    memmove(&queue->entries[low + 1], &queue->entries[low],
            (count - low) * sizeof(queue->entries[0]));
    return low;
}

void orr_event_queue_remove(struct orr_event_queue *queue,
                            struct orr_event *event)
{
    unsigned place = queue->count;

    while (queue->entries[--place].event != event)
        g_assert(place > 0);
    queue->count--;
    memmove(&queue->entries[place], &queue->entries[place + 1],
            (queue->count - place) * sizeof(queue->entries[0]));
    event->queued = false;
}

unsigned orr_event_queue_equals(const struct orr_event_queue *queue,
                                struct orr_event **events, unsigned most)
{
    unsigned count = 0;

    for (; count < most && count < queue->count; count++) {
        const struct orr_queued_event *entry =
            &queue->entries[queue->count - 1 - count];

        if (entry->key != orr_event_queue_next(queue)->key)
            break;
        events[count] = entry->event;
    }
    return count;
}
