/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GUARD_PRIVATE_H
#define ORR_GUARD_PRIVATE_H

#include <setjmp.h>
#include <signal.h>

#include "sched/host.h"

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

/* A call of the policy that is under way. */
struct orr_guard_call {
    enum orr_guarded which;
    struct orr_task *task; /* or NULL; of pop: its result */
    unsigned worker;       /* who calls, or ORR_NO_WORKER */
    struct orr_guard_call *outer;
    sigjmp_buf left; /* where to go on if it is left without returning */
};

/* Why it was. */
enum { ORR_LEFT_NOT, ORR_LEFT_CRASHED, ORR_LEFT_STOPPED };

/* What a signal says of a crash. */
struct orr_guard_crash {
    int signal;
    bool null;     /* it used a null pointer */
    bool overflow; /* of the stack */
};

#define ORR_GUARD_STACK ((size_t)64 * 1024)

/*
 * The alternate stack, and at its lowest end, where it does not grow to, what
 * the handler has to know. It is found there since a handler of signals has no
 * argument and there are no globals: the kernel tells which stack it has.
 */
struct orr_guard_stack {
    uint64_t magic;
    struct orr_guard_call *call; /* the innermost under way, or NULL */
    struct orr_guard_crash crash;
};

struct orr_guard_stack *orr_guard_stack_new(void);
void orr_guard_stack_free(struct orr_guard_stack *stack);

/* Makes it the thread's, and says which that was before; and the reverse. */
void orr_guard_stack_set(struct orr_guard_stack *stack, stack_t *before);
void orr_guard_stack_unset(const stack_t *before);

struct orr_guard {
    struct orr_sched_ops ops; /* first: the guard's own */
    const struct orr_sched_ops *policy;
    const char *file;
    const struct orr_sched_host *host;
    GError **error;
    bool failed;

    struct orr_sched_host own_host; /* what the policy sees of it */
    struct orr_lock_ops locks;
    GHashTable *tasks; /* what was pushed: struct orr_task * -> its entry */

    struct orr_guard_stack *stack;
    stack_t before; /* the thread's stack for signals, if that is ours now */
    bool is_set;
};

/* In a call: the policy did what it must not. Does not return. */
void orr_guard_stop(struct orr_guard *guard, const char *format, ...)
    G_GNUC_PRINTF(2, 3) G_GNUC_NORETURN;

/* Whether the policy holds @task, which may be anything. */
bool orr_guard_holds(const struct orr_guard *guard,
                     const struct orr_task *task);

#endif
