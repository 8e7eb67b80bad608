/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/settings/protection.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "apps/output/message.h"
#include "models/api.h"
#include "sched/evict/evict_registry.h"

/* What the program does outside of guarded calls. */
enum phase {
    NO_PLUGINS,
    LOADING, /* the constructors of a plug-in may run */
    LOADED,
    ENDING, /* destructors may run */
    BROKEN  /* an error is being printed */
};

/* The handlers may read it at any time. */
static struct {
    const char *command;
    double limit_s; /* 0: none */
    gint phase;     /* enum phase; atomic */
    gint loads;     /* files loaded so far; atomic */
    pid_t process;
    gint exited;        /* a plug-in has called exit(); atomic */
    const char *kind;   /* of the file being loaded: "policy" */
    char file[1024];    /* that file */
    char plugins[2048]; /* loaded: "policy mine (./mine.so) or policy other
                           (./other.so)" */
    struct orr_guard_watch *watch; /* or NULL */
} program;

void orr_protection_begin(const char *command)
{
    program.command = command;
}

void orr_protection_limit(double limit_s)
{
    program.limit_s = limit_s;
    if (program.watch)
        orr_guard_watch_set_limit(program.watch, limit_s);
}

/* Ends the process at once, without functions of atexit(). */
static G_GNUC_NORETURN void quit(int status)
{
    for (;;)
        syscall(SYS_exit_group, status);
}

/* Writes the texts, up to NULL, to the standard error, by means that a handler
 * of a signal may use. */
static void write_texts(const char *const *texts)
{
    char line[8192];
    size_t length = 0;

    for (; *texts; texts++) {
        for (const char *c = *texts; *c && length < sizeof(line) - 1; c++)
            line[length++] = *c;
    }
    line[length++] = '\n';
    if (write(STDERR_FILENO, line, length) < 0)
        return; /* no other way to report it */
}

/* Ends the program with the message "@subject@does@more". */
static G_GNUC_NORETURN void fail(const char *subject, const char *does,
                                 const char *more)
{
    const char *const texts[] = {
        "orrery ", program.command, ": ", subject, does, more, NULL};

    write_texts(texts);
    quit(ORR_EXIT_FAILURE);
}

/* Ends the program, which @does something outside of guarded calls. */
static G_GNUC_NORETURN void blame(const char *does, const char *more)
{
    char subject[sizeof(program.plugins) + 256];

    switch ((enum phase)g_atomic_int_get(&program.phase)) {
    case LOADING:
        g_snprintf(subject, sizeof(subject),
                   "%s file %s: its constructor or table ", program.kind,
                   program.file);
        break;
    case ENDING:
        g_snprintf(subject, sizeof(subject), "%s: its destructor ",
                   program.plugins);
        break;
    default:
        g_snprintf(subject, sizeof(subject), "the program, outside of %s, ",
                   program.plugins);
        break;
    }
    g_atomic_int_set(&program.phase, BROKEN);
    fail(subject, does, more);
}

static void handle_signal(int signal, siginfo_t *info, void *context)
{
    bool again = g_atomic_int_get(&program.phase) == BROKEN;
    const char *crash = orr_guard_catch(signal, info, context);
    bool loaded = g_atomic_int_get(&program.phase) == LOADED;
    char more[128];

    if (!crash)
        return;
    if (again)
        quit(ORR_EXIT_FAILURE);
    g_snprintf(more, sizeof(more), ": %s%s", crash,
               loaded ? "; a plug-in may have overwritten memory" : "");
    blame("crashes", more);
}

/* Is called by exit(). */
static void handle_exit(void)
{
    gint phase = g_atomic_int_get(&program.phase);

    if (phase == ENDING)
        return;
    if (orr_guard_is_in_call()) {
        g_atomic_int_set(&program.exited, 1);
        atexit(handle_exit); /* each registration is good for one call */
        orr_guard_catch_exit();
    }
    blame("calls exit()", "");
}

/*
 * Replaces the function of the C library, which calls none of atexit(), for
 * plug-ins and for this program.
 */
ORR_API void _exit(int status)
{
    gint phase = g_atomic_int_get(&program.phase);

    orr_guard_catch_exit();
    /* Children that could not execute a program call it, too. */
    if ((phase == LOADING || phase == LOADED) && getpid() == program.process)
        blame("calls _exit()", "");
    quit(status);
}

/* Other names of _exit(). Nothing of ours is to be done at a quick exit. */
ORR_API void _Exit(int status)
{
    _exit(status);
}

ORR_API void quick_exit(int status)
{
    _exit(status);
}

/* Replaces the function of the C library, for plug-ins. */
ORR_API pid_t fork(void)
{
    pid_t (*next)(void) = NULL;

    orr_guard_catch_fork();
    *(void **)&next = dlsym(RTLD_NEXT, "fork");
    return next ? next() : -1;
}

static void install_handlers(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS,  SIGFPE,          SIGILL,
                                  SIGTRAP, SIGABRT, ORR_GUARD_SIGNAL};
    /* The handler jumps out, so the signal must not stay blocked. */
    struct sigaction action = {
        .sa_sigaction = handle_signal,
        .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART,
    };

    program.process = getpid();
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, ORR_GUARD_SIGNAL);
    for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
        sigaction(signals[i], &action, NULL);
    atexit(handle_exit);
}

/* Returns for how many ticks a file has been loading, or the program ending. */
static unsigned count_ticks(void)
{
    static gint phase, loads;
    static unsigned ticks;
    gint phase_now = g_atomic_int_get(&program.phase);
    gint loads_now = g_atomic_int_get(&program.loads);

    if (phase_now == LOADED || phase_now != phase || loads_now != loads)
        ticks = 0;
    else
        ticks++;
    phase = phase_now;
    loads = loads_now;
    return ticks;
}

/* The thread of the watch. */
static gpointer tick(gpointer data)
{
    for (;;) {
        const char *error;

        orr_guard_watch_wait(data);
        error = orr_guard_watch_tick(data);
        if (error)
            fail(error, "", "");
        if (count_ticks() >= orr_guard_watch_limit(data))
            blame(orr_guard_watch_reason(data), "");
    }
    return NULL;
}

static void start_watch(void)
{
    sigset_t all, before;
    g_autoptr(GThread) thread = NULL;

    if (program.limit_s <= 0)
        return;
    program.watch = orr_guard_watch_new(program.limit_s);
    /* Other threads handle signals. */
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    thread = g_thread_try_new("watch", tick, program.watch, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!thread)
        orr_message_print(program.command,
                          "no thread can be created: a plug-in that does not "
                          "return will not be noticed");
}

/* Copies @text to @to, with "?" instead of control characters. */
static void copy_text(char *to, const char *text, size_t size)
{
    g_strlcpy(to, text, size);
    for (; *to; to++) {
        if (g_ascii_iscntrl(*to))
            *to = '?';
    }
}

/* Adds a plug-in of program.kind to those loaded, unless it is there. */
static void add_plugin(const char *name, const char *path)
{
    g_autofree char *plugin =
        g_strdup_printf("%s %s (%s)", program.kind, name, path);
    g_autofree char *all =
        *program.plugins ? g_strdup_printf("%s or %s", program.plugins, plugin)
                         : g_strdup(plugin);

    if (!strstr(program.plugins, plugin))
        copy_text(program.plugins, all, sizeof(program.plugins));
}

/* A plug-in, of @kind, begins to be loaded; it has been. */
static void begin_loading(const char *kind, const char *path)
{
    gint before = g_atomic_int_get(&program.phase);

    program.kind = kind;
    copy_text(program.file, path, sizeof(program.file));
    g_atomic_int_inc(&program.loads);
    g_atomic_int_set(&program.phase, LOADING);
    if (before != NO_PLUGINS)
        return;
    install_handlers();
    start_watch();
}

static void end_loading(void)
{
    g_atomic_int_set(&program.phase, LOADED);
}

const struct orr_evict_ops *orr_protection_load_evict(const char *path,
                                                      GError **error)
{
    const struct orr_evict_ops *ops;

    begin_loading("eviction policy", path);
    ops = orr_evict_load(path, error);
    if (ops)
        add_plugin(ops->name, path);
    end_loading();
    return ops;
}

struct orr_plugin *orr_protection_open_policy(const char *path, GError **error)
{
    struct orr_plugin *plugin;

    begin_loading("policy", path);
    plugin = orr_plugin_open(path, error);
    if (plugin)
        add_plugin(orr_plugin_policy(plugin)->name, path);
    end_loading();
    return plugin;
}

const struct orr_app *orr_protection_open_app(const char *name,
                                              const char *limit, GError **error)
{
    const struct orr_app *app;

    if (!orr_app_name_is_plugin(name))
        return orr_app_open(name, NULL, limit, error);
    begin_loading("application", name);
    app = orr_app_open(name, program.watch, limit, error);
    if (app)
        add_plugin(app->name, name);
    end_loading();
    return app;
}

struct orr_guard_watch *orr_protection_watch(void)
{
    return program.watch;
}

void orr_protection_end(int status)
{
    /* After a plug-in has called exit() in another thread, the C library may
     * let no thread call it again. */
    if (g_atomic_int_get(&program.exited))
        quit(status);
    if (g_atomic_int_get(&program.phase) != NO_PLUGINS)
        g_atomic_int_set(&program.phase, ENDING);
}
