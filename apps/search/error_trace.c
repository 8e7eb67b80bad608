/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/search/error_trace.h"

/* Steps that are told before and after each decision, and before the end. */
enum { BEFORE = 2, AFTER = 3, LAST = 8 };

/* With more decisions, steps tell little: only decisions are told. */
enum { MOST_DECISIONS = 20 };

static const struct orr_step *step_at(const struct orr_step_log *log, guint i)
{
    return &g_array_index(log->steps, struct orr_step, i);
}

static const struct orr_decision_point *point_at(const GArray *points, guint i)
{
    return &g_array_index(points, struct orr_decision_point, i);
}

/* A story under construction. */
struct telling {
    struct orr_step_log *log;
    const GArray *points;
    GArray *lines;
    bool *told; /* by step; one more, for the end */
    guint point;
    uint64_t skipped;
};

/* The decision that step @i carries out, from 1; 0: none. */
static uint64_t decision_of(const struct telling *telling, guint i)
{
    const struct orr_step *step = step_at(telling->log, i);

    return step->told.kind == ORR_TRACE_HOLDS_BACK ? step->moment : 0;
}

/* Marks the steps around step @i, or around the place before it. */
static void mark(const struct telling *telling, guint i)
{
    guint end = MIN(i + AFTER + 1, telling->log->steps->len);

    for (guint s = i - MIN(i, BEFORE); s < end; s++)
        telling->told[s] = true;
}

static guint count_decided(const GArray *points)
{
    guint count = 0;

    for (guint i = 0; i < points->len; i++)
        count += point_at(points, i)->option > 0;
    return count;
}

/* The first step after decision @i, or that carries it out. */
static guint step_after(const struct telling *telling, guint i)
{
    guint step = 0;

    while (step < telling->log->steps->len &&
           step_at(telling->log, step)->moment <= i)
        step++;
    return step;
}

static void choose_steps(const struct telling *telling)
{
    guint count = telling->log->steps->len;

    if (count_decided(telling->points) > MOST_DECISIONS)
        return;
    for (guint i = 0; i < telling->points->len; i++) {
        if (point_at(telling->points, i)->option > 0)
            mark(telling, step_after(telling, i));
    }
    for (guint s = 0; s < count; s++) {
        if (step_at(telling->log, s)->told.kind == ORR_TRACE_GOES_ON)
            mark(telling, s);
    }
    for (guint s = count - MIN(count, LAST); s < count; s++)
        telling->told[s] = true;
}

static void end_gap(struct telling *telling)
{
    const struct orr_error_trace_line gap = {.skipped = telling->skipped};

    if (telling->skipped > 0 && telling->lines->len > 0)
        g_array_append_val(telling->lines, gap);
    telling->skipped = 0;
}

/* Tells the decisions before number @end that are not the default; with
 * @carried, of these the last is step @carried. */
static void tell_points(struct telling *telling, uint64_t end, int64_t date)
{
    for (; telling->point < end && telling->point < telling->points->len;
         telling->point++) {
        const struct orr_decision_point *point =
            point_at(telling->points, telling->point);
        const struct orr_error_trace_line line = {
            .decision = telling->point + 1,
            .kind = point->kind,
            .date = date,
            .text = g_strdup(point->what),
        };

        if (point->option == 0) {
            g_free(line.text);
            continue;
        }
        end_gap(telling);
        g_array_append_val(telling->lines, line);
    }
}

static void tell_step(struct telling *telling, guint i)
{
    const struct orr_step *step = step_at(telling->log, i);
    struct orr_error_trace_line line = {.date = step->told.date};

    tell_points(telling, step->moment, step->told.date);
    if (decision_of(telling, i) > 0)
        return; /* the decision has been told */
    if (!telling->told[i]) {
        telling->skipped++;
        return;
    }
    end_gap(telling);
    line.text = orr_step_log_text(telling->log, i);
    g_array_append_val(telling->lines, line);
}

static void clear_line(void *line)
{
    g_free(((struct orr_error_trace_line *)line)->text);
}

GArray *orr_error_trace_new(struct orr_step_log *log, const GArray *points)
{
    guint count = log->steps->len;
    struct telling telling = {
        .log = log,
        .points = points,
        .lines = g_array_new(FALSE, FALSE, sizeof(struct orr_error_trace_line)),
        .told = g_new0(bool, count + 1),
    };

    g_array_set_clear_func(telling.lines, clear_line);
    choose_steps(&telling);
    for (guint i = 0; i < count; i++)
        tell_step(&telling, i);
    end_gap(&telling);
    tell_points(&telling, points->len,
                count > 0 ? step_at(log, count - 1)->told.date : 0);
    g_free(telling.told);
    return telling.lines;
}
