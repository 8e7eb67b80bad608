/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WINDOW_H
#define ORR_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/application/thread.h"

/* The window of submission: a limit on tasks in flight. */
struct orr_submission_window {
    struct orr_limits limits; /* of submission */
    unsigned submits; /* threads of which the next task, already a job, waits */
    unsigned waiting; /* threads that wait for tasks to end */
    bool closed;      /* submission waited for the window */
    bool lifted;      /* the window never opened: see orr_window_await() */
    uint64_t held;    /* tasks in flight when it was lifted */
};

/* Whether the end of a task may end a wait for the number in flight. */
static inline bool orr_window_heeds(const struct orr_submission_window *window)
{
    return window->limits.shuts > 0 || window->waiting > 0;
}

/*
 * Waits until the window of @run, which must have one, admits one more task. If
 * it never does, the run hangs. If the policy has a task for a sleeping worker,
 * the policy is to blame. Otherwise the remaining tasks are submitted
 * nevertheless, untraced, to see whether they end without the window
 * (run->window.lifted).
 */
void orr_window_await(struct orr_run *run);

/* As orr_window_await(), before the task is a job: the next submission of the
 * thread does not wait. Nothing to do without a window, and in callbacks. */
void orr_window_admit(struct orr_run *run);

/* Whether orr_window_admit() has admitted the task that the thread submits. */
bool orr_window_has_admitted(struct orr_run *run);

#endif
