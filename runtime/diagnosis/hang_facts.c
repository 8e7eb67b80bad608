/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state in which a run hangs: workers, queues, memories, history. */
#include "runtime/diagnosis/hang_private.h"
#include "runtime/run.h"
#include "runtime/worker/lock.h"
#include "runtime/worker/worker.h"

static char *describe_blocked(const struct orr_blocked *blocked)
{
    if (blocked->cond)
        return g_strdup_printf("waits in %s on the condition %s", blocked->call,
                               blocked->cond);
    return g_strdup_printf(blocked->tries ? "tries in %s to take the lock %s"
                                          : "waits in %s for the lock %s",
                           blocked->call, blocked->lock);
}

static char *describe_worker(const struct orr_scene *scene,
                             const struct orr_worker *worker)
{
    const struct orr_job *job = worker->fetching;
    struct orr_blocked blocked;
    g_autofree char *name = NULL;

    if (orr_run_blocked(scene->run, worker->index, &blocked))
        return describe_blocked(&blocked);
    if (worker->awaited) {
        name = orr_hang_name_request(scene, worker->awaited);
        return g_strdup_printf("frees memory: waits for %s", name);
    }
    if (job) {
        name = orr_hang_name_job(scene->run, job);
        return g_strdup_printf(
            "waits for the data of %s (%u of %u have arrived)", name,
            worker->buffers_arrived, job->access_count);
    }
    if (worker->count > 0) {
        name = orr_hang_name_job(scene->run, worker->pipeline[worker->first]);
        return g_strdup_printf(
            "%s %s",
            worker->ended[worker->first] ? "has yet to complete" : "executes",
            name);
    }
    return g_strdup(scene->free[worker->index] ? "sleeps" : "looks for a task");
}

static void add_workers(struct orr_hang *hang, const struct orr_scene *scene)
{
    const struct orr_run *run = scene->run;

    hang->worker_count = run->worker_count;
    hang->workers = g_new0(struct orr_hang_worker, run->worker_count);
    for (unsigned i = 0; i < run->worker_count; i++) {
        hang->workers[i].name = run->workers[i]->name;
        hang->workers[i].doing = describe_worker(scene, run->workers[i]);
    }
}

/* A queue under construction. */
struct filling {
    uint64_t count;
    GPtrArray *entries;
};

static void add_entry(struct filling *filling, char *entry)
{
    filling->count++;
    if (filling->entries->len < ORR_HANG_ENTRIES)
        g_ptr_array_add(filling->entries, entry);
    else
        g_free(entry);
}

/* Takes @name. */
static void end_queue(GArray *queues, struct filling *filling, char *name)
{
    struct orr_hang_queue queue = {.name = name, .count = filling->count};

    g_ptr_array_add(filling->entries, NULL);
    queue.entries = (char **)g_ptr_array_free(filling->entries, FALSE);
    if (queue.count > 0) {
        g_array_append_val(queues, queue);
        return;
    }
    g_strfreev(queue.entries);
    g_free(name);
}

static void add_policy(GArray *queues, const struct orr_scene *scene)
{
    struct filling filling = {.entries = g_ptr_array_new()};

    for (guint i = 0; i < scene->jobs->len; i++) {
        const struct orr_job *job = g_ptr_array_index(scene->jobs, i);

        if (job->activated && job->active->pushed)
            add_entry(&filling, orr_hang_name_job(scene->run, job));
    }
    end_queue(queues, &filling,
              g_strdup_printf("policy %s", scene->run->policy.ops->name));
}

/* "A(2,1) for task 12 (gemm)"; the name of the queue has the nodes and the
 * level. */
static char *describe_request(const struct orr_scene *scene,
                              const struct orr_request *request)
{
    g_autofree char *data = orr_data_describe(request->data);
    g_autofree char *purpose = orr_hang_name_purpose(scene, request);

    return g_strconcat(data, request->invalidates ? ", to be written" : "",
                       purpose, NULL);
}

static void fill(struct filling *filling, const struct orr_scene *scene,
                 const struct orr_waiting *waiting)
{
    for (unsigned i = waiting->count; i-- > 0;) {
        const struct orr_request *request = NULL;

        while ((request = orr_waiting_next(waiting, i, request)))
            add_entry(filling, describe_request(scene, request));
    }
}

/* The requests that wait for the driver of @node, the most urgent first. */
static void add_requests(GArray *queues, const struct orr_scene *scene,
                         unsigned node)
{
    static const char *const levels[] = {"fetches", "prefetches",
                                         "idle prefetches"};
    const struct orr_run *run = scene->run;

    for (unsigned i = 0; i < ORR_LEVELS * ORR_DIRECTIONS; i++) {
        unsigned level = i / ORR_DIRECTIONS;
        unsigned direction = i % ORR_DIRECTIONS;

        for (unsigned peer = 0; peer < run->node_count; peer++) {
            unsigned from = direction == ORR_IN ? peer : node;
            struct filling filling = {.entries = g_ptr_array_new()};

            fill(&filling, scene,
                 &run->store.memories[node]
                      .queues.lanes[peer][direction]
                      .waiting[level]);
            end_queue(
                queues, &filling,
                g_strdup_printf("%s from %s to %s", levels[level],
                                orr_hang_name_node(run, from),
                                orr_hang_name_node(run, node + peer - from)));
        }
    }
}

static void add_queues(struct orr_hang *hang, const struct orr_scene *scene)
{
    GArray *queues = g_array_new(FALSE, FALSE, sizeof(struct orr_hang_queue));

    add_policy(queues, scene);
    for (unsigned node = 0; node < scene->run->node_count; node++)
        add_requests(queues, scene, node);
    hang->queue_count = queues->len;
    hang->queues = (struct orr_hang_queue *)(void *)g_array_free(queues, FALSE);
}

/* The reason why a buffer is pinned, or NULL. */
static char *describe_pin(const struct orr_scene *scene,
                          const struct orr_replicate *copy)
{
    struct orr_pinned pinned = orr_scene_pinned(scene, copy);
    g_autofree char *name = NULL;

    switch (pinned.pin) {
    case ORR_PIN_NONE:
        break;
    case ORR_PIN_SOURCE:
        name = orr_hang_name_request(scene, pinned.request);
        if (pinned.count == 1)
            return g_strdup_printf("by %s", name);
        return g_strdup_printf("by %s and %u more", name, pinned.count - 1);
    case ORR_PIN_TASK:
        name = orr_hang_name_job(scene->run, pinned.job);
        return g_strdup_printf("by %s", name);
    case ORR_PIN_ARRIVAL:
        name = orr_hang_name_request(scene, pinned.request);
        return g_strdup_printf("for %s", name);
    case ORR_PIN_WRITTEN:
        return g_strdup("while it is being written");
    case ORR_PINS:
        break;
    }
    return NULL;
}

static void add_buffers(struct orr_hang_memory *map,
                        const struct orr_scene *scene,
                        const struct orr_memory *memory)
{
    static const char *const states[] = {"invalid", "shared", "owner"};
    const struct orr_buffer *listed = orr_memory_oldest(memory);

    map->buffers = g_new0(struct orr_hang_buffer, memory->buffers);
    for (; listed; listed = orr_memory_newer(memory, listed)) {
        const struct orr_replicate *copy = listed->copy;
        struct orr_hang_buffer *buffer = &map->buffers[map->count++];

        buffer->data = orr_data_describe(copy->data);
        buffer->bytes = copy->data->bytes;
        buffer->state = states[orr_replicate_state(copy)];
        buffer->pinned = describe_pin(scene, copy);
        map->pinned += buffer->pinned != NULL;
    }
}

static void add_memories(struct orr_hang *hang, const struct orr_scene *scene)
{
    const struct orr_run *run = scene->run;

    hang->memory_count = run->gpu_count;
    hang->memories = g_new0(struct orr_hang_memory, hang->memory_count);
    for (unsigned i = 0; i < hang->memory_count; i++) {
        const struct orr_memory *memory = &run->store.memories[i + 1];
        struct orr_hang_memory *map = &hang->memories[i];

        map->name = orr_hang_name_node(run, i + 1);
        map->capacity_bytes = orr_suballoc_capacity(memory->pool);
        map->used_bytes = orr_suballoc_used(memory->pool);
        add_buffers(map, scene, memory);
    }
}

static const char *name_actor(const struct orr_actor *actor)
{
    return actor->index == ORR_NO_WORKER
               ? "the application"
               : ((const struct orr_worker *)actor)->name;
}

static char *describe_decision(const struct orr_run *run,
                               const struct orr_past_decision *note)
{
    const char *policy = run->policy.ops->name;
    g_autofree char *data = NULL;

    switch ((enum orr_past_decision_kind)note->kind) {
    case ORR_PAST_PUSH:
        return g_strdup_printf("%s pushes task %u (%s) to policy %s",
                               name_actor(note->actor), note->task,
                               (const char *)note->what, policy);
    case ORR_PAST_POP:
        return g_strdup_printf("policy %s gives task %u (%s) to %s", policy,
                               note->task, (const char *)note->what,
                               name_actor(note->actor));
    case ORR_PAST_WAKE:
        return g_strdup_printf("policy %s wakes %s", policy,
                               name_actor(note->actor));
    case ORR_PAST_EVICT:
        data = orr_data_describe(note->what);
        return g_strdup_printf("%s is evicted from %s", data,
                               orr_hang_name_node(run, note->from));
    case ORR_PAST_COPY:
        break;
    }
    data = orr_data_describe(note->what);
    return g_strdup_printf("%s is copied from %s to %s", data,
                           orr_hang_name_node(run, note->from),
                           orr_hang_name_node(run, note->to));
}

void orr_hang_add_decisions(struct orr_hang *hang, const struct orr_run *run)
{
    const struct orr_decision_history *history = &run->history;

    hang->decisions = g_new0(struct orr_hang_decision, ORR_HISTORY_LISTED);
    for (uint32_t back = ORR_HISTORY_LISTED; back > 0; back--) {
        const struct orr_past_decision *note =
            &history->notes[(history->next - back) % ORR_HISTORY_LENGTH];
        struct orr_hang_decision *decision =
            &hang->decisions[hang->decision_count];

        if (!note->what && !note->actor)
            continue; /* never made */
        decision->date = note->date - run->totals.first_submission;
        decision->what = describe_decision(run, note);
        hang->decision_count++;
    }
}

void orr_hang_add_facts(struct orr_hang *hang, const struct orr_scene *scene)
{
    add_workers(hang, scene);
    add_queues(hang, scene);
    add_memories(hang, scene);
}
