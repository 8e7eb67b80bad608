/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Applications in shared objects. Callers get a copy of the table with
 * functions that call the original ones under a guard (sched/guard), and turn
 * crashes into errors.
 */
#include "runtime/programs/app_plugin.h"

#include <math.h>

#include "models/base/error.h"
#include "models/base/shared_object.h"
#include "runtime/config/app_values.h"
#include "runtime/programs/app_check.h"
#include "runtime/run.h"

struct plugin {
    struct orr_app app;        /* first member: the guarded copy */
    const struct orr_app *own; /* the table of the application */
    char *path;
    struct orr_shared_object *object;
    struct orr_guard_watch *watch; /* borrowed, or NULL */
    GMutex mutex;
    GError *error; /* first error in a function that cannot fail; protected by
                      @mutex */
};

enum which { COMPLETE, TASKS, FLOPS, SUBMIT };

/* A call of a plug-in. */
struct app_call {
    struct orr_guard_call call; /* first member */
    enum which which;
    const struct orr_app *app;
    struct orr_app_values *values;
    struct orr_run *run; /* argument of submit */

    /* The results. */
    bool done;
    double number;
    GError *error;
};

static struct plugin *plugin_of(const struct orr_app_values *values)
{
    return (struct plugin *)orr_app_values_app(values);
}

/* Returns a copy of @error, for which an application may pass any pointer: call
 * it under the guard. Codes of domains other than Orrery's are replaced. */
static GError *copy_error(const GError *error)
{
    if (!error)
        return NULL;
    return g_error_new_literal(
        ORR_ERROR, error->domain == ORR_ERROR ? error->code : ORR_ERROR_VALUE,
        error->message);
}

/* Debuggers find the frames of a plug-in below this one: see policy_guard.c. */
__attribute__((noinline)) static void
orr_guard_invoke(struct orr_guard_call *guarded)
{
    struct app_call *call = (struct app_call *)guarded;
    const struct orr_app *app = call->app;
    GError *error = NULL;

    switch (call->which) {
    case COMPLETE:
        call->done = app->complete(call->values, &error);
        break;
    case TASKS:
        call->number = app->tasks(call->values);
        break;
    case FLOPS:
        call->number = app->flops(call->values);
        break;
    case SUBMIT:
        call->done = app->submit(call->run, call->values, &error);
        break;
    }
    call->error = copy_error(error);
    g_clear_error(&error);
}

/* Makes @call. Returns false with @error if it crashes, or does not return. */
static bool perform(struct app_call *call, GError **error)
{
    static const char *const names[] = {"complete", "tasks", "flops", "submit"};
    struct plugin *plugin = plugin_of(call->values);
    const struct orr_guarded guarded = {
        .kind = "application",
        .name = plugin->own->name,
        .file = plugin->path,
        .code = (const void *)(uintptr_t)plugin->own->submit,
    };
    GError *failure = NULL;
    struct orr_guard *guard =
        orr_guard_new(&guarded, ORR_ERROR_APP, plugin->watch, &failure);
    bool done;

    call->call.function = names[call->which];
    call->call.invoke = orr_guard_invoke;
    call->app = plugin->own;
    if (call->run)
        call->run->app.guard = guard;
    done = orr_guard_perform(guard, &call->call);
    if (call->run)
        call->run->app.guard = NULL;
    orr_guard_free(guard);
    if (!done)
        g_propagate_error(error, failure);
    return done;
}

/* As perform(), for a function that returns an error. */
static bool perform_checked(struct app_call *call, GError **error)
{
    const struct plugin *plugin = plugin_of(call->values);

    if (!perform(call, error))
        return false;
    if (call->done && !call->error)
        return true;
    if (call->error)
        g_propagate_error(error, g_steal_pointer(&call->error));
    else
        g_set_error(error, ORR_ERROR, ORR_ERROR_APP,
                    "application %s (%s): %s() fails without an error",
                    plugin->own->name, plugin->path, call->call.function);
    return false;
}

/* As perform(), for a function that returns a number and no error. */
static double perform_number(struct app_call *call)
{
    struct plugin *plugin = plugin_of(call->values);
    GError *error = NULL;

    if (perform(call, &error))
        return call->number >= 0 && call->number < INFINITY ? call->number
                                                            : NAN;
    g_mutex_lock(&plugin->mutex);
    if (!plugin->error)
        plugin->error = g_steal_pointer(&error);
    g_mutex_unlock(&plugin->mutex);
    g_clear_error(&error);
    return NAN;
}

static double guarded_tasks(const struct orr_app_values *values)
{
    struct app_call call = {.which = TASKS,
                            .values = (struct orr_app_values *)values};

    return perform_number(&call);
}

static double guarded_flops(const struct orr_app_values *values)
{
    struct app_call call = {.which = FLOPS,
                            .values = (struct orr_app_values *)values};

    return perform_number(&call);
}

/* Also calls the functions that return numbers, so that their errors appear
 * before any report. */
static bool guarded_complete(struct orr_app_values *values, GError **error)
{
    struct app_call call = {.which = COMPLETE, .values = values};
    struct plugin *plugin = plugin_of(values);

    if (plugin->own->complete && !perform_checked(&call, error))
        return false;
    if (plugin->own->tasks)
        guarded_tasks(values);
    if (plugin->own->flops)
        guarded_flops(values);
    return orr_app_plugin_check(&plugin->app, error);
}

/* Reports an error of the run first: an application that ignores it may submit
 * forever. */
static bool guarded_submit(struct orr_run *run,
                           const struct orr_app_values *values, GError **error)
{
    struct app_call call = {
        .which = SUBMIT, .values = (struct orr_app_values *)values, .run = run};
    GError *failure = NULL;

    if (perform_checked(&call, &failure))
        return true;
    if (run->error) {
        g_clear_error(&failure);
        failure = g_error_copy(run->error);
    }
    g_propagate_error(error, failure);
    return false;
}

static bool check_sizes(const struct plugin *plugin,
                        const struct orr_app_plugin *header, GError **error)
{
    if (header->magic != ORR_APP_MAGIC)
        return orr_shared_object_refuse(
            plugin->object, error,
            "its orr_app_plugin was not made with ORR_APP_PLUGIN()");
    if (header->version != ORR_APP_VERSION)
        return orr_shared_object_refuse(
            plugin->object, error,
            "compiled for version %" G_GUINT64_FORMAT
            " of orrery_app.h, and this is version %d: recompile it",
            header->version, ORR_APP_VERSION);
    if (header->app_size != sizeof(struct orr_app) ||
        header->option_size != sizeof(struct orr_app_option))
        return orr_shared_object_refuse(
            plugin->object, error,
            "compiled with another orrery_app.h than this program: recompile "
            "it");
    if (!header->app)
        return orr_shared_object_refuse(plugin->object, error,
                                        "has no application: "
                                        "ORR_APP_PLUGIN(NULL)");
    return true;
}

static bool find_table(struct plugin *plugin, GError **error)
{
    const struct orr_app_plugin *header =
        orr_shared_object_find(plugin->object, "orr_app_plugin");

    if (!header && orr_shared_object_find(plugin->object, "orr_sched_plugin"))
        return orr_shared_object_refuse(
            plugin->object, error,
            "is a policy, for --sched, and not an application");
    if (!header)
        return orr_shared_object_refuse(
            plugin->object, error,
            "is not an application: the line ORR_APP_PLUGIN(...) of "
            "orrery_app.h is missing");
    if (!check_sizes(plugin, header, error))
        return false;
    plugin->own = header->app;
    if (orr_app_check(plugin->own, error))
        return true;
    g_prefix_error(error, "%s: ", plugin->path);
    return false;
}

bool orr_app_is_plugin(const struct orr_app *app)
{
    return app->submit == guarded_submit;
}

/* Says what to do with a program, which dlopen() refuses. */
static void explain_program(const char *path, GError **error)
{
    if (!error || !g_str_has_suffix((*error)->message, " executable"))
        return;
    g_clear_error(error);
    g_set_error(error, ORR_ERROR, ORR_ERROR_SYNTAX,
                "%s is a program, not a shared library: write '-- %s', and its "
                "arguments",
                path, path);
}

static bool open_plugin(struct plugin *plugin, GError **error)
{
    plugin->object = orr_shared_object_open(plugin->path, error);
    if (!plugin->object) {
        explain_program(plugin->path, error);
        return false;
    }
    if (!find_table(plugin, error))
        return false;
    plugin->app = *plugin->own;
    plugin->app.complete = guarded_complete;
    plugin->app.tasks = plugin->own->tasks ? guarded_tasks : NULL;
    plugin->app.flops = plugin->own->flops ? guarded_flops : NULL;
    plugin->app.submit = guarded_submit;
    return true;
}

const struct orr_app *orr_app_plugin_open(const char *path,
                                          struct orr_guard_watch *watch,
                                          GError **error)
{
    struct plugin *plugin = g_new0(struct plugin, 1);

    g_mutex_init(&plugin->mutex);
    plugin->path = g_strdup(path);
    plugin->watch = watch;
    if (open_plugin(plugin, error))
        return &plugin->app;
    orr_app_plugin_close(&plugin->app);
    return NULL;
}

void orr_app_plugin_close(const struct orr_app *app)
{
    struct plugin *plugin = (struct plugin *)app;

    orr_shared_object_close(plugin->object);
    g_clear_error(&plugin->error);
    g_mutex_clear(&plugin->mutex);
    g_free(plugin->path);
    g_free(plugin);
}

const char *orr_app_plugin_path(const struct orr_app *app)
{
    return ((const struct plugin *)app)->path;
}

bool orr_app_plugin_check(const struct orr_app *app, GError **error)
{
    struct plugin *plugin = (struct plugin *)app;
    bool done;

    g_mutex_lock(&plugin->mutex);
    done = !plugin->error;
    if (!done)
        g_propagate_error(error, g_error_copy(plugin->error));
    g_mutex_unlock(&plugin->mutex);
    return done;
}
