/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/programs/process_app.h"

#include <string.h>

#include "models/base/error.h"
#include "runtime/programs/process_options.h"
#include "runtime/remote/server.h"
#include "runtime/run.h"

#define PREFIX "-- "

struct process_app {
    struct orr_app app; /* first member */
    struct orr_app_option options[ORR_PROCESS_OPTIONS];
    char *command;      /* as given */
    char *file;         /* the program */
    char *name;         /* without its folder */
    char *arguments;    /* quoted; NULL: none */
    char **given;       /* not quoted */
    char **config;      /* the settings that the program requests */
    GMutex lock;        /* of @others */
    GHashTable *others; /* the settings that it requests with other arguments:
                           owned lists, by the arguments */
    struct orr_process *ready; /* started, with @arguments; NULL: none. Taken by
                                  one run */
};

bool orr_process_is_command(const char *name)
{
    return g_str_has_prefix(name, PREFIX);
}

char *orr_app_quote(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+=:,./";

    return *word && !word[strspn(word, plain)] ? g_strdup(word)
                                               : g_shell_quote(word);
}

/* Starts the program with @arguments, and takes what it asks for. The output of
 * the first process alone is shown: of the first run that is simulated. */
static struct orr_process *start(const struct process_app *program,
                                 char *const *arguments, bool silent,
                                 double limit_s, char ***config, GError **error)
{
    g_autoptr(GPtrArray) argv = g_ptr_array_new();
    struct orr_process *process;

    g_ptr_array_add(argv, program->file);
    for (char *const *word = arguments; *word; word++)
        g_ptr_array_add(argv, *word);
    g_ptr_array_add(argv, NULL);
    process = orr_process_start((char **)argv->pdata, silent, error);
    if (process)
        orr_process_set_limit(process, limit_s);
    *config = process ? orr_remote_hello(process, error) : NULL;
    if (!*config)
        g_clear_pointer(&process, orr_process_kill);
    return process;
}

/* Whether the clock of @run moves; otherwise the program prints wrong dates. */
static bool is_simulated(const struct orr_run *run)
{
    return !run->recording && !run->capture;
}

/* Takes the process that is ready, or starts one for @run. */
static struct orr_process *take(struct process_app *program,
                                const struct orr_run *run,
                                char *const *arguments, double limit_s,
                                GError **error)
{
    struct orr_process *process = NULL;
    g_auto(GStrv) config = NULL;

    if (is_simulated(run) && g_strv_equal((const char *const *)arguments,
                                          (const char *const *)program->given))
        process = g_atomic_pointer_exchange(&program->ready, NULL);
    if (!process)
        return start(program, arguments, true, limit_s, &config, error);
    orr_process_set_limit(process, limit_s);
    return process;
}

/* Whether orr_run_wait() says better than @why, which may be NULL, why the
 * program has ended: it ends when its run has an error or hangs. But where it
 * reports that error itself, it names its call; and a run may hang because its
 * program has failed. */
static bool says_better(const struct orr_run *run,
                        const struct orr_process *process, const GError *why)
{
    if (run->error)
        return !why || !strstr(why->message, run->error->message);
    return run->diagnosis.hang && !(process && orr_process_has_failed(process));
}

/* With --execute a program can check its results: its exit status counts. */
static bool check_status(const struct orr_process *process,
                         const struct orr_app_values *values,
                         const struct orr_run *run, GError **error)
{
    int status = orr_process_status(process);

    if (status == 0 || !is_simulated(run) || !orr_app_flag(values, "execute"))
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_APP,
                "%s: it exits with status %d, which counts with --execute",
                orr_process_name(process), status);
    return false;
}

static bool submit(struct orr_run *run, const struct orr_app_values *values,
                   GError **error)
{
    struct process_app *program =
        (struct process_app *)orr_app_values_app(values);
    g_auto(GStrv) arguments = orr_process_options_list(values, error);
    g_auto(GStrv) environment = orr_process_options_environment(values);
    struct orr_process *process =
        arguments ? take(program, run, arguments,
                         orr_process_options_limit(values), error)
                  : NULL;
    g_autoptr(GError) why = NULL;
    bool good = false;

    if (process)
        good = orr_remote_serve(process, run, environment, &why) &&
               check_status(process, values, run, &why);
    if (good || says_better(run, process, why)) {
        orr_process_kill(process);
        return true;
    }
    orr_process_kill(process);
    if (why)
        g_propagate_error(error, g_steal_pointer(&why));
    return false;
}

static void init_table(struct process_app *program)
{
    orr_process_options_init(program->options, program->arguments);
    program->app = (struct orr_app){
        .name = program->name,
        .summary = "a program with StarPU's interface",
        .options = program->options,
        .scale = ORR_PROCESS_SCALE,
        .complete = orr_process_options_complete,
        .submit = submit,
    };
}

/* Splits "-- ./chol -nblocks 10". Free with g_strfreev(). */
static char **split(const char *name, GError **error)
{
    g_autoptr(GError) why = NULL;
    char **argv;

    if (g_shell_parse_argv(name + strlen(PREFIX), NULL, &argv, &why))
        return argv;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "'%s': %s", name,
                why->message);
    return NULL;
}

char *orr_process_path(const char *name, GError **error)
{
    g_auto(GStrv) argv = split(name, error);
    char *path = argv ? g_find_program_in_path(argv[0]) : NULL;

    return path || !argv ? path : g_strdup(argv[0]);
}

char *orr_process_arguments(const char *name)
{
    g_auto(GStrv) argv = split(name, NULL);
    GString *arguments = g_string_new(NULL);

    for (char **word = argv ? argv + 1 : NULL; word && *word; word++) {
        g_autofree char *quoted = orr_app_quote(*word);

        g_string_append_printf(arguments, "%s%s", arguments->len > 0 ? " " : "",
                               quoted);
    }
    return g_string_free(arguments, FALSE);
}

static bool take_command(struct process_app *program, const char *name,
                         GError **error)
{
    g_auto(GStrv) argv = split(name, error);
    g_autofree char *arguments = orr_process_arguments(name);

    if (!argv)
        return false;
    g_mutex_init(&program->lock);
    program->others = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
                                            (GDestroyNotify)g_strfreev);
    program->command = g_strdup(name);
    program->file = g_strdup(argv[0]);
    program->name = g_path_get_basename(argv[0]);
    if (*arguments)
        program->arguments = g_steal_pointer(&arguments);
    program->given = g_strdupv(argv + 1);
    return true;
}

const struct orr_app *orr_process_app_new(const char *name, const char *limit,
                                          GError **error)
{
    struct process_app *program = g_new0(struct process_app, 1);

    if (take_command(program, name, error))
        program->ready =
            start(program, program->given, false, orr_process_limit(limit),
                  &program->config, error);
    if (!program->ready) {
        orr_process_app_free(&program->app);
        return NULL;
    }
    init_table(program);
    return &program->app;
}

void orr_process_app_free(const struct orr_app *app)
{
    struct process_app *program = (struct process_app *)app;

    orr_process_kill(program->ready);
    if (program->others) {
        g_hash_table_unref(program->others);
        g_mutex_clear(&program->lock);
    }
    g_strfreev(program->config);
    g_free(program->arguments);
    g_strfreev(program->given);
    g_free(program->name);
    g_free(program->file);
    g_free(program->command);
    g_free(program);
}

bool orr_process_is_app(const struct orr_app *app)
{
    return app->submit == submit;
}

const char *orr_process_app_command(const struct orr_app *app)
{
    return ((const struct process_app *)app)->command;
}

const char *const *orr_process_app_config(const struct orr_app *app)
{
    return (const char *const *)((const struct process_app *)app)->config;
}

const char *const *
orr_process_app_config_with(const struct orr_app_values *values, GError **error)
{
    struct process_app *program =
        (struct process_app *)orr_app_values_app(values);
    g_auto(GStrv) arguments = orr_process_options_list(values, error);
    g_autofree char *key = NULL;
    char **config = NULL;

    if (!arguments)
        return NULL;
    if (g_strv_equal((const char *const *)arguments,
                     (const char *const *)program->given))
        return (const char *const *)program->config;
    key = g_strjoinv("\n", arguments);
    g_mutex_lock(&program->lock);
    config = g_hash_table_lookup(program->others, key);
    if (!config) {
        struct orr_process *process =
            start(program, arguments, true, orr_process_options_limit(values),
                  &config, error);

        orr_process_kill(process);
        if (config)
            g_hash_table_insert(program->others, g_steal_pointer(&key), config);
    }
    g_mutex_unlock(&program->lock);
    return (const char *const *)config;
}
