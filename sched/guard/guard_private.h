/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GUARD_PRIVATE_H
#define ORR_GUARD_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "sched/guard/guard.h"

/* How a call was left. */
enum {
    ORR_LEFT_NOT,     /* not yet */
    ORR_LEFT_CRASHED, /* by the jump of a signal handler */
    ORR_LEFT_EXITED,  /* by the jump of orr_guard_catch_exit() */
    ORR_LEFT_FORKED,  /* by the jump of orr_guard_catch_fork() */
    ORR_LEFT_OVERDUE, /* by the jump of the handler of ORR_GUARD_SIGNAL */
    ORR_LEFT_STOPPED  /* by the jump of orr_guard_stop() */
};

/* The cause of a crash, from its signal. */
struct orr_guard_crash {
    int signal;
    bool null;     /* access through a null pointer */
    bool overflow; /* the stack was full */
};

#define ORR_GUARD_STACK ((size_t)64 * 1024)

/*
 * The data of the signal handler, at the low end of the alternate stack, which
 * grows downwards from its high end. The handler finds it without a global
 * variable, as the kernel passes the address of the alternate stack to it. The
 * watch reads the atomic members in another thread.
 */
struct orr_guard_stack {
    uint64_t magic;
    _Atomic(struct orr_guard_call *) call; /* the innermost current call, or
                                              NULL */
    const char *_Atomic function; /* the function of @call, repeated: a plug-in
                                     that has jumped out of the call may have
                                     overwritten *call */
    _Atomic uint64_t number; /* of the outermost current call, counted from 1 */
    _Atomic uint64_t overdue; /* number of the call to end; 0: none */
    _Atomic bool anywhere; /* end it wherever it is, not only in the plug-in */
    volatile sig_atomic_t is_leaving; /* a handler has begun to jump */
    bool is_tested;                /* the locks of the heaps are being taken */
    uintptr_t code_low, code_high; /* the code of the plug-in */
    struct orr_guard_crash crash;
};

struct orr_guard_stack *orr_guard_stack_new(void);
void orr_guard_stack_free(struct orr_guard_stack *stack);

/* Makes @stack the alternate stack of the thread, and stores the previous one
 * in
 * *@before; orr_guard_stack_unset() restores that. */
void orr_guard_stack_set(struct orr_guard_stack *stack, stack_t *before);
void orr_guard_stack_unset(const stack_t *before);

struct orr_guard {
    struct orr_guarded plugin;
    int code; /* of errors */
    GError **error;
    bool failed;

    struct orr_guard_stack *stack;
    stack_t before;   /* the previous alternate stack, if is_set */
    bool is_set;      /* the thread has the guard's alternate stack */
    pthread_t thread; /* the thread that has or had it */

    struct orr_guard_watch *watch; /* or NULL */
    uint64_t seen;    /* for the watch: stack->number at its last tick */
    unsigned ticks;   /* for the watch: ticks since stack->number changed */
    unsigned leaving; /* for the watch: ticks since a handler began to jump */
};

/* Longest text of orr_guard_describe(). */
enum { ORR_GUARD_TEXT = 6000 };

/*
 * Writes "KIND NAME (FILE): FUNCTION(), @what" to @text, with the text of
 * call->describe() behind the function. Allocates no memory: the thread of the
 * call may have been stopped within malloc().
 */
void orr_guard_describe(const struct orr_guard *guard,
                        const struct orr_guard_call *call, const char *what,
                        char text[ORR_GUARD_TEXT]);

/* Returns what kind of crash it is: "segmentation fault". Static. */
const char *orr_guard_crash_text(const struct orr_guard_crash *crash);

/* Begin and end to watch @guard. The watch may be NULL. */
void orr_guard_watch_add(struct orr_guard_watch *watch,
                         struct orr_guard *guard);
void orr_guard_watch_remove(struct orr_guard_watch *watch,
                            struct orr_guard *guard);

/* Sets the range of the plug-in's code in guard->stack. */
void orr_guard_find_code(struct orr_guard *guard);

#endif
