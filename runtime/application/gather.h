/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GATHER_H
#define ORR_GATHER_H

#include "runtime/data/request.h"
#include "runtime/worker/arrival.h"
#include "runtime/worker/submit.h"

/*
 * A job that brings its data to one memory, RAM by default, and does nothing
 * else: the partition of a datum, or its reunion (StarPU: a task that is
 * executed nowhere; coherency.c, _starpu_fetch_nowhere_task_input()). It holds
 * its data as a task does, but no worker runs it: it ends when its last request
 * completes. Then the data that it writes are valid in that memory only.
 */
struct orr_gathering {
    struct orr_arrival arrival; /* first */
    struct orr_gathering *next;
    struct orr_job *job;
    unsigned node;    /* the memory to bring the data to */
    unsigned pending; /* pending requests, plus one while it makes requests */
};

/* The partitions of a run, and the gatherings under way. */
struct orr_partitions {
    GHashTable *by_datum; /* struct orr_parted, owned: partition.h */
    GPtrArray *all;       /* struct orr_partition, owned */

    struct orr_gathering *listed; /* submitted, and not ended */
};

extern const struct orr_job_ops orr_gathering_jobs;

/* A new gathering on @node by @job, which is about to be submitted. */
void orr_gathering_new(struct orr_run *run, struct orr_job *job, unsigned node);

#endif
