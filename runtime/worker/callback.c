/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The ends of tasks: end dependencies, and callbacks of the application. */
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

bool orr_job_release_end(struct orr_actor *actor, struct orr_run *run,
                         struct orr_job *end)
{
    run->engine.effects |= ORR_EFFECT_RUNTIME;
    if (--end->awaited > 0)
        return false;
    orr_job_call_ready(actor, run, end);
    return true;
}

/*
 * As in the reference, the callback comes after the successors of the task have
 * become ready. The function itself takes no time. Jobs that it submits are
 * collected, and then submitted by the actor that ended the task.
 */
struct calling_back {
    enum { CALLBACK_ENDS, CALLBACK_CALLS, CALLBACK_SUBMITS } at;
    struct orr_run *run;
    struct orr_job *job;
    GPtrArray *submitted; /* jobs that the callback has submitted, and ends
                             that it has released; owned */
    guint next;
};

static void call(struct calling_back *calling)
{
    struct orr_run *run = calling->run;
    const struct orr_job_ending *ending = orr_job_ending(calling->job);

    calling->submitted = g_ptr_array_new();
    run->app.collected = calling->submitted;
    run->engine.effects |= ORR_EFFECT_RUNTIME | ORR_EFFECT_POLICY;
    ending->callback(run, ending->callback_data);
    run->app.collected = NULL;
}

static enum orr_next call_back(struct orr_actor *actor, void *locals)
{
    struct calling_back *calling = locals;

    switch (calling->at) {
    case CALLBACK_ENDS:
        calling->at = CALLBACK_CALLS;
        orr_job_call(actor, orr_job_end, calling->run, calling->job)->keeps =
            true;
        return ORR_CONTINUE;
    case CALLBACK_CALLS:
        calling->at = CALLBACK_SUBMITS;
        call(calling);
        /* fall through */
    case CALLBACK_SUBMITS:
        break;
    }
    if (calling->next < calling->submitted->len) {
        struct orr_job *job = calling->submitted->pdata[calling->next++];

        if (job->kind == ORR_JOB_END)
            orr_job_release_end(actor, calling->run, job);
        else
            orr_job_call(actor, orr_job_submission, calling->run, job);
        return ORR_CONTINUE;
    }
    g_ptr_array_unref(calling->submitted);
    orr_job_free_ended(calling->run, calling->job);
    return ORR_DONE;
}

void orr_job_call_end_and_callback(struct orr_actor *actor, struct orr_run *run,
                                   struct orr_job *job)
{
    struct calling_back *calling =
        orr_actor_call(actor, call_back, sizeof(*calling));

    calling->run = run;
    calling->job = job;
}
