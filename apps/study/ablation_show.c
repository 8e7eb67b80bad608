/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An ablation as text and as a plot. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/output/exact.h"
#include "apps/output/table.h"
#include "apps/picture/plot.h"
#include "apps/report/facts.h"
#include "apps/study/ablation.h"

/* Returns "-" if the change is not known: the runs were stopped. */
static char *format_change(JsonObject *row, const char *name)
{
    double change;

    if (json_object_get_null_member(row, name))
        return g_strdup("-");
    change = json_object_get_double_member(row, name);
    return change == 0 ? g_strdup("0") : g_strdup_printf("%+.1f", 100 * change);
}

/* Returns the shape of @row, or else its size; @prefix: "least_", or "". */
static char *format_size(JsonObject *row, const char *prefix)
{
    g_autofree char *shape = g_strconcat(prefix, "shape", NULL);
    g_autofree char *size = g_strconcat(prefix, "size", NULL);

    if (json_object_has_member(row, shape))
        return g_strdup(json_object_get_string_member(row, shape));
    return g_strdup_printf("%" G_GINT64_FORMAT,
                           json_object_get_int_member(row, size));
}

/* Returns the change and the size where it was largest or smallest. */
static char *format_extreme(JsonObject *row, const char *prefix)
{
    g_autofree char *change = g_strconcat(prefix, "change", NULL);
    g_autofree char *text = format_change(row, change);
    g_autofree char *size = NULL;

    if (json_object_get_null_member(row, change))
        return g_steal_pointer(&text);
    size = format_size(row, prefix);
    return g_strconcat(text, " at ", size, NULL);
}

/* Changes that are not significant are in brackets. */
static char *format_run(JsonObject *run)
{
    g_autofree char *text = run ? format_change(run, "change") : g_strdup("-");
    double low, high;

    if (!run || json_object_get_null_member(run, "change"))
        return g_steal_pointer(&text);
    low = json_object_get_double_member(run, "change_low");
    high = json_object_get_double_member(run, "change_high");
    return low < 0 && high > 0 ? g_strdup_printf("(%s)", text)
                               : g_steal_pointer(&text);
}

static void print_worth(JsonArray *degradations)
{
    static const char *const titles[] = {"degraded", "mean", "least", "most",
                                         "the prediction is"};
    struct orr_table *table = orr_table_new("lrrrl");

    for (size_t i = 0; i < G_N_ELEMENTS(titles); i++)
        orr_table_add(table, titles[i]);
    for (guint i = 0; i < json_array_get_length(degradations); i++) {
        JsonObject *row = json_array_get_object_element(degradations, i);
        const char *verdict =
            json_object_get_null_member(row, "verdict")
                ? "-"
                : json_object_get_string_member(row, "verdict");

        orr_table_add(table, json_object_get_string_member(row, "degraded"));
        orr_table_take(table, format_change(row, "mean_change"));
        orr_table_take(table, format_extreme(row, "least_"));
        orr_table_take(table, format_extreme(row, "most_"));
        orr_table_add(table, verdict);
    }
    orr_table_print(table);
    orr_table_free(table);
}

static bool is_at(JsonObject *run, const char *size)
{
    g_autofree char *own = format_size(run, "");

    return strcmp(own, size) == 0;
}

/* Returns the run at @size with the model @degraded (NULL: none), or NULL. */
static JsonObject *find_run(JsonArray *runs, const char *size,
                            const char *degraded)
{
    for (guint i = 0; i < json_array_get_length(runs); i++) {
        JsonObject *run = json_array_get_object_element(runs, i);
        const char *name =
            json_object_get_string_member_with_default(run, "degraded", NULL);

        if (g_strcmp0(name, degraded) == 0 && is_at(run, size))
            return run;
    }
    return NULL;
}

/* Returns the sizes of the runs, texts, in their order. */
static GPtrArray *list_sizes(JsonArray *runs)
{
    GPtrArray *sizes = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < json_array_get_length(runs); i++) {
        JsonObject *run = json_array_get_object_element(runs, i);

        if (sizes->len == 0 || !is_at(run, sizes->pdata[sizes->len - 1]))
            g_ptr_array_add(sizes, format_size(run, ""));
    }
    return sizes;
}

static const char *degraded_at(JsonArray *degradations, guint i)
{
    return json_object_get_string_member(
        json_array_get_object_element(degradations, i), "degraded");
}

static bool has_gflops(JsonObject *run)
{
    return !json_object_get_null_member(run, "gflops");
}

/* Returns the digits behind the point of the speed: of GFlop/s, or of runs/s.
 */
static int digits_of(JsonObject *run)
{
    return has_gflops(run) ? 1 : 4;
}

static void add_size(struct orr_table *table, JsonObject *facts,
                     const char *size)
{
    JsonArray *degradations =
        json_object_get_array_member(facts, "degradations");
    JsonArray *runs = json_object_get_array_member(facts, "runs");
    JsonObject *whole = find_run(runs, size, NULL);

    orr_table_add(table, size);
    orr_table_take(table, whole ? g_strdup_printf("%.*f", digits_of(whole),
                                                  orr_ablation_speed(whole))
                                : g_strdup("-"));
    for (guint i = 0; i < json_array_get_length(degradations); i++) {
        orr_table_take(table, format_run(find_run(
                                  runs, size, degraded_at(degradations, i))));
    }
}

/* Prints a row for each size, with a column for each model: "overheads" for
 * "overheads=off". */
static void print_sizes(JsonObject *facts, const char *axis)
{
    JsonArray *runs = json_object_get_array_member(facts, "runs");
    JsonArray *degradations =
        json_object_get_array_member(facts, "degradations");
    GPtrArray *sizes = list_sizes(runs);
    guint columns = json_array_get_length(degradations);
    g_autofree char *alignment = g_strnfill(columns + 2, 'r');
    struct orr_table *table = orr_table_new(alignment);

    orr_table_add(table, axis);
    orr_table_add(table, has_gflops(json_array_get_object_element(runs, 0))
                             ? "GFlop/s"
                             : "runs/s");
    for (guint i = 0; i < columns; i++) {
        const char *name = degraded_at(degradations, i);

        orr_table_take(table, g_strndup(name, strcspn(name, "=")));
    }
    for (guint i = 0; i < sizes->len; i++)
        add_size(table, facts, sizes->pdata[i]);
    orr_table_print(table);
    orr_table_free(table);
    g_ptr_array_unref(sizes);
}

static void print_replicas(JsonObject *facts)
{
    gint64 replicas = json_object_get_int_member(facts, "replicas");

    printf("replicas     %" G_GINT64_FORMAT "%s\n", replicas,
           replicas > 1 ? "; in parentheses: the 95 % interval contains zero"
                        : "");
}

void orr_ablation_print(JsonObject *facts, const char *axis)
{
    orr_facts_print_request(facts, true);
    print_replicas(facts);
    puts("\nSpeed with all models, and by how many per cent the predicted "
         "speed is higher\n(+) or lower (-) when a model is degraded:\n");
    print_sizes(facts, axis);
    puts("");
    print_worth(json_object_get_array_member(facts, "degradations"));
}

/* Returns the value of a curve for @run; NAN: none. */
static double value_of(JsonObject *run, enum orr_ablation_curves what)
{
    if (!run)
        return NAN;
    if (what == ORR_ABLATION_SPEED)
        return orr_ablation_speed(run);
    if (json_object_get_null_member(run, "change"))
        return NAN;
    return 100 * json_object_get_double_member(run, "change");
}

/* A plot under construction, and its data. */
struct picture {
    enum orr_ablation_curves what;
    JsonArray *runs;
    GPtrArray *sizes; /* texts */
    struct orr_plot plot;
    struct orr_curve *curves; /* of plot */
};

/* A shape is at its mean. */
static double x_of(JsonArray *runs, const char *size)
{
    for (guint i = 0; i < json_array_get_length(runs); i++) {
        JsonObject *run = json_array_get_object_element(runs, i);

        if (is_at(run, size))
            return (double)json_object_get_int_member(run, "size");
    }
    return NAN;
}

static void add_curve(struct picture *picture, const char *degraded)
{
    guint count = picture->sizes->len;
    double *x = g_new(double, count);
    double *y = g_new(double, count);
    unsigned look = picture->plot.count;
    bool all = g_strcmp0(degraded, "all") == 0;

    for (guint i = 0; i < count; i++) {
        const char *size = picture->sizes->pdata[i];
        JsonObject *run = find_run(picture->runs, size, degraded);

        x[i] = x_of(picture->runs, size);
        y[i] = value_of(run, picture->what);
    }
    picture->curves[look] = (struct orr_curve){
        .title = all        ? "all degraded"
                 : degraded ? degraded
                            : "all models",
        .style = all ? ORR_CURVE_DASHED : ORR_CURVE_LINE,
        .look = look,
        .count = count,
        .x = x,
        .y = y,
    };
    picture->plot.count++;
}

/* Returns whether the curve of @degradation would differ from the first. */
static bool differs(JsonObject *degradation)
{
    return !json_object_get_null_member(degradation, "verdict") &&
           strcmp(json_object_get_string_member(degradation, "verdict"),
                  "the same") != 0;
}

static void add_curves(struct picture *picture, JsonArray *degradations)
{
    guint count = json_array_get_length(degradations);

    picture->curves = g_new0(struct orr_curve, count + 1);
    picture->plot.curves = picture->curves;
    add_curve(picture, NULL);
    for (guint i = 0; i < count; i++) {
        if (differs(json_array_get_object_element(degradations, i)))
            add_curve(picture, degraded_at(degradations, i));
    }
}

static char *write_title(JsonObject *facts)
{
    g_autofree char *options =
        orr_exact_format(json_object_get_member(facts, "options"), ", ");

    return g_strdup_printf("%s on %s, policy %s%s%s",
                           json_object_get_string_member(facts, "app"),
                           json_object_get_string_member(facts, "platform"),
                           json_object_get_string_member(facts, "sched"),
                           *options ? ", " : "", options);
}

bool orr_ablation_plot(JsonObject *facts, enum orr_ablation_curves what,
                       const char *axis_title,
                       const struct orr_plot_options *options, GError **error)
{
    static const char *const labels[] = {"predicted speed (GFlop/s)",
                                         "change of predicted speed (%)"};
    static const char *const names[] = {"speed", "changes"};
    static const char *const columns[] = {"gflops", "change_percent"};
    JsonArray *runs = json_object_get_array_member(facts, "runs");
    g_autofree char *title = write_title(facts);
    struct picture picture = {
        .what = what,
        .runs = runs,
        .sizes = list_sizes(runs),
        .plot =
            {
                .name = names[what],
                .title = title,
                .x = {.label = axis_title, .column = "size"},
                .y = {.label = labels[what],
                      .column = columns[what],
                      .from_zero = what == ORR_ABLATION_SPEED},
            },
    };
    bool saved;

    if (what == ORR_ABLATION_SPEED &&
        !has_gflops(json_array_get_object_element(runs, 0))) {
        picture.plot.y.label = "predicted speed (runs/s)";
        picture.plot.y.column = "runs_per_s";
    }
    add_curves(&picture, json_object_get_array_member(facts, "degradations"));
    saved = orr_plot_save(&picture.plot, options, error);
    for (unsigned i = 0; i < picture.plot.count; i++) {
        g_free((double *)picture.curves[i].x);
        g_free((double *)picture.curves[i].y);
    }
    g_free(picture.curves);
    g_ptr_array_unref(picture.sizes);
    return saved;
}
