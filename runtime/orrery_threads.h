/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORRERY_THREADS_H
#define ORRERY_THREADS_H

#include <glib.h>
#include <orrery_data.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

/*
 * Several threads of the application. Included by orrery.h.
 *
 * Each acts in simulated time on its own: while one waits, sleeps, or submits,
 * the others continue. The stacks are the program's, as coroutines or as
 * threads of the system, but one alone has control: it runs until it waits in a
 * call of orrery.h, and the library names the next one. So a run with threads
 * is the same each time.
 *
 *     static void give(void *data, unsigned thread)
 *     {
 *         ... continue @thread, or start it; return when this one continues
 *     }
 *
 *     orr_run_set_switch(run, give, data);
 *     number = orr_run_thread_new(run);
 *     orr_run_wait(run, &error);     calls give(data, number), which starts it:
 *         ... its calls ...
 *         orr_run_thread_end(run);   calls give(data, 0)
 *
 * The thread that calls orr_run_new() has number 0, and does not end. Callbacks
 * are called in any thread. orr_run_free() forgets threads that have not ended.
 */

/* A switch between threads: @function is called in the thread that has control.
 * It gives control to the thread @thread, a new one or one that waits in a call
 * of orrery.h, and returns when it gets control back; in a thread that has
 * called orr_run_thread_end(), at once. */
ORR_API void orr_run_set_switch(struct orr_run *run,
                                void (*function)(void *data, unsigned thread),
                                void *data);

/*
 * A new thread, which begins at the present date, once the thread that calls
 * waits. Returns its number, which may be of a thread that has ended; 0, with
 * an error that orr_run_wait() reports, if orr_run_set_switch() was not called,
 * there are 256 threads, or the policy is decide.
 */
ORR_API unsigned orr_run_thread_new(struct orr_run *run);

/* The thread that has control ends: its last call. Until another thread can
 * continue, simulates. */
ORR_API void orr_run_thread_end(struct orr_run *run);

/* Begins each struct orr_park. */
#define ORR_PARK_INIT ORR_SIZE_OF(struct orr_park)

/* A wait of a thread: {ORR_PARK_INIT, .what = "the mutex m"}. */
struct orr_park {
    size_t size;      /* of this struct: ORR_PARK_INIT */
    int64_t ns;       /* how long at most; 0: until it is woken */
    const char *what; /* for the diagnosis of a hang; or NULL */
    bool held;        /* the thread @holder alone can wake it */
    unsigned holder;
};

/*
 * Waits until orr_run_unpark(), by another thread or a callback, or until the
 * time is over. It may return without either. Takes no time of its own. Fails
 * as orr_run_wait(), also if nothing can wake it any more, if it is called in a
 * callback, or where tasks are not simulated and no other thread can continue.
 */
ORR_API bool orr_run_park(struct orr_run *run, const struct orr_park *park,
                          GError **error);

/* Wakes @thread, if it is parked. An error, which orr_run_wait() reports, if
 * there is no such thread. */
ORR_API void orr_run_unpark(struct orr_run *run, unsigned thread);

G_END_DECLS

#endif
