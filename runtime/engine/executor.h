/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EXECUTOR_H
#define ORR_EXECUTOR_H

#include <stdbool.h>
#include <stdint.h>

struct orr_copy;
struct orr_event;
struct orr_job;
struct orr_run;
struct orr_worker;

struct orr_copy_path {
    int64_t alone_ns; /* without other copies on its links */
    unsigned count;   /* number of links */
    /* numbers of the platform's links; borrowed from the executor */
    const unsigned *links;
};

/* Executes the kernels and copies on which the code above decides.
 * executor_sim.c simulates them on the clock, from the models. */
struct orr_executor {
    /*
     * Queues the kernel of @job on @worker, behind all kernels queued before,
     * and calls orr_worker_kernel_ended() when it has ended.
     */
    void (*kernel)(struct orr_executor *executor, struct orr_worker *worker,
                   struct orr_job *job);

    /*
     * If the kernel queued last on @worker has started, lets its task end now:
     * calls orr_worker_kernel_detached(). The kernel continues; at its end,
     * orr_worker_signal_end() is called instead of orr_worker_kernel_ended().
     * Returns whether it has started.
     */
    bool (*detach)(struct orr_executor *executor, struct orr_worker *worker);

    /* Starts @copy and calls orr_copy_ended() when it has ended. */
    void (*copy)(struct orr_executor *executor, struct orr_copy *copy);

    /* Optional. Sets *@path to the path of @copy, which has ended. */
    void (*path)(struct orr_executor *executor, const struct orr_copy *copy,
                 struct orr_copy_path *path);

    /* Optional. For an event that resumes no actor: sets *@objects to the
     * objects (decision.h) that it touches when it fires. Returns false if they
     * are unknown. */
    bool (*touches)(const struct orr_event *event, uint64_t *objects);

    void (*free)(struct orr_executor *executor);
};

#endif
