/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/trace/step_log.h"

#include <string.h>

#include "models/base/source_line.h"

/* Returns a copy of @text that @log owns; NULL for NULL. */
static const char *keep(struct orr_step_log *log, const char *text)
{
    return text ? g_string_chunk_insert_const(log->texts, text) : NULL;
}

/* Removes the first @count steps. */
static void drop_steps(struct orr_step_log *log, guint count)
{
    guint tasks = 0;

    g_array_remove_range(log->steps, 0, count);
    while (tasks < log->tasks->len &&
           g_array_index(log->tasks, struct orr_step_task, tasks).step < count)
        tasks++;
    g_array_remove_range(log->tasks, 0, tasks);
    for (guint i = 0; i < log->tasks->len; i++)
        g_array_index(log->tasks, struct orr_step_task, i).step -= count;
}

static void add_step(struct orr_trace *trace,
                     const struct orr_trace_step *event)
{
    struct orr_step_log *log = (struct orr_step_log *)trace;
    struct orr_step step = {.event = *event, .moment = log->moment};

    step.event.caller = keep(log, event->caller);
    step.event.call = keep(log, event->call);
    step.event.verb = keep(log, event->verb);
    step.event.object = keep(log, event->object);
    step.event.until = keep(log, event->until);
    step.event.name = keep(log, event->name);
    g_array_append_val(log->steps, step);
    if (log->steps->len >= 2 * ORR_STEPS_KEPT)
        drop_steps(log, ORR_STEPS_KEPT);
}

static void add_task(struct orr_trace *trace,
                     const struct orr_trace_task *event)
{
    struct orr_step_log *log = (struct orr_step_log *)trace;
    const struct orr_step_task task = {
        .worker = event->worker,
        .started = event->started,
        .ended = event->ended,
        .step = log->steps->len,
    };

    g_array_append_val(log->tasks, task);
    if (log->tasks->len >= 2 * ORR_STEPS_KEPT)
        g_array_remove_range(log->tasks, 0, ORR_STEPS_KEPT);
}

void orr_step_log_init(struct orr_step_log *log)
{
    *log = (struct orr_step_log){
        .trace = {ORR_TRACE_INIT, .step = add_step, .task = add_task,
                  .wants = ORR_TRACE_CODE},
        .steps = g_array_new(FALSE, FALSE, sizeof(struct orr_step)),
        .tasks = g_array_new(FALSE, FALSE, sizeof(struct orr_step_task)),
        .texts = g_string_chunk_new(4096),
        .lines =
            g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free),
    };
}

void orr_step_log_clear(struct orr_step_log *log)
{
    if (!log->steps)
        return;
    g_array_unref(log->steps);
    g_array_unref(log->tasks);
    g_string_chunk_free(log->texts);
    g_hash_table_unref(log->lines);
}

/* ---- text ---- */

/* Appends " (FILE:LINE)" if the line is known. */
static void append_line(GString *text, struct orr_step_log *log,
                        const void *code)
{
    char *line;

    if (!code)
        return;
    line = g_hash_table_lookup(log->lines, code);
    if (!line) {
        line = orr_source_line(code);
        g_hash_table_insert(log->lines, (void *)code, line);
    }
    g_string_append_printf(text, " (%s)", line);
}

/* Appends " of task 3 (POTRF)", or nothing. */
static void append_task(GString *text, const struct orr_trace_step *step,
                        const char *before)
{
    if (step->name)
        g_string_append_printf(text, "%stask %" G_GUINT64_FORMAT " (%s)",
                               before, step->task, step->name);
}

/* Appends "acquires lock queue (mine.c:57)". */
static void append_operation(GString *text, struct orr_step_log *log,
                             const struct orr_trace_step *step)
{
    g_string_append_printf(text, "%s %s", step->verb, step->object);
    append_line(text, log, step->code);
}

static void append_return(GString *text, const struct orr_trace_step *step)
{
    if (strcmp(step->call, "pop") != 0) {
        g_string_append_printf(text, " returns from %s", step->call);
        return;
    }
    g_string_append(text, " gets ");
    append_task(text, step, "");
    if (!step->name)
        g_string_append(text, "nothing");
    g_string_append(text, " from pop");
}

static void append_hold_back(GString *text, struct orr_step_log *log,
                             const struct orr_trace_step *step)
{
    if (step->verb) {
        g_string_append_printf(text, ", in %s, %s it ", step->call,
                               step->after ? "after" : "before");
        append_operation(text, log, step);
    } else {
        g_string_append(text, ", between place and push");
        append_task(text, step, " of ");
    }
    g_string_append_printf(text, ", waits %s", step->until);
}

char *orr_step_log_text(struct orr_step_log *log, guint i)
{
    const struct orr_trace_step *step =
        &g_array_index(log->steps, struct orr_step, i).event;
    GString *text = g_string_new(step->caller);

    switch ((enum orr_trace_step_kind)step->kind) {
    case ORR_TRACE_CALLS:
        g_string_append_printf(text, " calls %s", step->call);
        append_task(text, step, " of ");
        break;
    case ORR_TRACE_RETURNS:
        append_return(text, step);
        break;
    case ORR_TRACE_OPERATES:
    case ORR_TRACE_ACQUIRES:
    case ORR_TRACE_RELEASES:
    case ORR_TRACE_WAITS:
        if (*step->call)
            g_string_append_printf(text, ", in %s,", step->call);
        g_string_append_c(text, ' ');
        append_operation(text, log, step);
        break;
    case ORR_TRACE_HOLDS_BACK:
        append_hold_back(text, log, step);
        break;
    case ORR_TRACE_GOES_ON:
        g_string_append_printf(text, ", in %s, goes on", step->call);
        break;
    }
    return g_string_free(text, FALSE);
}
