/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/settings/policies.h"

#include <string.h>

#include "apps/settings/protection.h"
#include "models/base/error.h"
#include "models/base/units.h"
#include "sched/evict/evict_registry.h"
#include "sched/plugin.h"
#include "sched/registry.h"

static char **builtin_names(void)
{
    GPtrArray *names = g_ptr_array_new();
    const struct orr_sched_ops *ops;

    for (size_t i = 0; (ops = orr_sched_builtin(i)); i++)
        g_ptr_array_add(names, g_strdup(ops->name));
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}

static bool check_file(const char *path, GError **error)
{
    struct orr_plugin *plugin = orr_protection_open_policy(path, error);

    orr_plugin_close(plugin);
    return plugin;
}

bool orr_policies_check(const char *name, GError **error)
{
    return orr_plugin_is_named(name) ? check_file(name, error)
                                     : orr_policy_choose(name, error) != NULL;
}

bool orr_policies_check_eviction(const char *name, GError **error)
{
    if (!name)
        return true;
    return orr_evict_is_file(name)
               ? orr_protection_load_evict(name, error) != NULL
               : orr_evict_choose(name, error) != NULL;
}

char **orr_policies_parse(const char *text, GError **error)
{
    char **names = text ? g_strsplit(text, ",", -1) : builtin_names();

    for (char **name = names; *name; name++) {
        if (!orr_policies_check(g_strstrip(*name), error)) {
            g_strfreev(names);
            return NULL;
        }
    }
    return names;
}

void orr_policies_remark(const char *text, const char *command)
{
    g_auto(GStrv) names = text ? g_strsplit(text, ",", -1) : NULL;

    for (char **name = names; name && *name; name++) {
        g_autofree char *quoted = orr_quote(g_strstrip(*name));

        if (orr_plugin_is_named(*name) || !orr_sched_is_old_name(*name))
            continue;
        orr_message_print(command, "policy %s is now called dmda", quoted);
        return;
    }
}

/* Returns the plug-in of the policy @name; NULL if it is built in. */
static struct orr_plugin *open_file(const char *name)
{
    return orr_plugin_is_named(name) ? orr_plugin_open(name, NULL) : NULL;
}

static const struct orr_sched_ops *find(const char *name,
                                        const struct orr_plugin *plugin)
{
    return plugin ? orr_plugin_policy(plugin) : orr_policy_choose(name, NULL);
}

char *orr_policies_file(const char *name)
{
    return orr_plugin_is_named(name) ? orr_plugin_file(name)
                                     : g_strdup(orr_sched_file(name));
}

/* Returns whether another of @labels equals the @i-th. */
static bool is_ambiguous(char *const *labels, size_t i)
{
    for (size_t j = 0; labels[j]; j++) {
        if (j != i && strcmp(labels[j], labels[i]) == 0)
            return true;
    }
    return false;
}

char **orr_policies_label(char *const *names)
{
    size_t count = g_strv_length((char **)names);
    g_auto(GStrv) plain = g_strdupv((char **)names);
    char **labels = g_new0(char *, count + 1);

    for (size_t i = 0; i < count; i++) {
        struct orr_plugin *plugin = open_file(names[i]);

        g_free(plain[i]);
        plain[i] = g_strdup(find(names[i], plugin)->name);
        orr_plugin_close(plugin);
    }
    for (size_t i = 0; i < count; i++) {
        g_autofree char *file = orr_policies_file(names[i]);

        labels[i] = file && is_ambiguous(plain, i)
                        ? g_strdup_printf("%s (%s)", plain[i], file)
                        : g_strdup(plain[i]);
    }
    return labels;
}

bool orr_policies_are_random(const char *text)
{
    g_auto(GStrv) names = orr_policies_parse(text, NULL);
    bool random = false;

    for (char **name = names; name && *name; name++) {
        struct orr_plugin *plugin = open_file(*name);

        random = random || find(*name, plugin)->draws;
        orr_plugin_close(plugin);
    }
    return random;
}
