/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_WAITING_H
#define ORR_STARPU_WAITING_H

#include <stdbool.h>
#include <stdint.h>

/* How simulated threads wait for each other, and for callbacks. */

/* Whether the calling thread is one that is simulated. */
bool sp_is_simulated(void);

/* Beside a number of a thread. */
#define SP_ANY_THREAD UINT32_MAX

/* A wait of the calling thread. */
struct sp_wait {
    const char *call;   /* for errors: "starpu_pthread_join()" */
    const char *what;   /* for the diagnosis of a hang: "a mutex" */
    const void *object; /* that wakes it: any address */
    unsigned holder;    /* the thread that has to wake it; or SP_ANY_THREAD */
};

/* Waits in simulated time until the object is woken. A hang ends the program.
 */
void sp_wait_on(const struct sp_wait *wait);

/* sp_wait_on() for at most @ns, above 0. Returns whether it was woken. */
bool sp_wait_for(const struct sp_wait *wait, int64_t ns);

/* Wakes the first thread that waits on @object, or all. Returns whether one
 * waited. */
bool sp_wake_one(const void *object);
bool sp_wake_all(const void *object);

#endif
