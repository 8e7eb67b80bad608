/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The functions of orrery_threads.h. */
#include "models/base/sized.h"
#include "runtime/arguments.h"
#include "runtime/diagnosis/hang.h"
#include "runtime/run.h"

void orr_run_set_switch(struct orr_run *run,
                        void (*function)(void *data, unsigned thread),
                        void *data)
{
    run->app.give_control = function;
    run->app.give_control_data = data;
}

unsigned orr_run_thread_new(struct orr_run *run)
{
    const struct orr_thread *thread;

    if (orr_run_ignores(run))
        return 0;
    if (!run->app.give_control || run->policy.ops == orr_sched_decide()) {
        orr_run_refuse(run, run->app.give_control
                                ? "threads: the policy decide has one"
                                : "threads: orr_run_set_switch() was not "
                                  "called");
        return 0;
    }
    thread = orr_threads_new(run);
    if (!thread) {
        orr_run_refuse(run, "threads: there are %d already", ORR_MAX_THREADS);
        return 0;
    }
    run->engine.holds_clock = true;
    return thread->number;
}

/* The first thread that has not ended: it waits in vain. */
static struct orr_thread *find_first(struct orr_run *run)
{
    struct orr_thread *thread = &run->app.main;

    while (thread->ended)
        thread = thread->next;
    return thread;
}

void orr_run_thread_end(struct orr_run *run)
{
    struct orr_thread *self = run->app.thread, *next;

    if (self->number == 0) {
        orr_run_refuse(run, "threads: the thread that made the run ends");
        return;
    }
    self->ended = true;
    while (!(next = orr_threads_find_ready(run)) && orr_run_step(run))
        ;
    orr_threads_give_control(run, next ? next : find_first(run));
}

static bool is_unparked(const struct orr_run *run)
{
    return !run->app.thread->parked || run->error;
}

/* Nothing can end the parking of the thread any more. */
static void fail_parked(struct orr_run *run)
{
    if (run->recording || run->capture)
        orr_run_refuse(run, "a thread waits for another one, or for a "
                            "callback, which is not called where tasks are not "
                            "simulated");
    else if (!run->diagnosis.hang && !run->error)
        run->diagnosis.hang = orr_hang_new(run, true);
}

/* orr_run_park() with the members of this version. */
static bool park_thread(struct orr_run *run, const struct orr_park *park)
{
    struct orr_thread *self = run->app.thread;
    bool timed = park->ns > 0 && park->ns < ORR_NEVER - run->engine.now, over;

    self->parked = park;
    if (timed) {
        orr_engine_at(&run->engine, run->engine.now + park->ns, &self->alarm);
        run->app.sleepers++;
    }
    over = orr_run_await(run, is_unparked);
    if (timed) {
        orr_engine_cancel(&run->engine, &self->alarm);
        run->app.sleepers--;
    }
    if (!over)
        fail_parked(run);
    self->parked = NULL;
    return over && !run->error;
}

bool orr_run_park(struct orr_run *run, const struct orr_park *park,
                  GError **error)
{
    struct orr_park read;
    char *why = NULL;
    bool good;

    if (orr_run_ignores(run) || !orr_run_may_wait(run))
        return orr_run_wait(run, error);
    if (!orr_sized_read(ORR_SIZED(orr_park, ORR_PARK_INIT), park, &read,
                        &why)) {
        orr_run_refuse(run, "struct orr_park: %s", why);
        g_free(why);
        return orr_run_wait(run, error);
    }
    good = park_thread(run, &read);
    orr_guard_restore_stack(run->policy.guard);
    return good || orr_run_wait(run, error);
}

void orr_run_unpark(struct orr_run *run, unsigned number)
{
    struct orr_thread *thread = &run->app.main;

    while (thread && thread->number != number)
        thread = thread->next;
    if (!thread) {
        orr_run_refuse(run, "threads: there is no thread %u", number);
        return;
    }
    thread->parked = NULL;
    orr_actors_interrupt(&run->engine);
}
