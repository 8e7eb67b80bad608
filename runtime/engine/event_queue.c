/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/engine/event_queue.h"

unsigned orr_event_queue_equals(const struct orr_event_queue *queue,
                                struct orr_event **events, unsigned most)
{
    unsigned count = 0;

    for (struct orr_event *event = queue->end.next;
         event != &queue->end && count < most &&
         event->key == queue->end.next->key;
         event = event->next)
        events[count++] = event;
    return count;
}
