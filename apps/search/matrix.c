/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Explores several cases, one after the other. A case is an application with a
 * copy of the settings of the user, completed by a row of the matrix and a
 * seed. The budget is divided evenly between the cases.
 */
#include "apps/search/matrix.h"

#include <stdio.h>
#include <string.h>

#include "apps/facts/facts.h"
#include "apps/output/members.h"
#include "apps/output/table.h"
#include "apps/search/exploration.h"
#include "apps/search/resume.h"
#include "apps/settings/policies.h"
#include "apps/simulation/simulate.h"
#include "models/base/error.h"

/* A row of the matrix. Beside the sizes, options of the runtime and of the
 * machine; "first" stands for the first kernel of the application. */
struct row {
    unsigned app; /* of apps[] */
    const char *tiles, *cpus, *gpus;
    const char *window, *where, *memory; /* NULL: not given */
};

static const char *const apps[] = {"cholesky", "lu"};

/*
 * From small to large, as small cases have few schedules. Together: one worker,
 * several of one class, of two classes, more workers than tasks and the other
 * way round; tasks that only one class can run; submission that waits for each
 * task, or for a few; GPU memory for few tiles.
 */
static const struct row rows[] = {
    {0, "2", "2", "0", NULL, NULL, NULL},
    {0, "2", "1", "1", "1", "first", NULL},
    {0, "3", "2", "0", "1", NULL, NULL},
    {0, "3", "1", "1", NULL, "first", NULL},
    {0, "3", "3", "0", "4", NULL, NULL},
    {0, "3", "0", "2", NULL, NULL, NULL},
    {0, "4", "2", "1", "2", "first", NULL},
    {0, "4", "4", "0", NULL, NULL, NULL},
    {0, "4", "2", "2", NULL, "first", NULL},
    {1, "3", "2", "0", "2", NULL, NULL},
    {1, "3", "1", "1", "1", "first", NULL},
    {1, "4", "2", "2", NULL, NULL, NULL},
    {0, "6", "1", "1", "1", "first", NULL},
    {0, "6", "2", "2", NULL, NULL, NULL},
    {0, "6", "1", "2", "8", "first", "32MiB"},
    {0, "6", "0", "2", NULL, NULL, "32MiB"},
    {1, "5", "3", "1", "8", NULL, "32MiB"},
    {1, "4", "4", "0", NULL, NULL, NULL},
    {0, "8", "4", "2", NULL, NULL, NULL},
    {0, "3", "1", "0", "1", NULL, NULL},
};

static void free_case(void *data)
{
    struct orr_matrix_case *one = data;

    orr_exploration_clear(&one->exploration);
    orr_settings_clear(&one->settings);
    g_free(one->name);
    g_free(one);
}

static bool is_given(const struct orr_settings *settings, const char *name)
{
    size_t length = strlen(name);

    for (guint i = 0;
         settings->scenario.given && i < settings->scenario.given->len; i++) {
        const char *text = settings->scenario.given->pdata[i];

        if (strncmp(text, name, length) == 0 &&
            (text[length] == '=' || !text[length]))
            return true;
    }
    return false;
}

/* Makes a case with the options given in @settings and the application @app;
 * NULL with @error if these do not fit together. */
static struct orr_matrix_case *new_case(const struct orr_settings *settings,
                                        const char *app, GError **error)
{
    struct orr_matrix_case *one = g_new0(struct orr_matrix_case, 1);
    struct orr_settings *own = &one->settings;
    bool fits;

    orr_settings_init(own);
    own->scenario.config.sched = settings->scenario.config.sched;
    own->exploration.strategy = settings->exploration.strategy;
    own->exploration.all = settings->exploration.all;
    own->exploration.resume = settings->exploration.resume;
    own->exploration.threads = settings->exploration.threads;
    own->exploration.budget = settings->exploration.budget;
    own->exploration.budget_time = settings->exploration.budget_time;
    own->outputs.plugin_timeout_s = settings->outputs.plugin_timeout_s;
    one->name = g_strdup(app);
    fits = orr_settings_open(own, app, error);
    for (guint i = 0;
         fits && settings->scenario.given && i < settings->scenario.given->len;
         i++) {
        const char *text = settings->scenario.given->pdata[i];

        if (!g_str_has_prefix(text, "app="))
            fits = orr_settings_give(own, text, error);
    }
    if (fits)
        return one;
    free_case(one);
    return NULL;
}

/* Sets option @name of the case, unless it is set or @value is NULL. */
static bool set_option(struct orr_matrix_case *one, const char *name,
                       const char *value, GError **error)
{
    g_autofree char *text = g_strdup_printf("%s=%s", name, value);
    char *more;

    if (!value || (is_given(&one->settings, name) && strcmp(name, "seed") != 0))
        return true;
    if (!orr_settings_give(&one->settings, text, error))
        return false;
    more = g_strdup_printf("%s --%s %s", one->name, name, value);
    g_free(one->name);
    one->name = more;
    return true;
}

/* Completes the settings of the case, so that it can be run. */
static bool complete(struct orr_matrix_case *one, GError **error)
{
    const char *app = one->settings.scenario.problem.app->name;

    one->exploration.scenario = &one->settings.scenario;
    one->exploration.settings = &one->settings.exploration;
    if (!one->settings.scenario.config.sched)
        one->settings.scenario.config.sched = ORR_DEFAULT_SCHED;
    return orr_settings_choose_tile(&one->settings, app, error) &&
           orr_settings_resolve(&one->settings, app, error) &&
           orr_simulate_share(&one->settings, error) == ORR_EXIT_OK &&
           orr_app_check_tasks(
               one->settings.scenario.problem.values,
               orr_window_is_set(&one->settings.scenario.config.window), error);
}

/* Returns "potrf=cpu", with the first kernel of the application. */
static char *restrict_first(const struct orr_app *app)
{
    return app->kernels && *app->kernels
               ? g_strconcat(*app->kernels, "=cpu", NULL)
               : NULL;
}

/* Makes the case of @row; NULL with @error if it cannot be run. */
static struct orr_matrix_case *new_row(const struct orr_settings *settings,
                                       const char *app, const struct row *row,
                                       GError **error)
{
    struct orr_matrix_case *one = new_case(settings, app, error);
    const struct orr_app *table =
        one ? one->settings.scenario.problem.app : NULL;
    g_autofree char *where = NULL;

    if (!one)
        return NULL;
    if (row->where)
        where = restrict_first(table);
    if ((!table->scale || set_option(one, table->scale, row->tiles, error)) &&
        set_option(one, "cpus", row->cpus, error) &&
        set_option(one, "gpus", row->gpus, error) &&
        set_option(one, "where", where, error) &&
        set_option(one, "window", row->window, error) &&
        set_option(one, "gpu-memory", row->memory, error) &&
        complete(one, error))
        return one;
    free_case(one);
    return NULL;
}

static bool has(const struct orr_matrix *cases,
                const struct orr_matrix_case *one)
{
    for (guint i = 0; i < cases->cases->len; i++) {
        const struct orr_matrix_case *other = cases->cases->pdata[i];

        if (strcmp(other->name, one->name) == 0)
            return true;
    }
    return false;
}

/* The application of a row: the matrix has two, or the user's own. */
static const char *app_of(const struct row *row, const char *app)
{
    for (size_t i = 0; i < G_N_ELEMENTS(apps); i++) {
        if (strcmp(apps[i], app) == 0)
            return apps[(i + row->app) % G_N_ELEMENTS(apps)];
    }
    return app;
}

static bool add_matrix(struct orr_matrix *cases,
                       const struct orr_settings *settings, const char *app,
                       GError **error)
{
    g_autoptr(GError) reason = NULL;

    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        struct orr_matrix_case *one;

        g_clear_error(&reason);
        one = new_row(settings, app_of(&rows[i], app), &rows[i], &reason);
        if (one && !has(cases, one))
            g_ptr_array_add(cases->cases, one);
        else if (one)
            free_case(one);
    }
    if (cases->cases->len > 0)
        return true;
    g_propagate_prefixed_error(error, g_steal_pointer(&reason),
                               "no case of --matrix can be run: ");
    return false;
}

static bool add_given(struct orr_matrix *cases,
                      const struct orr_settings *settings, const char *app,
                      uint64_t seed, GError **error)
{
    struct orr_matrix_case *one = new_case(settings, app, error);
    g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, seed);

    if (!one)
        return false;
    if (set_option(one, "seed", text, error) && complete(one, error)) {
        g_ptr_array_add(cases->cases, one);
        return true;
    }
    free_case(one);
    return false;
}

/* Repeats each case for each seed. */
static bool multiply(struct orr_matrix *cases,
                     const struct orr_settings *settings, const char *app,
                     GError **error)
{
    guint count;
    bool done = true;

    if (!settings->exploration.matrix) {
        for (uint64_t i = 0; done && i < settings->exploration.seeds; i++)
            done = add_given(cases, settings, app,
                             settings->scenario.config.seed + i, error);
        return done;
    }
    if (!add_matrix(cases, settings, app, error))
        return false;
    count = cases->cases->len;
    for (uint64_t i = 1; i < settings->exploration.seeds; i++) {
        for (guint c = 0; c < count; c++) {
            struct orr_settings again = *settings;
            const struct orr_matrix_case *first = cases->cases->pdata[c];

            again.scenario.given = first->settings.scenario.given;
            if (!add_given(cases, &again,
                           first->settings.scenario.problem.app->name,
                           settings->scenario.config.seed + i, error))
                return false;
        }
    }
    return true;
}

/* Divides the budget between the cases; each has at least one schedule. */
static void divide(const struct orr_matrix *cases,
                   const struct orr_settings *settings)
{
    guint count = cases->cases->len;

    for (guint i = 0; i < count; i++) {
        struct orr_settings *own =
            &((struct orr_matrix_case *)cases->cases->pdata[i])->settings;

        if (settings->exploration.budget > 0)
            own->exploration.budget =
                MAX(settings->exploration.budget / count, 1);
        own->exploration.budget_time =
            settings->exploration.budget_time > 0
                ? MAX(settings->exploration.budget_time / count, 1)
                : 0;
    }
}

/* Prepares the file @path to save and resume the position of each case. */
static bool keep_in(struct orr_matrix *cases, const char *path, GError **error)
{
    cases->resume = orr_resume_open(path, error);
    if (!cases->resume)
        return false;
    for (guint i = 0; i < cases->cases->len; i++) {
        struct orr_matrix_case *one = cases->cases->pdata[i];

        one->exploration.resume = cases->resume;
        one->exploration.name = one->name;
        if (!orr_resume_expect(cases->resume, one->name,
                               &one->settings.scenario,
                               &one->settings.exploration, error))
            return false;
    }
    return orr_resume_check(cases->resume, error);
}

bool orr_matrix_init(struct orr_matrix *cases,
                     const struct orr_settings *settings, const char *app,
                     GError **error)
{
    cases->cases = g_ptr_array_new_with_free_func(free_case);
    cases->optional = settings->exploration.matrix;
    if (!orr_policies_check(settings->scenario.config.sched
                                ? settings->scenario.config.sched
                                : ORR_DEFAULT_SCHED,
                            error) ||
        !multiply(cases, settings, app, error))
        return false;
    divide(cases, settings);
    for (guint i = 0; i < cases->cases->len; i++)
        ((struct orr_matrix_case *)cases->cases->pdata[i])
            ->exploration.command = cases->command;
    return !settings->exploration.resume ||
           keep_in(cases, settings->exploration.resume, error);
}

void orr_matrix_clear(struct orr_matrix *cases)
{
    g_clear_pointer(&cases->cases, g_ptr_array_unref);
    g_clear_pointer(&cases->resume, orr_resume_free);
}

static bool has_found(const struct orr_matrix_case *one)
{
    return one->explored &&
           (one->exploration.failures->len > 0 || one->exploration.difference);
}

/* Explores one case. A case of the matrix that this machine cannot run is left
 * out, with *@reason. */
static enum orr_exit explore_case(struct orr_matrix *cases, guint i,
                                  GError **reason)
{
    struct orr_matrix_case *one = cases->cases->pdata[i];
    enum orr_exit status = orr_exploration_perform(&one->exploration, reason);

    one->explored = one->exploration.facts != NULL;
    cases->schedules += one->exploration.schedules;
    if (*reason)
        g_prefix_error(reason, "%s: ", one->name);
    return status;
}

enum orr_exit orr_matrix_explore(struct orr_matrix *cases, GError **error)
{
    g_autoptr(GError) reason = NULL;
    enum orr_exit status = ORR_EXIT_OK;
    guint i = 0;

    while (i < cases->cases->len && status == ORR_EXIT_OK) {
        struct orr_matrix_case *one = cases->cases->pdata[i];

        g_clear_error(&reason);
        status = explore_case(cases, i, &reason);
        if (has_found(one) && !one->settings.exploration.all)
            break;
        if (one->explored || !cases->optional || status > ORR_EXIT_SIGNAL) {
            i++;
            continue;
        }
        status = cases->cases->len > 1 ? ORR_EXIT_OK : status;
        if (status == ORR_EXIT_OK)
            g_ptr_array_remove_index(cases->cases, i);
    }
    if (status != ORR_EXIT_OK && reason)
        g_propagate_error(error, g_steal_pointer(&reason));
    return status;
}

const struct orr_matrix_case *orr_matrix_first(const struct orr_matrix *cases)
{
    for (guint i = 0; i < cases->cases->len; i++) {
        if (has_found(cases->cases->pdata[i]))
            return cases->cases->pdata[i];
    }
    return NULL;
}

/* The facts of an exploration of several cases, and their text. */

static JsonObject *facts_of(const struct orr_matrix_case *one, GError **error)
{
    JsonObject *facts = orr_exploration_facts(&one->exploration, error);

    if (facts)
        orr_output_set_text(facts, "case", one->name);
    return facts;
}

JsonObject *orr_matrix_facts(const struct orr_matrix *cases, GError **error)
{
    JsonObject *facts = json_object_new();
    JsonArray *array = orr_output_add_array(facts, "cases");
    uint64_t before = 0;

    for (guint i = 0; i < cases->cases->len; i++) {
        const struct orr_matrix_case *one = cases->cases->pdata[i];
        JsonObject *object;

        if (!one->explored)
            continue;
        object = facts_of(one, error);
        if (!object) {
            json_object_unref(facts);
            return NULL;
        }
        json_object_set_int_member(object, "schedules_before", (gint64)before);
        before += one->exploration.schedules;
        json_array_add_object_element(array, object);
    }
    json_object_set_int_member(facts, "case_count", cases->cases->len);
    json_object_set_int_member(facts, "schedules", (gint64)cases->schedules);
    return facts;
}

static gint64 sum(JsonObject *one, const char *member)
{
    JsonArray *parts = orr_array_of(one, "strategies");
    gint64 total = 0;

    for (guint i = 0; i < json_array_get_length(parts); i++)
        total += orr_int_of(orr_object_at(parts, i), member);
    return total;
}

static void add_count(struct orr_table *table, gint64 count)
{
    orr_table_take(table, g_strdup_printf("%" G_GINT64_FORMAT, count));
}

static void print_table(JsonArray *cases)
{
    struct orr_table *table = orr_table_new("lrrr");

    orr_table_add(table, "case");
    orr_table_add(table, "schedules");
    orr_table_add(table, "distinct");
    orr_table_add(table, "unfinished");
    for (guint i = 0; i < json_array_get_length(cases); i++) {
        JsonObject *one = orr_object_at(cases, i);

        orr_table_add(table, orr_text_of(one, "case"));
        add_count(table, orr_int_of(one, "schedules"));
        add_count(table, orr_int_of(one, "distinct"));
        add_count(table, sum(one, "unfinished"));
    }
    orr_table_print(table);
    orr_table_free(table);
}

/* Sets the texts of the bounds of @strategy in @one, from @column on. */
static void add_bounds(struct orr_table *table, JsonObject *one,
                       const char *strategy, guint count)
{
    JsonArray *parts = orr_array_of(one, "strategies");
    JsonArray *bounds = NULL;

    for (guint i = 0; i < json_array_get_length(parts); i++) {
        JsonObject *part = orr_object_at(parts, i);

        if (strcmp(orr_text_of(part, "name"), strategy) == 0 &&
            json_object_has_member(part, "bounds"))
            bounds = orr_array_of(part, "bounds");
    }
    for (guint i = 0; i < count; i++) {
        if (bounds)
            orr_table_take(
                table, g_strdup_printf(
                           "%.2g", json_array_get_double_element(bounds, i)));
        else
            orr_table_add(table, "");
    }
}

/* Prints the claims about schedules that were not run, if nothing was found. */
static void print_bounds(JsonArray *cases)
{
    static const char *const titles[] = {"case",  "all",   "random", "pct 1",
                                         "pct 2", "pct 3", "pct 4"};
    struct orr_table *table = orr_table_new("rlrrrrr");

    for (size_t i = 0; i < G_N_ELEMENTS(titles); i++)
        orr_table_add(table, titles[i]);
    for (guint i = 0; i < json_array_get_length(cases); i++) {
        JsonObject *one = orr_object_at(cases, i);
        bool all = json_object_get_boolean_member(one, "exhausted");

        add_count(table, (gint64)i + 1);
        orr_table_add(table, all ? "yes" : "no");
        add_bounds(table, one, "random", 1);
        add_bounds(table, one, "pct", ORR_STRATEGY_BOUNDS);
    }
    puts("\nWhat is known of the schedules that were not tried, for each case "
         "in this order:\n");
    orr_table_print(table);
    orr_table_free(table);
    puts(
        "\nall     every schedule was tried, or one that is equivalent to it\n"
        "random  a smaller share of its schedules hangs, with 95 % confidence\n"
        "pct d   a given hang that needs d constraints on the order of "
        "decisions\n"
        "        would have been found with this probability or more");
}

void orr_matrix_print(JsonObject *facts, G_GNUC_UNUSED bool timing)
{
    JsonArray *cases = orr_array_of(facts, "cases");
    guint count = json_array_get_length(cases);
    bool found = false;

    print_table(cases);
    printf("\n%" G_GINT64_FORMAT
           " schedules of %u cases; there are %" G_GINT64_FORMAT "\n",
           orr_int_of(facts, "schedules"), count,
           orr_int_of(facts, "case_count"));
    for (guint i = 0; i < count; i++) {
        JsonObject *one = orr_object_at(cases, i);

        if (json_array_get_length(orr_array_of(one, "hangs")) == 0 &&
            json_object_get_null_member(one, "difference"))
            continue;
        found = true;
        printf("\n%s", orr_text_of(one, "case"));
        puts("");
        orr_exploration_print_failures(one);
    }
    if (!found) {
        puts("No hang was found.");
        print_bounds(cases);
    }
}
