/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/explain/breakdown.h"

#include "apps/explain/spans.h"

struct sweep {
    struct orr_breakdown *breakdown;
    const struct orr_observation *seen;
    GArray *ready[ORR_MAX_NODES]; /* by memory node: struct orr_time_span,
                                     disjoint and ascending, in which some task
                                     for the node is ready; or NULL */
};

/* The time for which a task was ready, until a worker took it. */
struct offer {
    struct orr_time_span span;
    uint32_t nodes; /* see struct orr_seen_task */
};

/* Inserts @one into @offers, sorted by end. Tasks come in the order of their
 * ends, so the place is near the end of the array. */
static void add_offer(GArray *offers, struct offer one)
{
    guint at = offers->len;

    while (at > 0 &&
           g_array_index(offers, struct offer, at - 1).span.to > one.span.to)
        at--;
    g_array_insert_val(offers, at, one);
}

/* Returns the offers of all tasks that were ready for some time, sorted by end.
 */
static GArray *find_offers(const struct orr_observation *seen)
{
    GArray *offers =
        g_array_sized_new(FALSE, FALSE, sizeof(struct offer), seen->tasks->len);

    for (guint i = 0; i < seen->tasks->len; i++) {
        const struct orr_seen_task *task = orr_seen_task(seen, i);

        if (task->taken > task->ready)
            add_offer(offers,
                      (struct offer){{task->ready, task->taken}, task->nodes});
    }
    return offers;
}

static GArray *find_ready(const GArray *offers, unsigned node)
{
    GArray *spans = g_array_new(FALSE, FALSE, sizeof(struct orr_time_span));

    for (guint i = 0; i < offers->len; i++) {
        const struct offer *offer = &g_array_index(offers, struct offer, i);

        if (offer->nodes & UINT32_C(1) << node)
            orr_spans_add(spans, offer->span);
    }
    return spans;
}

/* Returns how long the last copy that @task waited for, with the copy to its
 * source before it, takes without contention. */
static int64_t time_alone(const struct orr_observation *seen,
                          const struct orr_seen_task *task)
{
    int64_t sum = 0;

    for (uint32_t i = task->copy; i != ORR_SEEN_NONE;
         i = orr_seen_copy(seen, i)->previous)
        sum += orr_seen_copy(seen, i)->alone;
    return sum;
}

/* Moves *@at forward to @to; returns the distance. */
static int64_t advance(int64_t *at, int64_t to)
{
    int64_t length = MAX(0, to - *at);

    *at += length;
    return length;
}

/* Divides the time of a worker between two kernels into states. @before, @next:
 * the tasks; NULL: none. */
static void explain_gap(struct sweep *sweep, struct orr_gap *gap,
                        const struct orr_seen_task *before,
                        const struct orr_seen_task *next, unsigned node)
{
    int64_t at = gap->from;
    int64_t taken = next ? MIN(next->taken, gap->to) : gap->to;
    int64_t begin, free, wait, latency;

    if (before)
        gap->ns[ORR_OVERHEAD] += advance(&at, MIN(before->ended, taken));
    begin = at;
    free = advance(&at, taken);
    if (free > 0) {
        int64_t busy =
            orr_spans_overlap(sweep->ready[node], begin, begin + free);

        gap->ns[ORR_OVERHEAD] += busy;
        gap->ns[ORR_STARVATION] += free - busy;
    }
    if (!next)
        return;
    wait = advance(&at, MIN(next->arrived, gap->to));
    latency = MIN(wait, time_alone(sweep->seen, next));
    gap->ns[ORR_LATENCY] += latency;
    gap->ns[ORR_WAITING] += wait - latency;
    gap->ns[ORR_OVERHEAD] += advance(&at, gap->to);
}

static void add_gap(struct sweep *sweep, struct orr_gap gap,
                    const struct orr_seen_task *before, unsigned node)
{
    const struct orr_seen_task *next =
        gap.next == ORR_SEEN_NONE ? NULL : orr_seen_task(sweep->seen, gap.next);

    if (gap.to <= gap.from)
        return;
    explain_gap(sweep, &gap, before, next, node);
    for (unsigned state = 0; state < ORR_STATES; state++)
        sweep->breakdown->ns[gap.worker][state] += gap.ns[state];
    g_array_append_val(sweep->breakdown->gaps, gap);
}

/* Returns, by worker, an array of the indices of its tasks in order. */
static GArray **tasks_by_worker(const struct orr_observation *seen,
                                unsigned workers)
{
    GArray **lists = g_new(GArray *, workers);

    for (unsigned w = 0; w < workers; w++)
        lists[w] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t i = 0; i < seen->tasks->len; i++)
        g_array_append_val(lists[orr_seen_task(seen, i)->worker], i);
    return lists;
}

static void sweep_worker(struct sweep *sweep, unsigned worker, unsigned node,
                         const GArray *tasks, int64_t end)
{
    const struct orr_seen_task *before = NULL;
    struct orr_gap gap = {.worker = worker};

    for (guint i = 0; i < tasks->len; i++) {
        uint32_t index = g_array_index(tasks, uint32_t, i);
        const struct orr_seen_task *task = orr_seen_task(sweep->seen, index);
        int64_t from = MAX(
            task->from,
            gap.from); /* with lock-step, dates are rounded and may overlap */

        gap.to = from;
        gap.next = index;
        add_gap(sweep, gap, before, node);
        sweep->breakdown->ns[worker][ORR_COMPUTING] += task->to - from;
        gap.from = task->to;
        before = task;
    }
    gap.to = end;
    gap.next = ORR_SEEN_NONE;
    add_gap(sweep, gap, before, node);
}

void orr_breakdown_init(struct orr_breakdown *breakdown,
                        const struct orr_observation *seen,
                        unsigned worker_count, const unsigned *nodes,
                        int64_t end)
{
    struct sweep sweep = {.breakdown = breakdown, .seen = seen};
    GArray **lists = tasks_by_worker(seen, worker_count);
    g_autoptr(GArray) offers = find_offers(seen);

    *breakdown = (struct orr_breakdown){
        .worker_count = worker_count,
        .ns = g_malloc0(worker_count * sizeof(*breakdown->ns)),
        .gaps = g_array_new(FALSE, FALSE, sizeof(struct orr_gap)),
    };
    for (unsigned w = 0; w < worker_count; w++) {
        if (!sweep.ready[nodes[w]])
            sweep.ready[nodes[w]] = find_ready(offers, nodes[w]);
        sweep_worker(&sweep, w, nodes[w], lists[w], end);
        g_array_unref(lists[w]);
    }
    g_free(lists);
    for (unsigned node = 0; node < ORR_MAX_NODES; node++)
        g_clear_pointer(&sweep.ready[node], g_array_unref);
}

void orr_breakdown_clear(struct orr_breakdown *breakdown)
{
    g_clear_pointer(&breakdown->gaps, g_array_unref);
    g_free(breakdown->ns);
}

const char *orr_worker_state_name(enum orr_worker_state state)
{
    static const char *const names[ORR_STATES] = {
        [ORR_COMPUTING] = "computing", [ORR_STARVATION] = "starvation",
        [ORR_LATENCY] = "latency",     [ORR_OVERHEAD] = "overhead",
        [ORR_WAITING] = "waiting",
    };

    return names[state];
}
