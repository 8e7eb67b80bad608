/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/worker/redux.h"

#include "runtime/data/arbiter.h"
#include "runtime/data/memory.h"
#include "runtime/data/parents.h"
#include "runtime/run.h"
#include "runtime/worker/worker.h"

static struct orr_redux *redux_of(const struct orr_run *run,
                                  const struct orr_data *data)
{
    return g_hash_table_lookup(run->buffers.redux, data);
}

/* A datum of its own, which is registered, too. */
static struct orr_data *new_copy(struct orr_run *run,
                                 const struct orr_data *data, unsigned worker)
{
    struct orr_data *copy = orr_scratch_new(run, data, worker);

    copy->id = run->store.data->len;
    copy->name = NULL;
    g_ptr_array_add(run->store.data, copy);
    return copy;
}

void orr_redux_init(struct orr_redux *redux, struct orr_run *run,
                    struct orr_data *data)
{
    redux->data = data;
    redux->copies = g_new0(struct orr_worker_copy, run->worker_count);
    for (unsigned w = 0; w < run->worker_count; w++)
        redux->copies[w].data = new_copy(run, data, w);
    data->redux = true;
    run->graph.has_redux = true;
}

void orr_redux_clear(struct orr_redux *redux, const struct orr_run *run)
{
    for (unsigned w = 0; w < run->worker_count; w++)
        g_free(redux->copies[w].name);
    g_free(redux->copies);
}

/* ---- tasks that add ---- */

/* Names the copies after the datum, whose name is known once it is used. */
static void name_copies(const struct orr_run *run, struct orr_redux *redux)
{
    const struct orr_data *data = redux->data;

    for (unsigned w = 0; w < run->worker_count; w++) {
        struct orr_data *copy = redux->copies[w].data;
        const char *worker = run->workers[w]->name;

        if (copy->name)
            continue;
        copy->has_coordinates = data->has_coordinates;
        copy->row = data->row;
        copy->column = data->column;
        copy->name = redux->copies[w].name =
            data->name ? g_strdup_printf("%s@%s", data->name, worker)
                       : g_strdup_printf("%u@%s", data->id, worker);
    }
}

static void open_phase(struct orr_run *run, struct orr_redux *redux)
{
    redux->open = true;
    orr_data_hold(&run->store, redux->data, ORR_W);
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
        orr_scratch_free(run, redux->copies[w].data, w);
}

struct orr_data *orr_redux_copy(const struct orr_worker *worker,
                                const struct orr_data *data)
{
    return redux_of(worker->run, data)->copies[worker->index].data;
}

/* A copy with contributions stays: one more use pins it. */
void orr_redux_add(const struct orr_worker *worker, const struct orr_job *job,
                   const struct orr_data *data)
{
    struct orr_worker_copy *copy =
        &redux_of(worker->run, data)->copies[worker->index];

    if (worker->run->store.parents)
        orr_parents_access(worker->run->store.parents, job->id, copy->data->id,
                           ORR_COMMUTE);
    if (copy->added)
        return;
    copy->added = true;
    orr_replicate_hold(&copy->data->copies[worker->device]);
}

void orr_redux_leave(struct orr_worker *worker, const struct orr_data *data)
{
    struct orr_redux *redux = redux_of(worker->run, data);

    redux->adding--;
    orr_replicate_release(
        &worker->run->store,
        &redux->copies[worker->index].data->copies[worker->device]);
}

/* ---- the reduction ---- */

/* Makes the copy of a worker an ordinary datum, valid on @node. */
static void begin_copy(struct orr_run *run, struct orr_data *copy,
                       unsigned node)
{
    copy->scratch = false;
    orr_replicate_grant(&run->store, &copy->copies[node], ORR_W);
}

/* Drops the content of @copy, and its buffers but the one on @node. */
static void end_copy(struct orr_run *run, struct orr_data *copy, unsigned node)
{
    orr_data_drop_copies(&run->store, copy, node);
    copy->scratch = true;
    if (!run->store.instant_copies)
        copy->valid = 1u << ORR_RAM;
    orr_replicate_release(&run->store, &copy->copies[node]);
}

bool orr_redux_begin(struct orr_actor *actor, struct orr_run *run,
                     struct orr_data *data)
{
    struct orr_redux *redux = redux_of(run, data);
    struct orr_job_access *first = orr_arbiter_first(data);

    if (!redux->open || redux->rounds > 0 || redux->adding > 0 || !first)
        return false;
    run->engine.effects |= ORR_EFFECT_RUNTIME | ORR_EFFECT_POLICY;
    for (unsigned w = 0; w < run->worker_count; w++) {
        if (redux->copies[w].added)
            begin_copy(run, redux->copies[w].data, run->workers[w]->device);
    }
    if (!redux->reduce(actor, run, redux, orr_access_job(first)->priority))
        return false;
    data->arbitrated = true;
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
        if (redux->copies[w].added)
            end_copy(run, redux->copies[w].data, run->workers[w]->device);
        redux->copies[w].added = false;
    }
    orr_data_let_go(&run->store, redux->data);
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
    if (first && run->store.parents && redux->last > 0 &&
        orr_job_is_task(orr_access_job(first)))
        orr_parents_await(run->store.parents, orr_access_job(first)->id,
                          redux->last);
    return first;
}
