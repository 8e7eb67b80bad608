/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GUARD_PRIVATE_H
#define ORR_GUARD_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "sched/guard/guard.h"

/* Why a call ended: not by a jump, or by the jump of... */
enum {
    ORR_LEFT_NOT,
    ORR_LEFT_CRASHED, /* a signal handler */
    ORR_LEFT_EXITED,  /* orr_guard_catch_exit() */
    ORR_LEFT_FORKED,  /* orr_guard_catch_fork() */
    ORR_LEFT_OVERDUE, /* the handler of ORR_GUARD_SIGNAL */
    ORR_LEFT_STOPPED  /* orr_guard_stop() */
};

/* A crash, as its signal tells. */
struct orr_guard_crash {
    int signal;
    bool null;     /* access through a null pointer */
    bool overflow; /* the stack was full */
};

#define ORR_GUARD_STACK ((size_t)64 * 1024)

/*
 * The data of the signal handler, at the low end of the alternate stack, which
 * grows downwards from its high end. The handler finds it there without a
 * global variable, as the kernel tells it the address of the alternate stack.
 * The watch reads the atomic members in another thread.
 */
struct orr_guard_stack {
    uint64_t magic;
    _Atomic(struct orr_guard_call *) call; /* the innermost current call, or
                                              NULL */
    const char *_Atomic function; /* of that call: a plug-in that has jumped out
                                     of it may have overwritten the call */
    _Atomic uint64_t number;  /* of the outermost current call: counts them */
    _Atomic uint64_t overdue; /* number of the call to end; 0: none */
    _Atomic bool anywhere;    /* wherever it is, not only in the plug-in */
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
    pthread_t thread; /* that thread, now or before */

    struct orr_guard_watch *watch; /* or NULL */
    uint64_t seen;                 /* by the watch: stack->number at its last
                                      tick */
    unsigned ticks;                /* since it is the same */
    unsigned leaving; /* ticks, for the watch, since a handler began to jump */
};

/* Longest text of orr_guard_describe(). */
enum { ORR_GUARD_TEXT = 6000 };

/*
 * Writes "KIND NAME (FILE): FUNCTION(), @what" to @text, with what the call
 * adds behind the function. Allocates no memory: the thread of the call may
 * have been stopped while it did so.
 */
void orr_guard_describe(const struct orr_guard *guard,
                        const struct orr_guard_call *call, const char *what,
                        char text[ORR_GUARD_TEXT]);

/* Returns what kind of crash it is: "segmentation fault". Static. */
const char *orr_guard_crash_text(const struct orr_guard_crash *crash);

/* For guards: begin and end to be watched. The watch may be NULL. */
void orr_guard_watch_add(struct orr_guard_watch *watch,
                         struct orr_guard *guard);
void orr_guard_watch_remove(struct orr_guard_watch *watch,
                            struct orr_guard *guard);

/* Sets the code of the plug-in in guard->stack. */
void orr_guard_find_code(struct orr_guard *guard);

#endif
