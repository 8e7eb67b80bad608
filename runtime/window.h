/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WINDOW_H
#define ORR_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

struct orr_run;

/* The window of submission: a limit on tasks in flight. */
struct orr_submission_window {
    uint64_t shuts; /* submission waits once this many tasks are in flight; 0:
                       never */
    uint64_t opens; /* submission resumes once no more than this are */
    bool submits;   /* the next task, already a job, waits for the window */
    bool awaited;   /* the application waits for tasks to end */
    bool closed;    /* submission waited for the window */
    bool lifted;    /* the window never opened: see orr_window_await() */
    uint64_t held;  /* tasks in flight when it was lifted */
};

/*
 * Waits until the window of @run, which must have one, admits one more task. If
 * it never does, the run hangs. If the policy has a task for a sleeping worker,
 * the policy is to blame. Otherwise the remaining tasks are submitted
 * nevertheless, untraced, to see whether they end without the window
 * (run->window.lifted).
 */
void orr_window_await(struct orr_run *run);

#endif
