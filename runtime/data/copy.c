/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copies in flight. A new copy awaits the latest copy of each stream that
 * excludes it (find_earlier()); a stream is first in, first out, so the latest
 * copy stands for all before it. The copy becomes a dependent of those, and is
 * launched when the last of them has ended. A barrier is a copy without bytes
 * that awaits all streams.
 */
#include "runtime/data/copy.h"

#include "runtime/data/store.h"

/* Operations (StarPU, simgrid.c). */
enum { TELL_STREAM = 1, START_STREAM = 4 };

void orr_copies_init(struct orr_store *store)
{
    struct orr_copies *copies = &store->copies;

    orr_pool_init(&copies->pool,
                  sizeof(struct orr_copy) + store->turns->copy_bytes);
    orr_pool_init(&copies->links, sizeof(struct orr_copy_link));
    copies->streams = g_new0(struct orr_copy_stream,
                             (size_t)store->node_count * store->node_count);
}

void orr_copies_clear(struct orr_store *store)
{
    orr_pool_clear(&store->copies.pool);
    orr_pool_clear(&store->copies.links);
    g_free(store->copies.streams);
}

static bool is_between_gpus(unsigned from, unsigned to)
{
    return from != ORR_RAM && to != ORR_RAM;
}

static struct orr_copy_stream *stream_of(const struct orr_store *store,
                                         unsigned from, unsigned to)
{
    return &store->copies.streams[from * store->node_count + to];
}

/* Copies for which a new copy has to wait. */
struct earlier {
    unsigned count;
    struct orr_copy *copies[3 * ORR_MAX_NODES];
};

/* A stream is first in, first out: it is enough to wait for the latest. */
static inline void add(struct earlier *earlier, const struct orr_store *store,
                       unsigned from, unsigned to)
{
    struct orr_copy *latest = stream_of(store, from, to)->latest;

    if (latest)
        earlier->copies[earlier->count++] = latest;
}

/* Collects the copies that exclude a copy from @from to @to. */
static inline void find_earlier(struct earlier *earlier,
                                const struct orr_store *store, unsigned from,
                                unsigned to)
{
    bool between = is_between_gpus(from, to);

    earlier->count = 0;
    add(earlier, store, between ? ORR_RAM : from, to);
    if (between)
        add(earlier, store, ORR_RAM, from);
    if (!between && store->copies.between[to] == 0)
        return;
    for (unsigned gpu = 1; gpu < store->node_count; gpu++) {
        add(earlier, store, gpu, to);
        add(earlier, store, to, gpu);
        if (between && gpu != to)
            add(earlier, store, gpu, from);
    }
}

static void await(struct orr_store *store, struct orr_copy *copy,
                  struct orr_copy *earlier)
{
    struct orr_copy_link *link =
        orr_pool_take_some(&store->copies.links, sizeof(*link));

    link->copy = copy;
    if (earlier->last_dependent)
        earlier->last_dependent->next = link;
    else
        earlier->dependents = link;
    earlier->last_dependent = link;
    copy->awaited++;
}

static void insert(struct orr_store *store, struct orr_copy *copy)
{
    store->copies.under_way++;
    stream_of(store, copy->from, copy->to)->latest = copy;
    if (is_between_gpus(copy->from, copy->to)) {
        store->copies.between[copy->from]++;
        store->copies.between[copy->to]++;
    }
}

static void withdraw(struct orr_store *store, struct orr_copy *copy)
{
    struct orr_copy_stream *stream = stream_of(store, copy->from, copy->to);

    store->copies.under_way--;
    if (stream->latest == copy)
        stream->latest = NULL;
    if (is_between_gpus(copy->from, copy->to)) {
        store->copies.between[copy->from]--;
        store->copies.between[copy->to]--;
    }
}

static void start(void *arg)
{
    struct orr_copy *copy = arg;
    struct orr_store *store = copy->store;

    store->executor->copy(store->executor, copy);
}

bool orr_copy_is_start(const struct orr_event *event)
{
    return event->fire == start;
}

void orr_copy_start(struct orr_store *store, struct orr_copy *copy)
{
    struct orr_copy_stream *stream = stream_of(store, copy->from, copy->to);
    orr_time delay = stream->used ? 0 : store->stream_start;

    stream->used = true;
    if (delay == 0) {
        store->executor->copy(store->executor, copy);
        return;
    }
    copy->event = (struct orr_event){.fire = start, .arg = copy};
    orr_engine_at(store->engine, store->engine->now + delay, &copy->event);
}

static void launch(struct orr_store *store, struct orr_copy *copy)
{
    if (copy->waiter) {
        orr_actor_resume(copy->waiter);
        orr_pool_give(&store->copies.pool, copy);
        return;
    }
    store->turns->launch(store, copy);
}

static void record_copy(struct orr_store *store, const struct orr_copy *copy)
{
    struct orr_past_decision *note = orr_decision_history_add(
        store->history, ORR_PAST_COPY, store->engine->now);

    note->what = copy->request->data;
    note->from = (uint8_t)copy->from;
    note->to = (uint8_t)copy->to;
}

/* A copy or a barrier; the executor's members are not set. */
static struct orr_copy *make(struct orr_store *store)
{
    struct orr_copy *copy = orr_pool_take_some(
        &store->copies.pool, offsetof(struct orr_copy, event));

    copy->store = store;
    return copy;
}

void orr_copy_submit(struct orr_store *store, struct orr_request *request)
{
    struct orr_copy *copy = make(store);
    unsigned from = request->from->node, to = request->to->node;
    struct earlier earlier;

    copy->request = request;
    copy->from = from;
    copy->to = to;
    copy->bytes = request->data->bytes;
    copy->submitted = store->engine->now;
    find_earlier(&earlier, store, from, to);
    for (unsigned i = 0; i < earlier.count; i++)
        await(store, copy, earlier.copies[i]);
    insert(store, copy);
    record_copy(store, copy);
    orr_digest_add(&store->totals->digest.order,
                   orr_digest_copy(request->data->id, from, to));
    if (copy->awaited == 0)
        launch(store, copy);
}

unsigned orr_copy_operations(const struct orr_request *request)
{
    const struct orr_store *store = request->store;
    unsigned from = request->from->node, to = request->to->node;
    struct earlier earlier;

    find_earlier(&earlier, store, from, to);
    if (earlier.count > 0)
        return 0;
    return stream_of(store, from, to)->used ? TELL_STREAM : START_STREAM;
}

bool orr_copies_await_all(struct orr_store *store, struct orr_actor *actor)
{
    struct orr_copy *barrier;

    if (store->copies.under_way == 0)
        return false;
    barrier = make(store);
    barrier->waiter = actor;
    for (unsigned i = 0; i < store->node_count * store->node_count; i++) {
        if (store->copies.streams[i].latest)
            await(store, barrier, store->copies.streams[i].latest);
    }
    return true;
}

static void account(struct orr_store *store, const struct orr_copy *copy)
{
    struct orr_report *report = &store->totals->report;

    report->copies++;
    report->copies_by_segment += copy->by_segment;
    if (copy->from == ORR_RAM)
        report->bytes_host_to_device += copy->bytes;
    else if (copy->to == ORR_RAM)
        report->bytes_device_to_host += copy->bytes;
    else
        report->bytes_device_to_device += copy->bytes;
}

static void record_end(struct orr_store *store, const struct orr_copy *copy)
{
    const struct orr_request *request = copy->request;
    uint64_t *digest = &store->totals->digest.dated;
    unsigned why = request->evicts ? ORR_LEVELS : request->level;
    orr_time first = store->totals->first_submission;

    orr_digest_add(digest,
                   orr_digest_copy(request->data->id, copy->from, copy->to));
    orr_digest_add(digest, (uint64_t)(request->created - first) << 2 | why);
    orr_digest_add(digest, (uint64_t)(copy->submitted - first));
    orr_digest_add(digest, (uint64_t)(store->engine->now - first));
}

static void trace(struct orr_store *store, const struct orr_copy *copy)
{
    static const char *const why[] = {"fetch", "prefetch", "idle"};
    const struct orr_request *request = copy->request;
    struct orr_copy_path path = {0, 0, NULL};
    const char **names;
    struct orr_trace_copy record = {
        .from = orr_platform_node_name(store->platform, copy->from),
        .to = orr_platform_node_name(store->platform, copy->to),
        .data = request->data->id,
        .bytes = copy->bytes,
        .why = request->evicts ? "evict" : why[request->level],
        .submitted = request->created - store->totals->first_submission,
        .started = copy->submitted - store->totals->first_submission,
        .ended = store->engine->now - store->totals->first_submission,
        .datum = orr_data_traced(request->data),
        .from_node = copy->from,
        .to_node = copy->to,
    };

    if (!store->totals->calls.copy)
        return;
    if (store->executor->path)
        store->executor->path(store->executor, copy, &path);
    names = g_newa(const char *, path.count + 1);
    for (unsigned i = 0; i < path.count; i++)
        names[i] = store->platform->links[path.links[i]].name;
    record.alone = path.alone_ns;
    record.link_count = path.count;
    record.links = names;
    store->totals->calls.copy(store->totals->trace, &record);
}

static void launch_waiting(void *arg)
{
    struct orr_copy *copy = arg;

    launch(copy->store, copy);
}

static inline void release(struct orr_store *store, struct orr_copy *copy)
{
    if (--copy->awaited > 0)
        return;
    orr_act(store->engine, launch_waiting, copy);
    orr_point(store->engine, ORR_POINT_COPY_LAUNCHED, NULL);
}

static inline void launch_dependents(struct orr_store *store,
                                     struct orr_copy *copy)
{
    struct orr_copy_link *link = copy->dependents;

    while (link) {
        struct orr_copy_link *next = link->next;

        release(store, link->copy);
        orr_pool_give(&store->copies.links, link);
        link = next;
    }
    orr_pool_give(&store->copies.pool, copy);
}

static inline void notify_end(struct orr_store *store, struct orr_copy *copy)
{
    struct orr_request *request = copy->request;

    account(store, copy);
    record_end(store, copy);
    if (store->totals->trace)
        trace(store, copy);
    orr_request_copied(store, request);
    withdraw(store, copy);
    orr_store_wake(store, request->node);
}

void orr_copy_notify_end(struct orr_store *store, struct orr_copy *copy)
{
    notify_end(store, copy);
}

void orr_copy_launch_dependents(struct orr_store *store, struct orr_copy *copy)
{
    launch_dependents(store, copy);
}

void orr_copy_ended(struct orr_store *store, struct orr_copy *copy)
{
    store->turns->copy_ended(store, copy);
}

void orr_copy_finish(struct orr_store *store, struct orr_copy *copy)
{
    notify_end(store, copy);
    launch_dependents(store, copy);
}
