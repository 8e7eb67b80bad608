/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The ends of tasks: end dependencies, and calls of the application. */
#include "runtime/run.h"
#include "runtime/worker/accesses.h"
#include "runtime/worker/submit.h"

/*
 * End dependencies come before all else, as in the reference (StarPU, jobs.c:
 * _starpu_handle_job_termination()): the actor that ends the last of them ends
 * the task, too. The job that awaits them is a successor of tasks
 * as others are.
 */
bool orr_job_may_end(struct orr_actor *actor, struct orr_run *run,
                     struct orr_job *job)
{
    struct orr_job *end = orr_job_ending(job)->end;

    if (!end)
        return true;
    if (--end->awaited > 0) {
        orr_job_end_wait(end)->has_run = true;
        orr_job_end_wait(end)->worker = actor->index;
        orr_accesses_awaited(run, actor->index, end);
        return false;
    }
    orr_accesses_ended(run, actor->index, end);
    orr_job_free_end(&run->graph, end);
    return true;
}

bool orr_job_release(struct orr_actor *actor, struct orr_run *run,
                     struct orr_job *job)
{
    const struct orr_job_ops *ops = run->app.job_ops[job->kind];

    run->engine.effects |= ORR_EFFECT_RUNTIME;
    if (ops->release) {
        ops->release(actor, run, job);
        return true;
    }
    if (--job->awaited > 0)
        return false;
    orr_job_call_ready(actor, run, job);
    return true;
}

/*
 * A call of a function of the application. The function itself takes no time.
 * Jobs that it submits are collected, and then submitted by the actor.
 */
struct calling {
    struct orr_run *run;
    struct orr_call call; /* then it has no function */
    struct orr_job *job;  /* of which it is one of the calls; NULL: it is none
                           */
    bool is_kernel;       /* it is the kernel of the job */
    GPtrArray *submitted; /* jobs that the function has submitted or released;
                             owned */
    guint next;
};

static void call_now(struct calling *calling)
{
    struct orr_run *run = calling->run;

    calling->submitted = g_ptr_array_new();
    run->app.collected = calling->submitted;
    run->app.called = calling->job;
    run->app.calls_kernel = calling->is_kernel;
    run->engine.effects |= ORR_EFFECT_RUNTIME | ORR_EFFECT_POLICY;
    calling->call.function(run, calling->call.data);
    calling->call.function = NULL;
    run->app.collected = NULL;
    run->app.called = NULL;
}

static enum orr_next call_application(struct orr_actor *actor, void *locals)
{
    struct calling *calling = locals;

    if (calling->call.function)
        call_now(calling);
    if (calling->next < calling->submitted->len) {
        struct orr_job *job = calling->submitted->pdata[calling->next++];

        if (orr_job_is_released(job))
            orr_job_release(actor, calling->run, job);
        else
            orr_job_call(actor, orr_job_submission, calling->run, job);
        return ORR_CONTINUE;
    }
    g_ptr_array_unref(calling->submitted);
    return ORR_DONE;
}

bool orr_call_application(struct orr_actor *actor, struct orr_run *run,
                          const struct orr_call *wanted)
{
    struct calling *calling;

    if (!wanted->function)
        return false;
    calling = orr_actor_call(actor, call_application, sizeof(*calling));
    calling->run = run;
    calling->call = *wanted;
    return true;
}

/* Calls the function @call of @job, if it has it. */
static bool make_call(struct orr_actor *actor, struct orr_run *run,
                      struct orr_job *job, enum orr_job_call call)
{
    const struct orr_job_calls *calls = orr_job_ending(job)->calls;
    struct calling *calling;

    if (!calls || !calls->call[call].function)
        return false;
    calling = orr_actor_call(actor, call_application, sizeof(*calling));
    calling->run = run;
    calling->call = calls->call[call];
    calling->job = job;
    calling->is_kernel = call == ORR_CALL_KERNEL;
    return true;
}

bool orr_job_starts_kernel(struct orr_actor *actor, struct orr_run *run,
                           struct orr_job *job)
{
    return G_UNLIKELY(job->has_ending) &&
           make_call(actor, run, job, ORR_CALL_KERNEL);
}

bool orr_job_calls(struct orr_actor *actor, struct orr_run *run,
                   struct orr_job *job, enum orr_job_call call)
{
    return make_call(actor, run, job, call);
}

/* As in the reference, the callback comes after the successors of the task have
 * become ready. */
struct ending_with_callback {
    enum { CALLBACK_ENDS, CALLBACK_CALLS, CALLBACK_OVER } at;
    struct orr_run *run;
    struct orr_job *job;
};

static enum orr_next end_and_call_back(struct orr_actor *actor, void *locals)
{
    struct ending_with_callback *ending = locals;

    switch (ending->at) {
    case CALLBACK_ENDS:
        ending->at = CALLBACK_CALLS;
        orr_job_call(actor, orr_job_end, ending->run, ending->job)->keeps =
            true;
        return ORR_CONTINUE;
    case CALLBACK_CALLS:
        ending->at = CALLBACK_OVER;
        if (orr_call_application(actor, ending->run,
                                 &orr_job_ending(ending->job)->callback))
            return ORR_CONTINUE;
        /* fall through */
    case CALLBACK_OVER:
        break;
    }
    orr_job_free_ended(ending->run, ending->job);
    return ORR_DONE;
}

void orr_job_call_end_and_callback(struct orr_actor *actor, struct orr_run *run,
                                   struct orr_job *job)
{
    struct ending_with_callback *ending =
        orr_actor_call(actor, end_and_call_back, sizeof(*ending));

    ending->run = run;
    ending->job = job;
}

/* The end of a task that synchronises, which no worker takes. */
struct sync_end {
    enum { SYNC_TAKEN, SYNC_AWAITS, SYNC_MAY_END, SYNC_ENDS, SYNC_OVER } at;
    struct orr_run *run;
    struct orr_job *job;
};

static void end_sync(struct orr_actor *actor, struct orr_run *run,
                     struct orr_job *job)
{
    run->graph.completed++;
    run->graph.synchronised++;
    if (job->has_ending && orr_job_ending(job)->callback.function)
        orr_job_call_end_and_callback(actor, run, job);
    else
        orr_job_call(actor, orr_job_end, run, job);
}

static enum orr_next sync_end(struct orr_actor *actor, void *locals)
{
    struct sync_end *end = locals;

    switch (end->at) {
    case SYNC_TAKEN:
        end->at = SYNC_AWAITS;
        if (orr_job_calls(actor, end->run, end->job, ORR_CALL_PROLOGUE_POP))
            return ORR_CONTINUE;
        /* fall through */
    case SYNC_AWAITS:
        if (!orr_job_may_end(actor, end->run, end->job))
            return ORR_DONE;
        /* fall through */
    case SYNC_MAY_END:
        end->at = SYNC_ENDS;
        if (orr_job_calls(actor, end->run, end->job, ORR_CALL_EPILOGUE))
            return ORR_CONTINUE;
        /* fall through */
    case SYNC_ENDS:
        end->at = SYNC_OVER;
        end_sync(actor, end->run, end->job);
        return ORR_CONTINUE;
    case SYNC_OVER:
        break;
    }
    return ORR_DONE;
}

void orr_job_call_sync_end(struct orr_actor *actor, struct orr_run *run,
                           struct orr_job *job, bool may_end)
{
    struct sync_end *end;

    if (!job->has_ending) {
        end_sync(actor, run, job);
        return;
    }
    end = orr_actor_call(actor, sync_end, sizeof(*end));
    end->at = may_end ? SYNC_MAY_END : SYNC_TAKEN;
    end->run = run;
    end->job = job;
}
