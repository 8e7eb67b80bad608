/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/chart/labels.h"

#include <glib.h>
#include <string.h>

/* Longest label of a value, in characters. */
enum { LONGEST = 28 };

static const struct label {
    const char *column, *name;
    const char *unit;  /* NULL: none */
    const char *brief; /* name to use with a value; NULL: the full name */
} labels[] = {
    {"bytes_device_to_device", "from GPU to GPU", "bytes", NULL},
    {"bytes_device_to_host", "from GPUs to host", "bytes", NULL},
    {"bytes_host_to_device", "from host to GPUs", "bytes", NULL},
    {"cpus", "CPUs", NULL, NULL},
    {"energy_j", "energy", "J", NULL},
    {"gflops", "speed", "GFlop/s", NULL},
    {"gpu-memory", "memory of a GPU", NULL, "GPU memory"},
    {"gpu_memory_bytes", "memory of a GPU", "bytes", NULL},
    {"gpus", "GPUs", NULL, NULL},
    {"makespan_s", "makespan", "s", NULL},
    {"pcie", "PCIe bandwidth", NULL, "PCIe"},
    {"sched", "policy", NULL, NULL},
    {"size", "matrix size", "rows", "rows"},
    {"tile", "tile size", "rows", NULL},
    {"tiles", "tiles in a row", NULL, NULL},
};

/* Suffixes of names of columns, and their units. */
static const struct unit {
    const char *suffix, *unit;
} units[] = {
    {"_s", "s"},
    {"_j", "J"},
    {"_bytes", "bytes"},
    {"_percent", "%"},
};

/* Returns @name without @part. */
static char *without(const char *name, const char *part)
{
    const char *at = strstr(name, part);

    return at ? g_strdup_printf("%.*s%s", (int)(at - name), name,
                                at + strlen(part))
              : g_strdup(name);
}

/* Finds the label of column @name; a mean has the label of its quantity. */
static const struct label *find(const char *name)
{
    g_autofree char *column = without(name, "_mean");

    for (size_t i = 0; i < G_N_ELEMENTS(labels); i++) {
        if (strcmp(labels[i].column, column) == 0)
            return &labels[i];
    }
    return NULL;
}

/* Returns the name of @column without its unit, and sets *@unit to the unit;
 * NULL: none. */
static char *split(const char *column, const char **unit)
{
    const struct label *label = find(column);
    char *name = g_strdup(label ? label->name : column);

    *unit = label ? label->unit : NULL;
    for (size_t i = 0; !label && i < G_N_ELEMENTS(units); i++) {
        if (!g_str_has_suffix(name, units[i].suffix))
            continue;
        name[strlen(name) - strlen(units[i].suffix)] = '\0';
        *unit = units[i].unit;
    }
    g_strdelimit(name, "_-", ' ');
    return name;
}

char *orr_label_of(const char *column)
{
    const char *unit;
    g_autofree char *name = split(column, &unit);

    return unit ? g_strdup_printf("%s (%s)", name, unit) : g_strdup(name);
}

char *orr_label_shorten(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    glong length = g_utf8_strlen(valid, -1);

    if (length <= LONGEST)
        return g_steal_pointer(&valid);
    {
        g_autofree char *begin = g_utf8_substring(valid, 0, LONGEST / 2 - 1);

        return g_strconcat(
            begin, "...",
            g_utf8_offset_to_pointer(valid, length - LONGEST / 2 + 2), NULL);
    }
}

char *orr_label_of_value(const char *column, const char *text)
{
    const char *unit;
    g_autofree char *name = split(column, &unit);

    const struct label *label = find(column);
    const char *what = label && label->brief ? label->brief : name;

    if (*text == '\0')
        return g_strdup_printf("%s: none", what);
    return g_ascii_isdigit(*text) ? g_strdup_printf("%s: %s", what, text)
                                  : orr_label_shorten(text);
}

char *orr_label_of_bound(const char *column)
{
    static const char prefix[] = "bound_";
    const char *unit;
    g_autofree char *name = split(column, &unit);

    return g_str_has_prefix(column, prefix)
               ? g_strdup_printf("%s bound", name + strlen(prefix))
               : g_strdup(name);
}

bool orr_label_is_speed(const char *column)
{
    return g_str_has_prefix(column, "gflops");
}
