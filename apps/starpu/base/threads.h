/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_THREADS_H
#define ORR_STARPU_THREADS_H

#include <pthread.h>
#include <stdbool.h>

/*
 * The threads of a program that a session simulates: the one that calls
 * starpu_init(), and the ones that starpu_pthread_create() makes since. They
 * are threads of the system, but one alone has control; the run says which is
 * next (orrery_threads.h). Other threads may not make calls of StarPU's
 * interface.
 */
struct sp_thread {
    unsigned number; /* in the run; 0: the thread of starpu_init() */
    pthread_t system;
    bool has_control;
    bool ended;    /* it takes control no more */
    bool detached; /* it frees itself */
    pthread_cond_t control;
    void *(*routine)(void *argument);
    void *argument;
};

/* The calling thread; NULL: it is none of these. */
struct sp_thread *sp_thread_self(void);

/* The thread that calls starpu_init() is the first one. */
void sp_threads_begin(void);

/* A thread that is none of these, and ends the session, takes the place of the
 * first one. */
void sp_threads_adopt(void);

/* Ends the program, naming @call, if another thread has not ended. */
void sp_threads_end(const char *call);

/* A thread of this number in the run, which waits for control; in it,
 * @body is called with the thread. An error of pthread_create(), or 0. */
int sp_thread_new(unsigned number, const pthread_attr_t *attr,
                  void *(*body)(void *thread), struct sp_thread *thread);

/* Waits until the calling thread, @thread, which is new, has control. */
void sp_thread_enter(struct sp_thread *thread);

/* The thread that has control gives it to the thread @number of the run, and
 * waits until it gets it back, unless it has ended. @data: NULL. A function for
 * orr_run_set_switch(). */
void sp_give_control(void *data, unsigned number);

#endif
