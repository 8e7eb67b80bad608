/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/worker/oracle.h"

#include "models/base/error.h"
#include "models/base/units.h"
#include "runtime/run.h"
#include "runtime/worker/concurrent.h"
#include "runtime/worker/hold_back.h"

/* A task that the policy holds. */
struct held {
    struct orr_job *job;
    orr_time since;
    uint64_t returned; /* when its push did, on oracle->clock; 0: not yet */
    uint64_t passed; /* when a worker got a less urgent task instead; 0: not */
    char *instead;   /* that task, and which worker, for people; owned */
};

struct orr_oracle {
    struct orr_run *run;
    orr_time max_wait; /* ns; 0: no limit */
    bool priorities;
    uint64_t clock;   /* counts begins of pops and ends of pushes */
    GArray *held;     /* struct held */
    orr_time *sleeps; /* by worker: since when; ORR_NEVER: it does not */
    uint64_t *begun;  /* by worker: when its pop began, on the clock */
};

struct orr_oracle *orr_oracle_new(struct orr_run *run, orr_time max_wait,
                                  bool priorities)
{
    struct orr_oracle *oracle;

    if (max_wait == 0 && !priorities)
        return NULL;
    oracle = g_new0(struct orr_oracle, 1);
    oracle->run = run;
    oracle->max_wait = max_wait;
    oracle->priorities = priorities;
    oracle->held = g_array_new(FALSE, FALSE, sizeof(struct held));
    oracle->sleeps = g_new0(orr_time, run->worker_count); /* all do at first */
    oracle->begun = g_new0(uint64_t, run->worker_count);
    return oracle;
}

void orr_oracle_free(struct orr_oracle *oracle)
{
    if (!oracle)
        return;
    for (guint i = 0; i < oracle->held->len; i++)
        g_free(g_array_index(oracle->held, struct held, i).instead);
    g_array_unref(oracle->held);
    g_free(oracle->sleeps);
    g_free(oracle->begun);
    g_free(oracle);
}

static struct held *find(const struct orr_oracle *oracle, uint64_t id,
                         guint *place)
{
    for (guint i = 0; i < oracle->held->len; i++) {
        struct held *held = &g_array_index(oracle->held, struct held, i);

        if (held->job->id != id)
            continue;
        *place = i;
        return held;
    }
    return NULL;
}

void orr_oracle_push_begins(struct orr_oracle *oracle, struct orr_job *job)
{
    const struct held held = {.job = job, .since = oracle->run->engine.now};

    g_array_append_val(oracle->held, held);
}

void orr_oracle_push_ends(struct orr_oracle *oracle, uint64_t id)
{
    guint place;
    struct held *held = find(oracle, id, &place);

    if (held)
        held->returned = ++oracle->clock;
}

void orr_oracle_pop_begins(struct orr_oracle *oracle, unsigned worker)
{
    oracle->begun[worker] = ++oracle->clock;
}

static bool can_run(const struct orr_oracle *oracle, const struct held *held,
                    unsigned worker)
{
    return orr_job_runs_on(oracle->run, held->job, worker);
}

/* Ends the run if the task waited too long while @worker slept. */
static void check_wait(const struct orr_oracle *oracle, const struct held *held,
                       unsigned worker)
{
    struct orr_run *run = oracle->run;
    orr_time since = MAX(held->since, oracle->sleeps[worker]);
    g_autofree char *waited = NULL;

    if (run->hold_back)
        since = MAX(since, run->hold_back->last);
    if (oracle->max_wait == 0 || oracle->sleeps[worker] == ORR_NEVER ||
        !can_run(oracle, held, worker) ||
        run->engine.now - since <= oracle->max_wait)
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

/* Notes if @worker got @job although @held is more urgent. It may have been
 * taken for another worker, whose pop has not returned yet. */
static void note_passed(struct orr_oracle *oracle, struct held *held,
                        unsigned worker, const struct orr_job *job)
{
    struct orr_run *run = oracle->run;

    if (!oracle->priorities || held->job->priority <= job->priority ||
        held->returned == 0 || held->returned > oracle->begun[worker] ||
        held->passed > 0 || !can_run(oracle, held, worker))
        return;
    held->passed = ++oracle->clock;
    held->instead =
        g_strdup_printf("%s got task %" G_GUINT64_FORMAT " (%s) of priority %d",
                        run->workers[worker]->name, (uint64_t)job->id,
                        orr_job_name(&run->graph, job), job->priority);
}

/* Ends the run if @held, which @worker gets, was passed over before that
 * asked. */
static void check_passed(const struct orr_oracle *oracle,
                         const struct held *held, unsigned worker)
{
    struct orr_run *run = oracle->run;

    if (held->passed == 0 || held->passed > oracle->begun[worker])
        return;
    orr_concurrency_blame(
        run, ORR_ERROR_POLICY_PRIORITY,
        "%s, although it could have run task %" G_GUINT64_FORMAT
        " (%s) of priority %d, which had been pushed before it asked",
        held->instead, (uint64_t)held->job->id,
        orr_job_name(&run->graph, held->job), held->job->priority);
}

/* Whether an actor is held back now. */
static bool is_disturbed(const struct orr_run *run)
{
    return run->hold_back && run->hold_back->waiting->len > 0;
}

void orr_oracle_pop_ends(struct orr_oracle *oracle, unsigned worker,
                         struct orr_job *job)
{
    const struct orr_run *run = oracle->run;
    struct held *held;
    guint place;

    if (job->pinned) { /* the policy had no choice */
        oracle->sleeps[worker] = ORR_NEVER;
        return;
    }
    for (guint i = 0; i < oracle->held->len && !run->error; i++) {
        held = &g_array_index(oracle->held, struct held, i);
        if (!is_disturbed(run))
            check_wait(oracle, held, worker);
        if (held->job != job)
            note_passed(oracle, held, worker, job);
    }
    held = find(oracle, job->id, &place);
    for (unsigned w = 0; held && w < run->worker_count && !run->error; w++) {
        if (!is_disturbed(run))
            check_wait(oracle, held, w);
    }
    if (held) {
        check_passed(oracle, held, worker);
        g_free(held->instead);
        g_array_remove_index(oracle->held, place);
    }
    oracle->sleeps[worker] = ORR_NEVER;
}

void orr_oracle_sleeps(struct orr_oracle *oracle, unsigned worker)
{
    if (oracle->sleeps[worker] == ORR_NEVER)
        oracle->sleeps[worker] = oracle->run->engine.now;
}
