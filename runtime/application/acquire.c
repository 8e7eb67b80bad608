/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Acquisition of data by the application. It is a procedure of the
 * application's actor: wait for the earlier tasks, acquire the datum from the
 * arbiter, pin and fetch it in RAM. The release is another one: end the job,
 * which readies the waiting tasks, then release the datum and hand it over.
 */
#include "runtime/application/acquire.h"

#include "runtime/data/access_hit.h"
#include "runtime/data/arbiter.h"
#include "runtime/run.h"
#include "runtime/worker/progress.h"
#include "runtime/worker/redux.h"
#include "runtime/worker/submit.h"

/* The acquisition by @job for which a thread waits, or NULL. */
static struct orr_acquisition *find_awaited(const struct orr_run *run,
                                            const struct orr_job *job)
{
    const struct orr_thread *thread = &run->app.main;

    while (thread && !(thread->acquiring && thread->acquiring->job == job))
        thread = thread->next;
    return thread ? thread->acquiring : NULL;
}

/* The acquisition by @job, which is under way. */
static struct orr_acquisition *under_way(const struct orr_run *run,
                                         const struct orr_job *job)
{
    struct orr_acquisition *awaited = find_awaited(run, job);

    return awaited ? awaited : g_hash_table_lookup(run->app.pending, job);
}

/* The actor of the thread that waits for @acquisition checks its condition
 * again. */
static void signal_thread(struct orr_run *run,
                          const struct orr_acquisition *acquisition)
{
    run->engine.effects |= ORR_EFFECT_RUNTIME;
    if (run->engine.acting != &acquisition->thread->actor)
        orr_actor_signal(&acquisition->thread->actor);
}

static void go_on(struct orr_actor *actor, struct orr_run *run,
                  struct orr_acquisition *acquisition);
static void act_on_arrival(struct orr_actor *actor, struct orr_run *run,
                           struct orr_arrival *arrival);

static enum orr_next note_ready(struct orr_actor *actor, struct orr_run *run,
                                struct orr_job *job)
{
    struct orr_acquisition *acquisition = under_way(run, job);

    acquisition->ready = true;
    if (!acquisition->thread) {
        go_on(actor, run, acquisition);
        return ORR_CONTINUE;
    }
    signal_thread(run, acquisition);
    return ORR_DONE;
}

static void note_granted(struct orr_actor *actor, struct orr_run *run,
                         struct orr_job *job)
{
    struct orr_acquisition *acquisition = under_way(run, job);

    acquisition->granted = true;
    if (acquisition->thread)
        signal_thread(run, acquisition);
    else
        go_on(actor, run, acquisition);
}

/* orr_job_ops.release */
static void end_use(struct orr_actor *actor, struct orr_run *run,
                    struct orr_job *job)
{
    struct orr_acquisition *acquisition =
        (struct orr_acquisition *)orr_acquisition_of(run, job);

    orr_acquisition_take(run, acquisition);
    orr_acquisition_release(actor, run, acquisition);
}

/* The application has the datum. Next, it releases the job. */
static void complete(const struct orr_run *run,
                     struct orr_acquisition *acquisition)
{
    acquisition->complete = true;
    acquisition->acquired = run->engine.now;
    acquisition->job->immediate = true;
}

const struct orr_job_ops orr_acquiring_jobs = {.is_immediate = true,
                                               .ready = note_ready,
                                               .granted = note_granted,
                                               .release = end_use};

struct orr_acquisition *orr_acquisition_begin(struct orr_run *run,
                                              struct orr_job *job, int node,
                                              enum orr_purpose purpose,
                                              bool waits)
{
    struct orr_acquisition *acquisition = g_new0(struct orr_acquisition, 1);
    struct orr_job_access *access = &job->accesses[0];

    *acquisition = (struct orr_acquisition){
        .data = orr_access_data(access),
        .job = job,
        .mode = orr_access_mode(access),
        .node = node,
        .purpose = purpose,
        .thread = waits ? run->app.thread : NULL,
        .asked = run->engine.now,
        .arrival = {.act = act_on_arrival},
    };
    if (waits) {
        run->app.thread->acquiring = acquisition;
    } else {
        if (!run->app.pending)
            run->app.pending = g_hash_table_new_full(NULL, NULL, NULL, g_free);
        g_hash_table_insert(run->app.pending, job, acquisition);
    }
    /* A write of RAM, too, is a request that RAM's drivers handle. */
    run->store.skips_ram = false;
    return acquisition;
}

/*
 * The application waits for the tasks submitted before, then for jobs that hold
 * the datum, then for the request that brings the datum. As in the reference it
 * makes progress for RAM before it waits for a request; this takes a little
 * time, but the actual work is left to the drivers of RAM.
 */
struct acquiring {
    enum {
        ACQUIRE_AWAITS_TASKS,
        ACQUIRE_ARBITRATES,
        ACQUIRE_AWAITS_HOLDERS,
        ACQUIRE_FETCHES,
        ACQUIRE_CHECKS,
        ACQUIRE_AWAITS_COPY,
        ACQUIRE_AWAITS_BUFFERS
    } at;
    struct orr_run *run;
    struct orr_acquisition *acquisition;
};

/* Waits until *@condition, a member of the acquisition, is set. */
static enum orr_next await(struct orr_actor *actor, const bool *condition)
{
    orr_actor_clear_signal(actor);
    return *condition ? ORR_DONE : orr_actor_wait(actor);
}

/* Acquires the datum for the application, or enqueues its access. Returns
 * whether it calls, on @actor: a reduction. */
static bool claim(struct orr_actor *actor, struct orr_run *run,
                  struct orr_acquisition *acquisition)
{
    struct orr_data *data = acquisition->data;
    bool writes = acquisition->mode & ORR_W;

    if (orr_arbiter_conflicts(data, writes) &&
        !orr_arbiter_acquire(&run->graph, &acquisition->job->accesses[0]))
        return data->redux && orr_redux_begin(actor, run, data);
    orr_data_hold(&run->store, data, writes ? ORR_W : ORR_R);
    acquisition->granted = true;
    return false;
}

struct orr_request *orr_data_fetch(struct orr_run *run,
                                   const struct orr_request_spec *spec)
{
    struct orr_replicate *copy = &spec->data->copies[spec->node];

    orr_replicate_hold(copy);
    if (!orr_access_is_hit(spec->data, spec->node, spec->mode, ORR_FETCH))
        return orr_request_submit(&run->store, spec);
    if (spec->mode & ORR_W)
        orr_replicate_grant(&run->store, copy, ORR_W);
    orr_memory_used(&run->store.memories[spec->node], copy);
    return NULL;
}

/* Pins all copies, and waits for the requests under way if it writes: then
 * there is no other, and no content to bring. */
static struct orr_request *fetch_nowhere(struct orr_run *run,
                                         struct orr_acquisition *acquisition)
{
    struct orr_data *data = acquisition->data;

    for (unsigned node = 0;
         acquisition->node == ORR_ALL_NODES && node < run->node_count; node++)
        orr_replicate_hold(&data->copies[node]);
    return acquisition->mode & ORR_W ? orr_request_await_all(&run->store, data)
                                     : NULL;
}

/* The reverse of the fetch. */
static void unpin(struct orr_run *run,
                  const struct orr_acquisition *acquisition)
{
    unsigned first = acquisition->node < 0 ? 0 : (unsigned)acquisition->node;
    unsigned end = acquisition->node == ORR_NO_NODE     ? 0
                   : acquisition->node == ORR_ALL_NODES ? run->node_count
                                                        : first + 1;

    for (unsigned node = first; node < end; node++)
        orr_replicate_release(&run->store, &acquisition->data->copies[node]);
}

static void notify_arrival(struct orr_run *run, void *data)
{
    struct orr_acquisition *acquisition = data;

    if (acquisition->thread)
        orr_actor_signal(&acquisition->thread->actor);
    else
        orr_arrival_note(run, &acquisition->arrival);
}

static void fetch(struct orr_run *run, struct orr_acquisition *acquisition)
{
    const struct orr_request_spec spec = {
        .data = acquisition->data,
        .node = (unsigned)acquisition->node,
        .mode = acquisition->mode,
        .level = ORR_FETCH,
    };

    acquisition->request = acquisition->node < 0
                               ? fetch_nowhere(run, acquisition)
                               : orr_data_fetch(run, &spec);
    if (!acquisition->request)
        return;
    acquisition->request->references++;
    orr_request_notify(&run->store, acquisition->request, notify_arrival,
                       acquisition);
}

/* Whether tasks still need buffers of their workers for the datum of
 * @acquisition; then they signal its thread. */
static bool awaits_buffers(struct orr_run *run,
                           const struct orr_acquisition *acquisition)
{
    const struct orr_data *data = acquisition->data;
    bool awaits = orr_scratch_is_awaited(run, data);

    orr_actor_clear_signal(&acquisition->thread->actor);
    acquisition->thread->unregistering = awaits ? data : NULL;
    return awaits;
}

static enum orr_next acquire(struct orr_actor *actor, void *locals)
{
    struct acquiring *acquiring = locals;
    struct orr_run *run = acquiring->run;
    struct orr_acquisition *acquisition = acquiring->acquisition;
    struct orr_spinlock *lock = &acquisition->data->lock;
    enum orr_next next;

    switch (acquiring->at) {
    case ACQUIRE_AWAITS_TASKS:
        next = await(actor, &acquisition->ready);
        if (next != ORR_DONE)
            return next;
        acquiring->at = ACQUIRE_ARBITRATES;
        /* fall through */
    case ACQUIRE_ARBITRATES:
        if (orr_spinlock_is_taken(lock, actor->engine)) {
            orr_spinlock_await(actor, lock);
            return ORR_CONTINUE;
        }
        acquiring->at = ACQUIRE_AWAITS_HOLDERS;
        if (claim(actor, run, acquisition))
            return ORR_CONTINUE;
        /* fall through */
    case ACQUIRE_AWAITS_HOLDERS:
        next = await(actor, &acquisition->granted);
        if (next != ORR_DONE)
            return next;
        acquiring->at = ACQUIRE_FETCHES;
        /* fall through */
    case ACQUIRE_FETCHES:
        if (orr_spinlock_is_taken(lock, actor->engine)) {
            orr_spinlock_await(actor, lock);
            return ORR_CONTINUE;
        }
        fetch(run, acquisition);
        /* fall through */
    case ACQUIRE_CHECKS:
        orr_actor_clear_signal(actor);
        if (!acquisition->request || acquisition->request->completed)
            break;
        acquiring->at = ACQUIRE_AWAITS_COPY;
        if (orr_actor_sleep(actor, run->overheads.progress) == ORR_ASLEEP)
            return ORR_ASLEEP;
        /* fall through */
    case ACQUIRE_AWAITS_COPY:
        acquiring->at = ACQUIRE_CHECKS;
        return orr_actor_wait(actor);
    case ACQUIRE_AWAITS_BUFFERS:
        break;
    }
    if (acquisition->purpose == ORR_TO_UNREGISTER &&
        awaits_buffers(run, acquisition)) {
        acquiring->at = ACQUIRE_AWAITS_BUFFERS;
        return orr_actor_wait(actor);
    }
    complete(run, acquisition);
    return ORR_DONE;
}

void orr_acquisition_act(struct orr_run *run)
{
    struct acquiring *acquiring =
        orr_actor_call(orr_run_actor(run), acquire, sizeof(*acquiring));

    acquiring->run = run;
    acquiring->acquisition = run->app.thread->acquiring;
    orr_actor_act(orr_run_actor(run));
}

static void drop_request(struct orr_run *run,
                         struct orr_acquisition *acquisition)
{
    if (acquisition->request)
        orr_request_unref(&run->store, g_steal_pointer(&acquisition->request));
}

/* The job does not count as unfinished while the application has the datum. */
static void list(struct orr_run *run, struct orr_acquisition *acquisition)
{
    drop_request(run, acquisition);
    run->graph.live--;
    if (!run->app.acquired)
        run->app.acquired = g_hash_table_new(NULL, NULL);
    acquisition->next =
        g_hash_table_lookup(run->app.acquired, acquisition->data);
    g_hash_table_insert(run->app.acquired, acquisition->data, acquisition);
}

void orr_acquisition_list(struct orr_run *run)
{
    list(run, g_steal_pointer(&run->app.thread->acquiring));
}

struct orr_acquisition *orr_acquisition_find(const struct orr_run *run,
                                             const struct orr_data *data,
                                             int node)
{
    struct orr_acquisition *acquisition =
        run->app.acquired ? g_hash_table_lookup(run->app.acquired, data) : NULL;

    while (acquisition && (acquisition->releases ||
                           (node != ORR_ANY_NODE && acquisition->node != node)))
        acquisition = acquisition->next;
    return acquisition;
}

void orr_acquisition_take(struct orr_run *run,
                          struct orr_acquisition *acquisition)
{
    struct orr_data *data = acquisition->data;
    struct orr_acquisition *first =
        g_hash_table_lookup(run->app.acquired, data);
    struct orr_acquisition **link = &first;

    run->graph.live++;
    while (*link != acquisition)
        link = &(*link)->next;
    *link = acquisition->next;
    if (first)
        g_hash_table_insert(run->app.acquired, data, first);
    else
        g_hash_table_remove(run->app.acquired, data);
}

/* ---- acquisitions for which the application does not wait ---- */

/*
 * As above, but no actor waits: the procedure ends, and the end of another job
 * or of a request calls the remaining part.
 */
struct going_on {
    enum { GO_ARBITRATES, GO_FETCHES, GO_HAS_DATA, GO_OVER } at;
    struct orr_run *run;
    struct orr_acquisition *acquisition;
};

/* The application has the datum: calls what follows, if anything does. */
static enum orr_next use(struct orr_actor *actor, struct orr_run *run,
                         struct orr_acquisition *acquisition)
{
    run->engine.effects |= ORR_EFFECT_RUNTIME | ORR_EFFECT_POLICY;
    complete(run, acquisition);
    g_hash_table_steal(run->app.pending, acquisition->job);
    if (acquisition->purpose != ORR_TO_USE) {
        drop_request(run, acquisition);
        orr_acquisition_release(actor, run, acquisition);
        return ORR_CONTINUE;
    }
    list(run, acquisition);
    if (run->graph.live == 0)
        orr_run_interrupt(run);
    return orr_call_application(actor, run, &acquisition->callback)
               ? ORR_CONTINUE
               : ORR_DONE;
}

static enum orr_next go(struct orr_actor *actor, void *locals)
{
    struct going_on *going = locals;
    struct orr_acquisition *acquisition = going->acquisition;

    if (going->at < GO_HAS_DATA &&
        orr_spinlock_is_taken(&acquisition->data->lock, actor->engine)) {
        orr_spinlock_await(actor, &acquisition->data->lock);
        return ORR_CONTINUE;
    }
    switch (going->at) {
    case GO_ARBITRATES:
        going->at = GO_OVER;
        if (claim(actor, going->run, acquisition))
            return ORR_CONTINUE;
        if (!acquisition->granted)
            return ORR_DONE;
        /* fall through */
    case GO_FETCHES:
        going->at = GO_OVER;
        fetch(going->run, acquisition);
        if (acquisition->request)
            return ORR_DONE;
        /* fall through */
    case GO_HAS_DATA:
        going->at = GO_OVER;
        return use(actor, going->run, acquisition);
    case GO_OVER:
        break;
    }
    return ORR_DONE;
}

static void go_on(struct orr_actor *actor, struct orr_run *run,
                  struct orr_acquisition *acquisition)
{
    struct going_on *going = orr_actor_call(actor, go, sizeof(*going));

    going->at = acquisition->request   ? GO_HAS_DATA
                : acquisition->granted ? GO_FETCHES
                                       : GO_ARBITRATES;
    going->run = run;
    going->acquisition = acquisition;
}

/* orr_arrival.act */
static void act_on_arrival(struct orr_actor *actor, struct orr_run *run,
                           struct orr_arrival *arrival)
{
    go_on(actor, run, (struct orr_acquisition *)arrival);
}

/* ---- releases ---- */

/* The order is as in the reference: first the tasks that wait for the end of
 * the application's use become ready, then the datum is released. */
struct releasing {
    enum {
        RELEASE_BEGIN,
        RELEASE_PUSHED,
        RELEASE_SUBMITTED,
        RELEASE_LETS_GO,
        RELEASE_HANDS_OVER
    } at;
    struct orr_run *run;
    struct orr_acquisition *acquisition;
};

static void trace_use(struct orr_run *run,
                      const struct orr_acquisition *acquisition)
{
    const struct orr_trace_use record = {
        .asked = acquisition->asked - run->totals.first_submission,
        .acquired = acquisition->acquired - run->totals.first_submission,
        .released = run->engine.now - run->totals.first_submission,
        .mode = (uint8_t)acquisition->mode,
        .unregisters = acquisition->purpose == ORR_TO_UNREGISTER,
        .datum = orr_data_traced(acquisition->data),
    };

    if (run->totals.trace && run->totals.calls.use &&
        (acquisition->thread || acquisition->purpose == ORR_TO_USE))
        run->totals.calls.use(run->totals.trace, &record);
}

/* Whether an internal task ends the acquisition: not where no order follows
 * from it, and in the reference not when the application waits to unregister.
 */
static bool has_task(const struct orr_acquisition *acquisition)
{
    return !acquisition->data->unordered && !acquisition->job->unordered &&
           !(acquisition->thread && acquisition->purpose == ORR_TO_UNREGISTER);
}

/* Frees the memory of data that are unregistered. */
static void unregister(struct orr_run *run, struct orr_data *data)
{
    orr_data_drop_copies(&run->store, data, ORR_RAM);
    orr_pin_spare(run, data);
    if (!orr_scratch_is_awaited(run, data))
        orr_scratch_drop(run, data);
    if (data->redux)
        orr_redux_drop(run, data);
    data->id = ORR_UNREGISTERED;
}

/* What comes before the release. Only the application pins the copies. */
static void drop_content(struct orr_run *run,
                         const struct orr_acquisition *acquisition)
{
    struct orr_data *data = acquisition->data;

    if (acquisition->purpose == ORR_TO_DEINITIALIZE)
        orr_data_deinit(&run->store, data);
    if (acquisition->purpose != ORR_TO_INVALIDATE)
        return;
    orr_data_deinit(&run->store, data);
    orr_data_drop_copies(&run->store, data, ORR_RAM);
    orr_pin_spare(run, data);
}

static enum orr_next release(struct orr_actor *actor, void *locals)
{
    struct releasing *releasing = locals;
    struct orr_run *run = releasing->run;
    struct orr_acquisition *acquisition = releasing->acquisition;
    struct orr_data *data = acquisition->data;
    struct orr_job *job = acquisition->job;
    bool is_internal_task = has_task(acquisition);

    run->engine.effects |= ORR_EFFECT_RUNTIME | ORR_EFFECT_POLICY;
    switch (releasing->at) {
    case RELEASE_BEGIN:
        trace_use(run, acquisition);
        drop_content(run, acquisition);
        releasing->at = RELEASE_PUSHED;
        if (is_internal_task &&
            orr_actor_sleep(actor, run->overheads.push) == ORR_ASLEEP)
            return ORR_ASLEEP;
        /* fall through */
    case RELEASE_PUSHED:
        releasing->at = RELEASE_SUBMITTED;
        orr_job_call(actor, orr_job_end, run, job)->keeps = true;
        return ORR_CONTINUE;
    case RELEASE_SUBMITTED:
        releasing->at = RELEASE_LETS_GO;
        if (is_internal_task &&
            orr_actor_sleep(actor, run->overheads.submit) == ORR_ASLEEP)
            return ORR_ASLEEP;
        /* fall through */
    case RELEASE_LETS_GO:
        if (orr_spinlock_is_taken(&data->lock, actor->engine)) {
            orr_spinlock_await(actor, &data->lock);
            return ORR_CONTINUE;
        }
        releasing->at = RELEASE_HANDS_OVER;
        unpin(run, acquisition);
        orr_data_let_go(&run->store, data);
        /* fall through */
    case RELEASE_HANDS_OVER:
        if (data->arbitrated && orr_job_hand_over(actor, run, data))
            return ORR_CONTINUE;
        break;
    }
    if (acquisition->purpose == ORR_TO_UNREGISTER)
        unregister(run, data);
    orr_job_free_ended(run, job);
    g_free(acquisition);
    return ORR_DONE;
}

void orr_acquisition_release(struct orr_actor *actor, struct orr_run *run,
                             struct orr_acquisition *acquisition)
{
    struct releasing *releasing =
        orr_actor_call(actor, release, sizeof(*releasing));

    releasing->run = run;
    releasing->acquisition = acquisition;
}

const struct orr_acquisition *orr_acquisition_of(const struct orr_run *run,
                                                 const struct orr_job *job)
{
    struct orr_data *data = orr_access_data(&job->accesses[0]);
    const struct orr_acquisition *acquisition = find_awaited(run, job);

    if (acquisition)
        return acquisition;
    acquisition =
        run->app.pending ? g_hash_table_lookup(run->app.pending, job) : NULL;
    if (acquisition)
        return acquisition;
    acquisition =
        run->app.acquired ? g_hash_table_lookup(run->app.acquired, data) : NULL;
    while (acquisition && acquisition->job != job)
        acquisition = acquisition->next;
    return acquisition;
}

void orr_acquisitions_free(struct orr_run *run)
{
    struct orr_thread *thread = &run->app.main;
    GHashTableIter iter;
    gpointer value;

    do {
        g_clear_pointer(&thread->acquiring, g_free);
        thread = thread->next;
    } while (thread);
    g_clear_pointer(&run->app.pending, g_hash_table_unref);
    if (!run->app.acquired)
        return;
    g_hash_table_iter_init(&iter, run->app.acquired);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        struct orr_acquisition *acquisition = value;

        while (acquisition) {
            struct orr_acquisition *next = acquisition->next;

            g_free(acquisition);
            acquisition = next;
        }
    }
    g_clear_pointer(&run->app.acquired, g_hash_table_unref);
}
