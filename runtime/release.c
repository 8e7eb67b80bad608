/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the application releases without a task: tags and end dependencies. */
#include "runtime/arguments.h"
#include "runtime/graph/tags.h"
#include "runtime/run.h"

/* The tag @id, if the application may change it. NULL: it may not, or changes
 * nothing. */
static struct orr_tag *change(struct orr_run *run, uint64_t id, const char *how)
{
    struct orr_tag *tag;

    if (orr_run_ignores(run) || run->capture)
        return NULL;
    if (id == 0) {
        orr_run_refuse(run, "tag 0, which means no tag, cannot be %s", how);
        return NULL;
    }
    tag = orr_tags_expect(&run->graph, id);
    if (!tag->job)
        return tag;
    orr_run_refuse(run,
                   "tag %" G_GUINT64_FORMAT " cannot be %s: task "
                   "%" G_GUINT64_FORMAT " (%s) has it, and has not ended",
                   id, how, tag->order, tag->name);
    return NULL;
}

void orr_tag_notify(struct orr_run *run, uint64_t id)
{
    struct orr_tag *tag = change(run, id, "notified");
    struct orr_job *waiting = tag ? orr_tags_notify(&run->graph, tag) : NULL;

    if (!tag)
        return;
    for (const struct orr_thread *thread = &run->app.main; thread;
         thread = thread->next) {
        if (thread->awaited == tag)
            orr_actors_interrupt(&run->engine);
    }
    if (waiting)
        orr_run_submit(run, waiting);
}

void orr_tag_restart(struct orr_run *run, uint64_t id)
{
    struct orr_tag *tag = change(run, id, "restarted");

    if (!tag)
        return;
    tag->name = NULL;
    tag->ended = false;
}

/* Whether the task of this number is skipped. */
static bool was_left_out(const struct orr_run *run, uint64_t task)
{
    const uint64_t *tasks = run->left_out.tasks;

    while (tasks && tasks < run->left_out.next && *tasks != task)
        tasks++;
    return tasks && tasks < run->left_out.next;
}

void orr_task_release_end(struct orr_run *run, uint64_t task)
{
    struct orr_job *job, *end;

    if (orr_run_ignores(run) || run->recording || run->capture ||
        was_left_out(run, task))
        return;
    job = orr_graph_find_task(&run->graph, task);
    end = job && job->has_ending ? orr_job_ending(job)->end : NULL;
    if (!end || orr_job_end_wait(end)->releases == 0) {
        orr_run_refuse(run,
                       "task %" G_GUINT64_FORMAT
                       " has no end dependency that is "
                       "to be released",
                       task);
        return;
    }
    orr_job_end_wait(end)->releases--;
    orr_run_submit(run, end);
}
