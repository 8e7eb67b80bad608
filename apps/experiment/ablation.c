/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An ablation in three steps: find the models to degrade; compute the change of
 * speed for each size and variant from runs that the command has performed, as
 * ratios of means over pairs of replicas; print or draw the resulting facts.
 */
#include "apps/experiment/ablation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/facts/facts.h"
#include "apps/output/exact.h"
#include "apps/output/output.h"
#include "apps/output/table.h"
#include "apps/picture/plot.h"
#include "models/base/error.h"
#include "models/base/names.h"
#include "models/base/statistics.h"
#include "models/import/platform_find.h"
#include "models/platform/switches.h"

/* Returns the item of @items, "name=value", for the model @name; borrowed. */
static const char *find_item(char **items, const char *name, GError **error)
{
    g_auto(GStrv) names = g_strdupv(items);
    g_autofree char *list = NULL;
    g_autofree char *quoted = NULL;
    g_autofree char *hint = NULL;
    size_t found;

    for (char **model = names; *model; model++)
        (*model)[strcspn(*model, "=")] = '\0';
    if (orr_names_find("model", (const char *const *)names, name, &found, NULL))
        return items[found];
    list = g_strjoinv(", ", names);
    quoted = orr_quote(name);
    hint = orr_names_hint((const char *const *)names, name, "");
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "--degrade: no model %s%s is left to degrade; there are: %s",
                quoted, hint, *list ? list : "none");
    return NULL;
}

/* Returns copies of the items of the models in @names, "a,b"; NULL with
 * @error. */
static char **select_items(char **items, const char *names, GError **error)
{
    g_auto(GStrv) list = g_strsplit(names, ",", -1);
    GPtrArray *selected = g_ptr_array_new_with_free_func(g_free);

    for (char **name = list; *name; name++) {
        const char *item = find_item(items, *name, error);

        if (!item) {
            g_ptr_array_unref(selected);
            return NULL;
        }
        g_ptr_array_add(selected, g_strdup(item));
    }
    g_ptr_array_add(selected, NULL);
    g_ptr_array_set_free_func(selected, NULL);
    return (char **)g_ptr_array_free(selected, FALSE);
}

/* Sets the switches of a run: from the platform, then from --model. */
static bool find_switches(const struct orr_settings *settings,
                          struct orr_switches *switches, GError **error)
{
    struct orr_platform *platform =
        orr_platform_load(settings->scenario.config.platform, NULL, error);

    if (!platform)
        return false;
    orr_switches_init(switches);
    if (platform->models)
        orr_switches_parse(switches, platform->models, NULL);
    if (settings->scenario.config.models)
        orr_switches_parse(switches, settings->scenario.config.models, NULL);
    orr_platform_free(platform);
    return true;
}

char **orr_degradations_find(const struct orr_settings *settings,
                             GError **error)
{
    struct orr_switches switches;
    g_auto(GStrv) items = NULL;

    if (!find_switches(settings, &switches, error))
        return NULL;
    items = orr_switches_degradations(&switches);
    if (settings->scenario.run.degrade)
        return select_items(items, settings->scenario.run.degrade, error);
    if (items[0])
        return g_steal_pointer(&items);
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "no model is left to degrade: all have their simplest value");
    return NULL;
}

/* Changes of the speed that verdict_of() ignores are smaller. */
#define NOTICEABLE 0.01

static JsonObject *run_at(const struct orr_ablation *a, unsigned size,
                          unsigned replica, unsigned variant)
{
    return a->runs[((size_t)size * a->replicas + replica) * a->variant_count +
                   variant];
}

static double number(JsonObject *run, const char *name)
{
    return json_object_get_double_member(run, name);
}

double orr_ablation_speed(JsonObject *run)
{
    if (!json_object_get_null_member(run, "gflops"))
        return number(run, "gflops");
    return number(run, "makespan_s") > 0 ? 1 / number(run, "makespan_s") : 0;
}

/*
 * Computes the change of the speed by @variant against all models, 0.1 for
 * 10 %, from the replicas in which both were run: each is a pair with the same
 * random draws. Returns the number of pairs. For a single pair, both ends of
 * the interval equal the change.
 */
static unsigned compute_change(struct orr_contrast *change,
                               const struct orr_ablation *a, unsigned size,
                               unsigned variant)
{
    double *speeds = g_new(double, 2 * (size_t)a->replicas);
    double *wholes = speeds + a->replicas;
    unsigned count = 0;

    for (unsigned r = 0; r < a->replicas; r++) {
        JsonObject *whole = run_at(a, size, r, 0);
        JsonObject *run = run_at(a, size, r, variant);

        if (!whole || !run || !(orr_ablation_speed(whole) > 0))
            continue;
        wholes[count] = orr_ablation_speed(whole);
        speeds[count++] = orr_ablation_speed(run);
    }
    *change = (struct orr_contrast){.difference = 0};
    if (count > 1) {
        orr_contrast_compute(change, speeds, wholes, count);
    } else if (count == 1) {
        change->difference = speeds[0] / wholes[0] - 1;
        change->low = change->high = change->difference;
    }
    g_free(speeds);
    return count;
}

/* The changes by a variant over all sizes. */
struct effect {
    unsigned count;
    double sum, least, most;
    unsigned least_at, most_at; /* sizes */
    bool good, bad;             /* significant and noticeable at some size */
    bool any;
};

static void add_change(struct effect *effect, const struct orr_contrast *change,
                       unsigned size)
{
    double mean = change->difference;

    if (effect->count == 0 || mean < effect->least) {
        effect->least = mean;
        effect->least_at = size;
    }
    if (effect->count == 0 || mean > effect->most) {
        effect->most = mean;
        effect->most_at = size;
    }
    effect->sum += mean;
    effect->count++;
    effect->good |= mean >= NOTICEABLE && change->low > 0;
    effect->bad |= mean <= -NOTICEABLE && change->high < 0;
    effect->any |= change->low < 0 || change->high > 0;
}

/* Judges a prediction without the model. */
static const char *verdict_of(const struct effect *effect)
{
    if (effect->good && effect->bad)
        return "too good or too bad";
    if (effect->good)
        return "too good";
    if (effect->bad)
        return "too bad";
    if (!effect->any)
        return "the same";
    if (effect->most < NOTICEABLE && effect->least > -NOTICEABLE)
        return "within 1 %";
    return "not told from chance";
}

static void set_number(JsonObject *object, const char *name, double value,
                       bool known)
{
    if (known)
        json_object_set_double_member(object, name, value);
    else
        json_object_set_null_member(object, name);
}

/* Sets PREFIXsize and, if there are shapes, PREFIXshape: "least_size". */
static void set_size(JsonObject *object, const char *prefix,
                     const struct orr_ablation *a, unsigned size, bool known)
{
    g_autofree char *number = g_strconcat(prefix, "size", NULL);
    g_autofree char *shape = g_strconcat(prefix, "shape", NULL);

    if (known)
        json_object_set_int_member(object, number, (gint64)a->sizes[size]);
    else
        json_object_set_null_member(object, number);
    if (a->shapes)
        orr_output_set_text(object, shape, known ? a->shapes[size] : NULL);
}

static void add_degradation(JsonArray *degradations,
                            const struct orr_ablation *a, unsigned variant)
{
    JsonObject *row = orr_output_add_object(degradations);
    struct effect effect = {.count = 0};
    bool known;

    for (unsigned s = 0; s < a->size_count; s++) {
        struct orr_contrast change;

        if (compute_change(&change, a, s, variant) > 0)
            add_change(&effect, &change, s);
    }
    known = effect.count > 0;
    orr_output_set_text(row, "degraded", a->variants[variant]);
    set_number(row, "mean_change", effect.sum / MAX(effect.count, 1), known);
    set_number(row, "least_change", effect.least, known);
    set_size(row, "least_", a, effect.least_at, known);
    set_number(row, "most_change", effect.most, known);
    set_size(row, "most_", a, effect.most_at, known);
    orr_output_set_text(row, "verdict", known ? verdict_of(&effect) : NULL);
}

/* Sets members of @row to means over the replicas that have been run. */
static void set_means(JsonObject *row, const struct orr_ablation *a,
                      unsigned size, unsigned variant)
{
    static const char *const names[] = {
        "makespan_s",
        "gflops",
        "bytes_host_to_device",
        "bytes_device_to_host",
        "bytes_device_to_device",
        "evictions",
    };
    double sums[G_N_ELEMENTS(names)] = {0};
    bool known[G_N_ELEMENTS(names)] = {0};
    unsigned count = 0;

    for (unsigned r = 0; r < a->replicas; r++) {
        JsonObject *run = run_at(a, size, r, variant);

        count += run != NULL;
        for (size_t i = 0; run && i < G_N_ELEMENTS(names); i++) {
            known[i] = !json_object_get_null_member(run, names[i]);
            sums[i] += known[i] ? number(run, names[i]) : 0;
        }
    }
    json_object_set_int_member(row, "replicas", count);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        set_number(row, names[i], sums[i] / MAX(count, 1), known[i]);
}

/* Returns the facts of some complete run of this size and variant, or NULL. */
static JsonObject *example(const struct orr_ablation *a, unsigned size,
                           unsigned variant)
{
    for (unsigned r = 0; r < a->replicas; r++) {
        if (run_at(a, size, r, variant))
            return run_at(a, size, r, variant);
    }
    return NULL;
}

static void add_run(JsonArray *runs, const struct orr_ablation *a,
                    unsigned size, unsigned variant)
{
    JsonObject *run = example(a, size, variant);
    struct orr_contrast change;
    bool known = compute_change(&change, a, size, variant) > 0;
    JsonObject *row;

    if (!run)
        return;
    row = orr_output_add_object(runs);
    set_size(row, "", a, size, true);
    orr_output_set_text(row, "degraded",
                        variant == 0 ? NULL : a->variants[variant]);
    set_number(row, "change", change.difference, known);
    set_number(row, "change_low", change.low, known);
    set_number(row, "change_high", change.high, known);
    set_means(row, a, size, variant);
    orr_output_set_text(row, "models",
                        json_object_get_string_member(run, "models"));
}

JsonObject *orr_ablation_facts(const struct orr_ablation *a)
{
    JsonObject *facts = json_object_new();
    JsonArray *degradations;
    JsonArray *runs;

    g_assert(a->runs[0]);
    orr_facts_copy_common(facts, a->runs[0]);
    for (unsigned s = 1; s < a->size_count; s++) {
        JsonObject *other = example(a, s, 0);

        if (other)
            orr_facts_keep_common(facts, other);
    }
    orr_output_set_text(facts, "sched",
                        json_object_get_string_member(a->runs[0], "sched"));
    json_object_set_int_member(facts, "replicas", a->replicas);
    degradations = orr_output_add_array(facts, "degradations");
    for (unsigned v = 1; v < a->variant_count; v++)
        add_degradation(degradations, a, v);
    runs = orr_output_add_array(facts, "runs");
    for (unsigned s = 0; s < a->size_count; s++) {
        for (unsigned v = 0; v < a->variant_count; v++)
            add_run(runs, a, s, v);
    }
    return facts;
}

/* ---- text and plot ---- */

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

/* Returns the digits after the decimal point of the speed, in GFlop/s or
 * runs/s. */
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
    struct orr_curve *curves; /* owned; plot.curves */
};

/* Returns the place of @size on the x axis; for a shape, its mean. */
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
