/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STALL_RETRY_H
#define ORR_STALL_RETRY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The last attempt before a run counts as hung.
 *
 * A driver that lacked memory for a fetch sleeps until it is signalled. Nothing
 * signals it when a buffer becomes evictable; in the reference drivers need no
 * signal, as they try again all the time. So when no event is left, the drivers
 * that could now make room take another turn.
 */
struct orr_run;

struct orr_stall_retry {
    bool made;                   /* there has been a last attempt */
    uint64_t completed, evicted; /* counts of completed tasks and evicted
                                    buffers at that time */
};

/* Returns whether a driver is to take another turn. */
bool orr_stall_retry_fetches(struct orr_run *run);

#endif
