/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_THREADS_H
#define ORR_THREADS_H

#include <stdbool.h>

/* Switches between the threads of the application. */
struct orr_run;
struct orr_thread;

/* The run begins with one thread, which has control. */
void orr_threads_begin(struct orr_run *run);

/* Frees the threads. A run that has not begun is allowed. */
void orr_threads_clear(struct orr_run *run);

/*
 * A step of the thread that has control, and waits until @over: gives control
 * to another thread that can continue, and returns when it gets control back;
 * if there is none, fires an event. Returns false if none is left.
 */
bool orr_threads_step(struct orr_run *run,
                      bool (*over)(const struct orr_run *run));

/* A thread that has ended, to be used again; or a new one, behind the others.
 * NULL: there are as many as there may be. */
struct orr_thread *orr_threads_new(struct orr_run *run);

/* The next thread behind the one that has control which can continue, in turn;
 * NULL: none can. */
struct orr_thread *orr_threads_find_ready(struct orr_run *run);

/* The thread that has control gives it to @thread. Returns when it gets it
 * back; at once if it has ended. */
void orr_threads_give_control(struct orr_run *run, struct orr_thread *thread);

#endif
