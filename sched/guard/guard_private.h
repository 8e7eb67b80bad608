/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GUARD_PRIVATE_H
#define ORR_GUARD_PRIVATE_H

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>

#include "sched/guard/guard.h"

enum orr_guarded {
    ORR_GUARDED_INIT,
    ORR_GUARDED_FINI,
    ORR_GUARDED_PLACE,
    ORR_GUARDED_PUSH,
    ORR_GUARDED_PUSHED,
    ORR_GUARDED_POP,
    ORR_GUARDED_STARTED,
    ORR_GUARDED_DONE,
    ORR_GUARDED_TOUCHED
};

/* A call of the plug-in. */
struct orr_guard_call {
    enum orr_guarded which;
    struct orr_task *task;        /* its argument, or NULL; the result of pop */
    unsigned worker;              /* the caller, or ORR_NO_WORKER */
    struct orr_guard_call *outer; /* the call that it interrupts, or NULL */
    sigjmp_buf left;              /* target of the jump that ends it */
};

/* Why a call ended: not by a jump, or by the jump of... */
enum {
    ORR_LEFT_NOT,
    ORR_LEFT_CRASHED, /* a signal handler */
    ORR_LEFT_EXITED,  /* orr_guard_catch_exit() */
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
    _Atomic uint64_t number;  /* of the outermost current call: counts them */
    _Atomic uint64_t overdue; /* number of the call to end; 0: none */
    _Atomic bool anywhere;    /* wherever it is, not only in the plug-in */
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
    struct orr_sched_ops ops; /* first member: the table of the guard */
    const struct orr_sched_ops *policy;
    const char *file;
    const struct orr_sched_host *host;
    GError **error;
    bool failed;

    struct orr_sched_host own_host; /* the host that the plug-in calls */
    struct orr_lock_ops locks;
    GHashTable *tasks; /* all pushed: struct orr_task * -> struct entry */

    struct orr_guard_stack *stack;
    stack_t before;   /* the previous alternate stack, if is_set */
    bool is_set;      /* the thread has the guard's alternate stack */
    pthread_t thread; /* that thread, now or before */

    struct orr_guard_watch *watch; /* or NULL */
    uint64_t seen;                 /* by the watch: stack->number at its last
                                      tick */
    unsigned ticks;                /* since it is the same */
};

/* Longest text of orr_guard_describe(). */
enum { ORR_GUARD_TEXT = 6000 };

/*
 * Writes "policy NAME (FILE): FUNCTION() of task ID (KERNEL), called by WORKER,
 * @what" to @text. Allocates no memory: the thread of the call may have been
 * stopped while it did so.
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

/* Ends the current call with an error. Does not return. */
void orr_guard_stop(struct orr_guard *guard, const char *format, ...)
    G_GNUC_PRINTF(2, 3) G_GNUC_NORETURN;

/* Whether the plug-in holds @task, which may be any pointer. */
bool orr_guard_holds(const struct orr_guard *guard,
                     const struct orr_task *task);

#endif
