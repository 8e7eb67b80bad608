/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cases/cases.h"

#include <string.h>

#include "apps/search/exploration_run.h"
#include "apps/search/resume.h"
#include "apps/settings/policies.h"
#include "apps/study/simulate.h"
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
    struct orr_case *one = data;

    orr_exploration_clear(&one->exploration);
    orr_settings_clear(&one->settings);
    g_free(one->name);
    g_free(one);
}

static bool is_given(const struct orr_settings *settings, const char *name)
{
    size_t length = strlen(name);

    for (guint i = 0; settings->given && i < settings->given->len; i++) {
        const char *text = settings->given->pdata[i];

        if (strncmp(text, name, length) == 0 &&
            (text[length] == '=' || !text[length]))
            return true;
    }
    return false;
}

/* A case with what @settings were given, of the application @app; NULL with
 * @error if that does not fit. */
static struct orr_case *new_case(const struct orr_settings *settings,
                                 const char *app, GError **error)
{
    struct orr_case *one = g_new0(struct orr_case, 1);
    struct orr_settings *own = &one->settings;
    bool fits;

    orr_settings_init(own);
    own->sched = settings->sched;
    own->strategy = settings->strategy;
    own->all = settings->all;
    own->resume = settings->resume;
    own->threads = settings->threads;
    own->budget = settings->budget;
    own->budget_time = settings->budget_time;
    own->plugin_timeout_s = settings->plugin_timeout_s;
    one->name = g_strdup(app);
    fits = orr_settings_open(own, app, error);
    for (guint i = 0; fits && settings->given && i < settings->given->len;
         i++) {
        const char *text = settings->given->pdata[i];

        if (!g_str_has_prefix(text, "app="))
            fits = orr_settings_give(own, text, error);
    }
    if (fits)
        return one;
    free_case(one);
    return NULL;
}

/* Gives option @name to the case, unless it has it. NULL: not. */
static bool give(struct orr_case *one, const char *name, const char *value,
                 GError **error)
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

/* Completes the case; it can be run then. */
static bool complete(struct orr_case *one, GError **error)
{
    const char *app = one->settings.app->name;

    one->exploration.settings = &one->settings;
    if (!one->settings.sched)
        one->settings.sched = ORR_DEFAULT_SCHED;
    return orr_settings_choose_tile(&one->settings, app, error) &&
           orr_settings_resolve(&one->settings, app, error) &&
           orr_simulate_share(&one->settings, error) == ORR_EXIT_OK &&
           orr_app_check_tasks(one->settings.values,
                               orr_window_is_set(&one->settings.window), error);
}

/* "potrf=cpu", of the first kernel of the application. */
static char *restrict_first(const struct orr_app *app)
{
    return app->kernels && *app->kernels
               ? g_strconcat(*app->kernels, "=cpu", NULL)
               : NULL;
}

/* The case of @row; NULL with @error if it cannot be run. */
static struct orr_case *new_row(const struct orr_settings *settings,
                                const char *app, const struct row *row,
                                GError **error)
{
    struct orr_case *one = new_case(settings, app, error);
    const struct orr_app *table = one ? one->settings.app : NULL;
    g_autofree char *where = NULL;

    if (!one)
        return NULL;
    if (row->where)
        where = restrict_first(table);
    if ((!table->scale || give(one, table->scale, row->tiles, error)) &&
        give(one, "cpus", row->cpus, error) &&
        give(one, "gpus", row->gpus, error) &&
        give(one, "where", where, error) &&
        give(one, "window", row->window, error) &&
        give(one, "gpu-memory", row->memory, error) && complete(one, error))
        return one;
    free_case(one);
    return NULL;
}

static bool has(const struct orr_cases *cases, const struct orr_case *one)
{
    for (guint i = 0; i < cases->cases->len; i++) {
        const struct orr_case *other = cases->cases->pdata[i];

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

static bool add_matrix(struct orr_cases *cases,
                       const struct orr_settings *settings, const char *app,
                       GError **error)
{
    g_autoptr(GError) reason = NULL;

    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        struct orr_case *one;

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

static bool add_given(struct orr_cases *cases,
                      const struct orr_settings *settings, const char *app,
                      uint64_t seed, GError **error)
{
    struct orr_case *one = new_case(settings, app, error);
    g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, seed);

    if (!one)
        return false;
    if (give(one, "seed", text, error) && complete(one, error)) {
        g_ptr_array_add(cases->cases, one);
        return true;
    }
    free_case(one);
    return false;
}

/* Has each case for each seed. */
static bool multiply(struct orr_cases *cases,
                     const struct orr_settings *settings, const char *app,
                     GError **error)
{
    guint count;
    bool done = true;

    if (!settings->matrix) {
        for (uint64_t i = 0; done && i < settings->seeds; i++)
            done = add_given(cases, settings, app, settings->seed + i, error);
        return done;
    }
    if (!add_matrix(cases, settings, app, error))
        return false;
    count = cases->cases->len;
    for (uint64_t i = 1; i < settings->seeds; i++) {
        for (guint c = 0; c < count; c++) {
            struct orr_settings again = *settings;
            const struct orr_case *first = cases->cases->pdata[c];

            again.given = first->settings.given;
            if (!add_given(cases, &again, first->settings.app->name,
                           settings->seed + i, error))
                return false;
        }
    }
    return true;
}

/* Each case has a part of the budget, at least one schedule. */
static void divide(const struct orr_cases *cases,
                   const struct orr_settings *settings)
{
    guint count = cases->cases->len;

    for (guint i = 0; i < count; i++) {
        struct orr_settings *own =
            &((struct orr_case *)cases->cases->pdata[i])->settings;

        if (settings->budget > 0)
            own->budget = MAX(settings->budget / count, 1);
        own->budget_time = settings->budget_time > 0
                               ? MAX(settings->budget_time / count, 1)
                               : 0;
    }
}

/* Has the position of each case kept in the file @path. */
static bool keep_in(struct orr_cases *cases, const char *path, GError **error)
{
    cases->resume = orr_resume_open(path, error);
    if (!cases->resume)
        return false;
    for (guint i = 0; i < cases->cases->len; i++) {
        struct orr_case *one = cases->cases->pdata[i];

        one->exploration.resume = cases->resume;
        one->exploration.name = one->name;
        if (!orr_resume_expect(cases->resume, one->name, &one->settings, error))
            return false;
    }
    return orr_resume_check(cases->resume, error);
}

bool orr_cases_init(struct orr_cases *cases,
                    const struct orr_settings *settings, const char *app,
                    GError **error)
{
    cases->cases = g_ptr_array_new_with_free_func(free_case);
    cases->optional = settings->matrix;
    if (!orr_policies_check(
            settings->sched ? settings->sched : ORR_DEFAULT_SCHED, error) ||
        !multiply(cases, settings, app, error))
        return false;
    divide(cases, settings);
    for (guint i = 0; i < cases->cases->len; i++)
        ((struct orr_case *)cases->cases->pdata[i])->exploration.command =
            cases->command;
    return !settings->resume || keep_in(cases, settings->resume, error);
}

void orr_cases_clear(struct orr_cases *cases)
{
    g_clear_pointer(&cases->cases, g_ptr_array_unref);
    g_clear_pointer(&cases->resume, orr_resume_free);
}

static bool has_found(const struct orr_case *one)
{
    return one->explored &&
           (one->exploration.findings->len > 0 || one->exploration.difference);
}

/* Explores one case. A case of the matrix that this machine cannot run is left
 * out, with *@reason. */
static enum orr_exit explore_case(struct orr_cases *cases, guint i,
                                  GError **reason)
{
    struct orr_case *one = cases->cases->pdata[i];
    enum orr_exit status = orr_exploration_perform(&one->exploration, reason);

    one->explored = one->exploration.facts != NULL;
    cases->schedules += one->exploration.schedules;
    if (*reason)
        g_prefix_error(reason, "%s: ", one->name);
    return status;
}

enum orr_exit orr_cases_explore(struct orr_cases *cases, GError **error)
{
    g_autoptr(GError) reason = NULL;
    enum orr_exit status = ORR_EXIT_OK;
    guint i = 0;

    while (i < cases->cases->len && status == ORR_EXIT_OK) {
        struct orr_case *one = cases->cases->pdata[i];

        g_clear_error(&reason);
        status = explore_case(cases, i, &reason);
        if (has_found(one) && !one->settings.all)
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

const struct orr_case *orr_cases_first(const struct orr_cases *cases)
{
    for (guint i = 0; i < cases->cases->len; i++) {
        if (has_found(cases->cases->pdata[i]))
            return cases->cases->pdata[i];
    }
    return NULL;
}
