/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The application sleeps in simulated time, as a procedure of its actor. */
#include "runtime/arguments.h"
#include "runtime/run.h"

struct sleeping {
    orr_time ns; /* left to sleep */
};

static enum orr_next sleep_once(struct orr_actor *actor, void *locals)
{
    struct sleeping *sleeping = locals;
    orr_time ns = sleeping->ns;

    if (ns == 0)
        return ORR_DONE;
    sleeping->ns = 0;
    return orr_actor_sleep(actor, ns);
}

/* Whether the application may sleep for @ns; otherwise sets run->error. */
static bool may_sleep(struct orr_run *run, int64_t ns)
{
    if (orr_run_ignores(run) || !orr_run_may_wait(run))
        return false;
    return (ns >= 0 && ns < ORR_NEVER - run->engine.now) ||
           orr_run_refuse(run,
                          "the application sleeps for %" G_GINT64_FORMAT
                          " ns: expected 0, or a time that ends before date "
                          "2^63 - 1",
                          ns);
}

bool orr_run_sleep(struct orr_run *run, int64_t ns, GError **error)
{
    struct sleeping *sleeping;

    if (!may_sleep(run, ns)) /* or the recording is full */
        return (run->recording && !run->error) || orr_run_wait(run, error);
    if (run->recording || run->capture)
        return true;
    orr_guard_progress(run->app.guard);
    sleeping =
        orr_actor_call(orr_run_actor(run), sleep_once, sizeof(*sleeping));
    sleeping->ns = ns;
    run->app.sleepers++;
    orr_actor_act(orr_run_actor(run));
    orr_run_until_idle(run);
    run->app.sleepers--;
    orr_guard_restore_stack(run->policy.guard);
    return (!run->error && orr_actor_idle(orr_run_actor(run))) ||
           orr_run_wait(run, error);
}
