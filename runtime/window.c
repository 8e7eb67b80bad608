/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/window.h"

#include "runtime/arguments.h"
#include "runtime/capture.h"
#include "runtime/diagnosis/hang.h"
#include "runtime/run.h"

/* No event is left, and the window is shut. */
static void record_hang(struct orr_run *run)
{
    /* After a livelock no event is left. After a mistake of the policy, workers
     * that would call it wait for the run to end. */
    if (run->diagnosis.hang || run->error)
        return;
    run->diagnosis.hang = orr_hang_new(run, true);
    if (run->diagnosis.hang->policy_acts)
        return;
    run->window.lifted = true;
    run->window.held = run->graph.submitted - run->graph.completed;
    run->totals.trace = NULL;
    run->engine.decider = NULL;
}

/* In lock-step, where the application waits in operations of its own. */
static void await_in_lockstep(struct orr_run *run)
{
    run->turns->workers.await_window(run);
    while (!orr_run_until_idle(run)) {
        if (run->turns->workers.notify_window(run))
            continue;
        record_hang(run);
        if (!run->turns->workers.notify_window(run))
            return;
    }
}

static bool is_open(const struct orr_run *run)
{
    return run->window.lifted ||
           orr_run_in_flight(run) <= run->app.thread->limits.opens;
}

static void await_plainly(struct orr_run *run)
{
    if (orr_run_in_flight(run) < run->app.thread->limits.shuts || is_open(run))
        return;
    run->window.closed = true;
    if (!orr_run_await(run, is_open))
        record_hang(run);
}

/* Waits until no more tasks are in flight than @limits says. */
static void await(struct orr_run *run, struct orr_limits limits)
{
    run->app.thread->limits = limits;
    run->window.waiting++;
    if (run->turns->workers.await_window)
        await_in_lockstep(run);
    else
        await_plainly(run);
    run->window.waiting--;
}

void orr_window_await(struct orr_run *run)
{
    run->window.submits++;
    await(run, run->window.limits);
    run->window.submits--;
}

void orr_window_admit(struct orr_run *run)
{
    struct orr_thread *thread = run->app.thread;

    if (run->window.limits.shuts == 0 || run->app.collected || thread->admitted)
        return;
    await(run, run->window.limits);
    thread->admitted = true;
    orr_guard_restore_stack(run->policy.guard);
}

bool orr_window_has_admitted(struct orr_run *run)
{
    struct orr_thread *thread = run->app.thread;
    bool admitted = thread->admitted;

    thread->admitted = false;
    return admitted;
}

void orr_run_set_window(struct orr_run *run, uint64_t least, uint64_t most)
{
    if (run->policy.ops == orr_sched_decide()) {
        orr_run_refuse(run, "window: the policy decide has none");
        return;
    }
    if (least > most) {
        orr_run_refuse(run,
                       "window: least is %" G_GUINT64_FORMAT
                       ", above most, which is %" G_GUINT64_FORMAT,
                       least, most);
        return;
    }
    if (run->recording || run->capture)
        return;
    run->window.limits = (struct orr_limits){
        .shuts = most == UINT64_MAX ? 0 : most + 1, .opens = least};
    run->rare = true;
}

bool orr_run_wait_in_flight(struct orr_run *run, uint64_t most, GError **error)
{
    const struct orr_submission_window window = run->window;

    if (most == 0 || run->recording || orr_run_ignores(run) ||
        !orr_run_may_wait(run))
        return orr_run_wait(run, error);
    if (run->capture) {
        run->capture->waits(run->capture, NULL);
        return true;
    }
    if (most == UINT64_MAX)
        return true;
    run->rare = true;
    await(run, (struct orr_limits){.shuts = most + 1, .opens = most});
    run->window.closed = window.closed;
    run->window.lifted = window.lifted;
    orr_guard_restore_stack(run->policy.guard);
    return (!run->error && !run->diagnosis.hang) || orr_run_wait(run, error);
}

uint64_t orr_run_tasks_in_flight(const struct orr_run *run)
{
    return run->recording || run->capture ? 0 : orr_run_in_flight(run);
}

static void count_ready(void *job, void *count)
{
    *(uint64_t *)count += ((struct orr_job *)job)->activated;
}

uint64_t orr_run_tasks_ready(const struct orr_run *run)
{
    uint64_t count = 0;

    if (run->graph.live > 0 && !run->recording && !run->capture)
        orr_graph_each_job(&run->graph, count_ready, &count);
    return count;
}
