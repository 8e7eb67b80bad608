/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/plugin.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/shared_object.h"
#include "sched/registry.h"

struct orr_plugin {
    struct orr_shared_object *object;
    const struct orr_sched_ops *policy;
};

bool orr_plugin_is_named(const char *name)
{
    return !orr_sched_file(name) &&
           (strchr(name, '/') || g_str_has_suffix(name, ".so"));
}

static bool check_sizes(const struct orr_plugin *plugin,
                        const struct orr_sched_plugin *header, GError **error)
{
    if (header->magic != ORR_SCHED_MAGIC)
        return orr_shared_object_refuse(
            plugin->object, error,
            "its orr_sched_plugin was not made with "
            "ORR_SCHED_PLUGIN()");
    if (header->version != ORR_SCHED_VERSION)
        return orr_shared_object_refuse(
            plugin->object, error,
            "compiled for version %" G_GUINT64_FORMAT
            " of sched/sched.h, and this is version %d: recompile it",
            header->version, ORR_SCHED_VERSION);
    if (header->ops_size != sizeof(struct orr_sched_ops) ||
        header->task_size != sizeof(struct orr_task))
        return orr_shared_object_refuse(
            plugin->object, error,
            "compiled with another sched/sched.h than this program: "
            "recompile it");
    return true;
}

static bool check_policy(const struct orr_plugin *plugin, GError **error)
{
    if (!plugin->policy)
        return orr_shared_object_refuse(
            plugin->object, error, "has no policy: ORR_SCHED_PLUGIN(NULL)");
    if (orr_sched_check(plugin->policy, error))
        return true;
    g_prefix_error(error, "%s: ", orr_plugin_path(plugin));
    return false;
}

static bool find_policy(struct orr_plugin *plugin, GError **error)
{
    const struct orr_sched_plugin *header =
        orr_shared_object_find(plugin->object, "orr_sched_plugin");

    if (!header)
        return orr_shared_object_refuse(
            plugin->object, error,
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

    plugin->object = orr_shared_object_open(path, error);
    if (plugin->object && find_policy(plugin, error))
        return plugin;
    orr_plugin_close(plugin);
    return NULL;
}

void orr_plugin_close(struct orr_plugin *plugin)
{
    if (!plugin)
        return;
    orr_shared_object_close(plugin->object);
    g_free(plugin);
}

const struct orr_sched_ops *orr_plugin_policy(const struct orr_plugin *plugin)
{
    return plugin->policy;
}

const char *orr_plugin_path(const struct orr_plugin *plugin)
{
    return orr_shared_object_path(plugin->object);
}
