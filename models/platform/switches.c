/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/switches.h"

#include <stddef.h>

#include "models/base/names.h"

enum kind { FLAG, BELIEF, DURATIONS, QUIRKS };

/* A switch and its values, the default first. */
struct model {
    const char *name;
    const char *values[4]; /* NULL-terminated */
    unsigned plainest;     /* the simplest value */
    enum kind kind;        /* of the member of struct orr_switches */
    size_t offset;         /* of the member; a flag is true for values[0] */
};

#define MEMBER(name) offsetof(struct orr_switches, name)

/* In the order in which they are shown. */
static const struct model models[] = {
    {"durations",
     {"mean", "sampled", "replayed"},
     0,
     DURATIONS,
     MEMBER(durations)},
    {"overheads", {"on", "off"}, 1, FLAG, MEMBER(overheads)},
    {"memory", {"on", "off"}, 1, FLAG, MEMBER(memory)},
    {"network", {"full", "crude"}, 1, FLAG, MEMBER(network_full)},
    {"pitch", {"on", "off"}, 1, FLAG, MEMBER(pitch)},
    {"sharing", {"weighted", "fair"}, 1, FLAG, MEMBER(sharing_weighted)},
    {"belief", {"reference", "route"}, 1, BELIEF, MEMBER(belief)},
    {"quirks", {"on", "off", "exact"}, 1, QUIRKS, MEMBER(quirks)},
};

/* Names of sets of values. */
enum { REFERENCE, CLEAN };
static const char *const sets[] = {"reference", "clean"};
static const char clean[] = "sharing=fair,belief=route,quirks=off";

static unsigned get(const struct orr_switches *switches,
                    const struct model *model)
{
    const char *member = (const char *)switches + model->offset;

    switch (model->kind) {
    case FLAG:
        return *(const bool *)member ? 0 : 1;
    case BELIEF:
        return *(const enum orr_belief *)member;
    case DURATIONS:
        return *(const enum orr_durations *)member;
    case QUIRKS:
        return *(const enum orr_quirks *)member;
    }
    return 0;
}

static void set(struct orr_switches *switches, const struct model *model,
                unsigned value)
{
    char *member = (char *)switches + model->offset;

    switch (model->kind) {
    case FLAG:
        *(bool *)member = value == 0;
        break;
    case BELIEF:
        *(enum orr_belief *)member = (enum orr_belief)value;
        break;
    case DURATIONS:
        *(enum orr_durations *)member = (enum orr_durations)value;
        break;
    case QUIRKS:
        *(enum orr_quirks *)member = (enum orr_quirks)value;
        break;
    }
}

void orr_switches_init(struct orr_switches *switches)
{
    for (size_t i = 0; i < G_N_ELEMENTS(models); i++)
        set(switches, &models[i], 0);
}

static const struct model *find_model(const char *name, GError **error)
{
    const char *names[G_N_ELEMENTS(models) + G_N_ELEMENTS(sets) + 1] = {NULL};

    for (size_t i = 0; i < G_N_ELEMENTS(models); i++) {
        if (orr_name_matches(models[i].name, name))
            return &models[i];
        names[i] = models[i].name;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(sets); i++)
        names[G_N_ELEMENTS(models) + i] = sets[i];
    orr_names_fail("model", names, name, error);
    return NULL;
}

static bool set_named(struct orr_switches *switches, const struct model *model,
                      const char *value, GError **error)
{
    g_autofree char *what = g_strconcat("value of ", model->name, NULL);
    size_t found;

    if (!orr_names_find(what, model->values, value, &found, error))
        return false;
    set(switches, model, (unsigned)found);
    return true;
}

/* Applies "name=value" or the name of a set. */
static bool apply_item(struct orr_switches *switches, const char *item,
                       GError **error)
{
    g_auto(GStrv) pair = g_strsplit(item, "=", 2);
    const struct model *model;

    if (orr_name_matches(sets[REFERENCE], item)) {
        orr_switches_init(switches);
        return true;
    }
    if (orr_name_matches(sets[CLEAN], item))
        return orr_switches_parse(switches, clean, error);
    model = find_model(pair[0] ? pair[0] : "", error);
    if (!model)
        return false;
    return set_named(switches, model, pair[0] && pair[1] ? pair[1] : "", error);
}

bool orr_switches_parse(struct orr_switches *switches, const char *text,
                        GError **error)
{
    g_auto(GStrv) items = g_strsplit(text, ",", -1);
    struct orr_switches result = *switches;

    for (char **item = items; *item; item++) {
        if (!apply_item(&result, *item, error))
            return false;
    }
    *switches = result;
    return true;
}

char **orr_switches_degradations(const struct orr_switches *switches)
{
    GPtrArray *items = g_ptr_array_new();

    for (size_t i = 0; i < G_N_ELEMENTS(models); i++) {
        const struct model *model = &models[i];

        if (get(switches, model) != model->plainest)
            g_ptr_array_add(items,
                            g_strconcat(model->name, "=",
                                        model->values[model->plainest], NULL));
    }
    g_ptr_array_add(items, NULL);
    return (char **)g_ptr_array_free(items, FALSE);
}

char **orr_switches_list(void)
{
    GPtrArray *items = g_ptr_array_new();

    for (size_t i = 0; i < G_N_ELEMENTS(models); i++) {
        for (const char *const *value = models[i].values; *value; value++)
            g_ptr_array_add(items,
                            g_strconcat(models[i].name, "=", *value, NULL));
    }
    for (size_t i = 0; i < G_N_ELEMENTS(sets); i++)
        g_ptr_array_add(items, g_strdup(sets[i]));
    g_ptr_array_add(items, NULL);
    return (char **)g_ptr_array_free(items, FALSE);
}

char *orr_switches_format(const struct orr_switches *switches)
{
    GString *text = g_string_new(NULL);

    for (size_t i = 0; i < G_N_ELEMENTS(models); i++) {
        const struct model *model = &models[i];

        g_string_append_printf(text, "%s%s=%s", i > 0 ? "," : "", model->name,
                               model->values[get(switches, model)]);
    }
    return g_string_free(text, FALSE);
}
