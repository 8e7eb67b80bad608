/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ping-pong: a runtime that pins the data of a task only when all of them are
 * there, and asks again for those that have been evicted by then.
 *
 * If the memory has no room for all that is on its way, the data of one task
 * evict each other for ever: bytes move and no task starts. Reports of runs
 * near the limit of a memory whose bus is busy all the time, and that never
 * end.
 */
#include "runtime/data/data.h"
#include "runtime/data/request.h"
#include "runtime/run.h"

/* Until they are all there. */
static void hold_nothing(struct orr_replicate *copy)
{
    (void)copy;
}

struct orr_job *worker_take_fetched_right(struct orr_worker *worker);
#define orr_worker_take_fetched worker_take_fetched_right
#define orr_replicate_hold hold_nothing
/* NOLINTNEXTLINE(bugprone-suspicious-include) */
#include "runtime/worker/worker_begin.c"
#undef orr_replicate_hold
#undef orr_worker_take_fetched

struct orr_job *orr_worker_take_fetched(struct orr_worker *worker);

/* Asks again for what the task lacks. Returns whether it lacks anything. */
static bool ask_again(struct orr_worker *worker, struct orr_job *job)
{
    bool lacks = false;

    for (unsigned i = 0; i < job->access_count; i++) {
        struct orr_job_access *access = &job->accesses[i];
        const struct orr_replicate *copy =
            &orr_access_data(access)->copies[worker->device];

        if (orr_replicate_is_allocated(copy) &&
            (!(orr_access_mode(access) & ORR_R) ||
             orr_replicate_is_valid(copy)))
            continue;
        lacks = true;
        worker->buffers_awaited++;
        obtain(worker, access);
    }
    return lacks;
}

struct orr_job *orr_worker_take_fetched(struct orr_worker *worker)
{
    struct orr_job *job = worker->fetching;

    if (!job || worker->buffers_arrived != worker->buffers_awaited ||
        ask_again(worker, job))
        return NULL;
    for (unsigned i = 0; i < job->access_count; i++)
        orr_replicate_hold(
            &orr_access_data(&job->accesses[i])->copies[worker->device]);
    return worker_take_fetched_right(worker);
}
