/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Creation and completion of requests. orr_request_submit() finds the source of
 * the datum and creates one request for each hop of the route, or joins a
 * request of the same hop. The second hop of a route via RAM is chained to the
 * first, and is posted when that completes. A write while other requests are
 * incoming creates a request that awaits all of these and then invalidates
 * their results.
 */
#include "runtime/data/request.h"

#include "runtime/data/store.h"

void orr_request_notify(struct orr_store *store, struct orr_request *request,
                        orr_completed *call, void *data)
{
    struct orr_callback *callback = orr_pool_take_some(&store->callbacks, 0);

    *callback = (struct orr_callback){request->callbacks, call, data};
    request->callbacks = callback;
}

static void chain(struct orr_store *store, struct orr_request *first,
                  struct orr_request *then)
{
    struct orr_chain *link = orr_pool_take_some(&store->chains, sizeof(*link));
    struct orr_chain **last = &first->chained;

    while (*last)
        last = &(*last)->next;
    link->request = then;
    *last = link;
}

static void append(void *arg)
{
    orr_request_append(arg);
}

/* Puts @request, unless it awaits others, into the queue of its node and wakes
 * the drivers there. */
static void post(struct orr_store *store, struct orr_request *request)
{
    if (request->awaited > 0)
        return;
    orr_act(store->engine, append, request);
    orr_point(store->engine, ORR_POINT_REQUEST_POSTED, NULL);
    orr_store_wake(store, request->node);
}

void orr_request_raise_level(struct orr_store *store,
                             struct orr_request *request, enum orr_level level)
{
    struct orr_queues *queues = &store->memories[request->node].queues;
    bool queued = request->queued;

    if (level >= request->level)
        return;
    if (level == ORR_FETCH && !request->holds) {
        request->holds = true;
        orr_replicate_hold(request->to);
    }
    for (struct orr_chain *link = request->chained; link; link = link->next)
        orr_request_raise_level(store, link->request, level);
    if (queued)
        orr_queues_withdraw(queues, request);
    request->level = (uint8_t)level;
    if (queued)
        orr_request_append(request);
    orr_point(store->engine, ORR_POINT_REQUEST_POSTED, NULL);
    orr_store_wake(store, request->node);
}

static void link_incoming(struct orr_request *request)
{
    struct orr_replicate *to = request->to;

    if (to->requests) {
        request->previous_incoming = to->requests->previous_incoming;
        request->previous_incoming->next_incoming = request;
    } else {
        to->requests = request;
        to->data->awaited |= 1u << to->node;
    }
    to->requests->previous_incoming = request;
    if (request->job == 0)
        to->has_taskless = true;
}

static void unlink_incoming(struct orr_request *request)
{
    struct orr_replicate *to = request->to;
    struct orr_request *next = request->next_incoming;

    if (request == to->requests)
        to->requests = next;
    else
        request->previous_incoming->next_incoming = next;
    if (!next)
        next = to->requests;
    if (next) {
        next->previous_incoming = request->previous_incoming;
    } else {
        to->has_taskless = false;
        to->data->awaited &= ~(1u << to->node);
    }
}

/* The driver of node @to handles the request; for a copy to RAM, the driver of
 * @from. */
static inline struct orr_request *create(struct orr_store *store,
                                         const struct orr_request_spec *spec,
                                         unsigned from, unsigned to,
                                         enum orr_access_mode mode)
{
    struct orr_request *request = orr_pool_take_some(&store->requests, 0);
    const struct orr_job *job =
        spec->access ? orr_access_job(spec->access) : NULL;
    bool out = to == ORR_RAM && from != to;

    /* All members are listed: to clear the others first would double the number
     * of instructions. */
    *request = (struct orr_request){
        .wait = {NULL, NULL},
        .data = spec->data,
        .from = &spec->data->copies[from],
        .to = &spec->data->copies[to],
        .node = (uint8_t)(out ? from : to),
        .peer = (uint8_t)(out ? to : from),
        .direction = out ? ORR_OUT : ORR_IN,
        .mode = (uint8_t)mode,
        .level = (uint8_t)spec->level,
        .invalidates = false,
        .holds = spec->level == ORR_FETCH,
        .cancelled = false,
        .has_no_effect = false,
        .queued = false,
        .fresh = false,
        .copied = false,
        .completed = false,
        .evicts = false,
        .loads = false,
        .priority = job ? orr_job_priority(job) : 0,
        .awaited = 0,
        .references = 1,
        .prefetched = 0,
        .job = job ? job->id + 1 : 0,
        .store = store,
        .created = store->engine->now,
        .next_incoming = NULL,
        .previous_incoming = NULL,
        .chained = NULL,
        .callbacks = NULL,
    };
    if (spec->level == ORR_FETCH)
        orr_replicate_hold(request->to);
    return request;
}

static inline struct orr_request *
create_hop(struct orr_store *store, const struct orr_request_spec *spec,
           unsigned from, unsigned to)
{
    struct orr_request *request = create(store, spec, from, to, spec->mode);

    link_incoming(request);
    if (spec->access)
        spec->access->bits |= ORR_ACCESS_REQUESTED;
    if (spec->mode & ORR_R)
        orr_replicate_hold(request->from);
    return request;
}

/* An existing request from @from to @to that serves @spec too; requests of
 * different tasks are kept apart. */
static struct orr_request *find(struct orr_store *store,
                                const struct orr_request_spec *spec,
                                struct orr_replicate *from,
                                struct orr_replicate *to)
{
    uint64_t job = spec->access ? orr_access_job(spec->access)->id + 1 : 0;
    struct orr_request *request = to->requests;

    if (spec->access && !orr_access_is_requested(spec->access) &&
        !to->has_taskless)
        return NULL; /* all are for other tasks */
    for (; request; request = request->next_incoming) {
        const struct orr_replicate *end =
            request->mode & ORR_R ? request->from : request->to;

        if (end != (spec->mode & ORR_R ? from : to) || request->cancelled ||
            request->has_no_effect)
            continue;
        if (job && request->job && job != request->job)
            continue;
        orr_request_raise_level(store, request, spec->level);
        if ((spec->mode & ORR_R) && !(request->mode & ORR_R))
            orr_replicate_hold(from);
        request->mode |= (uint8_t)spec->mode;
        return request;
    }
    return NULL;
}

/* A new or existing request for one hop; the caller posts a new one. */
static inline struct orr_request *add_hop(struct orr_store *store,
                                          const struct orr_request_spec *spec,
                                          unsigned from, unsigned to)
{
    struct orr_replicate *copies = spec->data->copies;
    struct orr_request *request = NULL;

    if (spec->data->awaited & 1u << to)
        request = find(store, spec, &copies[from], &copies[to]);
    if (request)
        return request;
    request = create_hop(store, spec, from, to);
    request->fresh = true;
    return request;
}

/* Two hops, via RAM; a new second one awaits the first, which posts it. */
static G_GNUC_NO_INLINE struct orr_request *
add_two_hops(struct orr_store *store, const struct orr_request_spec *spec,
             unsigned from, struct orr_request **first)
{
    struct orr_request *last;

    *first = add_hop(store, spec, from, ORR_RAM);
    last = add_hop(store, spec, ORR_RAM, spec->node);
    if (last->fresh) {
        last->fresh = false;
        last->awaited = 1;
        chain(store, *first, last);
    }
    return last;
}

/* A write while others are incoming: one more request awaits them all, then
 * grants the write and invalidates their results. */
static struct orr_request *invalidate(struct orr_store *store,
                                      const struct orr_request_spec *spec)
{
    struct orr_data *data = spec->data;
    struct orr_request *last =
        create(store, spec, spec->node, spec->node, ORR_W);

    last->invalidates = true;
    data->invalidation = last;
    data->invalidated = true;
    for (uint32_t left = data->awaited; left; left &= left - 1) {
        struct orr_request *request =
            data->copies[__builtin_ctz(left)].requests;

        for (; request; request = request->next_incoming) {
            orr_request_raise_level(store, request, spec->level);
            chain(store, request, last);
            last->awaited++;
        }
    }
    return last;
}

struct orr_request *orr_request_await_all(struct orr_store *store,
                                          struct orr_data *data)
{
    const struct orr_request_spec spec = {
        .data = data, .node = ORR_RAM, .mode = ORR_W, .level = ORR_FETCH};
    struct orr_request *last;

    if (!data->awaited)
        return NULL;
    last = invalidate(store, &spec);
    last->has_no_effect = true;
    return last;
}

/* Creates or joins the requests of the route from @from; returns the last. */
static inline struct orr_request *add_route(struct orr_store *store,
                                            const struct orr_request_spec *spec,
                                            unsigned from,
                                            struct orr_request **first)
{
    struct orr_request *last;

    if (from == spec->node || orr_route_is_direct(store, from, spec->node))
        *first = last = add_hop(store, spec, from, spec->node);
    else
        last = add_two_hops(store, spec, from, first);
    if (spec->level == ORR_PREFETCH)
        last->prefetched++;
    return last;
}

static G_GNUC_NO_INLINE struct orr_request *
submit_without_content(struct orr_store *store,
                       const struct orr_request_spec *spec)
{
    struct orr_request_spec empty = *spec;

    empty.mode = (enum orr_access_mode)(spec->mode & ORR_W);
    return orr_request_submit(store, &empty);
}

struct orr_request *orr_request_submit(struct orr_store *store,
                                       const struct orr_request_spec *spec)
{
    struct orr_data *data = spec->data;
    unsigned from = spec->node;
    struct orr_request *first = NULL, *last = NULL;
    bool must_wait =
        spec->mode & ORR_W && data->awaited && spec->level == ORR_FETCH;

    if (G_UNLIKELY(!data->valid) && spec->mode & ORR_R)
        return submit_without_content(store, spec);
    if (spec->mode & ORR_R && !(data->valid & 1u << spec->node))
        from = orr_data_source(store, data, spec->node);
    if (from != spec->node || !must_wait)
        last = add_route(store, spec, from, &first);
    if (must_wait)
        last = invalidate(store, spec);
    if (spec->worker)
        orr_request_notify(store, last, store->arrived, spec->worker);
    orr_data_lock_briefly(store, data);
    if (first && first->fresh) {
        first->fresh = false;
        orr_push_pop_overlap_post(store, data, first->direction == ORR_OUT);
        post(store, first);
    }
    orr_spinlock_unlock_pending(&data->lock, store->engine);
    return last;
}

/* Unpins both replicates of @request. */
static void release_ends(struct orr_store *store, struct orr_request *request)
{
    if (!request->has_no_effect && request->to->node != ORR_RAM &&
        orr_replicate_is_allocated(request->to))
        request->to->expected =
            (request->to->expected + request->prefetched) & ORR_MOST_EXPECTED;
    if (request->holds)
        orr_replicate_release(store, request->to);
    if (request->mode & ORR_R)
        orr_replicate_release(store, request->from);
}

static void call_back(struct orr_store *store, struct orr_callback *callback)
{
    while (callback) {
        struct orr_callback *next = callback->next;

        callback->call(store->run, callback->data);
        orr_pool_give(&store->callbacks, callback);
        callback = next;
    }
}

/* Posts the requests that await nothing but @request. */
static inline void unchain(struct orr_store *store, struct orr_request *request)
{
    struct orr_chain *link = request->chained;

    request->chained = NULL;
    while (link) {
        struct orr_chain *next = link->next;

        link->request->awaited--;
        post(store, link->request);
        orr_pool_give(&store->chains, link);
        link = next;
    }
}

void orr_request_complete(struct orr_store *store, struct orr_request *request)
{
    struct orr_callback *callbacks;

    if (!request->has_no_effect &&
        orr_request_grants(store, request->mode,
                           (enum orr_level)request->level))
        orr_replicate_grant(store, request->to,
                            (enum orr_access_mode)request->mode);
    if (request->loads) {
        request->loads = false;
        orr_replicate_flip_loading(store, request->to);
    }
    unchain(store, request);
    request->completed = true;
    orr_data_lock_briefly(store, request->data);
    orr_store_wake(store, request->to->node);
    orr_spinlock_unlock_pending(&request->data->lock, store->engine);
    /* The reference wakes a worker before it counts the data as arrived: the
     * worker checks in vain, and again a microsecond later. */
    if (orr_switches_quirks(store->switches))
        orr_actors_run_woken(store->engine);
    release_ends(store, request);
    if (request->invalidates) {
        request->data->invalidation = NULL;
        request->data->invalidated = false;
        orr_eviction_consider(store, request->data, UINT32_MAX);
    } else {
        unlink_incoming(request);
    }
    if (store->memories[request->node].refused == request)
        store->memories[request->node].refused = NULL;
    unchain(store, request); /* woken actors may have joined it */
    callbacks = request->callbacks;
    orr_request_unref(store, request);
    call_back(store, callbacks);
}

void orr_request_unref(struct orr_store *store, struct orr_request *request)
{
    if (--request->references == 0)
        orr_pool_give(&store->requests, request);
}

struct orr_request *orr_replicate_loader(const struct orr_replicate *copy)
{
    struct orr_request *request = copy->requests;

    while (request && !request->loads)
        request = request->next_incoming;
    return request ? request : copy->data->invalidation;
}

void orr_request_load(struct orr_store *store, struct orr_request *request)
{
    if (request->loads)
        return;
    request->loads = true;
    orr_replicate_flip_loading(store, request->to);
}

static void complete(struct orr_run *run, void *data)
{
    struct orr_request *request = data;

    (void)run;
    orr_request_complete(request->store, request);
}

void orr_request_join(struct orr_store *store, struct orr_request *request)
{
    struct orr_request *other = orr_replicate_loader(request->to);

    request->has_no_effect = true;
    orr_request_raise_level(store, other, (enum orr_level)request->level);
    orr_request_notify(store, other, complete, request);
}
