/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Turns timelines of runs into rows of bars: for each run a heading, its
 * workers, consecutive idle workers as one row, and the links that had copies.
 * Kernels with the longest total time over all runs get their own colours.
 */
#include "apps/chart/gantt_chart.h"

#include <math.h>
#include <string.h>

#include "apps/output/members.h"
#include "apps/picture/gantt.h"
#include "apps/picture/kernel_kinds.h"

/* A chart under construction. */
struct chart {
    const struct orr_gantt_run *runs;
    unsigned run_count;
    struct orr_kernel_kinds kinds;
    GArray *rows;   /* struct orr_gantt_row */
    GArray *lines;  /* struct orr_gantt_line */
    GPtrArray *own; /* texts and arrays that rows borrow */
    unsigned copy;  /* kind of copies; evictions have the next number */
    struct orr_gantt gantt;
};

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

static const struct orr_timeline_bar *bar_at(const GArray *bars, guint i)
{
    return &g_array_index(bars, struct orr_timeline_bar, i);
}

static const char *kernel_of(const struct orr_timeline *timeline,
                             const struct orr_timeline_bar *bar)
{
    return orr_name_index_at(&timeline->kernels, bar->kind);
}

/* ---- kinds ---- */

static void measure_kernels(struct chart *chart)
{
    for (unsigned r = 0; r < chart->run_count; r++) {
        const struct orr_timeline *timeline = chart->runs[r].timeline;

        for (guint i = 0; i < timeline->tasks->len; i++) {
            const struct orr_timeline_bar *bar = bar_at(timeline->tasks, i);

            orr_kernel_kinds_measure(&chart->kinds, kernel_of(timeline, bar),
                                     seconds(bar->to - bar->from));
        }
    }
}

static bool has_copies(const struct chart *chart, uint32_t kind)
{
    for (unsigned r = 0; r < chart->run_count; r++) {
        const GArray *copies = chart->runs[r].timeline->copies;

        for (guint i = 0; i < copies->len; i++) {
            if (bar_at(copies, i)->kind == kind)
                return true;
        }
    }
    return false;
}

static void add_kinds(struct chart *chart)
{
    measure_kernels(chart);
    orr_kernel_kinds_choose(&chart->kinds);
    chart->copy = chart->kinds.kinds->len;
    if (has_copies(chart, 0) || has_copies(chart, 1))
        orr_kernel_kinds_add(&chart->kinds, "copy", ORR_COPY_COLOUR);
    if (has_copies(chart, 1))
        orr_kernel_kinds_add(&chart->kinds, "eviction", ORR_EVICTION_COLOUR);
}

/* ---- rows ---- */

static int compare_dates(gconstpointer a, gconstpointer b)
{
    const struct orr_gantt_bar *left = a;
    const struct orr_gantt_bar *right = b;

    return (left->from > right->from) - (left->from < right->from);
}

/* Returns the merged bars of row @number in @all; sets *@busy to the sum of
 * their lengths, s. */
static GArray *take_bars(struct chart *chart,
                         const struct orr_timeline *timeline, const GArray *all,
                         uint32_t number, double *busy)
{
    GArray *bars = g_array_new(FALSE, FALSE, sizeof(struct orr_gantt_bar));

    *busy = 0;
    for (guint i = 0; i < all->len; i++) {
        const struct orr_timeline_bar *bar = bar_at(all, i);
        struct orr_gantt_bar one = {seconds(bar->from), seconds(bar->to), 0};

        if (bar->row != number)
            continue;
        one.kind =
            all == timeline->copies
                ? chart->copy + bar->kind
                : orr_kernel_kinds_of(&chart->kinds, kernel_of(timeline, bar));
        *busy += one.to - one.from;
        g_array_append_val(bars, one);
    }
    g_array_sort(bars, compare_dates);
    g_array_set_size(bars,
                     orr_gantt_merge((struct orr_gantt_bar *)(void *)bars->data,
                                     bars->len, chart->kinds.kinds->len,
                                     chart->gantt.end * ORR_GANTT_RESOLUTION));
    return bars;
}

static void add_row(struct chart *chart, const char *name, char *note,
                    GArray *bars)
{
    struct orr_gantt_row row = {.name = name, .note = note};

    if (bars) {
        row.bars = (const struct orr_gantt_bar *)(void *)bars->data;
        row.count = bars->len;
        g_ptr_array_add(chart->own, g_array_free(bars, FALSE));
    }
    if (note)
        g_ptr_array_add(chart->own, note);
    g_array_append_val(chart->rows, row);
}

static double makespan_of(const struct orr_gantt_run *run)
{
    const GArray *tasks = run->timeline->tasks;
    int64_t last = 0;

    if (!json_object_get_null_member(run->facts, "makespan_s"))
        return orr_double_of(run->facts, "makespan_s");
    for (guint i = 0; i < tasks->len; i++)
        last = MAX(last, bar_at(tasks, i)->to);
    return seconds(last);
}

static const char *name_of(JsonArray *workers, guint w)
{
    return orr_text_of(orr_object_at(workers, w), "name");
}

/* Whether the names of two workers differ only in their number: CPU0 and CPU12.
 */
static bool is_alike(const char *one, const char *other)
{
    size_t letters = strcspn(one, "0123456789");

    return letters == strcspn(other, "0123456789") &&
           strncmp(one, other, letters) == 0;
}

/* Returns the end of the workers from @first on that have no task and are
 * alike. */
static guint skip_idle(JsonArray *workers, guint first)
{
    guint w = first;

    while (w < json_array_get_length(workers) &&
           orr_int_of(orr_object_at(workers, w), "tasks") == 0 &&
           is_alike(name_of(workers, first), name_of(workers, w)))
        w++;
    return w;
}

/* Adds one row for the workers from @first to @last, which have no task. */
static void add_idle(struct chart *chart, JsonArray *workers, guint first,
                     guint last)
{
    const char *from = name_of(workers, first);
    const char *to = name_of(workers, last);
    char *name =
        first == last ? g_strdup(from) : g_strdup_printf("%s to %s", from, to);

    g_ptr_array_add(chart->own, name);
    add_row(chart, name, g_strdup("100 %"), NULL);
}

static void add_workers(struct chart *chart, const struct orr_gantt_run *run)
{
    JsonArray *workers = orr_array_of(run->facts, "workers");
    double makespan = makespan_of(run);

    for (guint w = 0; w < json_array_get_length(workers); w++) {
        guint end = skip_idle(workers, w);
        GArray *bars;
        double busy;

        if (end > w) {
            add_idle(chart, workers, w, end - 1);
            w = end - 1;
            continue;
        }
        bars = take_bars(chart, run->timeline, run->timeline->tasks, w, &busy);
        add_row(chart, name_of(workers, w),
                g_strdup_printf("%.0f %%", 100 * fmax(1 - busy / makespan, 0)),
                bars);
    }
}

static int compare_texts(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_links(struct chart *chart, const struct orr_gantt_run *run)
{
    const struct orr_timeline *timeline = run->timeline;
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (guint i = 0; i < orr_name_index_count(&timeline->links); i++)
        g_ptr_array_add(names,
                        (gpointer)orr_name_index_at(&timeline->links, i));
    g_ptr_array_sort(names, compare_texts);
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        uint32_t number = orr_name_index_find(&timeline->links, name);
        double busy;

        add_row(chart, name, NULL,
                take_bars(chart, timeline, timeline->copies, number, &busy));
    }
}

static void add_heading(struct chart *chart, const struct orr_gantt_run *run)
{
    char *text = json_object_get_null_member(run->facts, "makespan_s")
                     ? g_strdup_printf("%s: hangs, unfinished", run->policy)
                     : g_strdup_printf("%s: %.4g s", run->policy,
                                       orr_double_of(run->facts, "makespan_s"));

    add_row(chart, NULL, text, NULL);
}

static void add_rows(struct chart *chart)
{
    for (unsigned i = 0; i < chart->run_count; i++) {
        add_heading(chart, &chart->runs[i]);
        add_workers(chart, &chart->runs[i]);
        add_links(chart, &chart->runs[i]);
    }
}

/* ---- chart ---- */

/* Adds a line; it replaces a line so close that a reader could not distinguish
 * them. */
static void add_line(struct chart *chart, const char *name, double at)
{
    struct orr_gantt_line line = {name, at, chart->lines->len};

    if (!isfinite(at))
        return;
    for (guint i = 0; i < chart->lines->len; i++) {
        const struct orr_gantt_line *other =
            &g_array_index(chart->lines, struct orr_gantt_line, i);

        if (fabs(other->at - at) < chart->gantt.end * ORR_GANTT_RESOLUTION) {
            line.at = other->at;
            line.dashes = other->dashes;
        }
    }
    g_array_append_val(chart->lines, line);
}

static void add_bounds(struct chart *chart, const struct orr_bounds *bounds)
{
    add_line(chart, "area bound", bounds->area_s);
    add_line(chart, "transfer bound", bounds->transfer_s);
    add_line(chart, "mixed bound", bounds->mixed_s);
    add_line(chart, "critical path", bounds->critical_path_s);
}

static void init(struct chart *chart, const struct orr_gantt_run *runs,
                 unsigned count)
{
    *chart = (struct chart){
        .runs = runs,
        .run_count = count,
        .rows = g_array_new(FALSE, FALSE, sizeof(struct orr_gantt_row)),
        .lines = g_array_new(FALSE, FALSE, sizeof(struct orr_gantt_line)),
        .own = g_ptr_array_new_with_free_func(g_free),
    };
    orr_kernel_kinds_init(&chart->kinds);
    for (unsigned i = 0; i < count; i++)
        chart->gantt.end = fmax(chart->gantt.end, makespan_of(&runs[i]));
    if (!(chart->gantt.end > 0))
        chart->gantt.end = 1;
}

static void clear(struct chart *chart)
{
    g_ptr_array_unref(chart->own);
    g_array_unref(chart->lines);
    g_array_unref(chart->rows);
    orr_kernel_kinds_clear(&chart->kinds);
}

bool orr_gantt_chart_save(const struct orr_gantt_run *runs, unsigned count,
                          const struct orr_bounds *bounds,
                          const struct orr_plot_options *options,
                          GError **error)
{
    g_autofree char *app =
        g_path_get_basename(orr_text_of(runs[0].facts, "app"));
    g_autofree char *title = g_strdup_printf(
        "%s on %s", app, orr_text_of(runs[0].facts, "platform"));
    struct chart chart;
    bool saved;

    init(&chart, runs, count);
    add_kinds(&chart);
    add_rows(&chart);
    add_bounds(&chart, bounds);
    chart.gantt.title = title;
    chart.gantt.notes = "idle";
    chart.gantt.row_count = chart.rows->len;
    chart.gantt.rows = (const struct orr_gantt_row *)(void *)chart.rows->data;
    chart.gantt.kind_count = chart.kinds.kinds->len;
    chart.gantt.kinds =
        (const struct orr_gantt_kind *)(void *)chart.kinds.kinds->data;
    chart.gantt.line_count = chart.lines->len;
    chart.gantt.lines =
        (const struct orr_gantt_line *)(void *)chart.lines->data;
    saved = orr_gantt_save(&chart.gantt, options, error);
    clear(&chart);
    return saved;
}
