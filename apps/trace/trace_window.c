/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/trace/trace_window.h"

#include <string.h>

/* Size of the hash table: larger than the window, so that few tasks share a
 * place. */
enum { PLACES = 4 * ORR_TRACE_WINDOW };

void orr_trace_window_init(struct orr_trace_window *window)
{
    *window = (struct orr_trace_window){
        .bars = g_new0(struct orr_trace_bar, ORR_TRACE_WINDOW),
        .places = g_new0(struct orr_trace_place, PLACES),
        .arrows = g_new0(uint32_t, ORR_TRACE_ARROWS),
    };
}

static void drop_name(struct orr_trace_bar *bar)
{
    if (bar->name != bar->short_name)
        g_free(bar->name);
}

void orr_trace_window_clear(struct orr_trace_window *window)
{
    for (unsigned i = 0; i < ORR_TRACE_WINDOW; i++)
        drop_name(&window->bars[i]);
    g_free(window->bars);
    g_free(window->places);
    g_free(window->arrows);
}

/* Returns the place of task @order; NULL if the task is not in the window. */
static struct orr_trace_place *find(struct orr_trace_window *window,
                                    uint64_t order)
{
    struct orr_trace_place *place = &window->places[order % PLACES];

    return place->task == (uint32_t)(order + 1) ? place : NULL;
}

const struct orr_trace_bar *
orr_trace_window_leave(struct orr_trace_window *window, bool all)
{
    struct orr_trace_bar *bar;
    struct orr_trace_place *place;

    if (window->count == window->left ||
        (!all && window->count - window->left < ORR_TRACE_WINDOW))
        return NULL;
    bar = &window->bars[window->left++ % ORR_TRACE_WINDOW];
    place = find(window, bar->order);
    if (place) {
        bar->after = place->after;
        place->task = 0;
    }
    return bar;
}

bool orr_trace_window_has(const struct orr_trace_window *window, uint32_t arrow)
{
    return arrow != 0 && window->arrow_count - arrow < ORR_TRACE_ARROWS;
}

uint32_t orr_trace_window_previous(const struct orr_trace_window *window,
                                   uint32_t arrow)
{
    return window->arrows[arrow % ORR_TRACE_ARROWS];
}

/* Gives @bar its place in the table. A task that had this place keeps its
 * arrows, but gets no further ones. */
static void take_place(struct orr_trace_window *window,
                       const struct orr_trace_bar *bar)
{
    struct orr_trace_place *place = &window->places[bar->order % PLACES];

    if (place->task != 0)
        window->bars[place->bar].after = place->after;
    *place = (struct orr_trace_place){
        .task = (uint32_t)(bar->order + 1),
        .bar = (uint32_t)(bar - window->bars),
    };
}

/* Adds arrows to @bar from each of the @count tasks @parents that is in the
 * window. */
static void add_arrows(struct orr_trace_window *window,
                       struct orr_trace_bar *bar, const uint64_t *parents,
                       unsigned count)
{
    if (window->arrow_count > UINT32_MAX - count)
        window->arrow_count = 0;
    bar->before = window->arrow_count + 1;
    for (unsigned i = 0; i < count; i++) {
        struct orr_trace_place *parent = find(window, parents[i]);
        uint32_t arrow;

        if (!parent)
            continue;
        arrow = ++window->arrow_count;
        window->arrows[arrow % ORR_TRACE_ARROWS] = parent->after;
        parent->after = arrow;
    }
    bar->before_count = window->arrow_count + 1 - bar->before;
}

struct orr_trace_bar *orr_trace_window_add(struct orr_trace_window *window,
                                           const struct orr_trace_task *task)
{
    struct orr_trace_bar *bar =
        &window->bars[window->count++ % ORR_TRACE_WINDOW];
    size_t name_size = strlen(task->name) + 1;

    drop_name(bar);
    *bar = (struct orr_trace_bar){
        .order = task->order,
        .submitted = task->submitted,
        .ready = task->ready,
        .arrived = task->arrived,
        .from = task->kernel_started,
        .to = task->kernel_ended,
        .priority = task->priority,
        .coordinate_count = task->coordinate_count,
    };
    bar->name = name_size <= sizeof(bar->short_name) ? bar->short_name
                                                     : g_malloc(name_size);
    memcpy(bar->name, task->name, name_size);
    memcpy(bar->coordinates, task->coordinates, sizeof(bar->coordinates));
    take_place(window, bar);
    add_arrows(window, bar, task->parents, task->parent_count);
    return bar;
}
