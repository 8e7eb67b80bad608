/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs points of a campaign. At the start, each key is resolved to an option, a
 * flag, a figure of the machine, or the application; a point then starts from
 * default settings, gets the fixed and the varied values in this form, and is
 * simulated with a cached machine.
 */
#include "apps/sweep/point_runner.h"

#include <string.h>

#include "apps/settings/policies.h"
#include "apps/settings/protection.h"
#include "apps/simulation/simulate.h"
#include "apps/sweep/machines.h"
#include "config.h"
#include "models/base/error.h"
#include "models/base/input.h"
#include "models/base/names.h"
#include "models/format/platform_save.h"
#include "models/import/record.h"
#include "models/platform/platform_change.h"
#include "sched/evict/evict_registry.h"

/* How a value of a key becomes an option. */
enum kind {
    OPTION, /* --KEY VALUE */
    FLAG,   /* --KEY, if the value is "yes" */
    FIGURE, /* --set KEY=VALUE */
    APP,    /* the application */
};

struct orr_point_runner {
    const struct orr_campaign *campaign;
    GPtrArray *apps;  /* struct orr_app, by value of key app; or one */
    GPtrArray *names; /* of @apps, as given */
    enum kind *kinds; /* kind of each key */
    struct orr_machines *machines;
};

static void free_app(gpointer app)
{
    orr_app_free(app);
}

/* The key called @name, or NULL. */
static const struct orr_key *find_key(const struct orr_campaign *campaign,
                                      const char *name)
{
    for (guint i = 0; i < campaign->keys->len; i++) {
        const struct orr_key *key = campaign->keys->pdata[i];

        if (strcmp(key->name, name) == 0)
            return key;
    }
    return NULL;
}

/* Limit on the files of one kind that a campaign may name. */
#define MOST_NAMES 10000

static void add_values(GPtrArray *values, const GPtrArray *settings,
                       const char *name)
{
    size_t length = strlen(name);

    for (guint i = 0; i < settings->len; i++) {
        const char *text = settings->pdata[i];

        if (strncmp(text, name, length) == 0 && text[length] == '=')
            g_ptr_array_add(values, g_strdup(text + length + 1));
    }
}

/* Returns all values of the setting @name, fixed and varied. Without any,
 * returns what the application asks for, or @preset alone, or nothing if that
 * is NULL. Free with g_ptr_array_unref(). */
static GPtrArray *values_of(const struct orr_campaign *campaign,
                            const char *name, const char *preset)
{
    GPtrArray *values = g_ptr_array_new_with_free_func(g_free);
    const struct orr_key *key = find_key(campaign, name);

    add_values(values, campaign->fixed, name);
    for (uint64_t i = 0; key && i < MIN(key->count, MOST_NAMES); i++)
        g_ptr_array_add(values, orr_key_value(key, i));
    if (values->len == 0)
        add_values(values, campaign->asked, name);
    if (values->len == 0 && preset)
        g_ptr_array_add(values, g_strdup(preset));
    return values;
}

/* ---- opening ---- */

static bool open_app(struct orr_point_runner *points, const char *name,
                     GError **error)
{
    struct orr_settings settings;

    orr_settings_init(&settings);
    for (guint i = 0; i < points->campaign->fixed->len; i++) {
        const char *text = points->campaign->fixed->pdata[i];

        if (g_str_has_prefix(text, "time-limit="))
            settings.time_limit = strchr(text, '=') + 1;
    }
    if (!orr_settings_open(&settings, name, error)) {
        orr_settings_clear(&settings);
        return false;
    }
    g_ptr_array_add(points->apps,
                    (gpointer)g_steal_pointer(&settings.scenario.problem.app));
    g_ptr_array_add(points->names,
                    g_steal_pointer(&settings.scenario.problem.name));
    orr_settings_clear(&settings);
    return true;
}

static bool open_apps(struct orr_point_runner *points, GError **error)
{
    const struct orr_key *key = find_key(points->campaign, "app");

    if (!key)
        return open_app(points, points->campaign->app, error);
    for (uint64_t i = 0; i < key->count; i++) {
        g_autofree char *name = orr_key_value(key, i);

        if (!open_app(points, name, error))
            return false;
    }
    return true;
}

/* The options that a campaign may set. */
struct known {
    GPtrArray *names; /* const char * */
    const char *wanted;
    bool found, is_flag;
};

static void note_option(const char *name, bool is_flag, void *data)
{
    struct known *known = data;

    g_ptr_array_add(known->names, (gpointer)name);
    if (strcmp(name, known->wanted) == 0) {
        known->found = true;
        known->is_flag = is_flag;
    }
}

/* Whether @key names a figure of some machine of the campaign. A wrong value is
 * reported by the runs that use it. */
static bool check_figure(const struct orr_point_runner *points,
                         const struct orr_key *key, GError **error)
{
    g_autofree char *value = orr_key_value(key, 0);
    g_autofree char *change = g_strconcat(key->name, "=", value, NULL);
    g_autoptr(GError) reason = NULL;

    if (orr_change_check(change, &reason) ||
        !g_error_matches(reason, ORR_ERROR, ORR_ERROR_UNKNOWN))
        return true;
    g_propagate_prefixed_error(error, g_steal_pointer(&reason),
                               "%s: ", points->campaign->option);
    return false;
}

/* Sets the kind of @key; fails with ORR_ERROR_UNKNOWN if no setting has its
 * name. */
static bool find_kind(const struct orr_point_runner *points,
                      const struct orr_key *key, enum kind *kind,
                      GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    struct known known = {.names = names, .wanted = key->name};

    *kind = strcmp(key->name, "app") == 0 ? APP : FIGURE;
    if (*kind == APP)
        return true;
    if (strchr(key->name, '.'))
        return check_figure(points, key, error);
    for (guint i = 0; i < points->apps->len; i++) {
        const struct orr_settings settings = {.scenario.problem.app =
                                                  points->apps->pdata[i]};

        orr_settings_list(&settings, note_option, &known);
    }
    *kind = known.is_flag ? FLAG : OPTION;
    if (known.found)
        return true;
    g_ptr_array_add(names, (gpointer) "app");
    g_ptr_array_add(names, NULL);
    orr_names_fail("setting", (const char *const *)names->pdata, key->name,
                   error);
    g_prefix_error(error, "%s: ", points->campaign->option);
    return false;
}

/* Loads policies in files while there is one thread, as their guard requires. A
 * policy that cannot be loaded is reported by its runs. */
static void prepare_policies(const struct orr_point_runner *points)
{
    g_autoptr(GPtrArray) names = values_of(points->campaign, "sched", NULL);
    g_autoptr(GPtrArray) evictions = values_of(points->campaign, "evict", NULL);

    for (guint i = 0; i < names->len; i++)
        orr_policies_check(names->pdata[i], NULL);
    for (guint i = 0; i < evictions->len; i++)
        orr_policies_check_eviction(evictions->pdata[i], NULL);
}

static bool open_all(struct orr_point_runner *points, GError **error)
{
    const GPtrArray *keys = points->campaign->keys;

    if (!open_apps(points, error))
        return false;
    points->kinds = g_new0(enum kind, keys->len + 1);
    for (guint i = 0; i < keys->len; i++) {
        if (!find_kind(points, keys->pdata[i], &points->kinds[i], error))
            return false;
    }
    prepare_policies(points);
    return true;
}

struct orr_point_runner *
orr_point_runner_new(const struct orr_campaign *campaign, GError **error)
{
    struct orr_point_runner *points = g_new0(struct orr_point_runner, 1);

    points->campaign = campaign;
    points->apps = g_ptr_array_new_with_free_func(free_app);
    points->names = g_ptr_array_new_with_free_func(g_free);
    points->machines = orr_machines_new();
    if (open_all(points, error))
        return points;
    orr_point_runner_free(points);
    return NULL;
}

void orr_point_runner_free(struct orr_point_runner *points)
{
    if (!points)
        return;
    orr_machines_free(points->machines);
    g_ptr_array_unref(points->apps);
    g_ptr_array_unref(points->names);
    g_free(points->kinds);
    g_free(points);
}

const GPtrArray *orr_point_runner_apps(const struct orr_point_runner *points)
{
    return points->apps;
}

bool orr_point_runner_check(const struct orr_point_runner *points,
                            GError **error)
{
    for (guint i = 0; i < points->apps->len; i++) {
        if (!orr_app_check_calls(points->apps->pdata[i], error))
            return false;
    }
    return true;
}

/* ---- identity ---- */

static void append_digest(GString *lines, const char *digest, const char *name)
{
    g_string_append_printf(lines, "%s %s\n", digest ? digest : "unreadable",
                           name);
}

static void append_file(GString *lines, const char *path)
{
    g_autofree char *digest =
        orr_input_digest(path, ORR_RECORD_MAX_BYTES, NULL);

    append_digest(lines, digest, path);
}

static char *describe_platforms(struct orr_point_runner *points)
{
    g_autoptr(GPtrArray) names =
        values_of(points->campaign, "platform", "attila");
    GString *lines = g_string_new(NULL);

    for (guint i = 0; i < names->len; i++) {
        const struct orr_platform *platform =
            orr_machines_platform(points->machines, names->pdata[i], NULL);
        g_autofree char *digest =
            platform ? orr_platform_digest(platform) : NULL;

        append_digest(lines, digest, names->pdata[i]);
    }
    return g_string_free(lines, FALSE);
}

static char *describe_files(const struct orr_point_runner *points)
{
    g_autoptr(GPtrArray) policies = values_of(points->campaign, "sched", NULL);
    g_autoptr(GPtrArray) evictions = values_of(points->campaign, "evict", NULL);
    g_autoptr(GPtrArray) records = values_of(points->campaign, "record", NULL);
    GString *lines = g_string_new(NULL);

    for (guint i = 0; i < points->apps->len; i++) {
        const char *file = orr_app_file(points->apps->pdata[i]);

        g_autofree char *path = file ? orr_app_path(file, NULL) : NULL;

        if (path)
            append_file(lines, path);
    }
    for (guint i = 0; i < policies->len; i++) {
        g_autofree char *file = orr_policies_file(policies->pdata[i]);

        if (file)
            append_file(lines, file);
    }
    for (guint i = 0; i < evictions->len; i++) {
        if (orr_evict_is_file(evictions->pdata[i]))
            append_file(lines, evictions->pdata[i]);
    }
    for (guint i = 0; i < records->len; i++)
        append_file(lines, records->pdata[i]);
    return g_string_free(lines, FALSE);
}

void orr_point_runner_identify(struct orr_point_runner *points,
                               struct orr_identity *identity)
{
    *identity = (struct orr_identity){
        .settings = orr_campaign_format(points->campaign),
        .version = g_strdup(ORR_VERSION),
        .platforms = describe_platforms(points),
        .files = describe_files(points),
        .shard = {0, 1},
    };
    orr_identity_finish(identity);
}

/* ---- runs ---- */

/* Sets key @k to @value in @settings. */
static bool set_key(const struct orr_point_runner *points,
                    struct orr_settings *settings, guint k, const char *value,
                    GError **error)
{
    const struct orr_key *key = points->campaign->keys->pdata[k];
    g_autofree char *text = NULL;

    switch (points->kinds[k]) {
    case APP:
        return true;
    case FLAG:
        if (strcmp(value, "no") == 0)
            return true;
        if (strcmp(value, "yes") == 0)
            return orr_settings_give(settings, key->name, error);
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "--%s: expected yes or no", key->name);
        return false;
    default:
        text = g_strconcat(points->kinds[k] == FIGURE ? "set=" : "", key->name,
                           "=", value, NULL);
        return orr_settings_give(settings, text, error);
    }
}

/* Sets all options of the point in @settings. */
static bool set_keys(const struct orr_point_runner *points,
                     struct orr_settings *settings, char *const *values,
                     GError **error)
{
    const struct orr_campaign *campaign = points->campaign;

    for (guint i = 0; i < campaign->fixed->len; i++) {
        if (!orr_settings_give(settings, campaign->fixed->pdata[i], error))
            return false;
    }
    for (guint i = 0; i < campaign->keys->len; i++) {
        if (!set_key(points, settings, i, values[i], error))
            return false;
    }
    return true;
}

/* As orr_simulate_prepare(), but with the cached machine. */
static bool prepare(struct orr_point_runner *points,
                    struct orr_settings *settings, GError **error)
{
    const struct orr_platform *platform = orr_machines_platform(
        points->machines, settings->scenario.config.platform, error);

    if (!platform || !orr_settings_choose_tile_on(settings, platform, error) ||
        !orr_settings_resolve(settings, settings->scenario.problem.name, error))
        return false;
    if (!settings->scenario.config.sched)
        settings->scenario.config.sched = ORR_DEFAULT_SCHED;
    return orr_machines_enter(points->machines, settings, error);
}

/* Returns the number of the application of the point. */
static guint app_of(const struct orr_point_runner *points, char *const *values)
{
    const struct orr_campaign *campaign = points->campaign;

    for (guint i = 0; i < campaign->keys->len; i++) {
        for (guint a = 0; points->kinds[i] == APP && a < points->names->len;
             a++) {
            if (strcmp(points->names->pdata[a], values[i]) == 0)
                return a;
        }
    }
    return 0;
}

bool orr_point_runner_run(struct orr_point_runner *points, char *const *values,
                          uint64_t replica, JsonObject **facts, GError **error)
{
    guint app = app_of(points, values);
    struct orr_settings settings;
    bool done = false;

    *facts = NULL;
    orr_settings_init(&settings);
    settings.scenario.problem.name = points->names->pdata[app]; /* borrowed */
    settings.scenario.problem.app = points->apps->pdata[app];   /* borrowed */
    settings.scenario.problem.values =
        orr_app_values_new(settings.scenario.problem.app);
    if (orr_settings_take_config(&settings, error) &&
        set_keys(points, &settings, values, error) &&
        prepare(points, &settings, error)) {
        settings.scenario.config.seed += replica;
        done = orr_simulate(&settings.scenario, settings.scenario.config.sched,
                            NULL, facts, error) == ORR_EXIT_OK;
    }
    orr_machines_leave(points->machines, &settings);
    settings.scenario.problem.name = NULL;
    settings.scenario.problem.app = NULL;
    orr_settings_clear(&settings);
    return done;
}
