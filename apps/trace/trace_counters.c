/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/trace/trace_counters.h"

/* What a figure is from @since on. */
struct orr_trace_value {
    int64_t since, value;
    int64_t rate; /* without the steps that wait */
    bool is_set;
};

/* A rate changes. */
struct orr_trace_step {
    struct orr_heap_item item; /* first, so that one converts to the other */
    int64_t date, change;
    unsigned figure;
};

void orr_trace_counters_init(struct orr_trace_counters *counters)
{
    counters->values = g_array_new(FALSE, TRUE, sizeof(struct orr_trace_value));
    counters->steps = g_new0(struct orr_trace_step, ORR_TRACE_STEPS);
    counters->order = (struct orr_heap){0};
    counters->step_count = 0;
    counters->number = 0;
}

void orr_trace_counters_clear(struct orr_trace_counters *counters)
{
    g_array_unref(counters->values);
    orr_heap_clear(&counters->order);
    g_free(counters->steps);
}

static struct orr_trace_value *value_of(struct orr_trace_counters *counters,
                                        unsigned figure)
{
    if (figure >= counters->values->len)
        g_array_set_size(counters->values, figure + 1);
    return &g_array_index(counters->values, struct orr_trace_value, figure);
}

void orr_trace_counters_set(struct orr_trace_counters *counters,
                            unsigned figure, int64_t date, int64_t value)
{
    struct orr_trace_value *now = value_of(counters, figure);

    if (now->value == value && now->is_set)
        return;
    if (now->is_set && date > now->since)
        counters->put(counters->data, figure, now->since, date, now->value);
    if (!now->is_set || date > now->since)
        now->since = date;
    now->value = value;
    now->is_set = true;
}

/* Takes the earliest step out. */
static struct orr_trace_step *pass_step(struct orr_trace_counters *counters)
{
    struct orr_trace_step *step =
        (struct orr_trace_step *)orr_heap_pop(&counters->order);
    struct orr_trace_value *now = value_of(counters, step->figure);

    now->rate += step->change;
    orr_trace_counters_set(counters, step->figure, MAX(step->date, now->since),
                           now->rate);
    return step;
}

static void add_step(struct orr_trace_counters *counters, unsigned figure,
                     int64_t date, int64_t change)
{
    struct orr_trace_step *step = counters->step_count < ORR_TRACE_STEPS
                                      ? &counters->steps[counters->step_count++]
                                      : pass_step(counters);

    step->date = date;
    step->change = change;
    step->figure = figure;
    orr_heap_push(&counters->order, &step->item, date, counters->number++);
}

void orr_trace_counters_pass(struct orr_trace_counters *counters,
                             unsigned figure, int64_t from, int64_t to,
                             uint64_t bytes)
{
    int64_t rate;

    if (to <= from)
        return;
    rate = (int64_t)((double)bytes * 1e9 / (double)(to - from));
    add_step(counters, figure, from, rate);
    add_step(counters, figure, to, -rate);
}

void orr_trace_counters_end(struct orr_trace_counters *counters, int64_t end)
{
    while (counters->order.count > 0)
        pass_step(counters);
    for (guint i = 0; i < counters->values->len; i++) {
        const struct orr_trace_value *now =
            &g_array_index(counters->values, struct orr_trace_value, i);

        if (now->is_set)
            counters->put(counters->data, i, now->since, MAX(end, now->since),
                          now->value);
    }
}
