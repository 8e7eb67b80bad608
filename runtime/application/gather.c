/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/application/gather.h"

#include "runtime/application/acquire.h"
#include "runtime/data/access_hit.h"
#include "runtime/run.h"

static struct orr_gathering *find(const struct orr_run *run,
                                  const struct orr_job *job)
{
    struct orr_gathering *gathering = run->app.partitions->listed;

    while (gathering && gathering->job != job)
        gathering = gathering->next;
    g_assert(gathering);
    return gathering;
}

static void unlink_from(struct orr_gathering **list,
                        const struct orr_gathering *gathering)
{
    while (*list != gathering)
        list = &(*list)->next;
    *list = gathering->next;
}

/* One of the requests of the gathering @data is complete. */
static void notify_arrival(struct orr_run *run, void *data)
{
    struct orr_gathering *gathering = data;

    if (--gathering->pending == 0)
        orr_arrival_note(run, &gathering->arrival);
}

/* Pins the datum of @access, and requests it if it is not there. */
static void fetch(struct orr_run *run, struct orr_gathering *gathering,
                  struct orr_job_access *access)
{
    const struct orr_request_spec spec = {
        .data = orr_access_data(access),
        .node = gathering->node,
        .mode = orr_access_mode(access),
        .level = ORR_FETCH,
    };
    struct orr_request *request = orr_data_fetch(run, &spec);

    if (!request)
        return;
    gathering->pending++;
    orr_request_notify(&run->store, request, notify_arrival, gathering);
}

/* The order is as at the end of a task: first its data are released one by one,
 * then its successors become ready. */
struct ending {
    struct orr_run *run;
    struct orr_gathering *gathering;
    unsigned next; /* access */
    bool let_go; /* the datum of that access is released, but not handed over */
};

/* Lets go the data from the next access on. Returns whether it calls. */
static bool let_go(struct orr_actor *actor, struct ending *ending)
{
    struct orr_run *run = ending->run;
    struct orr_job *job = ending->gathering->job;

    for (; ending->next < job->access_count; ending->next++) {
        struct orr_data *data = orr_access_data(&job->accesses[ending->next]);

        if (!ending->let_go &&
            orr_spinlock_is_taken(&data->lock, actor->engine)) {
            orr_spinlock_await(actor, &data->lock);
            return true;
        }
        if (!ending->let_go) {
            orr_replicate_release(&run->store,
                                  &data->copies[ending->gathering->node]);
            orr_data_let_go(&run->store, data);
        }
        ending->let_go = true;
        if (data->arbitrated && orr_job_hand_over(actor, run, data))
            return true;
        ending->let_go = false;
    }
    return false;
}

static enum orr_next end(struct orr_actor *actor, void *locals)
{
    struct ending *ending = locals;
    struct orr_run *run = ending->run;
    struct orr_gathering *gathering = ending->gathering;

    run->engine.effects |= ORR_EFFECT_RUNTIME | ORR_EFFECT_POLICY;
    if (!gathering)
        return ORR_DONE;
    if (let_go(actor, ending))
        return ORR_CONTINUE;
    orr_job_call(actor, orr_job_end, run, gathering->job);
    unlink_from(&run->app.partitions->listed, gathering);
    g_free(gathering);
    ending->gathering = NULL;
    return ORR_CONTINUE;
}

/* orr_arrival.act */
static void end_gathering(struct orr_actor *actor, struct orr_run *run,
                          struct orr_arrival *arrival)
{
    struct orr_gathering *gathering = (struct orr_gathering *)arrival;
    struct ending *ending = orr_actor_call(actor, end, sizeof(*ending));

    *ending = (struct ending){.run = run, .gathering = gathering};
}

enum { GATHER_FETCHES, GATHER_CALLS_END };

static enum orr_next gather(struct orr_actor *actor, void *locals)
{
    struct orr_job_frame *frame = locals;
    struct orr_run *run = frame->run;
    struct orr_job *job = frame->job;
    struct orr_gathering *gathering;

    if (frame->at == GATHER_CALLS_END)
        return orr_arrivals_act(actor, run) ? ORR_CONTINUE : ORR_DONE;
    gathering = find(run, job);
    run->engine.effects |= ORR_EFFECT_RUNTIME;
    for (; frame->next < job->access_count; frame->next++) {
        struct orr_job_access *access = &job->accesses[frame->next];
        struct orr_spinlock *lock = &orr_access_data(access)->lock;

        if (orr_spinlock_is_taken(lock, actor->engine)) {
            orr_spinlock_await(actor, lock);
            return ORR_CONTINUE;
        }
        fetch(run, gathering, access);
    }
    frame->at = GATHER_CALLS_END; /* notify_arrival() may free the job */
    notify_arrival(run, gathering);
    return orr_arrivals_act(actor, run) ? ORR_CONTINUE : ORR_DONE;
}

static enum orr_next begin(struct orr_actor *actor, struct orr_run *run,
                           struct orr_job *job)
{
    orr_job_call(actor, gather, run, job);
    return ORR_CONTINUE;
}

const struct orr_job_ops orr_gathering_jobs = {.acquires = true,
                                               .ready = begin};

void orr_gathering_new(struct orr_run *run, struct orr_job *job, unsigned node)
{
    struct orr_gathering *gathering = g_new(struct orr_gathering, 1);

    *gathering = (struct orr_gathering){
        .arrival = {.act = end_gathering},
        .next = run->app.partitions->listed,
        .job = job,
        .node = node,
        .pending = 1,
    };
    run->app.partitions->listed = gathering;
    /* A write of RAM, too, is a request that RAM's drivers handle. */
    run->store.skips_ram = false;
}
