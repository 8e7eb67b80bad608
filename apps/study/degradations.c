/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/study/degradations.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/names.h"
#include "models/import/platform_find.h"
#include "models/platform/switches.h"

/* Returns the item of @items that degrades the model @name; borrowed. */
static const char *find_item(char **items, const char *name, GError **error)
{
    g_auto(GStrv) names = g_strdupv(items);
    g_autofree char *list = NULL;
    g_autofree char *quoted = NULL;
    g_autofree char *hint = NULL;
    size_t found;

    for (char **model = names; *model; model++)
        (*model)[strcspn(*model, "=")] = '\0';
    if (orr_names_find("model", (const char *const *)names, name, &found, NULL))
        return items[found];
    list = g_strjoinv(", ", names);
    quoted = orr_quote(name);
    hint = orr_names_hint((const char *const *)names, name, "");
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "--degrade: no model %s%s is left to degrade; there are: %s",
                quoted, hint, *list ? list : "none");
    return NULL;
}

/* Returns copies of the items of the models in @names, "a,b"; NULL with
 * @error. */
static char **select_items(char **items, const char *names, GError **error)
{
    g_auto(GStrv) list = g_strsplit(names, ",", -1);
    GPtrArray *selected = g_ptr_array_new_with_free_func(g_free);

    for (char **name = list; *name; name++) {
        const char *item = find_item(items, *name, error);

        if (!item) {
            g_ptr_array_unref(selected);
            return NULL;
        }
        g_ptr_array_add(selected, g_strdup(item));
    }
    g_ptr_array_add(selected, NULL);
    g_ptr_array_set_free_func(selected, NULL);
    return (char **)g_ptr_array_free(selected, FALSE);
}

/* Sets the switches of a run: those of the platform, then those given. */
static bool find_switches(const struct orr_settings *settings,
                          struct orr_switches *switches, GError **error)
{
    struct orr_platform *platform =
        orr_platform_load(settings->platform, NULL, error);

    if (!platform)
        return false;
    orr_switches_init(switches);
    if (platform->models)
        orr_switches_parse(switches, platform->models, NULL);
    if (settings->models)
        orr_switches_parse(switches, settings->models, NULL);
    orr_platform_free(platform);
    return true;
}

char **orr_degradations_find(const struct orr_settings *settings,
                             GError **error)
{
    struct orr_switches switches;
    g_auto(GStrv) items = NULL;

    if (!find_switches(settings, &switches, error))
        return NULL;
    items = orr_switches_degradations(&switches);
    if (settings->degrade)
        return select_items(items, settings->degrade, error);
    if (items[0])
        return g_steal_pointer(&items);
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "no model is left to degrade: all have their simplest value");
    return NULL;
}
