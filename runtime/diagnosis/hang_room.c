/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Why a GPU has no room: what pins its buffers. */
#include "runtime/diagnosis/hang_private.h"
#include "runtime/run.h"
#include "runtime/worker/worker.h"

/* Counts the requests to copy from @copy. */
static void count_sources(const struct orr_scene *scene,
                          const struct orr_replicate *copy,
                          struct orr_pinned *pinned)
{
    for (unsigned node = 0; node < scene->run->node_count; node++) {
        const struct orr_request *request = copy->data->copies[node].requests;

        for (; request; request = request->next_incoming) {
            if (request->from != copy || request->to == copy ||
                !(request->mode & ORR_R))
                continue;
            pinned->destinations |= 1u << node;
            if (pinned->count++ == 0)
                pinned->request = request;
        }
    }
}

static bool accesses(const struct orr_job *job, const struct orr_data *data)
{
    for (unsigned i = 0; i < job->access_count; i++) {
        if (orr_access_data(&job->accesses[i]) == data)
            return true;
    }
    return false;
}

static const struct orr_job *find_user(const struct orr_run *run,
                                       const struct orr_replicate *copy)
{
    const struct orr_worker *worker = run->workers[copy->node - 1];

    for (unsigned i = 0; i < worker->count; i++) {
        const struct orr_job *job =
            worker->pipeline[(worker->first + i) % ORR_MAX_PIPELINE];

        if (accesses(job, copy->data))
            return job;
    }
    return NULL;
}

struct orr_pinned orr_scene_pinned(const struct orr_scene *scene,
                                   const struct orr_replicate *copy)
{
    struct orr_pinned pinned = {.pin = ORR_PIN_NONE};

    if (orr_eviction_may_go(copy, ORR_FETCH))
        return pinned;
    pinned.job = find_user(scene->run, copy);
    count_sources(scene, copy, &pinned);
    if (pinned.request) {
        pinned.pin = ORR_PIN_SOURCE;
    } else if (pinned.job) {
        pinned.pin = ORR_PIN_TASK;
    } else if (copy->requests) {
        pinned.pin = ORR_PIN_ARRIVAL;
        pinned.request = copy->requests;
    } else {
        pinned.pin = ORR_PIN_WRITTEN;
    }
    return pinned;
}

/* Counts of the reasons why buffers of a memory are pinned. */
struct tally {
    unsigned buffers, pinned;
    unsigned by[ORR_PINS];
    unsigned requests;     /* requests to copy from this memory */
    uint32_t destinations; /* destinations of @requests, one bit each */
    const struct orr_request *request; /* the first of them */
    const struct orr_job *job;         /* the first task */
    const struct orr_request *arrival; /* the first */
};

static void count(struct tally *tally, const struct orr_pinned *pinned)
{
    tally->buffers++;
    tally->by[pinned->pin]++;
    tally->pinned += pinned->pin != ORR_PIN_NONE;
    if (!tally->job)
        tally->job = pinned->job;
    if (pinned->pin == ORR_PIN_SOURCE) {
        tally->requests += pinned->count;
        tally->destinations |= pinned->destinations;
        if (!tally->request)
            tally->request = pinned->request;
    } else if (pinned->pin == ORR_PIN_ARRIVAL && !tally->arrival) {
        tally->arrival = pinned->request;
    }
}

/* "CUDA0, CUDA1 and CUDA2" */
static char *list_nodes(const struct orr_run *run, uint32_t nodes)
{
    GString *text = g_string_new(NULL);

    for (; nodes; nodes &= nodes - 1) {
        if (text->len > 0)
            g_string_append(text, nodes & (nodes - 1) ? ", " : " and ");
        g_string_append(
            text, orr_hang_name_node(run, (unsigned)__builtin_ctz(nodes)));
    }
    return g_string_free(text, FALSE);
}

static void add_sources(GString *text, const struct orr_run *run,
                        const struct tally *tally)
{
    g_autofree char *nodes = list_nodes(run, tally->destinations);

    if (tally->requests == 1)
        g_string_append_printf(
            text, ", 1 as the source of a waiting copy to %s", nodes);
    else if (tally->requests > 1)
        g_string_append_printf(
            text, ", %u as sources of %u waiting copies to %s",
            tally->by[ORR_PIN_SOURCE], tally->requests, nodes);
}

static void add_tasks(GString *text, const struct orr_worker *worker,
                      const struct tally *tally)
{
    g_autofree char *job =
        tally->job ? orr_hang_name_job(worker->run, tally->job) : NULL;

    if (tally->by[ORR_PIN_TASK] > 0)
        g_string_append_printf(
            text, ", %u by %s%s", tally->by[ORR_PIN_TASK], job,
            worker->count > 1 ? " and the next task there" : "");
}

static void add_count(GString *text, unsigned count, const char *what)
{
    if (count > 0)
        g_string_append_printf(text, ", %u %s", count, what);
}

/* How much is taken, and why the rest does not suffice. */
static void add_bytes(GString *text, const struct orr_memory *memory)
{
    uint64_t capacity_bytes = orr_suballoc_capacity(memory->pool);
    uint64_t used_bytes = orr_suballoc_used(memory->pool);
    uint64_t overlooked_bytes = orr_suballoc_overlooked(memory->pool);
    g_autofree char *overlooked = orr_format_bytes(overlooked_bytes);
    g_autofree char *used = orr_format_bytes(used_bytes);
    g_autofree char *capacity = orr_format_bytes(capacity_bytes);
    g_autofree char *chunk = orr_format_bytes(ORR_SUBALLOC_CHUNK);

    g_string_append_printf(text, " (%s of %s are allocated", used, capacity);
    if (overlooked_bytes > 0)
        g_string_append_printf(
            text, ", of which %s are free, but not found by the allocator",
            overlooked);
    if (used_bytes < capacity_bytes &&
        capacity_bytes - used_bytes < ORR_SUBALLOC_CHUNK)
        g_string_append_printf(text, ", and the allocator needs a chunk of %s",
                               chunk);
    g_string_append_c(text, ')');
}

/* "CUDA0 has no room: 9 of its 9 buffers are pinned, ..." */
static char *describe(const struct orr_run *run,
                      const struct orr_memory *memory,
                      const struct tally *tally)
{
    GString *text = g_string_new(NULL);

    g_string_append_printf(
        text, "%s has no free memory: %u of its %u buffers are pinned",
        orr_hang_name_node(run, memory->node), tally->pinned, tally->buffers);
    add_sources(text, run, tally);
    add_tasks(text, run->workers[memory->node - 1], tally);
    add_count(text, tally->by[ORR_PIN_ARRIVAL], "waiting for their data");
    add_count(text, tally->by[ORR_PIN_WRITTEN],
              "while other nodes write the data");
    add_count(text, tally->buffers - tally->pinned,
              "reserved for future tasks");
    add_bytes(text, memory);
    return g_string_free(text, FALSE);
}

struct orr_lead orr_lead_of_room(const struct orr_scene *scene,
                                 const struct orr_memory *memory)
{
    const struct orr_run *run = scene->run;
    struct tally tally = {0};
    struct orr_lead lead;
    g_autofree char *text = NULL;

    for (const struct orr_buffer *buffer = orr_memory_oldest(memory); buffer;
         buffer = orr_memory_newer(memory, buffer)) {
        struct orr_pinned pinned = orr_scene_pinned(scene, buffer->copy);

        count(&tally, &pinned);
    }
    text = describe(run, memory, &tally);
    if (tally.request)
        lead = orr_lead_to(ORR_PARTY_REQUEST, tally.request, "%s", text);
    else if (tally.job)
        lead = orr_lead_to(ORR_PARTY_TASK, tally.job, "%s", text);
    else if (tally.arrival)
        lead = orr_lead_to(ORR_PARTY_REQUEST, tally.arrival, "%s", text);
    else
        lead = orr_lead_end(ORR_HANG_MEMORY, "%s", text);
    lead.kind = ORR_HANG_MEMORY;
    return lead;
}
