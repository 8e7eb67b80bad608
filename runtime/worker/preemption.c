/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Each operation of a caller asks the decider up to two questions: whether
 * another caller operates on the same object first (order()), and how long the
 * caller is preempted (step()). A preempted actor sleeps for a time, or is
 * suspended and listed in preempted: it waits for a number of tasks to end, or
 * for an operation of another caller on an object.
 *
 * Whenever the run stalls, one listed actor is resumed. When the watchdog finds
 * no progress, all are, and preemption stays off until the run progresses.
 */
#include "runtime/worker/preemption.h"

#include "runtime/engine/decision.h"
#include "runtime/run.h"
#include "runtime/worker/concurrent.h"
#include "runtime/worker/steps.h"

/* How long other actors run first. */
enum option {
    GO_ON,      /* no preemption */
    YIELD,      /* until all other actors of this date have run */
    NEXT_EVENT, /* until the date of the next event */
    BRIEFLY,
    LONGER,
    LONG,
    ONE_TASK,   /* until a task has ended */
    SOME_TASKS, /* until several tasks have ended */
    OTHERS,     /* until nothing else can happen */
    OPTIONS
};

static const orr_time delays[OPTIONS] = {
    [BRIEFLY] = ORR_US,
    [LONGER] = 10 * ORR_US,
    [LONG] = 100 * ORR_US,
};

/* Number of tasks that have to end; fewer suffice at the end of the run. */
static const unsigned tasks[OPTIONS] = {
    [ONE_TASK] = 1,
    [SOME_TASKS] = 4,
    [OTHERS] = UINT_MAX,
};

static const char *const untils[OPTIONS] = {
    [YIELD] = "until others of this date have acted",
    [NEXT_EVENT] = "until the next event",
    [BRIEFLY] = "for 1 us",
    [LONGER] = "for 10 us",
    [LONG] = "for 100 us",
    [ONE_TASK] = "until a task has ended",
    [SOME_TASKS] = "until 4 tasks have ended",
    [OTHERS] = "until nothing else can happen",
};

struct orr_preemption *orr_preemption_new(struct orr_run *run)
{
    struct orr_preemption *preemption = g_new0(struct orr_preemption, 1);

    preemption->count = run->worker_count + ORR_MAX_THREADS;
    preemption->actors = g_new0(struct orr_preempted, preemption->count);
    preemption->indices = g_new(unsigned, preemption->count);
    preemption->preempted = g_ptr_array_new();
    return preemption;
}

void orr_preemption_free(struct orr_preemption *preemption)
{
    if (!preemption)
        return;
    g_ptr_array_unref(preemption->preempted);
    g_free(preemption->actors);
    g_free(preemption->indices);
    g_free(preemption);
}

/* Adds @actor, which suspends itself next, to the preempted actors: until
 * @count tasks have ended, or another actor has operated on @object. */
static void add(const struct orr_run *run, struct orr_actor *actor,
                unsigned count, const void *object)
{
    struct orr_preemption *preemption = run->policy.preemption;
    struct orr_preempted *held = &preemption->actors[orr_run_slot(run, actor)];

    held->actor = actor;
    held->tasks = count;
    held->object = object;
    g_ptr_array_add(preemption->preempted, held);
}

/* Asks the decider how long to preempt the actor @index. */
static enum option choose(const struct orr_run *run,
                          enum orr_decision_kind kind, unsigned index)
{
    unsigned options[OPTIONS];

    if (run->policy.preemption->suspended)
        return GO_ON;
    options[GO_ON] = index;
    for (unsigned i = GO_ON + 1; i < OPTIONS; i++)
        options[i] = ORR_NO_ACTOR;
    return orr_decide(run->engine.decider, kind, OPTIONS, options);
}

/* The delay of an option that does not wait for tasks. */
static orr_time delay_of(const struct orr_engine *engine, enum option option)
{
    orr_time next = orr_engine_next(engine);

    if (option != NEXT_EVENT)
        return delays[option];
    return next == ORR_NEVER ? ORR_US : next - engine->now;
}

static void record_resume(const struct orr_run *run, orr_time delay)
{
    run->policy.preemption->last_resume =
        MAX(run->policy.preemption->last_resume, run->engine.now + delay);
}

/* Where a caller is: before or after an operation. */
struct place {
    const struct orr_operation *operation;
    bool after;
};

static void wait(struct orr_caller *caller, enum option option)
{
    if (tasks[option] > 0) {
        add(caller->run, caller->actor, tasks[option], NULL);
        orr_caller_pause(caller, ORR_PAUSE_SUSPEND);
        return;
    }
    caller->delay = delay_of(&caller->run->engine, option);
    record_resume(caller->run, caller->delay);
    orr_caller_pause(caller,
                     caller->delay > 0 ? ORR_PAUSE_SLEEP : ORR_PAUSE_YIELD);
}

static void step(struct orr_caller *caller, const struct place *place)
{
    enum option option = choose(caller->run, ORR_DECIDE_STEP, caller->index);

    if (option == GO_ON)
        return;
    orr_steps_preempted(caller, place->operation, place->after, untils[option]);
    wait(caller, option);
    orr_steps_resumed(caller);
}

/* Preempts the caller until another caller has operated on the object, as often
 * as the decider says. */
static void order(struct orr_caller *caller, const struct place *place)
{
    const struct orr_operation *operation = place->operation;
    const struct orr_order order = {
        .object = operation->object,
        .releases = operation->releases,
        .tries = operation->tries,
    };

    caller->in_vain = false;
    while (!caller->in_vain && orr_decide_order(caller->run->engine.decider,
                                                caller->index, &order) > 0) {
        orr_steps_preempted(caller, operation, place->after,
                            "until another caller has done so");
        add(caller->run, caller->actor, 0, operation->object);
        orr_caller_pause(caller, ORR_PAUSE_SUSPEND);
        orr_steps_resumed(caller);
    }
}

/* The caller that acts, if there is a decider to ask. */
static struct orr_caller *find_caller(const struct orr_run *run)
{
    return run->engine.decider ? orr_concurrency_caller(run) : NULL;
}

static void resume_at(struct orr_run *run, guint i)
{
    struct orr_preempted *held =
        g_ptr_array_remove_index(run->policy.preemption->preempted, i);

    record_resume(run, 0);
    orr_actor_resume(held->actor);
}

/* Resumes the actors that wait for an operation on @object. */
static void resume_others(struct orr_run *run, const void *object)
{
    const GPtrArray *waiting = run->policy.preemption->preempted;
    guint i = 0;

    while (i < waiting->len) {
        if (((const struct orr_preempted *)waiting->pdata[i])->object == object)
            resume_at(run, i);
        else
            i++;
    }
}

void orr_preempt_before(struct orr_run *run,
                        const struct orr_operation *operation)
{
    const struct place place = {operation, false};
    struct orr_caller *caller = find_caller(run);

    if (!caller)
        return;
    /* The end of the last operation has asked for a step already. */
    if (!caller->operated)
        step(caller, &place);
    caller->operated = true;
    order(caller, &place);
}

void orr_preempt_after(struct orr_run *run,
                       const struct orr_operation *operation)
{
    const struct place place = {operation, true};
    struct orr_caller *caller = find_caller(run);

    orr_steps_operated(run, operation);
    if (!caller)
        return;
    resume_others(run, operation->object);
    step(caller, &place);
}

void orr_preempt_access(struct orr_run *run,
                        const struct orr_operation *operation)
{
    const struct place place = {operation, false};
    struct orr_caller *caller = find_caller(run);

    if (caller) {
        step(caller, &place);
        order(caller, &place);
        resume_others(run, operation->object);
    }
    orr_steps_operated(run, operation);
}

enum orr_next orr_preempt_before_push(struct orr_run *run,
                                      struct orr_actor *actor,
                                      const struct orr_job *job)
{
    enum option option;
    orr_time delay;

    if (run->engine.interleaving)
        return orr_actor_yield(actor);
    option = choose(run, ORR_DECIDE_GAP, actor->index);
    if (option == GO_ON)
        return orr_actor_yield(actor);
    orr_steps_preempted_before_push(run, actor, job, untils[option]);
    if (tasks[option] > 0) {
        add(run, actor, tasks[option], NULL);
        return orr_actor_suspend(actor);
    }
    delay = delay_of(&run->engine, option);
    record_resume(run, delay);
    return delay > 0 ? orr_actor_sleep(actor, delay) : orr_actor_yield(actor);
}

void orr_preemption_task_ended(struct orr_run *run)
{
    const GPtrArray *waiting = run->policy.preemption->preempted;
    guint i = 0;

    while (i < waiting->len) {
        struct orr_preempted *held = waiting->pdata[i];

        if (held->tasks > 0 && held->tasks < UINT_MAX && --held->tasks == 0)
            resume_at(run, i);
        else
            i++;
    }
}

/* @held is resumed although the operation for which it waited has not come:
 * sets the in_vain flag of its caller. */
static void mark_in_vain(struct orr_run *run, const struct orr_preempted *held)
{
    if (held->object)
        run->policy.concurrency->callers[held - run->policy.preemption->actors]
            .in_vain = true;
}

/* Notifies the decider of callers that wait for an operation that does not
 * come, before it decides which actor is resumed. */
static void notify_in_vain(struct orr_run *run)
{
    struct orr_decider *decider = run->engine.decider;
    const GPtrArray *waiting = run->policy.preemption->preempted;

    for (guint i = 0; i < waiting->len && decider && decider->in_vain; i++) {
        if (((const struct orr_preempted *)waiting->pdata[i])->object)
            decider->in_vain(decider);
    }
}

bool orr_preemption_resume_one(struct orr_run *run)
{
    struct orr_preemption *preemption = run->policy.preemption;
    const GPtrArray *waiting = preemption ? preemption->preempted : NULL;
    unsigned chosen;

    if (!waiting || waiting->len == 0)
        return false;
    for (guint i = 0; i < waiting->len; i++)
        preemption->indices[i] =
            ((const struct orr_preempted *)waiting->pdata[i])->actor->index;
    notify_in_vain(run);
    chosen =
        orr_decide(run->engine.decider, ORR_DECIDE_LOCK,
                   MIN(waiting->len, ORR_MOST_OPTIONS), preemption->indices);
    mark_in_vain(run, waiting->pdata[chosen]);
    resume_at(run, chosen);
    return true;
}

bool orr_preemption_resume_all(struct orr_run *run)
{
    struct orr_preemption *preemption = run->policy.preemption;

    if (!preemption || preemption->suspended)
        return false;
    preemption->suspended = true;
    notify_in_vain(run);
    while (preemption->preempted->len > 0) {
        mark_in_vain(run, preemption->preempted->pdata[0]);
        resume_at(run, 0);
    }
    return true;
}

void orr_preemption_progressed(struct orr_run *run)
{
    if (run->policy.preemption)
        run->policy.preemption->suspended = false;
}
