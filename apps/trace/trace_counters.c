/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/trace/trace_counters.h"

/* The value of a figure since the date @since. */
struct orr_trace_value {
    int64_t since, value;
    int64_t rate; /* without pending steps */
    bool is_set;
};

/* A pending change of a rate. */
struct orr_trace_step {
    int64_t date, change;
    unsigned figure;
};

void orr_trace_counters_init(struct orr_trace_counters *counters)
{
    counters->values = g_array_new(FALSE, TRUE, sizeof(struct orr_trace_value));
    counters->steps = g_new0(struct orr_trace_step, ORR_TRACE_STEPS);
    counters->first = 0;
    counters->step_count = 0;
}

void orr_trace_counters_clear(struct orr_trace_counters *counters)
{
    g_array_unref(counters->values);
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

/* Returns pending step @index; 0 is the earliest. */
static struct orr_trace_step *step_at(struct orr_trace_counters *counters,
                                      size_t index)
{
    return &counters->steps[(counters->first + index) % ORR_TRACE_STEPS];
}

/* Applies and removes the earliest step. */
static void pass_step(struct orr_trace_counters *counters)
{
    const struct orr_trace_step *step = step_at(counters, 0);
    struct orr_trace_value *now = value_of(counters, step->figure);

    now->rate += step->change;
    orr_trace_counters_set(counters, step->figure, MAX(step->date, now->since),
                           now->rate);
    counters->first = (counters->first + 1) % ORR_TRACE_STEPS;
    counters->step_count--;
}

/* Inserts a step after all steps of the same date. It moves few steps: copies
 * are reported in the order of their ends, so only copies that overlap have
 * later steps. */
static void add_step(struct orr_trace_counters *counters, unsigned figure,
                     int64_t date, int64_t change)
{
    size_t place;

    if (counters->step_count == ORR_TRACE_STEPS)
        pass_step(counters);
    for (place = counters->step_count++;
         place > 0 && step_at(counters, place - 1)->date > date; place--)
        *step_at(counters, place) = *step_at(counters, place - 1);
    *step_at(counters, place) = (struct orr_trace_step){date, change, figure};
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
    while (counters->step_count > 0)
        pass_step(counters);
    for (guint i = 0; i < counters->values->len; i++) {
        const struct orr_trace_value *now =
            &g_array_index(counters->values, struct orr_trace_value, i);

        if (now->is_set)
            counters->put(counters->data, i, now->since, MAX(end, now->since),
                          now->value);
    }
}
