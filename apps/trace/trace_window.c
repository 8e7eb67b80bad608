/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/trace/trace_window.h"

#include <string.h>

/* More than tasks in the window, so that few share one. */
enum { PLACES = 4 * ORR_TRACE_WINDOW };

void orr_trace_window_init(struct orr_trace_window *window)
{
    *window = (struct orr_trace_window){
        .bars = g_new0(struct orr_trace_bar, ORR_TRACE_WINDOW),
        .places = g_new0(uint32_t, PLACES),
        .arrows = g_new0(struct orr_trace_arrow, ORR_TRACE_ARROWS),
    };
}

void orr_trace_window_clear(struct orr_trace_window *window)
{
    for (unsigned i = 0; i < ORR_TRACE_WINDOW; i++)
        g_free(window->bars[i].name);
    g_free(window->bars);
    g_free(window->places);
    g_free(window->arrows);
}

const struct orr_trace_bar *
orr_trace_window_leave(struct orr_trace_window *window, bool all)
{
    if (window->count == window->left ||
        (!all && window->count - window->left < ORR_TRACE_WINDOW))
        return NULL;
    return &window->bars[window->left++ % ORR_TRACE_WINDOW];
}

const struct orr_trace_arrow *
orr_trace_window_arrow(const struct orr_trace_window *window, uint64_t arrow)
{
    if (arrow == 0 || window->arrow_count - arrow >= ORR_TRACE_ARROWS)
        return NULL;
    return &window->arrows[arrow % ORR_TRACE_ARROWS];
}

static void add_arrow(struct orr_trace_window *window,
                      struct orr_trace_bar *from, struct orr_trace_bar *to)
{
    uint64_t arrow = ++window->arrow_count;

    window->arrows[arrow % ORR_TRACE_ARROWS] =
        (struct orr_trace_arrow){.before = to->before, .after = from->after};
    to->before = from->after = arrow;
}

struct orr_trace_bar *orr_trace_window_add(struct orr_trace_window *window,
                                           const struct orr_trace_task *task)
{
    uint32_t place = (uint32_t)(window->count++ % ORR_TRACE_WINDOW);
    struct orr_trace_bar *bar = &window->bars[place];
    char *name = bar->name;

    /* Few kernels have most tasks. */
    if (!name || strcmp(name, task->name) != 0) {
        g_free(name);
        name = g_strdup(task->name);
    }
    *bar = (struct orr_trace_bar){
        .order = task->order,
        .name = name,
        .submitted = task->submitted,
        .ready = task->ready,
        .arrived = task->arrived,
        .from = task->kernel_started,
        .to = task->kernel_ended,
        .priority = task->priority,
        .coordinate_count = task->coordinate_count,
    };
    memcpy(bar->coordinates, task->coordinates, sizeof(bar->coordinates));
    window->places[task->order % PLACES] = place;
    for (unsigned i = 0; i < task->parent_count; i++) {
        uint64_t order = task->parents[i];
        struct orr_trace_bar *parent =
            &window->bars[window->places[order % PLACES]];

        if (parent->name && parent->order == order)
            add_arrow(window, parent, bar);
    }
    return bar;
}
