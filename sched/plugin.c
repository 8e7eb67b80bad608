/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "models/base/error.h"
#include "sched/host.h"

struct orr_plugin {
    char *path;
    void *object;
    const struct orr_sched_ops *policy;
};

bool orr_plugin_is_named(const char *name)
{
    return strchr(name, '/') || g_str_has_suffix(name, ".so");
}

/* Sets @error to why the file cannot be used; returns false. */
static bool refuse(const struct orr_plugin *plugin, GError **error,
                   const char *format, ...) G_GNUC_PRINTF(3, 4);

static bool refuse(const struct orr_plugin *plugin, GError **error,
                   const char *format, ...)
{
    g_autofree char *why = NULL;
    va_list arguments;

    va_start(arguments, format);
    why = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s: %s", plugin->path, why);
    return false;
}

/* Checked first: dlopen() has messages of its own for missing files, and waits
 * for ever for somebody to write into a pipe. */
static bool check_file(const struct orr_plugin *plugin, GError **error)
{
    struct stat facts;

    if (g_stat(plugin->path, &facts) == 0 && g_access(plugin->path, R_OK) == 0)
        return S_ISREG(facts.st_mode) ||
               refuse(plugin, error, "not a regular file");
    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", plugin->path,
                g_strerror(errno));
    return false;
}

/*
 * A name without a slash is a file in the current folder, so it gets one, or
 * else dlopen() would search the folders of libraries. RTLD_NOW finds missing
 * symbols now, not in the middle of a run. RTLD_NODELETE keeps the file loaded,
 * so that it is not loaded again if it changes.
 */
static bool load(struct orr_plugin *plugin, GError **error)
{
    g_autofree char *here = strchr(plugin->path, '/')
                                ? NULL
                                : g_strconcat("./", plugin->path, NULL);
    const char *path = here ? here : plugin->path;
    const char *why;

    if (!check_file(plugin, error))
        return false;
    plugin->object = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (plugin->object)
        return true;
    why = dlerror();
    if (g_str_has_prefix(why, path) && why[strlen(path)] == ':')
        why += strlen(path) + 1;
    return refuse(plugin, error, "cannot be loaded: %s",
                  why + strspn(why, " "));
}

static bool check_sizes(const struct orr_plugin *plugin,
                        const struct orr_sched_plugin *header, GError **error)
{
    if (header->magic != ORR_SCHED_MAGIC)
        return refuse(plugin, error,
                      "its orr_sched_plugin was not made with "
                      "ORR_SCHED_PLUGIN()");
    if (header->version != ORR_SCHED_VERSION)
        return refuse(plugin, error,
                      "compiled for version %" G_GUINT64_FORMAT
                      " of sched/sched.h, and this is version %d: recompile it",
                      header->version, ORR_SCHED_VERSION);
    if (header->ops_size != sizeof(struct orr_sched_ops) ||
        header->task_size != sizeof(struct orr_task))
        return refuse(plugin, error,
                      "compiled with another sched/sched.h than this program: "
                      "recompile it");
    return true;
}

static bool check_policy(const struct orr_plugin *plugin, GError **error)
{
    if (!plugin->policy)
        return refuse(plugin, error, "has no policy: ORR_SCHED_PLUGIN(NULL)");
    if (orr_sched_check(plugin->policy, error))
        return true;
    g_prefix_error(error, "%s: ", plugin->path);
    return false;
}

static bool find_policy(struct orr_plugin *plugin, GError **error)
{
    const struct orr_sched_plugin *header =
        dlsym(plugin->object, "orr_sched_plugin");

    if (!header)
        return refuse(plugin, error,
                      "is not a policy: the line ORR_SCHED_PLUGIN(...) of "
                      "sched/sched.h is missing");
    if (!check_sizes(plugin, header, error))
        return false;
    plugin->policy = header->ops;
    return check_policy(plugin, error);
}

struct orr_plugin *orr_plugin_open(const char *path, GError **error)
{
    struct orr_plugin *plugin = g_new0(struct orr_plugin, 1);

    plugin->path = g_strdup(path);
    if (!load(plugin, error) || !find_policy(plugin, error)) {
        orr_plugin_close(plugin);
        return NULL;
    }
    return plugin;
}

void orr_plugin_close(struct orr_plugin *plugin)
{
    if (!plugin)
        return;
    if (plugin->object)
        dlclose(plugin->object);
    g_free(plugin->path);
    g_free(plugin);
}

const struct orr_sched_ops *orr_plugin_policy(const struct orr_plugin *plugin)
{
    return plugin->policy;
}

const char *orr_plugin_path(const struct orr_plugin *plugin)
{
    return plugin->path;
}
