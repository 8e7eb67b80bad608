/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/search/error_trace.h"

/* Steps to list before and after each decision, and before the end. */
enum { BEFORE = 2, AFTER = 3, LAST = 8 };

/* With more decisions, only the decisions are listed, without steps. */
enum { MOST_DECISIONS = 20 };

static const struct orr_step *step_at(const struct orr_step_log *log, guint i)
{
    return &g_array_index(log->steps, struct orr_step, i);
}

static const struct orr_decision_point *point_at(const GArray *points, guint i)
{
    return &g_array_index(points, struct orr_decision_point, i);
}

/* An error trace under construction. */
struct builder {
    struct orr_step_log *log;
    const GArray *points;
    GArray *lines;
    bool *listed; /* by step: it is listed; one element more, for the end */
    guint point;
    uint64_t skipped;
};

/* The number of the decision that step @i executes, from 1; 0: none. */
static uint64_t decision_of(const struct builder *builder, guint i)
{
    const struct orr_step *step = step_at(builder->log, i);

    return step->event.kind == ORR_TRACE_HOLDS_BACK ? step->moment : 0;
}

/* Marks the steps around step @i to be listed; @i may be the number of steps.
 */
static void mark(const struct builder *builder, guint i)
{
    guint end = MIN(i + AFTER + 1, builder->log->steps->len);

    for (guint s = i - MIN(i, BEFORE); s < end; s++)
        builder->listed[s] = true;
}

static guint count_decided(const GArray *points)
{
    guint count = 0;

    for (guint i = 0; i < points->len; i++)
        count += point_at(points, i)->option > 0;
    return count;
}

/* The first step after decision @i, or the step that executes it. */
static guint step_after(const struct builder *builder, guint i)
{
    guint step = 0;

    while (step < builder->log->steps->len &&
           step_at(builder->log, step)->moment <= i)
        step++;
    return step;
}

static void choose_steps(const struct builder *builder)
{
    guint count = builder->log->steps->len;

    if (count_decided(builder->points) > MOST_DECISIONS)
        return;
    for (guint i = 0; i < builder->points->len; i++) {
        if (point_at(builder->points, i)->option > 0)
            mark(builder, step_after(builder, i));
    }
    for (guint s = 0; s < count; s++) {
        if (step_at(builder->log, s)->event.kind == ORR_TRACE_GOES_ON)
            mark(builder, s);
    }
    for (guint s = count - MIN(count, LAST); s < count; s++)
        builder->listed[s] = true;
}

static void end_gap(struct builder *builder)
{
    const struct orr_error_trace_line gap = {.skipped = builder->skipped};

    if (builder->skipped > 0 && builder->lines->len > 0)
        g_array_append_val(builder->lines, gap);
    builder->skipped = 0;
}

/* Adds lines for the decisions before number @end that are not the default.
 * @date: date of the next step. */
static void add_decisions(struct builder *builder, uint64_t end, int64_t date)
{
    for (; builder->point < end && builder->point < builder->points->len;
         builder->point++) {
        const struct orr_decision_point *point =
            point_at(builder->points, builder->point);
        const struct orr_error_trace_line line = {
            .decision = builder->point + 1,
            .kind = point->kind,
            .date = date,
            .text = g_strdup(point->what),
        };

        if (point->option == 0) {
            g_free(line.text);
            continue;
        }
        end_gap(builder);
        g_array_append_val(builder->lines, line);
    }
}

static void add_step(struct builder *builder, guint i)
{
    const struct orr_step *step = step_at(builder->log, i);
    struct orr_error_trace_line line = {.date = step->event.date};

    add_decisions(builder, step->moment, step->event.date);
    if (decision_of(builder, i) > 0)
        return; /* the line of the decision is there */
    if (!builder->listed[i]) {
        builder->skipped++;
        return;
    }
    end_gap(builder);
    line.text = orr_step_log_text(builder->log, i);
    g_array_append_val(builder->lines, line);
}

static void clear_line(void *line)
{
    g_free(((struct orr_error_trace_line *)line)->text);
}

GArray *orr_error_trace_new(struct orr_step_log *log, const GArray *points)
{
    guint count = log->steps->len;
    struct builder builder = {
        .log = log,
        .points = points,
        .lines = g_array_new(FALSE, FALSE, sizeof(struct orr_error_trace_line)),
        .listed = g_new0(bool, count + 1),
    };

    g_array_set_clear_func(builder.lines, clear_line);
    choose_steps(&builder);
    for (guint i = 0; i < count; i++)
        add_step(&builder, i);
    end_gap(&builder);
    add_decisions(&builder, points->len,
                  count > 0 ? step_at(log, count - 1)->event.date : 0);
    g_free(builder.listed);
    return builder.lines;
}
