/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Data to which tasks add by ORR_REDUX, each task to the copy of its worker,
 * and their reduction (StarPU, reduction.c, data_concurrency.c).
 *
 * From the first task that adds until the copies are reduced, the datum is held
 * as if a task wrote it, so that all other accesses are enqueued (arbiter.h).
 * The first enqueued access begins the reduction, as soon as no task adds any
 * more.
 */
#include "runtime/data/arbiter.h"
#include "runtime/data/parents.h"
#include "runtime/run.h"
#include "runtime/worker/submit.h"

struct orr_redux {
    struct orr_data *data;
    struct orr_kernel *kernel;
    struct orr_task_times times;
    bool timed;
    bool open;        /* tasks have added, and the reduction has not ended */
    bool held;        /* a task that reduces holds the datum */
    unsigned adding;  /* tasks */
    unsigned rounds;  /* rounds of the tree of reduction that have not ended; 0:
                         no reduction is under way */
    GPtrArray *tasks; /* struct orr_job: tasks that reduce */
    guint submitted;  /* number of @tasks submitted so far */
    uint64_t last;    /* number of the last task that reduces */
    struct {
        struct orr_data *copy;
        char *name; /* name of @copy; owned */
        bool added; /* @copy has contributions */
    } workers[];
};

static struct orr_redux *redux_of(const struct orr_run *run,
                                  const struct orr_data *data)
{
    return g_hash_table_lookup(run->redux, data);
}

static void free_redux(gpointer data)
{
    struct orr_redux *redux = data;

    for (unsigned w = 0; w < redux->kernel->run->worker_count; w++)
        g_free(redux->workers[w].name);
    g_ptr_array_unref(redux->tasks);
    g_free(redux);
}

/* A datum of its own, which is registered, too. */
static struct orr_data *new_copy(struct orr_run *run,
                                 const struct orr_data *data, unsigned worker)
{
    struct orr_data *copy = orr_scratch_new(run, data, worker);

    copy->id = run->data->len;
    copy->name = NULL;
    g_ptr_array_add(run->data, copy);
    return copy;
}

void orr_redux_new(struct orr_run *run, struct orr_data *data,
                   struct orr_kernel *kernel,
                   const struct orr_task_times *times)
{
    struct orr_redux *redux = g_malloc0(
        sizeof(*redux) + run->worker_count * sizeof(redux->workers[0]));

    redux->data = data;
    redux->kernel = kernel;
    redux->timed = times != NULL;
    if (times)
        redux->times = *times;
    redux->tasks = g_ptr_array_new();
    for (unsigned w = 0; w < run->worker_count; w++)
        redux->workers[w].copy = new_copy(run, data, w);
    if (!run->redux)
        run->redux = g_hash_table_new_full(NULL, NULL, NULL, free_redux);
    g_hash_table_insert(run->redux, data, redux);
    data->redux = true;
    run->graph.has_redux = true;
}

/* ---- tasks that add ---- */

/* Names the copies after the datum, whose name is known once it is used. */
static void name_copies(const struct orr_run *run, struct orr_redux *redux)
{
    const struct orr_data *data = redux->data;

    for (unsigned w = 0; w < run->worker_count; w++) {
        struct orr_data *copy = redux->workers[w].copy;
        const char *worker = run->workers[w]->name;

        if (copy->name)
            continue;
        copy->has_coordinates = data->has_coordinates;
        copy->row = data->row;
        copy->column = data->column;
        copy->name = redux->workers[w].name =
            data->name ? g_strdup_printf("%s@%s", data->name, worker)
                       : g_strdup_printf("%u@%s", data->id, worker);
    }
}

static void open_phase(struct orr_run *run, struct orr_redux *redux)
{
    redux->open = true;
    orr_data_hold(run, redux->data, ORR_W);
    name_copies(run, redux);
}

bool orr_redux_enter(struct orr_run *run, struct orr_job_access *access)
{
    struct orr_data *data = orr_access_data(access);
    struct orr_redux *redux = redux_of(run, data);

    if (redux->rounds > 0 || (!redux->open && data->users > 0)) {
        orr_arbiter_enqueue(&run->graph, access);
        return false;
    }
    if (!redux->open)
        open_phase(run, redux);
    redux->adding++;
    return true;
}

void orr_redux_drop(struct orr_run *run, const struct orr_data *data)
{
    const struct orr_redux *redux = redux_of(run, data);

    for (unsigned w = 0; w < run->worker_count; w++)
        orr_scratch_free(run, redux->workers[w].copy, w);
}

struct orr_data *orr_redux_copy(const struct orr_worker *worker,
                                const struct orr_data *data)
{
    return redux_of(worker->run, data)->workers[worker->index].copy;
}

/* A copy with contributions stays: one more use pins it. */
void orr_redux_add(const struct orr_worker *worker, const struct orr_job *job,
                   const struct orr_data *data)
{
    struct orr_redux *redux = redux_of(worker->run, data);
    struct orr_data *copy = redux->workers[worker->index].copy;

    if (worker->run->parents)
        orr_parents_access(worker->run->parents, job->id, copy->id,
                           ORR_COMMUTE);
    if (redux->workers[worker->index].added)
        return;
    redux->workers[worker->index].added = true;
    orr_replicate_hold(&copy->copies[worker->device]);
}

void orr_redux_leave(struct orr_worker *worker, const struct orr_data *data)
{
    struct orr_redux *redux = redux_of(worker->run, data);

    redux->adding--;
    orr_replicate_release(
        worker->run,
        &redux->workers[worker->index].copy->copies[worker->device]);
}

/* ---- the reduction ---- */

/* Makes the copy of a worker an ordinary datum, valid on @node. */
static void begin_copy(struct orr_run *run, struct orr_data *copy,
                       unsigned node)
{
    copy->scratch = false;
    orr_replicate_grant(run, &copy->copies[node], ORR_W);
}

/* Drops the content of @copy, and its buffers but the one on @node. */
static void end_copy(struct orr_run *run, struct orr_data *copy, unsigned node)
{
    orr_data_drop_copies(run, copy, node);
    copy->scratch = true;
    if (!run->instant_copies)
        copy->valid = 1u << ORR_RAM;
    orr_replicate_release(run, &copy->copies[node]);
}

/* The task that adds @from to @into. NULL: the run has an error. */
static struct orr_job *new_task(struct orr_run *run,
                                const struct orr_redux *redux,
                                struct orr_data *into, struct orr_data *from,
                                int priority)
{
    const struct orr_access accesses[] = {{into, ORR_RW}, {from, ORR_R}};
    const struct orr_task_spec spec = {
        .kernel = redux->kernel,
        .times = redux->timed ? &redux->times : NULL,
        .priority = priority,
        .count = 2,
        .accesses = accesses,
    };

    return orr_run_new_reduction(run, &spec);
}

/* Makes @job wait for @before, another task of the reduction. NULL: none. */
static void await_reduction(struct orr_run *run, struct orr_job *job,
                            struct orr_job *before)
{
    if (!before)
        return;
    orr_graph_add_edge(&run->graph, &before->successors, job);
    if (run->parents)
        orr_parents_await(run->parents, job->id, before->id);
}

/* Makes @job wait for the tasks that have added to @copy. */
static void await_additions(struct orr_run *run, const struct orr_job *job,
                            const struct orr_data *copy)
{
    if (run->parents && !copy->redux)
        orr_parents_access(run->parents, job->id, copy->id, ORR_RW);
}

/* A datum that is a part of the sum. */
struct part {
    struct orr_data *data;
    /* last task that reduces into this copy; NULL: none so far */
    struct orr_job *last;
};

/* Makes the tasks of the tree: in each round, of two parts next to each other,
 * the first becomes the sum. Returns whether it could. */
static bool make_tree(struct orr_run *run, struct orr_redux *redux,
                      struct part *parts, unsigned count, int priority)
{
    for (unsigned step = 1; step < count; step *= 2) {
        redux->rounds++;
        for (unsigned i = 0; i + step < count; i += 2 * step) {
            struct part *to = &parts[i];
            const struct part *from = &parts[i + step];
            struct orr_job *job =
                new_task(run, redux, to->data, from->data, priority);

            if (!job)
                return false;
            await_additions(run, job, to->data);
            await_additions(run, job, from->data);
            await_reduction(run, job, to->last);
            await_reduction(run, job, from->last);
            to->last = job;
            redux->last = job->id;
            g_ptr_array_add(redux->tasks, job);
        }
    }
    return true;
}

struct reducing {
    struct orr_run *run;
    struct orr_redux *redux;
};

static enum orr_next submit_tasks(struct orr_actor *actor, void *locals)
{
    const struct reducing *reducing = locals;
    struct orr_redux *redux = reducing->redux;

    if (redux->submitted == redux->tasks->len)
        return ORR_DONE;
    orr_job_call(actor, orr_job_submission, reducing->run,
                 redux->tasks->pdata[redux->submitted++]);
    return ORR_CONTINUE;
}

bool orr_redux_begin(struct orr_actor *actor, struct orr_run *run,
                     struct orr_data *data)
{
    struct orr_redux *redux = redux_of(run, data);
    struct orr_job_access *first = orr_arbiter_first(data);
    g_autoptr(GArray) parts = g_array_new(false, true, sizeof(struct part));
    struct part part = {data, NULL};
    struct reducing *reducing;

    if (!redux->open || redux->rounds > 0 || redux->adding > 0 || !first)
        return false;
    run->engine.effects |= ORR_EFFECT_RUNTIME | ORR_EFFECT_POLICY;
    g_array_append_val(parts, part);
    for (unsigned w = 0; w < run->worker_count; w++) {
        if (!redux->workers[w].added)
            continue;
        begin_copy(run, redux->workers[w].copy, run->workers[w]->device);
        part.data = redux->workers[w].copy;
        g_array_append_val(parts, part);
    }
    g_ptr_array_set_size(redux->tasks, 0);
    redux->submitted = 0;
    if (!make_tree(run, redux, (struct part *)parts->data, parts->len,
                   orr_access_job(first)->priority))
        return false;
    data->arbitrated = true;
    reducing = orr_actor_call(actor, submit_tasks, sizeof(*reducing));
    *reducing = (struct reducing){run, redux};
    return true;
}

bool orr_redux_admits(struct orr_run *run, struct orr_job_access *access)
{
    struct orr_redux *redux = redux_of(run, orr_access_data(access));
    const struct orr_kernel *kernel =
        orr_job_kernel(&run->graph, orr_access_job(access));

    if (redux->rounds == 0 || !kernel || !kernel->given.reduces)
        return false;
    redux->held = true;
    return true;
}

/* The datum is the result. */
static void close_phase(struct orr_run *run, struct orr_redux *redux)
{
    redux->open = false;
    for (unsigned w = 0; w < run->worker_count; w++) {
        if (redux->workers[w].added)
            end_copy(run, redux->workers[w].copy, run->workers[w]->device);
        redux->workers[w].added = false;
    }
    orr_data_let_go(run, redux->data);
}

/* A task that reduces has released the datum, which ends a round. */
static void end_round(struct orr_run *run, struct orr_redux *redux)
{
    if (!redux->held || redux->data->users > 1)
        return;
    redux->held = false;
    if (--redux->rounds == 0)
        close_phase(run, redux);
}

struct orr_job_access *orr_redux_next(struct orr_actor *actor,
                                      struct orr_run *run,
                                      struct orr_data *data, bool *calls)
{
    struct orr_redux *redux = redux_of(run, data);
    struct orr_job_access *first;

    *calls = false;
    if (redux->rounds > 0)
        end_round(run, redux);
    if (redux->rounds > 0)
        return NULL;
    first = orr_arbiter_first(data);
    if (first && orr_access_reduces(first)) {
        if (!redux->open && data->users > 0)
            return NULL;
        if (!redux->open)
            open_phase(run, redux);
        redux->adding++;
        return orr_arbiter_dequeue(&run->graph, data);
    }
    if (redux->open) {
        *calls = orr_redux_begin(actor, run, data);
        return NULL;
    }
    first = orr_arbiter_grant_next(&run->graph, data);
    if (first && run->parents && redux->last > 0 &&
        orr_job_is_task(orr_access_job(first)))
        orr_parents_await(run->parents, orr_access_job(first)->id, redux->last);
    return first;
}
