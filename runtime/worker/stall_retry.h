/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STALL_RETRY_H
#define ORR_STALL_RETRY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The last attempt before a run counts as hung.
 *
 * A driver that could not start a fetch for want of memory sleeps until
 * somebody tells it that something has changed. A buffer that others gave up
 * since may serve it, but nobody tells it that: in the reference, drivers try
 * again all the time. So when no event is left, those that could now make
 * room take another turn.
 */
struct orr_run;

struct orr_stall_retry {
    bool made;                   /* one, when there had been so many */
    uint64_t completed, evicted; /* tasks and buffers */
};

/* Returns whether a driver is to take another turn. */
bool orr_stall_retry_fetches(struct orr_run *run);

#endif
