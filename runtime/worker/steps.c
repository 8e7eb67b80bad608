/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/worker/steps.h"

#include "models/base/source_line.h"
#include "runtime/run.h"
#include "runtime/worker/concurrent.h"

static bool is_wanted(const struct orr_run *run)
{
    return G_UNLIKELY(run->totals.trace && run->totals.calls.step);
}

/* Sets step->code, if it is wanted and not known. */
static void find_code(const struct orr_run *run, struct orr_trace_step *step)
{
    if (!step->code && run->totals.calls.wants & ORR_TRACE_CODE)
        step->code = orr_calling_code();
}

/* Gives @step of the actor @index (a worker, or ORR_NO_WORKER) to the trace. */
static void trace_step(struct orr_run *run, unsigned index,
                       struct orr_trace_step *step)
{
    step->date = run->engine.now - run->totals.first_submission;
    step->worker = index == ORR_NO_WORKER ? ORR_TRACE_APPLICATION : index;
    step->caller = orr_caller_name(run, index);
    if (!step->call)
        step->call = "";
    run->totals.calls.step(run->totals.trace, step);
}

static void set_job(struct orr_trace_step *step, const struct orr_run *run,
                    const struct orr_job *job)
{
    step->task = (uint64_t)job->id;
    step->name = orr_job_name(&run->graph, job);
}

/* A step of a concurrent call. */
static void trace_call(const struct orr_caller *caller,
                       struct orr_trace_step *step)
{
    step->call = orr_policy_call_name(caller->call);
    trace_step(caller->run, caller->index, step);
}

void orr_steps_call(const struct orr_caller *caller)
{
    struct orr_trace_step step = {.kind = ORR_TRACE_CALLS};

    if (!is_wanted(caller->run))
        return;
    if (caller->call == ORR_CALL_PUSH)
        set_job(&step, caller->run, orr_job_of(caller->task));
    trace_call(caller, &step);
}

void orr_steps_return(const struct orr_caller *caller)
{
    struct orr_trace_step step = {.kind = ORR_TRACE_RETURNS};

    if (!is_wanted(caller->run))
        return;
    if (caller->call == ORR_CALL_POP && caller->task)
        set_job(&step, caller->run, orr_job_of(caller->task));
    trace_call(caller, &step);
}

void orr_steps_operated(struct orr_run *run,
                        const struct orr_operation *operation)
{
    const struct orr_caller *caller;
    struct orr_trace_step step = {
        .kind = operation->acquires   ? ORR_TRACE_ACQUIRES
                : operation->releases ? ORR_TRACE_RELEASES
                                      : ORR_TRACE_OPERATES,
        .verb = operation->verb,
        .object = operation->name,
        .code = operation->code,
    };

    if (!is_wanted(run))
        return;
    caller = orr_concurrency_caller(run);
    if (!caller)
        return;
    find_code(run, &step);
    trace_call(caller, &step);
}

void orr_steps_wait(const struct orr_caller *caller, const char *verb,
                    const char *object)
{
    struct orr_trace_step step = {
        .kind = ORR_TRACE_WAITS, .verb = verb, .object = object};

    if (!is_wanted(caller->run))
        return;
    find_code(caller->run, &step);
    trace_call(caller, &step);
}

void orr_steps_preempted(const struct orr_caller *caller,
                         const struct orr_operation *operation, bool after,
                         const char *until)
{
    struct orr_trace_step step = {
        .kind = ORR_TRACE_HOLDS_BACK,
        .verb = operation->verb,
        .object = operation->name,
        .until = until,
        .after = after,
        .code = operation->code,
    };

    if (!is_wanted(caller->run))
        return;
    find_code(caller->run, &step);
    trace_call(caller, &step);
}

void orr_steps_resumed(const struct orr_caller *caller)
{
    struct orr_trace_step step = {.kind = ORR_TRACE_GOES_ON};

    if (is_wanted(caller->run))
        trace_call(caller, &step);
}

void orr_steps_push(struct orr_run *run, const struct orr_actor *actor,
                    const struct orr_job *job)
{
    struct orr_trace_step step = {.kind = ORR_TRACE_CALLS, .call = "push"};

    if (!is_wanted(run) || run->policy.ops->concurrent)
        return;
    set_job(&step, run, job);
    trace_step(run, actor->index, &step);
}

void orr_steps_pop(struct orr_run *run, const struct orr_actor *actor,
                   const struct orr_job *job)
{
    struct orr_trace_step step = {.kind = ORR_TRACE_RETURNS, .call = "pop"};

    if (!is_wanted(run) || run->policy.ops->concurrent)
        return;
    if (job)
        set_job(&step, run, job);
    trace_step(run, actor->index, &step);
}

void orr_steps_woke(struct orr_run *run, const char *worker)
{
    struct orr_trace_step step = {
        .kind = ORR_TRACE_OPERATES, .verb = "wakes", .object = worker};

    if (!is_wanted(run))
        return;
    find_code(run, &step);
    trace_step(run, run->policy.host.caller(run->policy.host.data), &step);
}

void orr_steps_preempted_before_push(struct orr_run *run,
                                     const struct orr_actor *actor,
                                     const struct orr_job *job,
                                     const char *until)
{
    struct orr_trace_step step = {
        .kind = ORR_TRACE_HOLDS_BACK,
        .call = "push",
        .until = until,
    };

    if (!is_wanted(run))
        return;
    set_job(&step, run, job);
    trace_step(run, actor->index, &step);
}
