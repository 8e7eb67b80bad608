/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/plugin.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/names.h"
#include "models/base/shared_object.h"
#include "sched/registry.h"

struct orr_plugin {
    struct orr_shared_object *object;
    struct orr_shared_object *layer; /* NULL: the plug-in needs none */
    const struct orr_sched_ops *policy;
    char *name; /* as given */
    bool has_begun;
};

static bool is_for_starpu(const char *name)
{
    return g_str_has_prefix(name, ORR_PLUGIN_STARPU);
}

static bool is_file(const char *name)
{
    return is_for_starpu(name) ||
           (!orr_sched_file(name) &&
            (strchr(name, '/') || g_str_has_suffix(name, ".so")));
}

/* The POLICY of "starpu:FILE:POLICY"; NULL: there is none. A file may have a
 * colon in its name. */
static const char *policy_of(const char *name)
{
    const char *colon = strrchr(name, ':');

    return is_for_starpu(name) && colon >= name + strlen(ORR_PLUGIN_STARPU) &&
                   !strchr(colon, '/') && !g_str_has_suffix(colon, ".so")
               ? colon + 1
               : NULL;
}

char *orr_plugin_file(const char *name)
{
    const char *policy = policy_of(name);
    const char *file =
        is_for_starpu(name) ? name + strlen(ORR_PLUGIN_STARPU) : name;

    if (!is_file(name))
        return NULL;
    return policy ? g_strndup(file, (gsize)(policy - 1 - file))
                  : g_strdup(file);
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
    g_prefix_error(error, "%s: ", plugin->name);
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

/* ---- layers ---- */

static const void *find_symbol(const void *object, const char *symbol)
{
    return orr_shared_object_find(object, symbol);
}

static struct orr_shared_object *open_layer(GError **error)
{
    return orr_shared_object_open_library("liborrery-starpu.so.0", error);
}

/* NULL: it is of another version. */
static const struct orr_sched_layer *
layer_in(const struct orr_shared_object *library)
{
    const struct orr_sched_layer *layer =
        library ? orr_shared_object_find(library, "orr_sched_layer") : NULL;

    return layer && layer->version == ORR_SCHED_VERSION &&
                   layer->ops_size == sizeof(struct orr_sched_ops) &&
                   layer->task_size == sizeof(struct orr_task)
               ? layer
               : NULL;
}

/* The policy number @i of the layer that is not built in as well. */
static const struct orr_sched_ops *find_further(unsigned i)
{
    struct orr_shared_object *library = open_layer(NULL); /* it stays loaded */
    const struct orr_sched_layer *layer = layer_in(library);
    const struct orr_sched_ops *policy = NULL;

    for (unsigned own = 0; layer && (policy = layer->own(own)); own++)
        if (!orr_sched_find(policy->name) && i-- == 0)
            break;
    orr_shared_object_close(library);
    return policy;
}

const struct orr_sched_ops *orr_policy_named(unsigned i)
{
    unsigned count = 0;

    while (count < i && orr_sched_builtin(count))
        count++;
    return orr_sched_builtin(count) ? orr_sched_builtin(count)
                                    : find_further(i - count);
}

static void fail_unknown(const char *name, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    const struct orr_sched_ops *ops;

    for (unsigned i = 0; (ops = orr_policy_named(i)); i++)
        g_ptr_array_add(names, (gpointer)ops->name);
    g_ptr_array_add(names, NULL);
    orr_names_fail("policy", (const char *const *)names->pdata, name, error);
}

const struct orr_sched_ops *orr_policy_choose(const char *name, GError **error)
{
    const struct orr_sched_ops *ops =
        orr_sched_file(name) ? &orr_policy_fixed : orr_sched_find(name);

    if (!ops && (orr_name_matches(orr_policy_fixed.name, name) ||
                 g_ascii_strcasecmp(name, ORR_SCHED_FIXED) == 0))
        g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                    "policy fixed needs a mapping and order to replay: "
                    "fixed:FILE");
    else if (!ops)
        fail_unknown(name, error);
    return ops;
}

static bool is_of_layer(const char *name)
{
    struct orr_shared_object *library = open_layer(NULL);
    const struct orr_sched_layer *layer = layer_in(library);
    bool found = layer && layer->find(name);

    orr_shared_object_close(library);
    return found;
}

bool orr_plugin_is_named(const char *name)
{
    return is_file(name) || (!orr_sched_find(name) && !orr_sched_file(name) &&
                             is_of_layer(name));
}

static bool find_in_layer(struct orr_plugin *plugin, const char *path,
                          GError **error)
{
    const struct orr_sched_layer *layer;

    plugin->layer = open_layer(error);
    if (!plugin->layer)
        return false;
    layer = layer_in(plugin->layer);
    if (!layer)
        return orr_shared_object_refuse(plugin->layer, error,
                                        "is of another version of Orrery");
    plugin->object = path ? orr_shared_object_open(path, error) : NULL;
    if (path && !plugin->object)
        return false;
    plugin->policy = path ? layer->open(path, policy_of(plugin->name),
                                        find_symbol, plugin->object, error)
                          : layer->find(plugin->name);
    return plugin->policy && check_policy(plugin, error);
}

bool orr_plugin_begin(struct orr_plugin *plugin, GError **error)
{
    if (plugin->layer)
        plugin->has_begun = layer_in(plugin->layer)->begin(error);
    return !plugin->layer || plugin->has_begun;
}

void orr_plugin_end(struct orr_plugin *plugin)
{
    if (!plugin || !plugin->has_begun)
        return;
    plugin->has_begun = false;
    layer_in(plugin->layer)->end();
}

struct orr_plugin *orr_plugin_open(const char *name, GError **error)
{
    struct orr_plugin *plugin = g_new0(struct orr_plugin, 1);
    g_autofree char *path = orr_plugin_file(name);
    bool found;

    plugin->name = g_strdup(name);
    if (is_for_starpu(name) || !path) {
        found = find_in_layer(plugin, path, error);
    } else {
        plugin->object = orr_shared_object_open(path, error);
        found = plugin->object && find_policy(plugin, error);
    }
    if (found)
        return plugin;
    orr_plugin_close(plugin);
    return NULL;
}

void orr_plugin_close(struct orr_plugin *plugin)
{
    if (!plugin)
        return;
    orr_plugin_end(plugin);
    orr_shared_object_close(plugin->object);
    orr_shared_object_close(plugin->layer);
    g_free(plugin->name);
    g_free(plugin);
}

const struct orr_sched_ops *orr_plugin_policy(const struct orr_plugin *plugin)
{
    return plugin->policy;
}

const char *orr_plugin_path(const struct orr_plugin *plugin)
{
    return plugin->object ? plugin->name : NULL;
}
