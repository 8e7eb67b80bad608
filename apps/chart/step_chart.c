/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Draws the last steps before a hang with gnuplot, as a Gantt chart whose
 * columns are steps. One pass over the steps opens and closes bars in the row
 * of each caller; bars still open at the end reach the right edge. Tasks are
 * added from their dates.
 */
#include "apps/chart/step_chart.h"

#include <string.h>

#include "apps/facts/diagnosis.h"
#include "apps/output/members.h"
#include "apps/picture/gantt.h"
#include "models/base/error.h"

/* Steps to show; locks with a colour of their own; rows above which empty rows
 * are left out; and characters of a note on the state of a caller. */
enum { MOST_STEPS = 60, MOST_LOCKS = 4, MOST_ROWS = 20, MOST_NOTE = 34 };

/* Later kinds are painted over earlier ones. */
enum kind {
    TASK,
    PUSH,
    POP,
    OTHER_CALL,
    HELD_BACK,
    LOCKS, /* first of MOST_LOCKS kinds; the last is for all other locks */
    OPERATION = LOCKS + MOST_LOCKS,
    WAIT,
    KINDS
};

/* Colour-blind readers can distinguish these colours. */
static const struct orr_gantt_kind looks[KINDS] = {
    [TASK] = {"runs a task", "#b8d8b8"},
    [PUSH] = {"push", "#c9c9e8"},
    [POP] = {"pop", "#d8d8d8"},
    [OTHER_CALL] = {"started, done", "#ece4d0"},
    [LOCKS] = {NULL, "#0072b2"},
    [LOCKS + 1] = {NULL, "#56b4e9"},
    [LOCKS + 2] = {NULL, "#009e73"},
    [LOCKS + 3] = {NULL, "#8c6bb1"},
    [OPERATION] = {"wakes, signals, accesses memory", "#202020"},
    [WAIT] = {"waits for a lock or a condition", "#cc3311"},
    [HELD_BACK] = {"held back by the schedule", "#e69f00"},
};

/* A row: the column where each kind of bar began, or -1 if none is open. */
struct row {
    const char *name;
    char *note;
    GArray *bars; /* struct orr_gantt_bar, not sorted */
    int since[KINDS];
    int call; /* the kind of the current call, or -1 */
};

struct chart {
    const struct orr_step_log *log;
    JsonArray *workers;
    guint first, end; /* the steps shown */
    bool concurrent;  /* the trace has beginnings and ends of calls */
    struct row *rows; /* workers, and last the application */
    guint count;
    const char *locks[MOST_LOCKS];
    guint lock_count;
    bool used[KINDS];
};

static const struct orr_trace_step *step_at(const struct chart *chart, guint i)
{
    return &g_array_index(chart->log->steps, struct orr_step, i).event;
}

static struct row *row_of(const struct chart *chart, unsigned worker)
{
    return &chart->rows[MIN(worker, chart->count - 1)];
}

static void add_bar(struct chart *chart, struct row *row, enum kind kind,
                    double from, double to)
{
    const struct orr_gantt_bar bar = {from, to, kind};

    g_array_append_val(row->bars, bar);
    chart->used[kind] = true;
}

static void open_bar(struct row *row, enum kind kind, guint column)
{
    if (row->since[kind] < 0)
        row->since[kind] = (int)column;
}

/* Ends the bar at @column. A bar that began before the chart starts at its left
 * edge, if it is @known that there was one. */
static void close_bar(struct chart *chart, struct row *row, enum kind kind,
                      guint column, bool known)
{
    int since = row->since[kind];

    if (since < 0 && known)
        since = 0;
    if (since >= 0)
        add_bar(chart, row, kind, since, column);
    row->since[kind] = -1;
}

static enum kind call_of(const struct orr_trace_step *step)
{
    if (strcmp(step->call, "push") == 0)
        return PUSH;
    return strcmp(step->call, "pop") == 0 ? POP : OTHER_CALL;
}

static enum kind lock_of(struct chart *chart, const char *name)
{
    for (guint i = 0; i < chart->lock_count; i++) {
        if (strcmp(chart->locks[i], name) == 0)
            return LOCKS + (enum kind)i;
    }
    if (chart->lock_count == MOST_LOCKS)
        return LOCKS + MOST_LOCKS - 1;
    chart->locks[chart->lock_count++] = name;
    return LOCKS + (enum kind)(chart->lock_count - 1);
}

static void end_call(struct chart *chart, struct row *row,
                     const struct orr_trace_step *step, guint column)
{
    if (!chart->concurrent)
        add_bar(chart, row, call_of(step), column, column + 1);
    else
        close_bar(chart, row, call_of(step), column + 1, true);
}

static void take_step(struct chart *chart, guint i)
{
    const struct orr_trace_step *step = step_at(chart, i);
    struct row *row = row_of(chart, step->worker);
    guint column = i - chart->first;

    close_bar(chart, row, WAIT, column, false);
    switch ((enum orr_trace_step_kind)step->kind) {
    case ORR_TRACE_CALLS:
        if (chart->concurrent)
            open_bar(row, call_of(step), column);
        else
            add_bar(chart, row, call_of(step), column, column + 1);
        break;
    case ORR_TRACE_RETURNS:
        end_call(chart, row, step, column);
        break;
    case ORR_TRACE_OPERATES:
        add_bar(chart, row, OPERATION, column, column + 1);
        break;
    case ORR_TRACE_ACQUIRES:
        open_bar(row, lock_of(chart, step->object), column);
        break;
    case ORR_TRACE_RELEASES:
        close_bar(chart, row, lock_of(chart, step->object), column + 1, true);
        break;
    case ORR_TRACE_WAITS:
        open_bar(row, WAIT, column);
        break;
    case ORR_TRACE_HOLDS_BACK:
        open_bar(row, HELD_BACK, column);
        break;
    case ORR_TRACE_GOES_ON:
        close_bar(chart, row, HELD_BACK, column + 1, true);
        break;
    }
}

/* The column of the first step after @date. */
static guint column_after(const struct chart *chart, int64_t date)
{
    guint i = chart->first;

    while (i < chart->end && step_at(chart, i)->date <= date)
        i++;
    return i - chart->first;
}

static void add_tasks(struct chart *chart)
{
    for (guint i = 0; i < chart->log->tasks->len; i++) {
        const struct orr_step_task *task =
            &g_array_index(chart->log->tasks, struct orr_step_task, i);
        guint from = column_after(chart, task->started);
        guint to = MIN(task->step, chart->end) - MIN(task->step, chart->first);

        if (from < to)
            add_bar(chart, row_of(chart, task->worker), TASK, from, to);
    }
}

/* Whether the trace has the beginnings and ends of calls (orrery_trace.h). */
static bool are_concurrent(const struct chart *chart)
{
    for (guint i = 0; i < chart->end; i++) {
        const struct orr_trace_step *step = step_at(chart, i);
        bool is_push = call_of(step) == PUSH;

        if ((step->kind == ORR_TRACE_CALLS && !is_push) ||
            (step->kind == ORR_TRACE_RETURNS && is_push))
            return true;
    }
    return false;
}

/* "sleeps", "in a pop, waits for lock queue, which ..." */
static char *note_of(JsonObject *worker)
{
    const char *doing = orr_text_of(worker, "doing");

    g_autofree char *part = NULL;

    if (g_utf8_strlen(doing, -1) <= MOST_NOTE)
        return g_strdup(doing);
    part = g_utf8_substring(doing, 0, MOST_NOTE - 3);
    return g_strconcat(part, "...", NULL);
}

static void init(struct chart *chart, const struct orr_step_log *log,
                 JsonObject *hang)
{
    *chart = (struct chart){
        .log = log,
        .workers = orr_array_of(hang, "workers"),
        .end = log->steps->len,
        .first = log->steps->len - MIN(log->steps->len, MOST_STEPS),
    };
    chart->concurrent = are_concurrent(chart);
    chart->count = json_array_get_length(chart->workers) + 1;
    chart->rows = g_new0(struct row, chart->count);
    for (guint i = 0; i < chart->count; i++) {
        struct row *row = &chart->rows[i];
        bool is_worker = i + 1 < chart->count;
        JsonObject *worker =
            is_worker ? orr_object_at(chart->workers, i) : NULL;

        row->name = worker ? orr_text_of(worker, "name") : "application";
        row->note = worker ? note_of(worker) : g_strdup("");
        row->bars = g_array_new(FALSE, FALSE, sizeof(struct orr_gantt_bar));
        for (guint k = 0; k < KINDS; k++)
            row->since[k] = -1;
    }
}

static void clear(struct chart *chart)
{
    for (guint i = 0; i < chart->count; i++) {
        g_free(chart->rows[i].note);
        g_array_unref(chart->rows[i].bars);
    }
    g_free(chart->rows);
}

/* Extends bars that are still open to the right edge. */
static void close_all(struct chart *chart)
{
    for (guint i = 0; i < chart->count; i++) {
        for (guint k = 0; k < KINDS; k++)
            close_bar(chart, &chart->rows[i], k, chart->end - chart->first,
                      false);
    }
}

static char *name_lock(const struct chart *chart, guint i)
{
    bool shared = i == MOST_LOCKS - 1 && chart->lock_count == MOST_LOCKS;

    return g_strdup_printf("holds lock %s%s", chart->locks[i],
                           shared ? " or another" : "");
}

/* Stores the kinds that occur in @kinds, and their numbers in @numbers. */
static unsigned list_kinds(const struct chart *chart,
                           struct orr_gantt_kind *kinds, unsigned *numbers,
                           GPtrArray *own)
{
    unsigned count = 0;

    for (guint k = 0; k < KINDS; k++) {
        if (!chart->used[k])
            continue;
        numbers[k] = count;
        kinds[count] = looks[k];
        if (k >= LOCKS && k < OPERATION) {
            char *name = name_lock(chart, k - LOCKS);

            g_ptr_array_add(own, name);
            kinds[count].name = name;
        }
        count++;
    }
    return count;
}

/* Fills @rows; if there are many, only rows with a bar. */
static unsigned list_rows(const struct chart *chart, struct orr_gantt_row *rows,
                          const unsigned *numbers)
{
    unsigned count = 0;

    for (guint i = 0; i < chart->count; i++) {
        const struct row *row = &chart->rows[i];

        if (row->bars->len == 0 && chart->count > MOST_ROWS)
            continue;
        for (guint b = 0; b < row->bars->len; b++) {
            struct orr_gantt_bar *bar =
                &g_array_index(row->bars, struct orr_gantt_bar, b);

            bar->kind = numbers[bar->kind];
        }
        rows[count++] = (struct orr_gantt_row){
            .name = row->name,
            .note = row->note,
            .bars = (const struct orr_gantt_bar *)(void *)row->bars->data,
            .count = row->bars->len,
        };
    }
    return count;
}

static bool save(const struct chart *chart, JsonObject *hang, const char *path,
                 GError **error)
{
    const struct orr_plot_options options = {
        .path = (char *)path,
        .width_cm = ORR_PLOT_PAGE_CM,
    };
    struct orr_gantt_kind kinds[KINDS];
    unsigned numbers[KINDS] = {0};
    g_autoptr(GPtrArray) own = g_ptr_array_new_with_free_func(g_free);
    g_autofree struct orr_gantt_row *rows =
        g_new0(struct orr_gantt_row, chart->count);
    g_autofree char *title = orr_diagnosis_title(hang);
    g_autofree char *axis = g_strdup_printf(
        "the last %u steps of the callers of the policy, in their order: from "
        "%.3f to %.3f ms",
        chart->end - chart->first,
        (double)step_at(chart, chart->first)->date / 1e6,
        (double)step_at(chart, chart->end - 1)->date / 1e6);
    struct orr_gantt gantt = {
        .title = title,
        .axis = axis,
        .end = chart->end - chart->first,
        .kinds = kinds,
        .rows = rows,
    };

    gantt.kind_count = list_kinds(chart, kinds, numbers, own);
    gantt.row_count = list_rows(chart, rows, numbers);
    return orr_gantt_save(&gantt, &options, error);
}

bool orr_step_chart_save(const struct orr_step_log *log, JsonObject *hang,
                         const char *path, GError **error)
{
    struct chart chart;
    bool saved;

    if (log->steps->len == 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s: the policy was never called", path);
        return false;
    }
    init(&chart, log, hang);
    for (guint i = chart.first; i < chart.end; i++)
        take_step(&chart, i);
    close_all(&chart);
    add_tasks(&chart);
    saved = save(&chart, hang, path, error);
    clear(&chart);
    return saved;
}
