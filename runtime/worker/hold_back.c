/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/worker/hold_back.h"

#include "runtime/engine/decision.h"
#include "runtime/run.h"

/* Until when other actors run first. */
enum option {
    GO_ON,      /* not at all */
    YIELD,      /* those of this date */
    NEXT_EVENT, /* the date of the next event */
    BRIEFLY,
    LONGER,
    LONG,
    ONE_TASK,   /* a task has ended */
    SOME_TASKS, /* several tasks have ended */
    OTHERS,     /* nothing else can happen */
    OPTIONS
};

static const orr_time delays[OPTIONS] = {
    [BRIEFLY] = ORR_US,
    [LONGER] = 10 * ORR_US,
    [LONG] = 100 * ORR_US,
};

/* How many tasks have to end, the run's last one at most. */
static const unsigned tasks[OPTIONS] = {
    [ONE_TASK] = 1,
    [SOME_TASKS] = 4,
    [OTHERS] = UINT_MAX,
};

/* Suspends @caller until @count tasks have ended or nothing else can happen. */
static void await_tasks(struct orr_caller *caller, unsigned count)
{
    struct orr_concurrency *concurrency = caller->run->concurrency;

    caller->awaits_tasks = count;
    g_ptr_array_add(concurrency->held_back, caller);
    orr_caller_pause(caller, ORR_PAUSE_SUSPEND);
}

static void wait(struct orr_caller *caller, enum option option)
{
    const struct orr_engine *engine = &caller->run->engine;

    if (tasks[option] > 0) {
        await_tasks(caller, tasks[option]);
        return;
    }
    caller->delay = delays[option];
    if (option == NEXT_EVENT)
        caller->delay = orr_engine_next(engine) == ORR_NEVER
                            ? ORR_US
                            : orr_engine_next(engine) - engine->now;
    orr_caller_pause(caller,
                     caller->delay > 0 ? ORR_PAUSE_SLEEP : ORR_PAUSE_YIELD);
}

/* Where a caller is: before or after an operation. */
struct place {
    const char *when, *verb, *object;
};

static void note(const struct orr_caller *caller, const struct place *place,
                 enum option option)
{
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
    struct orr_decider *decider = caller->run->engine.decider;

    if (decider->note)
        decider->note(decider,
                      g_strdup_printf("%s, in %s, %s it %s %s, waits %s",
                                      orr_caller_name(caller->run, caller->who),
                                      orr_policy_call_name(caller->call),
                                      place->when, place->verb, place->object,
                                      untils[option]));
}

static void step(struct orr_caller *caller, const struct place *place)
{
    struct orr_decider *decider = caller->run->engine.decider;
    unsigned who[OPTIONS];
    unsigned option;

    if (!decider)
        return;
    who[GO_ON] = caller->who;
    for (unsigned i = GO_ON + 1; i < OPTIONS; i++)
        who[i] = ORR_NO_ACTOR;
    option = orr_decide(decider, ORR_DECIDE_STEP, OPTIONS, who);
    if (option == GO_ON)
        return;
    note(caller, place, option);
    wait(caller, option);
}

void orr_hold_back_before(struct orr_run *run, const char *verb,
                          const char *object)
{
    const struct place place = {"before", verb, object};
    struct orr_caller *caller = orr_concurrency_caller(run);

    if (!caller || caller->operated)
        return; /* the end of the last operation asked already */
    caller->operated = true;
    step(caller, &place);
}

void orr_hold_back_after(struct orr_run *run, const char *verb,
                         const char *object)
{
    const struct place place = {"after", verb, object};
    struct orr_caller *caller = orr_concurrency_caller(run);

    if (caller)
        step(caller, &place);
}

static void go_on(struct orr_concurrency *concurrency, guint i)
{
    struct orr_caller *caller =
        g_ptr_array_remove_index(concurrency->held_back, i);

    orr_actor_resume(caller->actor);
}

void orr_hold_back_task_ended(struct orr_run *run)
{
    struct orr_concurrency *concurrency = run->concurrency;
    guint i = 0;

    while (i < concurrency->held_back->len) {
        struct orr_caller *caller = concurrency->held_back->pdata[i];

        if (caller->awaits_tasks < UINT_MAX && --caller->awaits_tasks == 0)
            go_on(concurrency, i);
        else
            i++;
    }
}

bool orr_hold_back_stalled(struct orr_run *run)
{
    struct orr_concurrency *concurrency = run->concurrency;
    GPtrArray *held_back = concurrency ? concurrency->held_back : NULL;

    if (!held_back || held_back->len == 0)
        return false;
    for (guint i = 0; i < held_back->len; i++) {
        const struct orr_caller *caller = held_back->pdata[i];

        concurrency->who[i] = caller->who;
    }
    go_on(concurrency,
          orr_decide(run->engine.decider, ORR_DECIDE_LOCK,
                     MIN(held_back->len, ORR_MOST_OPTIONS), concurrency->who));
    return true;
}
