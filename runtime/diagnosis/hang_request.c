/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The leads of requests: to other requests, room, their driver. */
#include "runtime/diagnosis/hang_private.h"
#include "runtime/run.h"
#include "runtime/worker/lock.h"

static bool chains(const struct orr_request *first,
                   const struct orr_request *then)
{
    const struct orr_chain *link = first->chained;

    while (link && link->request != then)
        link = link->next;
    return link;
}

/* The request that @request awaits, or NULL. */
static const struct orr_request *find_before(const struct orr_run *run,
                                             const struct orr_request *request)
{
    for (unsigned node = 0; node < run->node_count; node++) {
        const struct orr_request *before = request->data->copies[node].requests;

        for (; before; before = before->next_incoming) {
            if (chains(before, request))
                return before;
        }
    }
    return NULL;
}

const struct orr_request *
orr_scene_first_request(const struct orr_run *run,
                        const struct orr_request *request)
{
    const struct orr_request *before = request;

    while (before && before->awaited > 0) {
        request = before;
        before = find_before(run, request);
    }
    return before ? before : request;
}

static bool is_joined(const struct orr_request *request)
{
    return request->has_no_effect && orr_request_is_late(request);
}

/* Whether @request lacks a buffer. */
static bool needs_room(const struct orr_request *request)
{
    const struct orr_replicate *to = request->to;

    return to->node != ORR_RAM && !orr_replicate_is_allocated(to) &&
           !request->cancelled && !orr_replicate_is_valid(to) &&
           !orr_request_is_late(request);
}

/* Whether a driver that tried could make room for @request. */
static bool finds_room(const struct orr_run *run,
                       const struct orr_request *request)
{
    const struct orr_memory *memory = &run->store.memories[request->to->node];

    if (orr_suballoc_fits(memory->pool, request->data->bytes))
        return true;
    if (request->level == ORR_IDLE)
        return false;
    for (const struct orr_buffer *buffer = orr_memory_oldest(memory); buffer;
         buffer = orr_memory_newer(memory, buffer)) {
        if (orr_eviction_may_go(buffer->copy, request->level))
            return true;
    }
    return false;
}

static bool lacks_room(const struct orr_run *run,
                       const struct orr_request *request)
{
    return needs_room(request) && !finds_room(run, request);
}

/* The first request with the node and direction of @request that lacks room; or
 * NULL. Its driver starts no request behind it. */
static const struct orr_request *find_ahead(const struct orr_run *run,
                                            const struct orr_request *request)
{
    const struct orr_queues *queues =
        &run->store.memories[request->node].queues;

    for (unsigned level = 0; level <= request->level; level++) {
        for (unsigned peer = 0; peer < run->node_count; peer++) {
            const struct orr_waiting *waiting =
                &queues->lanes[peer][request->direction].waiting[level];
            const struct orr_request *first = orr_waiting_is_empty(waiting)
                                                  ? NULL
                                                  : orr_waiting_first(waiting);

            if (first && first != request && lacks_room(run, first))
                return first;
        }
    }
    return NULL;
}

static struct orr_lead await_driver(const struct orr_scene *scene,
                                    const struct orr_request *request)
{
    const struct orr_run *run = scene->run;
    const struct orr_request *ahead = find_ahead(run, request);
    g_autofree char *name = orr_hang_name_request(scene, request);
    g_autofree char *other = NULL;

    if (ahead) {
        other = orr_hang_name_request(scene, ahead);
        return orr_lead_to(ORR_PARTY_REQUEST, ahead, "%s is queued behind %s",
                           name, other);
    }
    return orr_lead_end(ORR_HANG_LOST_WAKEUP,
                        "%s could start, but the driver of %s sleeps", name,
                        orr_hang_name_node(run, request->node));
}

struct orr_lead orr_lead_of_request(const struct orr_scene *scene,
                                    const struct orr_request *request)
{
    const struct orr_run *run = scene->run;
    const struct orr_request *before = find_before(run, request);
    const char *node = orr_hang_name_node(run, request->node);
    struct orr_blocked blocked;
    g_autofree char *name = orr_hang_name_request(scene, request);
    g_autofree char *other = NULL;

    if (!before && is_joined(request))
        before = orr_replicate_loader(request->to);
    if (before && (request->awaited > 0 || is_joined(request))) {
        other = orr_hang_name_request(scene, before);
        return orr_lead_to(ORR_PARTY_REQUEST, before, "%s waits for %s", name,
                           other);
    }
    if (request->node != ORR_RAM &&
        orr_run_blocked(run, request->node - 1, &blocked))
        return orr_lead_to(
            ORR_PARTY_WORKER, run->workers[request->node - 1],
            "%s waits for the driver of %s, which is inside the policy", name,
            node);
    if (request->copied)
        return orr_lead_end(ORR_HANG_LOST_WAKEUP,
                            "%s has completed, but the driver of %s sleeps",
                            name, node);
    if (!request->queued && request->node != ORR_RAM)
        return orr_lead_to(ORR_PARTY_WORKER, run->workers[request->node - 1],
                           "%s is being processed by the driver of %s", name,
                           node);
    if (lacks_room(run, request))
        return orr_lead_to(ORR_PARTY_ROOM,
                           &run->store.memories[request->to->node],
                           "%s waits for free memory there", name);
    if (request->queued)
        return await_driver(scene, request);
    return orr_lead_end(ORR_HANG_UNEXPLAINED, "%s does not complete", name);
}
