/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Callbacks of the application at the ends of tasks. */
#include "runtime/run.h"
#include "runtime/worker/submit.h"

/*
 * As in the reference, the callback comes after the successors of the task have
 * become ready. The function itself takes no time. Jobs that it submits are
 * collected, and then submitted by the actor that ended the task.
 */
struct calling_back {
    enum { CALLBACK_ENDS, CALLBACK_CALLS, CALLBACK_SUBMITS } at;
    struct orr_run *run;
    struct orr_job *job;
    GPtrArray *submitted; /* jobs that the callback has submitted; owned */
    guint next;
};

static void call(struct calling_back *calling)
{
    struct orr_run *run = calling->run;
    const struct orr_job_callback *callback = orr_job_callback(calling->job);

    calling->submitted = g_ptr_array_new();
    run->app.collected = calling->submitted;
    run->engine.effects |= ORR_EFFECT_RUNTIME | ORR_EFFECT_POLICY;
    callback->call(run, callback->data);
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
        orr_job_call(actor, orr_job_submission, calling->run,
                     calling->submitted->pdata[calling->next++]);
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
