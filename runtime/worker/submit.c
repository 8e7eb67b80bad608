/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The way of a job. Submission: order its accesses in the graph, pay the cost
 * of the submission; if nothing is awaited the job is ready. Ready: acquire its
 * data from the arbiter, pay the cost of a push, call its prologue, place it,
 * yield, push it. End:
 * notify the successors one by one; each successor that awaits nothing else
 * becomes ready within the procedure of the job that ended.
 *
 * A procedure that has to wait for a datum ends; the job that releases the
 * datum calls the remaining part (orr_job_hand_over()).
 */
#include "runtime/worker/submit.h"

#include "runtime/data/arbiter.h"
#include "runtime/graph/tags.h"
#include "runtime/run.h"
#include "runtime/worker/accesses.h"
#include "runtime/worker/concurrent.h"
#include "runtime/worker/preemption.h"
#include "runtime/worker/progress.h"
#include "runtime/worker/redux.h"
#include "runtime/worker/steps.h"
#include "runtime/worker/worker.h"

/* orr_job_free_ended() for a run that heeds more: the application may wait for
 * @job, since it has ended, or for the window. */
static G_GNUC_NO_INLINE void free_rare(struct orr_run *run, struct orr_job *job)
{
    if (run->graph.tags && orr_tags_end(run->graph.tags, job))
        orr_actors_interrupt(&run->engine);
    orr_job_free(&run->graph, job);
    if (run->graph.live == 0 || orr_window_heeds(&run->window))
        orr_run_interrupt(run);
}

void orr_job_free_ended(struct orr_run *run, struct orr_job *job)
{
    run->totals.last_completion = run->engine.now;
    if (G_UNLIKELY(run->rare)) {
        free_rare(run, job);
        return;
    }
    orr_job_free(&run->graph, job);
    if (run->graph.live == 0)
        orr_run_interrupt(run);
}

static void record_push(struct orr_actor *actor, struct orr_run *run,
                        struct orr_job *job)
{
    struct orr_past_decision *note =
        orr_decision_history_add(&run->history, ORR_PAST_PUSH, run->engine.now);

    job->active->pushed = true;
    note->what = orr_job_name(&run->graph, job);
    note->task = (uint32_t)job->id;
    note->actor = actor;
    if (G_UNLIKELY(run->totals.trace))
        orr_steps_push(run, actor, job);
}

/* A kernel is pushed to the policy. */
static enum orr_next push_kernel(struct orr_actor *actor, struct orr_run *run,
                                 struct orr_job *job)
{
    record_push(actor, run, job);
    return run->turns->workers.push(actor, run, job) || run->policy.ops->pushed
               ? ORR_CONTINUE
               : ORR_DONE;
}

const struct orr_job_ops orr_kernel_jobs = {.acquires = true,
                                            .ready = push_kernel};

static enum orr_next end_collecting(struct orr_actor *actor,
                                    struct orr_run *run, struct orr_job *job)
{
    orr_point(&run->engine, ORR_POINT_EMPTY_TASK, NULL);
    orr_job_call(actor, orr_job_end, run, job);
    return ORR_CONTINUE;
}

const struct orr_job_ops orr_collecting_jobs = {.ready = end_collecting};

static enum orr_next end_synchronising(struct orr_actor *actor,
                                       struct orr_run *run, struct orr_job *job)
{
    orr_job_call_sync_end(actor, run, job, false);
    return ORR_CONTINUE;
}

const struct orr_job_ops orr_synchronising_jobs = {.ready = end_synchronising};

static inline const struct orr_job_ops *ops_of(const struct orr_run *run,
                                               const struct orr_job *job)
{
    return run->app.job_ops[job->kind];
}

/*
 * Readies a job without dependencies: acquires its data, takes the time of a
 * push, places it, lets all other events of the date fire, and dispatches it.
 * If the job has to wait for a datum, the procedure ends; orr_job_hand_over()
 * later calls the remaining part. A push to a policy that prefetches locks the
 * data once more.
 */
enum {
    READY_ACQUIRE,
    READY_PROLOGUE,
    READY_PLACE,
    READY_LOCKS,
    READY_SLOW_PUSH,
    READY_POPPED,
    READY_PUSHED,
    READY_END
};

/* Whether @data is locked; then it calls to wait for it. */
static G_GNUC_NO_INLINE bool
meets_lock(struct orr_actor *actor, struct orr_run *run, struct orr_data *data)
{
    if (!run->turns->data.is_locked(&data->lock, &run->engine) &&
        !orr_push_pop_overlap_meets_lock(&run->store, actor, data))
        return false;
    orr_progress_until_free(
        actor,
        actor->index == ORR_NO_WORKER ? NULL : run->workers[actor->index],
        data);
    return true;
}

/* Acquires the datum of @access for its job, or enqueues @access. Returns
 * whether it is acquired. */
static G_GNUC_NO_INLINE bool enter(struct orr_actor *actor, struct orr_run *run,
                                   struct orr_job_access *access)
{
    struct orr_data *data = orr_access_data(access);

    if ((data->redux && orr_redux_admits(run, access)) ||
        orr_arbiter_acquire(&run->graph, access))
        return true;
    if (data->redux)
        orr_redux_begin(actor, run, data);
    return false;
}

/* acquire() for the accesses by ORR_REDUX, from access @i on. */
static G_GNUC_NO_INLINE bool
acquire_redux(struct orr_actor *actor, struct orr_job_frame *frame, unsigned i)
{
    struct orr_run *run = frame->run;
    struct orr_job *job = frame->ready;
    const uint16_t *places;
    unsigned end = job->access_count + orr_job_redux(&run->graph, job, &places);

    for (; i < end; i++) {
        frame->next = i;
        if ((orr_push_pop_overlap_counts(&run->store.push_pop_overlap, actor) ||
             orr_spinlocks_contended(&run->engine)) &&
            meets_lock(actor, run, orr_access_data(&job->accesses[i])))
            return false;
        if (orr_redux_enter(run, &job->accesses[i]))
            continue;
        frame->ready_at = READY_END;
        return false;
    }
    frame->next = 0;
    return true;
}

/* acquire() for data of arbiters. */
static G_GNUC_NO_INLINE bool acquire_groups(struct orr_job_frame *frame)
{
    struct orr_graph *graph = &frame->run->graph;
    struct orr_job_access *first;

    while ((first = orr_arbiter_next_group(frame->ready))) {
        if (orr_arbiter_acquire_group(graph, first))
            continue;
        frame->ready_at = READY_END;
        return false;
    }
    return true;
}

/* Returns false if the job has to wait for a lock or for a datum. */
static inline bool acquire(struct orr_actor *actor, struct orr_job_frame *frame)
{
    struct orr_run *run = frame->run;
    struct orr_job *job = frame->ready;
    unsigned i = frame->next, count = job->access_count;
    bool contended = orr_spinlocks_contended(&run->engine);
    bool overlaps =
        orr_push_pop_overlap_counts(&run->store.push_pop_overlap, actor);

    if (job->kind != ORR_JOB_KERNEL && !ops_of(run, job)->acquires)
        return true;
    for (; i < count; i++) {
        struct orr_job_access *access = &job->accesses[i];
        struct orr_data *data = orr_access_data(access);
        enum orr_access_mode mode =
            orr_access_mode(access) & ORR_W ? ORR_W : ORR_R;

        if (G_UNLIKELY(overlaps || contended) && meets_lock(actor, run, data)) {
            frame->next = i;
            return false;
        }
        if (G_UNLIKELY(orr_arbiter_groups(access)))
            continue;
        if (G_UNLIKELY(orr_arbiter_conflicts(data, mode == ORR_W) ||
                       orr_access_group(access) & ORR_COMMUTE) &&
            !enter(actor, run, access)) {
            frame->ready_at = READY_END;
            return false;
        }
        orr_data_hold(&run->store, data, mode);
    }
    if (G_UNLIKELY(run->graph.has_arbiters) && !acquire_groups(frame))
        return false;
    if (G_UNLIKELY(run->graph.has_redux))
        return acquire_redux(actor, frame, i);
    frame->next = 0;
    return true;
}

/* A policy that prefetches locks the data. Returns false if it calls to wait
 * for a lock. */
static bool pass_locks(struct orr_actor *actor, struct orr_job_frame *frame)
{
    struct orr_job *job = frame->ready;

    for (; frame->next < job->access_count; frame->next++) {
        struct orr_spinlock *lock =
            &orr_access_data(&job->accesses[frame->next])->lock;

        if (orr_spinlock_is_taken(lock, actor->engine)) {
            orr_spinlock_await(actor, lock);
            return false;
        }
    }
    return true;
}

static inline enum orr_next push(struct orr_actor *actor,
                                 struct orr_job_frame *frame)
{
    struct orr_run *run = frame->run;
    bool is_kernel = frame->ready->kind == ORR_JOB_KERNEL;
    unsigned worker =
        is_kernel ? orr_run_prefetches_for(run, frame->ready) : ORR_NO_WORKER;

    /* The push to one worker prefetches under every policy. */
    if (G_UNLIKELY(frame->ready->pinned))
        worker = orr_job_kernel(&run->graph, frame->ready)->pinned_to;

    if (is_kernel &&
        (run->policy.passes_locks || G_UNLIKELY(worker != ORR_NO_WORKER)) &&
        orr_spinlocks_contended(actor->engine) && !pass_locks(actor, frame))
        return ORR_CONTINUE;
    if (G_UNLIKELY(worker != ORR_NO_WORKER))
        run->policy.host.prefetch(run, &frame->ready->active->task, worker);
    frame->ready_at =
        run->policy.pops_first && is_kernel && !frame->ready->pinned
            ? READY_SLOW_PUSH
            : READY_END;
    return is_kernel
               ? push_kernel(actor, run, frame->ready)
               : ops_of(run, frame->ready)->ready(actor, run, frame->ready);
}

/* Between place and push, other actors may run; the decider says for how
 * long. */
static inline enum orr_next let_others_run(struct orr_actor *actor,
                                           struct orr_run *run,
                                           const struct orr_job *job)
{
    return G_UNLIKELY(run->policy.preemption)
               ? orr_preempt_before_push(run, actor, job)
               : orr_actor_yield(actor);
}

/* Readies frame->ready. */
static inline enum orr_next make_ready(struct orr_actor *actor,
                                       struct orr_job_frame *frame)
{
    struct orr_run *run = frame->run;
    struct orr_job *job = frame->ready;

    switch (frame->ready_at) {
    case READY_ACQUIRE:
        /* Others may come before it to the locks of the data. */
        if (orr_actor_pass(actor) == ORR_ASLEEP)
            return ORR_ASLEEP;
        if (!acquire(actor, frame))
            return ORR_CONTINUE;
        frame->ready_at = READY_PROLOGUE;
        if (!job->immediate &&
            orr_actor_sleep(actor, run->overheads.push) == ORR_ASLEEP)
            return ORR_ASLEEP;
        /* fall through */
    case READY_PROLOGUE:
        frame->ready_at = READY_PLACE;
        if (G_UNLIKELY(job->has_ending) &&
            orr_job_calls(actor, run, job, ORR_CALL_PROLOGUE))
            return ORR_CONTINUE;
        /* fall through */
    case READY_PLACE:
        frame->ready_at = READY_LOCKS;
        if (run->policy.places && job->kind == ORR_JOB_KERNEL && !job->pinned) {
            orr_sched_place(run->policy.sched, &job->active->task);
            /* StarPU asks calibrated models under a lock, and meanwhile others
             * decide; it asks cost functions without one
             * (docs/validation/NOTES.md, Joules). */
            if (!orr_job_kernel(&run->graph, job)->joules &&
                let_others_run(actor, run, job) == ORR_ASLEEP)
                return ORR_ASLEEP;
        }
        /* fall through */
    case READY_LOCKS:
        return push(actor, frame);
    case READY_SLOW_PUSH: /* all pops of this date come first */
        frame->ready_at = READY_POPPED;
        orr_push_pop_overlap_pushed(&run->store, actor);
        return orr_actor_yield(actor);
    case READY_POPPED:
        frame->ready_at = READY_PUSHED;
        return orr_actor_yield(actor);
    case READY_PUSHED:
        frame->ready_at = READY_END;
        orr_sched_pushed(run->policy.sched, &job->active->task);
        orr_push_pop_overlap_push_ends(&run->store);
        return ORR_CONTINUE;
    default:
        break;
    }
    return ORR_DONE;
}

enum { END_START, END_NEXT };

/* Calls a procedure that only readies @job. */
static struct orr_job_frame *
call_ready(struct orr_actor *actor, struct orr_run *run, struct orr_job *job)
{
    struct orr_job_frame *frame = orr_job_call(actor, orr_job_end, run, NULL);

    frame->at = END_NEXT;
    frame->ready = job;
    return frame;
}

void orr_job_trace_ready(struct orr_run *run, int change)
{
    struct orr_trace_ready record;

    if (!run->totals.calls.ready)
        return;
    run->totals.ready += (uint64_t)change;
    record = (struct orr_trace_ready){
        .date = run->engine.now - run->totals.first_submission,
        .count = run->totals.ready,
    };
    run->totals.calls.ready(run->totals.trace, &record);
}

/* From now on @frame readies @job, which awaits no other job. */
static inline void begin_ready(struct orr_job_frame *frame, struct orr_job *job)
{
    struct orr_run *run = frame->run;

    frame->ready = job;
    frame->ready_at = READY_ACQUIRE;
    frame->next = 0;
    run->engine.effects |= ORR_EFFECT_POLICY;
    if (job->kind == ORR_JOB_KERNEL) {
        orr_job_prefetch_cache_data(job);
        orr_job_activate(&run->graph, job);
        job->active->ready = run->engine.now;
        if (G_UNLIKELY(run->totals.trace))
            orr_job_trace_ready(run, 1);
    }
}

void orr_job_call_ready(struct orr_actor *actor, struct orr_run *run,
                        struct orr_job *job)
{
    begin_ready(call_ready(actor, run, NULL), job);
}

bool orr_job_hand_over(struct orr_actor *actor, struct orr_run *run,
                       struct orr_data *data)
{
    bool calls = false;
    struct orr_job_access *next =
        data->redux ? orr_redux_next(actor, run, data, &calls)
                    : orr_arbiter_grant_next(&run->graph, data);
    struct orr_job *job;

    if (!next)
        return calls;
    job = orr_access_job(next);
    if (!orr_access_reduces(next) && !orr_arbiter_groups(next))
        orr_data_hold(&run->store, data,
                      orr_access_mode(next) & ORR_W ? ORR_W : ORR_R);
    if (ops_of(run, job)->acquires)
        call_ready(actor, run, job)->next = orr_arbiter_groups(next)
                                                ? job->access_count
                                                : orr_access_index(next) + 1;
    else
        ops_of(run, job)->granted(actor, run, job);
    return true;
}

/* In lock-step, other actors run while @actor locks its next successor. Returns
 * whether @actor is asleep. */
static G_GNUC_NO_INLINE bool awaits_turn(struct orr_actor *actor,
                                         struct orr_job_frame *frame)
{
    const uint32_t *cursor = NULL;
    const struct orr_job *to =
        orr_graph_next_successor(&frame->run->graph, frame->job, &cursor);

    frame->notifies = !frame->notifies && to && orr_job_locks_to_notify(to);
    if (!frame->notifies)
        return false;
    if (orr_actor_pass_point(actor, ORR_POINT_SUCCESSOR_FOUND, NULL) ==
        ORR_ASLEEP)
        return true;
    frame->notifies = false;
    return false;
}

/* Notifies the successors of frame->job of its end, until one awaits no other
 * job and becomes frame->ready. */
static inline enum orr_next notify_successors(struct orr_actor *actor,
                                              struct orr_job_frame *frame)
{
    struct orr_run *run = frame->run;
    struct orr_graph *graph = &run->graph;
    struct orr_job *job = frame->job;

    for (;;) {
        struct orr_job *to;
        uint32_t place;

        if (G_UNLIKELY(run->engine.interleaving) && awaits_turn(actor, frame))
            return ORR_ASLEEP;
        place = orr_successors_take(&job->successors, &graph->batches);
        if (!place)
            break;
        to = orr_arena_at(&graph->arena, place);
        if (G_UNLIKELY(run->engine.interleaving) && orr_job_locks_to_notify(to))
            orr_point(&run->engine, ORR_POINT_SUCCESSOR_NOTIFIED, NULL);
        if (--to->awaited == 0) {
            begin_ready(frame, to);
            return ORR_CONTINUE;
        }
    }
    if (job->kind == ORR_JOB_KERNEL || job->kind == ORR_JOB_COLLECT)
        orr_point(&run->engine, ORR_POINT_SUCCESSORS_NOTIFIED, NULL);
    return ORR_DONE;
}

enum orr_next orr_job_end(struct orr_actor *actor, void *locals)
{
    struct orr_job_frame *frame = locals;
    struct orr_run *run = frame->run;

    if (frame->at == END_START) {
        frame->at = END_NEXT;
        orr_accesses_ended(run, actor->index, frame->job);
        orr_graph_retire(&run->graph, frame->job);
        if (run->graph.tags && orr_tags_end(run->graph.tags, frame->job))
            orr_actors_interrupt(&run->engine);
    }
    for (;;) {
        enum orr_next next = ORR_DONE;

        if (frame->ready)
            next = make_ready(actor, frame);
        if (next != ORR_DONE)
            return next;
        frame->ready = NULL;
        if (!frame->job)
            return ORR_DONE;
        next = notify_successors(actor, frame);
        if (next == ORR_DONE)
            break;
        if (next == ORR_ASLEEP)
            return next;
    }
    if (!frame->keeps)
        orr_job_free_ended(run, frame->job);
    return ORR_DONE;
}

enum { SUBMIT_CALL, SUBMIT_ORDER, SUBMIT_COST, SUBMIT_END };

/* Whether the policy has an operation for the submission of @job. */
static inline bool is_announced(const struct orr_run *run,
                                const struct orr_job *job)
{
    const struct orr_sched_ops *ops = run->policy.ops;

    return G_UNLIKELY(ops->submitted) && ops->concurrent &&
           job->kind == ORR_JOB_KERNEL;
}

/* Orders the accesses in the graph. Returns a collecting job that must be
 * submitted before the next call, or NULL. */
static struct orr_job *order(struct orr_job_frame *frame)
{
    if (frame->job->kind == ORR_JOB_COLLECT)
        return NULL; /* it orders others */
    return orr_graph_order(&frame->run->graph, frame->job, &frame->next);
}

/* Returns whether the job is ready: it awaits no other job. */
static bool release(struct orr_job_frame *frame)
{
    struct orr_job *job = frame->job;

    job->submitted = frame->run->engine.now;
    if (--job->awaited > 0)
        return false;
    if (ops_of(frame->run, job)->is_immediate) {
        job->immediate = true;
        frame->at = SUBMIT_END;
    }
    return true;
}

enum orr_next orr_job_submission(struct orr_actor *actor, void *locals)
{
    struct orr_job_frame *frame = locals;
    struct orr_run *run = frame->run;
    struct orr_job *collector;

    switch (frame->at) {
    case SUBMIT_CALL:
        frame->at = SUBMIT_ORDER;
        if (is_announced(run, frame->job)) {
            orr_concurrency_submitted(run, actor, frame->job);
            return ORR_CONTINUE;
        }
        /* fall through */
    case SUBMIT_ORDER:
        collector = order(frame);
        if (collector) {
            orr_job_call(actor, orr_job_submission, run, collector);
            return ORR_CONTINUE;
        }
        frame->at = SUBMIT_COST;
        orr_point(&run->engine, ORR_POINT_TASK_SUBMITTED, NULL);
        if (release(frame)) {
            orr_job_call_ready(actor, run, frame->job);
            return ORR_CONTINUE;
        }
        /* fall through */
    case SUBMIT_COST:
        frame->at = SUBMIT_END;
        return orr_actor_sleep(actor, run->overheads.submit);
    case SUBMIT_END:
        break;
    }
    return ORR_DONE;
}

/* Whether the application is the only actor that runs at this date. */
static bool is_alone(const struct orr_engine *engine)
{
    return !engine->interleaving && !engine->decider && !engine->woken;
}

void orr_job_submit(struct orr_run *run, struct orr_job *job)
{
    struct orr_actor *actor = orr_run_actor(run);
    struct orr_job *collector = NULL;
    unsigned next = 0;

    if (G_LIKELY(is_alone(&run->engine) && !is_announced(run, job))) {
        /* Most jobs have unmet dependencies: then only the submission cost
         * remains. */
        collector = orr_graph_order(&run->graph, job, &next);
        if (G_LIKELY(!collector && job->awaited > 1)) {
            job->awaited--;
            job->submitted = run->engine.now;
            orr_actor_rest(actor, run->overheads.submit);
            return;
        }
    }
    orr_job_call(actor, orr_job_submission, run, job)->next = next;
    if (collector)
        orr_job_call(actor, orr_job_submission, run, collector);
    orr_actor_act(actor);
}
