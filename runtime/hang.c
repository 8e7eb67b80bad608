/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/hang.h"

#include "runtime/run.h"
#include "runtime/tags.h"
#include "runtime/worker.h"

const char *orr_hang_kind_name(enum orr_hang_kind kind)
{
    static const char *const names[ORR_HANG_KINDS] = {
        [ORR_HANG_DEPENDENCY_CYCLE] = "dependency-cycle",
        [ORR_HANG_TASKS_HELD] = "tasks-held",
        [ORR_HANG_LOST_WAKEUP] = "lost-wakeup",
        [ORR_HANG_MEMORY] = "memory",
        [ORR_HANG_LOCK_CYCLE] = "lock-cycle",
        [ORR_HANG_NEVER_OFFERED] = "never-offered",
        [ORR_HANG_EVICTION_PING_PONG] = "eviction-ping-pong",
        [ORR_HANG_SPINNING] = "spinning",
        [ORR_HANG_NEVER_SUBMITTED] = "never-submitted",
        [ORR_HANG_WINDOW] = "window",
        [ORR_HANG_COMMUTE_HELD] = "commute-held",
        [ORR_HANG_UNEXPLAINED] = "unexplained",
    };

    return names[kind];
}

static char *describe_worker(const struct orr_worker *worker)
{
    const struct orr_job *job = worker->fetching;

    if (job)
        return g_strdup_printf("waits for the data of task %" G_GUINT64_FORMAT
                               " (%s), %u of %u there",
                               job->id, job->name, worker->buffers_arrived,
                               job->access_count);
    if (worker->count > 0)
        return g_strdup_printf("holds %u tasks", worker->count);
    return g_strdup("sleeps");
}

/* Whether the data of some worker's next task lack a buffer. */
static bool lacks_room(const struct orr_worker *worker)
{
    const struct orr_job *job = worker->fetching;

    for (unsigned i = 0; job && i < job->access_count; i++) {
        if (!job->accesses[i].data->copies[worker->device].allocated &&
            worker->device != ORR_RAM)
            return true;
    }
    return false;
}

/* Whether the application waits for a tag that no task has. */
static bool awaits_nothing(const struct orr_run *run)
{
    const struct orr_tag *tag;

    if (!run->awaited_tag)
        return false;
    tag = orr_tags_find(run->graph.tags, run->awaited_tag);
    return !tag || !tag->name;
}

static enum orr_hang_kind find_kind(const struct orr_run *run)
{
    unsigned held = 0;

    if (awaits_nothing(run))
        return ORR_HANG_NEVER_SUBMITTED;
    for (unsigned i = 0; i < run->worker_count; i++) {
        if (lacks_room(run->workers[i]))
            return ORR_HANG_MEMORY;
        held += run->workers[i]->count;
    }
    return held == 0 ? ORR_HANG_TASKS_HELD : ORR_HANG_UNEXPLAINED;
}

static void add_workers(struct orr_hang *hang, const struct orr_run *run)
{
    hang->worker_count = run->worker_count;
    hang->workers = g_new0(struct orr_hang_worker, run->worker_count);
    for (unsigned i = 0; i < run->worker_count; i++) {
        hang->workers[i].name = run->workers[i]->name;
        hang->workers[i].doing = describe_worker(run->workers[i]);
    }
}

static char **make_chain(const struct orr_hang *hang, const struct orr_run *run)
{
    GPtrArray *chain = g_ptr_array_new();

    if (hang->kind == ORR_HANG_NEVER_SUBMITTED)
        g_ptr_array_add(
            chain, g_strdup_printf("the application waits for the tag "
                                   "%" G_GUINT64_FORMAT ", which no task has",
                                   run->awaited_tag));
    for (unsigned i = 0; i < run->worker_count; i++) {
        if (run->workers[i]->count > 0)
            g_ptr_array_add(chain, g_strconcat(hang->workers[i].name, " ",
                                               hang->workers[i].doing, NULL));
    }
    if (hang->kind == ORR_HANG_TASKS_HELD)
        g_ptr_array_add(chain,
                        g_strdup_printf("no worker has a task: policy %s holds "
                                        "them while all workers sleep",
                                        run->policy->name));
    g_ptr_array_add(chain, NULL);
    return (char **)g_ptr_array_free(chain, FALSE);
}

struct orr_hang *orr_hang_new(const struct orr_run *run)
{
    struct orr_hang *hang = g_new0(struct orr_hang, 1);

    hang->kind = find_kind(run);
    hang->date = run->engine.now - run->first_submission;
    hang->tasks = run->graph.submitted;
    hang->tasks_left = run->graph.submitted - run->graph.completed;
    add_workers(hang, run);
    hang->chain = make_chain(hang, run);
    return hang;
}

void orr_hang_free(struct orr_hang *hang)
{
    if (!hang)
        return;
    for (unsigned i = 0; i < hang->worker_count; i++)
        g_free(hang->workers[i].doing);
    g_free(hang->workers);
    g_strfreev(hang->chain);
    g_free(hang);
}

char *orr_hang_describe(const struct orr_hang *hang)
{
    g_autofree char *chain = g_strjoinv("; ", hang->chain);

    return g_strdup_printf(
        "%s with %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
        " tasks left (%s): %s",
        hang->livelock ? "the run goes on for ever" : "the run has stalled",
        hang->tasks_left, hang->tasks, orr_hang_kind_name(hang->kind), chain);
}

const struct orr_hang *orr_run_hang(const struct orr_run *run)
{
    return run->hang;
}
