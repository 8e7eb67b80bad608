/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/policies.h"

#include "models/error.h"
#include "models/units.h"
#include "sched/host.h"

static char **all(void)
{
    GPtrArray *names = g_ptr_array_new();
    const struct orr_sched_ops *ops;

    for (size_t i = 0; (ops = orr_sched_builtin(i)); i++)
        g_ptr_array_add(names, g_strdup(ops->name));
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}

bool orr_policies_check(const char *name, GError **error)
{
    g_auto(GStrv) names = NULL;
    g_autofree char *list = NULL;
    g_autofree char *quoted = NULL;

    if (orr_sched_find(name))
        return true;
    names = all();
    list = g_strjoinv(", ", names);
    quoted = orr_quote(name);
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "unknown policy %s; there are: %s", quoted, list);
    return false;
}

char **orr_policies_parse(const char *text, GError **error)
{
    char **names = text ? g_strsplit(text, ",", -1) : all();

    for (char **name = names; *name; name++) {
        if (!orr_policies_check(*name, error)) {
            g_strfreev(names);
            return NULL;
        }
    }
    return names;
}

bool orr_policies_draw(const char *text)
{
    g_auto(GStrv) names = orr_policies_parse(text, NULL);

    for (char **name = names; name && *name; name++) {
        if (orr_sched_find(*name)->draws)
            return true;
    }
    return false;
}
