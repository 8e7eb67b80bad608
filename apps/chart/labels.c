/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/chart/labels.h"

#include <glib.h>
#include <string.h>

/* Characters of a value. */
enum { LONGEST = 28 };

static const struct label {
    const char *column, *name, *unit; /* unit: NULL: none */
} labels[] = {
    {"bytes_device_to_device", "from GPU to GPU", "bytes"},
    {"bytes_device_to_host", "from GPUs to host", "bytes"},
    {"bytes_host_to_device", "from host to GPUs", "bytes"},
    {"cpus", "CPUs", NULL},
    {"energy_j", "energy", "J"},
    {"gflops", "speed", "GFlop/s"},
    {"gpu_memory_bytes", "memory of a GPU", "bytes"},
    {"gpus", "GPUs", NULL},
    {"makespan_s", "makespan", "s"},
    {"pcie", "PCIe bandwidth", NULL},
    {"sched", "policy", NULL},
    {"size", "matrix size", "rows"},
    {"tile", "tile size", "rows"},
    {"tiles", "tiles in a row", NULL},
};

/* Ends of names that say the unit. */
static const struct unit {
    const char *suffix, *unit;
} units[] = {
    {"_s", "s"},
    {"_j", "J"},
    {"_bytes", "bytes"},
    {"_percent", "%"},
};

static const struct label *find(const char *column)
{
    for (size_t i = 0; i < G_N_ELEMENTS(labels); i++) {
        if (strcmp(labels[i].column, column) == 0)
            return &labels[i];
    }
    return NULL;
}

/* Returns the name of @column without its unit, to which *@unit is set; NULL:
 * none. */
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
    g_strdelimit(name, "_", ' ');
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

    if (*text == '\0')
        return g_strdup_printf("%s: none", name);
    return g_ascii_isdigit(*text) ? g_strdup_printf("%s: %s", name, text)
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
