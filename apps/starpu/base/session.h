/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SESSION_H
#define ORR_SESSION_H

#include "apps/starpu/base/calls.h"

/*
 * The time from starpu_init() to starpu_shutdown(). StarPU's interface has no
 * argument that names it, so there is one at a time in a program.
 */
struct sp_session {
    struct orr_run *run; /* NULL: not initialised */
    bool begins;         /* starpu_init() makes the run */
    unsigned workers;    /* numbered as in StarPU: GPUs first */
    unsigned gpus, cpus; /* how many of them */
    unsigned nodes;      /* memories: RAM is 0, GPU g is g + 1 */
    int max_priority;    /* of the policy */
    bool execute;        /* cpu_funcs are called: --execute */
    bool is_guest; /* there is a policy of StarPU's interface, no program */
};

extern struct sp_session sp_session;

/* Sets the numbers of workers of the session from its run. */
void sp_session_count_workers(void);

/* The worker that runs the kernel which is called now; -1: none is. */
extern int sp_current_worker;

/* The worker that calls a function of the program: a kernel, or a callback. -1:
 * none does. */
int sp_acting_worker(void);

/* Functions of the program that are being called by workers, one in another. */
extern unsigned sp_calls_of_workers;

/* A kernel that is called at its start: how long it has slept so far, which is
 * how long it takes. */
struct sp_kernel {
    bool runs;
    int64_t ns;
};

extern struct sp_kernel sp_kernel;

/* Ends the program with "PROGRAM: CALL: MESSAGE" and exit status 1, if @call
 * was made without starpu_init(), or in a thread that is not simulated. */
void sp_need_session(const char *call);

#endif
