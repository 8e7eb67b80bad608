/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WINDOW_H
#define ORR_WINDOW_H

struct orr_run;

/*
 * Waits until the window of @run, which must have one, admits one more task. If
 * it never does, the run hangs. If the policy has a task for a sleeping worker,
 * the policy is to blame. Otherwise the remaining tasks are submitted
 * nevertheless, untraced, to see whether they end without the window
 * (run->window_lifted).
 */
void orr_window_await(struct orr_run *run);

#endif
