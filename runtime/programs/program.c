/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opens applications. For a plug-in, callers get a copy of the table with
 * functions that call the original ones under a guard (sched/guard), and turn
 * crashes into errors.
 */
#include "runtime/programs/program.h"

#include <math.h>
#include <string.h>

#include "models/base/error.h"
#include "models/base/shared_object.h"
#include "runtime/programs/app_check.h"
#include "runtime/run.h"

struct orr_program {
    char *name;                /* as given */
    const struct orr_app *own; /* the table of the application */

    struct orr_graph_file *graph; /* or NULL */

    /* Only for a plug-in; otherwise NULL or 0. */
    struct orr_shared_object *object;
    struct orr_app guarded; /* copy of its table, with functions that call the
                               original ones under a guard */
    struct orr_guard_watch *watch;
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

static struct orr_program *program_of(const struct orr_app_values *values)
{
    return (struct orr_program *)orr_app_values_data(values);
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
    struct orr_program *program = program_of(call->values);
    const struct orr_guarded plugin = {
        .kind = "application",
        .name = program->own->name,
        .file = orr_program_file(program),
        .code = (const void *)(uintptr_t)program->own->submit,
    };
    GError *failure = NULL;
    struct orr_guard *guard =
        orr_guard_new(&plugin, ORR_ERROR_APP, program->watch, &failure);
    bool done;

    call->call.function = names[call->which];
    call->call.invoke = orr_guard_invoke;
    call->app = program->own;
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
    const struct orr_program *program = program_of(call->values);

    if (!perform(call, error))
        return false;
    if (call->done && !call->error)
        return true;
    if (call->error)
        g_propagate_error(error, g_steal_pointer(&call->error));
    else
        g_set_error(error, ORR_ERROR, ORR_ERROR_APP,
                    "application %s (%s): %s() fails without an error",
                    program->own->name, orr_program_file(program),
                    call->call.function);
    return false;
}

/* As perform(), for a function that returns a number and no error. */
static double perform_number(struct app_call *call)
{
    struct orr_program *program = program_of(call->values);
    GError *error = NULL;

    if (perform(call, &error))
        return call->number >= 0 && call->number < INFINITY ? call->number
                                                            : NAN;
    g_mutex_lock(&program->mutex);
    if (!program->error)
        program->error = g_steal_pointer(&error);
    g_mutex_unlock(&program->mutex);
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
    struct orr_program *program = program_of(values);

    if (program->own->complete && !perform_checked(&call, error))
        return false;
    if (program->own->tasks)
        guarded_tasks(values);
    if (program->own->flops)
        guarded_flops(values);
    return orr_program_check(program, error);
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

static bool check_sizes(const struct orr_program *program,
                        const struct orr_app_plugin *header, GError **error)
{
    if (header->magic != ORR_APP_MAGIC)
        return orr_shared_object_refuse(
            program->object, error,
            "its orr_app_plugin was not made with ORR_APP_PLUGIN()");
    if (header->version != ORR_APP_VERSION)
        return orr_shared_object_refuse(
            program->object, error,
            "compiled for version %" G_GUINT64_FORMAT
            " of orrery_app.h, and this is version %d: recompile it",
            header->version, ORR_APP_VERSION);
    if (header->app_size != sizeof(struct orr_app) ||
        header->option_size != sizeof(struct orr_app_option))
        return orr_shared_object_refuse(
            program->object, error,
            "compiled with another orrery_app.h than this program: recompile "
            "it");
    if (!header->app)
        return orr_shared_object_refuse(program->object, error,
                                        "has no application: "
                                        "ORR_APP_PLUGIN(NULL)");
    return true;
}

static bool find_table(struct orr_program *program, GError **error)
{
    const struct orr_app_plugin *header =
        orr_shared_object_find(program->object, "orr_app_plugin");

    if (!header && orr_shared_object_find(program->object, "orr_sched_plugin"))
        return orr_shared_object_refuse(
            program->object, error,
            "is a policy, for --sched, and not an application");
    if (!header)
        return orr_shared_object_refuse(
            program->object, error,
            "is not an application: the line ORR_APP_PLUGIN(...) of "
            "orrery_app.h is missing");
    if (!check_sizes(program, header, error))
        return false;
    program->own = header->app;
    if (orr_app_check(program->own, error))
        return true;
    g_prefix_error(error, "%s: ", orr_program_file(program));
    return false;
}

static bool open_plugin(struct orr_program *program, const char *path,
                        GError **error)
{
    program->object = orr_shared_object_open(path, error);
    if (!program->object || !find_table(program, error))
        return false;
    program->guarded = *program->own;
    program->guarded.complete = guarded_complete;
    program->guarded.tasks = program->own->tasks ? guarded_tasks : NULL;
    program->guarded.flops = program->own->flops ? guarded_flops : NULL;
    program->guarded.submit = guarded_submit;
    return true;
}

bool orr_program_is_plugin(const char *name)
{
    return (strchr(name, '/') && !orr_graph_is_file(name)) ||
           g_str_has_suffix(name, ".so");
}

bool orr_program_is_file(const char *name)
{
    return orr_program_is_plugin(name) || orr_graph_is_file(name);
}

struct orr_program *orr_program_open(const char *name,
                                     struct orr_guard_watch *watch,
                                     GError **error)
{
    struct orr_program *program = g_new0(struct orr_program, 1);
    bool found;

    g_mutex_init(&program->mutex);
    program->name = g_strdup(name);
    program->watch = watch;
    if (orr_program_is_plugin(name)) {
        found = open_plugin(program, name, error);
    } else if (orr_graph_is_file(name)) {
        program->graph = orr_graph_file_new(name);
        program->own = orr_graph_file_app(program->graph);
        found = true;
    } else {
        program->own = orr_app_find(name, error);
        found = program->own;
    }
    if (found)
        return program;
    orr_program_close(program);
    return NULL;
}

void orr_program_close(struct orr_program *program)
{
    if (!program)
        return;
    orr_graph_file_free(program->graph);
    orr_shared_object_close(program->object);
    g_clear_error(&program->error);
    g_mutex_clear(&program->mutex);
    g_free(program->name);
    g_free(program);
}

const struct orr_app *orr_program_app(const struct orr_program *program)
{
    return program->object ? &program->guarded : program->own;
}

const void *orr_program_data(const struct orr_program *program)
{
    return program->object ? (const void *)program : program->graph;
}

const char *orr_program_name(const struct orr_program *program)
{
    return program->name;
}

const char *orr_program_file(const struct orr_program *program)
{
    return orr_program_is_file(program->name) ? program->name : NULL;
}

bool orr_program_check(struct orr_program *program, GError **error)
{
    bool done;

    g_mutex_lock(&program->mutex);
    done = !program->error;
    if (!done)
        g_propagate_error(error, g_error_copy(program->error));
    g_mutex_unlock(&program->mutex);
    return done;
}
