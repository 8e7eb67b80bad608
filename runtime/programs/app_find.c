/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/programs/app_find.h"

#include <string.h>

#include "runtime/programs/app_plugin.h"
#include "runtime/programs/process_app.h"

bool orr_app_name_is_plugin(const char *name)
{
    return !orr_process_is_command(name) &&
           ((strchr(name, '/') && !orr_graph_is_file(name)) ||
            g_str_has_suffix(name, ".so"));
}

bool orr_app_name_is_program(const char *name)
{
    return orr_process_is_command(name);
}

bool orr_app_name_is_file(const char *name)
{
    return orr_process_is_command(name) || orr_app_name_is_plugin(name) ||
           orr_graph_is_file(name);
}

const struct orr_app *orr_app_open(const char *name,
                                   struct orr_guard_watch *watch,
                                   const char *limit, GError **error)
{
    if (orr_process_is_command(name))
        return orr_process_app_new(name, limit, error);
    if (orr_app_name_is_plugin(name))
        return orr_app_plugin_open(name, watch, error);
    if (orr_graph_is_file(name))
        return orr_graph_file_new(name);
    return orr_app_builtin(name, error);
}

const char *orr_app_name(unsigned i)
{
    const struct orr_app *app = orr_app_at(i);

    return app ? app->name : NULL;
}

const struct orr_app *orr_app_find(const char *name, GError **error)
{
    return orr_app_open(name ? name : "", NULL, NULL, error);
}

void orr_app_free(const struct orr_app *app)
{
    if (app && orr_app_is_plugin(app))
        orr_app_plugin_close(app);
    else if (app && orr_graph_is_app(app))
        orr_graph_file_free(app);
    else if (app && orr_process_is_app(app))
        orr_process_app_free(app);
}

const char *orr_app_file(const struct orr_app *app)
{
    if (orr_app_is_plugin(app))
        return orr_app_plugin_path(app);
    if (orr_process_is_app(app))
        return orr_process_app_command(app);
    return orr_graph_is_app(app) ? app->name : NULL;
}

char *orr_app_path(const char *name, GError **error)
{
    return orr_process_is_command(name) ? orr_process_path(name, error)
                                        : g_strdup(name);
}

const char *const *orr_app_config(const struct orr_app *app)
{
    return orr_process_is_app(app) ? orr_process_app_config(app) : NULL;
}

const char *const *orr_app_config_with(const struct orr_app_values *values,
                                       GError **error)
{
    return orr_process_is_app(orr_app_values_app(values))
               ? orr_process_app_config_with(values, error)
               : NULL;
}

bool orr_app_check_calls(const struct orr_app *app, GError **error)
{
    return !orr_app_is_plugin(app) || orr_app_plugin_check(app, error);
}
