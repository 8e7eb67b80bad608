/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GUARD_PRIVATE_H
#define ORR_GUARD_PRIVATE_H

#include <setjmp.h>
#include <signal.h>

#include "sched/guard.h"

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
    sigjmp_buf crashed; /* where to go on then */
};

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

#endif
