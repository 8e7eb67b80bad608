/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/application/reduction.h"

#include "runtime/data/parents.h"
#include "runtime/run.h"
#include "runtime/worker/submit.h"

struct reduction {
    struct orr_redux redux; /* first */
    const struct orr_run *run;
    struct orr_kernel *kernel;
    struct orr_task_times times;
    bool timed; /* @times are set */
    orr_reduction_maker *make;
    GPtrArray *tasks; /* struct orr_job: tasks that reduce */
    guint submitted;  /* number of @tasks submitted so far */
};

/* The task that adds @from to @into. NULL: the run has an error. */
static struct orr_job *new_task(struct orr_run *run,
                                const struct reduction *reduction,
                                struct orr_data *into, struct orr_data *from,
                                int priority)
{
    const struct orr_access accesses[] = {{into, ORR_RW}, {from, ORR_R}};
    const struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = reduction->kernel,
        .times = reduction->timed ? &reduction->times : NULL,
        .priority = priority,
        .count = 2,
        .accesses = accesses,
    };

    return reduction->make(run, &spec);
}

/* Makes @job wait for @before, another task of the reduction. NULL: none. */
static void await_reduction(struct orr_run *run, struct orr_job *job,
                            struct orr_job *before)
{
    if (!before)
        return;
    orr_graph_add_edge(&run->graph, &before->successors, job);
    if (run->store.parents)
        orr_parents_await(run->store.parents, job->id, before->id);
}

/* Makes @job wait for the tasks that have added to @copy. */
static void await_additions(struct orr_run *run, const struct orr_job *job,
                            const struct orr_data *copy)
{
    if (run->store.parents && !copy->redux)
        orr_parents_access(run->store.parents, job->id, copy->id, ORR_RW);
}

/* A datum that is a part of the sum. */
struct part {
    struct orr_data *data;
    /* last task that reduces into this copy; NULL: none so far */
    struct orr_job *last;
};

/* Makes the tasks of the tree: in each round, of two parts next to each other,
 * the first becomes the sum. Returns whether it could. */
static bool make_tree(struct orr_run *run, struct reduction *reduction,
                      struct part *parts, unsigned count, int priority)
{
    for (unsigned step = 1; step < count; step *= 2) {
        reduction->redux.rounds++;
        for (unsigned i = 0; i + step < count; i += 2 * step) {
            struct part *to = &parts[i];
            const struct part *from = &parts[i + step];
            struct orr_job *job =
                new_task(run, reduction, to->data, from->data, priority);

            if (!job)
                return false;
            await_additions(run, job, to->data);
            await_additions(run, job, from->data);
            await_reduction(run, job, to->last);
            await_reduction(run, job, from->last);
            to->last = job;
            reduction->redux.last = job->id;
            g_ptr_array_add(reduction->tasks, job);
        }
    }
    return true;
}

struct reducing {
    struct orr_run *run;
    struct reduction *reduction;
};

static enum orr_next submit_tasks(struct orr_actor *actor, void *locals)
{
    const struct reducing *reducing = locals;
    struct reduction *reduction = reducing->reduction;

    if (reduction->submitted == reduction->tasks->len)
        return ORR_DONE;
    orr_job_call(actor, orr_job_submission, reducing->run,
                 reduction->tasks->pdata[reduction->submitted++]);
    return ORR_CONTINUE;
}

/* orr_redux.reduce */
static bool reduce(struct orr_actor *actor, struct orr_run *run,
                   struct orr_redux *redux, int priority)
{
    struct reduction *reduction = (struct reduction *)redux;
    g_autoptr(GArray) parts = g_array_new(false, true, sizeof(struct part));
    struct part part = {redux->data, NULL};
    struct reducing *reducing;

    g_array_append_val(parts, part);
    for (unsigned w = 0; w < run->worker_count; w++) {
        part.data = redux->copies[w].data;
        if (redux->copies[w].added)
            g_array_append_val(parts, part);
    }
    g_ptr_array_set_size(reduction->tasks, 0);
    reduction->submitted = 0;
    if (!make_tree(run, reduction, (struct part *)parts->data, parts->len,
                   priority))
        return false;
    reducing = orr_actor_call(actor, submit_tasks, sizeof(*reducing));
    *reducing = (struct reducing){run, reduction};
    return true;
}

static void free_reduction(gpointer data)
{
    struct reduction *reduction = data;

    orr_redux_clear(&reduction->redux, reduction->run);
    g_ptr_array_unref(reduction->tasks);
    g_free(reduction);
}

void orr_reduction_new(struct orr_run *run, struct orr_data *data,
                       struct orr_kernel *kernel,
                       const struct orr_task_times *times,
                       orr_reduction_maker *make)
{
    struct reduction *reduction = g_new0(struct reduction, 1);

    *reduction = (struct reduction){.redux = {.reduce = reduce},
                                    .run = run,
                                    .kernel = kernel,
                                    .timed = times != NULL,
                                    .make = make,
                                    .tasks = g_ptr_array_new()};
    if (times)
        reduction->times = *times;
    orr_redux_init(&reduction->redux, run, data);
    if (!run->buffers.redux)
        run->buffers.redux =
            g_hash_table_new_full(NULL, NULL, NULL, free_reduction);
    g_hash_table_insert(run->buffers.redux, data, reduction);
    run->rare = true;
}
