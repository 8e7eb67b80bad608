/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/worker/policy_checks.h"

#include "models/base/error.h"
#include "models/base/units.h"
#include "runtime/run.h"
#include "runtime/worker/concurrent.h"
#include "runtime/worker/preemption.h"

/* A task that was pushed to the policy and not popped yet. */
struct held {
    struct orr_job *job;
    orr_time since;
    uint64_t returned; /* when its push returned, on orr_policy_checks.clock; 0:
                          not yet */
    /* when a worker got a less urgent task instead; 0: never */
    uint64_t passed;
    char *instead; /* message that names that worker and that task; owned */
};

struct orr_policy_checks {
    struct orr_run *run;
    orr_time max_wait; /* ns; 0: no limit */
    bool priorities;
    uint64_t clock;   /* counts begins of pops and ends of pushes */
    GArray *held;     /* struct held */
    orr_time *sleeps; /* by worker: date since which it sleeps; ORR_NEVER: it is
                         awake */
    uint64_t *begun;  /* by worker: value of @clock when its pop began */
};

struct orr_policy_checks *
orr_policy_checks_new(struct orr_run *run, orr_time max_wait, bool priorities)
{
    struct orr_policy_checks *checks;

    if (max_wait == 0 && !priorities)
        return NULL;
    checks = g_new0(struct orr_policy_checks, 1);
    checks->run = run;
    checks->max_wait = max_wait;
    checks->priorities = priorities;
    checks->held = g_array_new(FALSE, FALSE, sizeof(struct held));
    checks->sleeps = g_new0(orr_time, run->worker_count); /* all do at first */
    checks->begun = g_new0(uint64_t, run->worker_count);
    return checks;
}

void orr_policy_checks_free(struct orr_policy_checks *checks)
{
    if (!checks)
        return;
    for (guint i = 0; i < checks->held->len; i++)
        g_free(g_array_index(checks->held, struct held, i).instead);
    g_array_unref(checks->held);
    g_free(checks->sleeps);
    g_free(checks->begun);
    g_free(checks);
}

static struct held *find(const struct orr_policy_checks *checks, uint64_t id,
                         guint *place)
{
    for (guint i = 0; i < checks->held->len; i++) {
        struct held *held = &g_array_index(checks->held, struct held, i);

        if (held->job->id != id)
            continue;
        *place = i;
        return held;
    }
    return NULL;
}

void orr_policy_checks_push_begins(struct orr_policy_checks *checks,
                                   struct orr_job *job)
{
    const struct held held = {.job = job, .since = checks->run->engine.now};

    g_array_append_val(checks->held, held);
}

void orr_policy_checks_push_ends(struct orr_policy_checks *checks, uint64_t id)
{
    guint place;
    struct held *held = find(checks, id, &place);

    if (held)
        held->returned = ++checks->clock;
}

void orr_policy_checks_pop_begins(struct orr_policy_checks *checks,
                                  unsigned worker)
{
    checks->begun[worker] = ++checks->clock;
}

static bool can_run(const struct orr_policy_checks *checks,
                    const struct held *held, unsigned worker)
{
    return orr_job_runs_on(checks->run, held->job, worker);
}

/* Ends the run if the task waited too long while @worker slept. */
static void check_wait(const struct orr_policy_checks *checks,
                       const struct held *held, unsigned worker)
{
    struct orr_run *run = checks->run;
    orr_time since = MAX(held->since, checks->sleeps[worker]);
    g_autofree char *waited = NULL;

    if (run->policy.preemption)
        since = MAX(since, run->policy.preemption->last_resume);
    if (checks->max_wait == 0 || checks->sleeps[worker] == ORR_NEVER ||
        !can_run(checks, held, worker) ||
        run->engine.now - since <= checks->max_wait)
        return;
    waited = orr_format_time(run->engine.now - since);
    orr_concurrency_blame(run, ORR_ERROR_POLICY_STARVED,
                          "task %" G_GUINT64_FORMAT
                          " (%s) waited for %s while %s, which could run it, "
                          "slept",
                          (uint64_t)held->job->id,
                          orr_job_name(&run->graph, held->job), waited,
                          run->workers[worker]->name);
}

/* Records that @worker got @job although @held is more urgent. This is no error
 * yet: another worker, whose pop has not returned, may have taken @held. */
static void record_passed(struct orr_policy_checks *checks, struct held *held,
                          unsigned worker, const struct orr_job *job)
{
    struct orr_run *run = checks->run;

    if (!checks->priorities || held->job->priority <= job->priority ||
        held->returned == 0 || held->returned > checks->begun[worker] ||
        held->passed > 0 || !can_run(checks, held, worker))
        return;
    held->passed = ++checks->clock;
    held->instead =
        g_strdup_printf("%s got task %" G_GUINT64_FORMAT " (%s) of priority %d",
                        run->workers[worker]->name, (uint64_t)job->id,
                        orr_job_name(&run->graph, job), job->priority);
}

/* Ends the run if @held, which @worker gets now, had been passed over before
 * @worker began to pop. */
static void check_passed(const struct orr_policy_checks *checks,
                         const struct held *held, unsigned worker)
{
    struct orr_run *run = checks->run;

    if (held->passed == 0 || held->passed > checks->begun[worker])
        return;
    orr_concurrency_blame(
        run, ORR_ERROR_POLICY_PRIORITY,
        "%s, although it could have run task %" G_GUINT64_FORMAT
        " (%s) of priority %d, which had been pushed before it asked",
        held->instead, (uint64_t)held->job->id,
        orr_job_name(&run->graph, held->job), held->job->priority);
}

/* Whether an actor is preempted now. */
static bool is_disturbed(const struct orr_run *run)
{
    return run->policy.preemption && run->policy.preemption->preempted->len > 0;
}

void orr_policy_checks_pop_ends(struct orr_policy_checks *checks,
                                unsigned worker, struct orr_job *job)
{
    const struct orr_run *run = checks->run;
    struct held *held;
    guint place;

    if (job->pinned) { /* the policy had no choice */
        checks->sleeps[worker] = ORR_NEVER;
        return;
    }
    for (guint i = 0; i < checks->held->len && !run->error; i++) {
        held = &g_array_index(checks->held, struct held, i);
        if (!is_disturbed(run))
            check_wait(checks, held, worker);
        if (held->job != job)
            record_passed(checks, held, worker, job);
    }
    held = find(checks, job->id, &place);
    for (unsigned w = 0; held && w < run->worker_count && !run->error; w++) {
        if (!is_disturbed(run))
            check_wait(checks, held, w);
    }
    if (held) {
        check_passed(checks, held, worker);
        g_free(held->instead);
        g_array_remove_index(checks->held, place);
    }
    checks->sleeps[worker] = ORR_NEVER;
}

void orr_policy_checks_sleeps(struct orr_policy_checks *checks, unsigned worker)
{
    if (checks->sleeps[worker] == ORR_NEVER)
        checks->sleeps[worker] = checks->run->engine.now;
}
