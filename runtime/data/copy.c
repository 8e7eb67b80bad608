/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/copy.h"

#include "runtime/run.h"

/* Operations (StarPU, simgrid.c). */
enum { TELL_STREAM = 1, START_STREAM = 4 };

void orr_copies_init(struct orr_run *run)
{
    struct orr_copies *copies = &run->copies;

    orr_pool_init(&copies->pool,
                  sizeof(struct orr_copy) + run->interleaving->copy_bytes);
    orr_pool_init(&copies->links, sizeof(struct orr_copy_link));
    copies->stream_used =
        g_new0(bool, (size_t)run->node_count * run->node_count);
}

void orr_copies_clear(struct orr_run *run)
{
    orr_pool_clear(&run->copies.pool);
    orr_pool_clear(&run->copies.links);
    g_free(run->copies.stream_used);
}

static bool is_between_gpus(unsigned from, unsigned to)
{
    return from != ORR_RAM && to != ORR_RAM;
}

/* Whether a copy has to wait for @earlier. Its nodes come by value: reading
 * them as one word right after writing them would stall the processor. */
static bool excludes(const struct orr_copy *earlier, unsigned from, unsigned to)
{
    if (from == earlier->from && to == earlier->to)
        return true;
    if (is_between_gpus(from, to) && (earlier->to == from || earlier->to == to))
        return true;
    return is_between_gpus(earlier->from, earlier->to) &&
           (to == earlier->from || to == earlier->to);
}

static void await(struct orr_run *run, struct orr_copy *copy,
                  struct orr_copy *earlier)
{
    struct orr_copy_link *link =
        orr_pool_take_some(&run->copies.links, sizeof(*link));

    link->copy = copy;
    if (earlier->last_dependent)
        earlier->last_dependent->next = link;
    else
        earlier->dependents = link;
    earlier->last_dependent = link;
    copy->awaited++;
}

static void insert(struct orr_copies *copies, struct orr_copy *copy)
{
    copy->next = copies->newest;
    copy->link = &copies->newest;
    if (copies->newest)
        copies->newest->link = &copy->next;
    copies->newest = copy;
}

static void withdraw(struct orr_copy *copy)
{
    *copy->link = copy->next;
    if (copy->next)
        copy->next->link = copy->link;
}

static void start(void *arg)
{
    struct orr_copy *copy = arg;
    struct orr_run *run = copy->run;

    run->executor->copy(run->executor, copy);
}

bool orr_copy_is_start(const struct orr_event *event)
{
    return event->fire == start;
}

void orr_copy_start(struct orr_run *run, struct orr_copy *copy)
{
    bool *used =
        &run->copies.stream_used[copy->from * run->node_count + copy->to];
    orr_time delay = *used ? 0 : run->overheads.stream_start;

    *used = true;
    if (delay == 0) {
        run->executor->copy(run->executor, copy);
        return;
    }
    copy->event = (struct orr_event){.fire = start, .arg = copy};
    orr_engine_at(&run->engine, run->engine.now + delay, &copy->event);
}

static void launch(struct orr_run *run, struct orr_copy *copy)
{
    if (copy->waiter) {
        orr_actor_resume(copy->waiter);
        orr_pool_give(&run->copies.pool, copy);
        return;
    }
    run->interleaving->launch(run, copy);
}

static void note_copy(struct orr_run *run, const struct orr_copy *copy)
{
    struct orr_note *note =
        orr_history_next(&run->history, ORR_NOTE_COPY, run->engine.now);

    note->what = copy->request->data;
    note->from = (uint8_t)copy->from;
    note->to = (uint8_t)copy->to;
}

void orr_copy_submit(struct orr_run *run, struct orr_request *request)
{
    struct orr_copy *copy = orr_pool_take(&run->copies.pool);
    unsigned from = request->from->node, to = request->to->node;

    copy->run = run;
    copy->request = request;
    copy->from = from;
    copy->to = to;
    copy->bytes = request->data->bytes;
    copy->submitted = run->engine.now;
    note_copy(run, copy);
    for (struct orr_copy *earlier = run->copies.newest; earlier;
         earlier = earlier->next) {
        if (excludes(earlier, from, to))
            await(run, copy, earlier);
    }
    insert(&run->copies, copy);
    orr_digest_add(&run->digest.order,
                   orr_digest_copy(request->data->id, from, to));
    if (copy->awaited == 0)
        launch(run, copy);
}

unsigned orr_copy_operations(const struct orr_request *request)
{
    const struct orr_run *run = request->run;
    unsigned from = request->from->node, to = request->to->node;

    for (const struct orr_copy *earlier = run->copies.newest; earlier;
         earlier = earlier->next) {
        if (excludes(earlier, from, to))
            return 0;
    }
    return run->copies.stream_used[from * run->node_count + to] ? TELL_STREAM
                                                                : START_STREAM;
}

bool orr_copies_await_all(struct orr_run *run, struct orr_actor *actor)
{
    struct orr_copy *barrier;

    if (!run->copies.newest)
        return false;
    barrier = orr_pool_take(&run->copies.pool);
    barrier->run = run;
    barrier->waiter = actor;
    for (struct orr_copy *earlier = run->copies.newest; earlier;
         earlier = earlier->next)
        await(run, barrier, earlier);
    return true;
}

static void account(struct orr_run *run, const struct orr_copy *copy)
{
    struct orr_report *report = &run->report;

    report->copies++;
    report->copies_by_segment += copy->by_segment;
    if (copy->from == ORR_RAM)
        report->bytes_host_to_device += copy->bytes;
    else if (copy->to == ORR_RAM)
        report->bytes_device_to_host += copy->bytes;
    else
        report->bytes_device_to_device += copy->bytes;
}

static void note_end(struct orr_run *run, const struct orr_copy *copy)
{
    const struct orr_request *request = copy->request;
    uint64_t *digest = &run->digest.dated;
    unsigned why = request->evicts ? ORR_LEVELS : request->level;
    orr_time first = run->first_submission;

    orr_digest_add(digest,
                   orr_digest_copy(request->data->id, copy->from, copy->to));
    orr_digest_add(digest, (uint64_t)(request->created - first) << 2 | why);
    orr_digest_add(digest, (uint64_t)(copy->submitted - first));
    orr_digest_add(digest, (uint64_t)(run->engine.now - first));
}

static void trace(struct orr_run *run, const struct orr_copy *copy)
{
    static const char *const why[] = {"fetch", "prefetch", "idle"};
    const struct orr_request *request = copy->request;
    struct orr_trace_copy record = {
        .from = orr_platform_node_name(run->platform, copy->from),
        .to = orr_platform_node_name(run->platform, copy->to),
        .data = request->data->id,
        .bytes = copy->bytes,
        .why = request->evicts ? "evict" : why[request->level],
        .submitted = request->created - run->first_submission,
        .started = copy->submitted - run->first_submission,
        .ended = run->engine.now - run->first_submission,
    };

    run->trace->copy(run->trace, &record);
}

static void launch_waiting(void *arg)
{
    struct orr_copy *copy = arg;

    launch(copy->run, copy);
}

static inline void release(struct orr_run *run, struct orr_copy *copy)
{
    if (--copy->awaited > 0)
        return;
    orr_act(&run->engine, launch_waiting, copy);
    orr_point(&run->engine, ORR_POINT_COPY_LAUNCHED, NULL);
}

static inline void forget(struct orr_run *run, struct orr_copy *copy)
{
    struct orr_copy_link *link = copy->dependents;

    while (link) {
        struct orr_copy_link *next = link->next;

        release(run, link->copy);
        orr_pool_give(&run->copies.links, link);
        link = next;
    }
    orr_pool_give(&run->copies.pool, copy);
}

static inline void tell(struct orr_run *run, struct orr_copy *copy)
{
    struct orr_request *request = copy->request;

    account(run, copy);
    note_end(run, copy);
    if (run->trace)
        trace(run, copy);
    orr_request_copied(run, request);
    withdraw(copy);
    orr_run_wake_node(run, request->node);
}

void orr_copy_tell(struct orr_run *run, struct orr_copy *copy)
{
    tell(run, copy);
}

void orr_copy_forget(struct orr_run *run, struct orr_copy *copy)
{
    forget(run, copy);
}

void orr_copy_ended(struct orr_run *run, struct orr_copy *copy)
{
    run->interleaving->copy_ended(run, copy);
}

void orr_copy_finish(struct orr_run *run, struct orr_copy *copy)
{
    tell(run, copy);
    forget(run, copy);
}
