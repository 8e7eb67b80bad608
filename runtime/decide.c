/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs in which the program decides: see orrery_decide.h. */
#include "models/base/error.h"
#include "runtime/arguments.h"
#include "runtime/decide_policy.h"
#include "runtime/engine/coroutine.h"
#include "runtime/run.h"

/* Bytes of the coroutine's stack, on which the run calls functions of the
 * program: callbacks, traces. */
#define STACK ((size_t)8 * 1024 * 1024)

static void submit_collected(struct orr_deciding *deciding)
{
    GPtrArray *collected = deciding->collected;

    if (collected->len == 0)
        return;
    while (deciding->submitted < collected->len &&
           !orr_run_ignores(deciding->run))
        orr_run_submit(deciding->run, collected->pdata[deciding->submitted++]);
    g_ptr_array_set_size(collected, 0);
    deciding->submitted = 0;
}

/* The coroutine: the application submits, and waits for all tasks. */
static void act(void *arg)
{
    struct orr_deciding *deciding = arg;
    struct orr_run *run = deciding->run;

    do
        submit_collected(deciding);
    while (!orr_run_ignores(run) && run->graph.live > 0 && orr_run_step(run));
    deciding->finished = orr_run_wait(run, &deciding->error);
}

/* Lets the coroutine run until it asks or ends. */
static void go_on(struct orr_deciding *deciding)
{
    struct orr_run *run = deciding->run;

    if (!deciding->coroutine)
        deciding->coroutine = orr_coroutine_new(act, deciding, STACK);
    if (deciding->collected->len > deciding->submitted)
        orr_actors_interrupt(&run->engine);
    run->app.collected = NULL;
    deciding->is_inside = true;
    orr_coroutine_resume(deciding->coroutine);
    deciding->is_inside = false;
    run->app.collected = deciding->collected;
}

static bool check_run(const struct orr_run *run, GError **error)
{
    const struct orr_deciding *deciding;

    if (run->policy.ops != orr_sched_decide()) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "the policy of the run is %s, so the program cannot decide",
                    run->policy.ops->name);
        return false;
    }
    deciding = orr_sched_state(run->policy.sched);
    if (!deciding->is_inside && !run->recording)
        return true;
    g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE,
                        run->recording
                            ? "the run keeps its tasks for bounds, so there "
                              "are no decisions"
                            : "the run cannot go on to a decision in a "
                              "function that it has called");
    return false;
}

const struct orr_sched_decision *orr_run_decide(struct orr_run *run,
                                                GError **error)
{
    struct orr_deciding *deciding;

    if (!check_run(run, error))
        return NULL;
    deciding = orr_sched_state(run->policy.sched);
    go_on(deciding);
    if (!orr_coroutine_ended(deciding->coroutine))
        return &deciding->decision;
    orr_coroutine_free(g_steal_pointer(&deciding->coroutine));
    if (!deciding->finished)
        g_propagate_error(error, g_steal_pointer(&deciding->error));
    return NULL;
}

void orr_run_choose(struct orr_run *run, unsigned task)
{
    struct orr_deciding *deciding;
    g_autoptr(GError) error = NULL;

    if (!check_run(run, &error)) {
        orr_run_refuse(run, "%s", error->message);
        return;
    }
    deciding = orr_sched_state(run->policy.sched);
    if (task < deciding->decision.count)
        deciding->chosen = deciding->decision.tasks[task];
    else
        orr_run_refuse(run, "task %u is chosen, but the decision has %u tasks",
                       task, deciding->decision.count);
}
