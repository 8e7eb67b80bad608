/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/worker/scratch.h"

#include "runtime/data/access_hit.h"
#include "runtime/run.h"
#include "runtime/worker/redux.h"
#include "runtime/worker/submit.h"
#include "runtime/worker/worker.h"

struct orr_data *orr_scratch_new(struct orr_run *run, const struct orr_data *of,
                                 unsigned worker)
{
    struct orr_data *data =
        orr_data_new(&run->store.data_pool, run->node_count, of->id, of->bytes);

    data->scratch = true;
    data->size = of->size;
    data->span_bytes = of->span_bytes;
    data->pitch_bytes = of->pitch_bytes;
    data->name = of->name;
    data->has_coordinates = of->has_coordinates;
    data->row = of->row;
    data->column = of->column;
    data->valid |= of->valid & (run->store.instant_copies ? UINT32_MAX : 0);
    data->allocated |=
        of->allocated & (run->store.instant_copies ? UINT32_MAX : 0);
    if (worker >= run->gpu_count && run->gpu_count > 0)
        data->allocated &= ~(1u << ORR_RAM);
    return data;
}

void orr_scratch_free(struct orr_run *run, struct orr_data *data,
                      unsigned worker)
{
    orr_data_drop_copies(&run->store, data, ORR_RAM);
    if (worker >= run->gpu_count &&
        orr_replicate_is_allocated(&data->copies[ORR_RAM]))
        orr_unpin(run, data);
}

/* The buffers for one datum. */
struct room {
    uint64_t awaited; /* tasks that need such a buffer and have not ended */
    struct orr_data *by_worker[];
};

void orr_scratch_expect(struct orr_run *run, const struct orr_task_spec *spec)
{
    if (!run->buffers.scratch)
        run->buffers.scratch = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    for (unsigned i = 0; i < spec->scratch_count; i++) {
        struct room *room =
            g_hash_table_lookup(run->buffers.scratch, spec->scratch[i]);

        if (!room) {
            room =
                g_malloc0(sizeof(*room) + run->worker_count * sizeof(void *));
            g_hash_table_insert(run->buffers.scratch, spec->scratch[i], room);
        }
        room->awaited++;
    }
}

static struct room *room_of(const struct orr_run *run,
                            const struct orr_data *data)
{
    return run->buffers.scratch
               ? g_hash_table_lookup(run->buffers.scratch, data)
               : NULL;
}

/* The buffer of @worker for @data. */
static struct orr_data *find(const struct orr_worker *worker,
                             struct orr_data *data)
{
    struct room *room = room_of(worker->run, data);

    if (!room->by_worker[worker->index])
        room->by_worker[worker->index] =
            orr_scratch_new(worker->run, data, worker->index);
    return room->by_worker[worker->index];
}

bool orr_scratch_is_awaited(const struct orr_run *run,
                            const struct orr_data *data)
{
    const struct room *room = room_of(run, data);

    return room && room->awaited > 0;
}

void orr_scratch_drop(struct orr_run *run, const struct orr_data *data)
{
    const struct room *room = room_of(run, data);

    if (!room)
        return;
    for (unsigned w = 0; w < run->worker_count; w++) {
        if (room->by_worker[w])
            orr_scratch_free(run, room->by_worker[w], w);
    }
    g_hash_table_remove(run->buffers.scratch, data);
}

/* The buffers that a task needs: for scratch data, then to add to. */
struct buffers {
    struct orr_data *const *scratch;
    unsigned scratch_count;
    unsigned count; /* number of scratch data, plus data to add to */
};

static struct buffers buffers_of(const struct orr_run *run,
                                 const struct orr_job *job)
{
    struct buffers buffers;
    const uint16_t *places;

    buffers.scratch = orr_job_scratch(run, job, &buffers.scratch_count);
    buffers.count =
        buffers.scratch_count + orr_job_redux(&run->graph, job, &places);
    return buffers;
}

/* Pins the buffer, and requests it if it is not there. */
static void obtain(struct orr_worker *worker, struct orr_data *data)
{
    struct orr_replicate *copy = &data->copies[worker->device];
    struct orr_request_spec spec = {
        .data = data,
        .node = worker->device,
        .mode = ORR_W,
        .level = ORR_FETCH,
        .worker = worker,
    };

    orr_replicate_hold(copy);
    if (orr_access_is_hit(data, worker->device, ORR_W, ORR_FETCH)) {
        orr_memory_used(worker->memory, copy);
        orr_run_buffer_arrived(worker->run, worker);
    } else {
        orr_request_submit(&worker->run->store, &spec);
    }
}

/* Obtains buffer @i, once its lock is not taken and it has its place in RAM.
 * Returns ORR_CONTINUE if it calls. */
static enum orr_next obtain_next(struct orr_worker *worker,
                                 const struct buffers *buffers, unsigned i)
{
    const struct orr_job *job = worker->fetching;
    bool reduces = i >= buffers->scratch_count;
    struct orr_data *of =
        reduces ? orr_access_data(&job->accesses[job->access_count + i -
                                                 buffers->scratch_count])
                : buffers->scratch[i];
    struct orr_data *data =
        reduces ? orr_redux_copy(worker, of) : find(worker, of);

    if (orr_spinlock_is_taken(&data->lock, worker->actor.engine)) {
        orr_spinlock_await(&worker->actor, &data->lock);
        return ORR_CONTINUE;
    }
    if (worker->device == ORR_RAM &&
        !orr_replicate_is_allocated(&data->copies[ORR_RAM])) {
        orr_pin(&worker->actor, worker->run, data);
        return ORR_CONTINUE;
    }
    if (reduces)
        orr_redux_add(worker, job, of);
    obtain(worker, data);
    return ORR_DONE;
}

enum orr_next orr_worker_fetch_scratch(struct orr_worker *worker,
                                       struct orr_fetching *fetching)
{
    struct orr_actor *actor = &worker->actor;
    const struct orr_run *run = worker->run;
    const struct orr_job *job = worker->fetching;
    struct buffers buffers = buffers_of(run, job);

    fetching->next = MAX(fetching->next, job->access_count);
    while (fetching->next < job->access_count + buffers.count) {
        enum orr_next next =
            obtain_next(worker, &buffers, fetching->next - job->access_count);

        if (next != ORR_DONE)
            return next;
        fetching->next++;
        if (orr_actor_sleep(actor, run->overheads.fetch) == ORR_ASLEEP)
            return ORR_ASLEEP;
    }
    worker->buffers_awaited = job->access_count + buffers.count;
    orr_point(actor->engine, ORR_POINT_FETCHES_ASKED, NULL);
    return ORR_DONE;
}

/* No task needs a buffer for @data any more. */
static void signal_threads(struct orr_run *run, const struct orr_data *data)
{
    for (struct orr_thread *thread = &run->app.main; thread;
         thread = thread->next) {
        if (thread->unregistering == data)
            orr_actor_signal(&thread->actor);
    }
}

void orr_worker_release_scratch(struct orr_worker *worker,
                                const struct orr_job *job)
{
    unsigned count;
    struct orr_data *const *scratch = orr_job_scratch(worker->run, job, &count);

    for (unsigned i = 0; i < count; i++) {
        orr_replicate_release(
            &worker->run->store,
            &find(worker, scratch[i])->copies[worker->device]);
        if (--room_of(worker->run, scratch[i])->awaited == 0)
            signal_threads(worker->run, scratch[i]);
        if (scratch[i]->id == ORR_UNREGISTERED &&
            !orr_scratch_is_awaited(worker->run, scratch[i]))
            orr_scratch_drop(worker->run, scratch[i]);
    }
}
