/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What options take: lines "NAME=VALUE", as in a token, are refused or become
 * settings; and so are lists of sizes, of numbers and of models.
 */
#include <stdlib.h>
#include <string.h>

#include "apps/options/strategies.h"
#include "apps/settings/lists.h"
#include "apps/settings/settings.h"
#include "models/base/names.h"
#include "models/platform/switches.h"
#include "sched/plugin.h"
#include "sched/registry.h"
#include "tests/fuzz/fuzz.h"

#define MAX_SIZE UINT64_C(1000000000000000)

static void give(char *const *lines)
{
    struct orr_settings settings;
    g_autoptr(GError) error = NULL;

    orr_settings_init(&settings);
    orr_settings_open(&settings, "lu", NULL);
    for (; *lines; lines++)
        orr_settings_give(&settings, *lines, NULL);
    if (orr_settings_resolve(&settings, "lu", &error)) {
        uint64_t tiles =
            orr_app_count(settings.scenario.problem.values, "tiles");
        uint64_t tile = orr_app_count(settings.scenario.problem.values, "tile");

        if (tiles == 0 || orr_app_size(settings.scenario.problem.values,
                                       "size") != tiles * tile)
            abort();
    } else if (!error) {
        abort();
    }
    orr_settings_clear(&settings);
}

static void try_lists(const char *text)
{
    g_autoptr(GArray) range = orr_range_parse(text, NULL);
    g_autoptr(GArray) sizes = orr_sizes_parse(text, 960, MAX_SIZE, NULL);

    for (unsigned i = 0; range && i < range->len; i++) {
        if (!(g_array_index(range, double, i) >= 0))
            abort();
    }
    for (unsigned i = 0; sizes && i < sizes->len; i++) {
        uint64_t size = g_array_index(sizes, uint64_t, i);

        if (size < 960 || size > MAX_SIZE)
            abort();
    }
}

/* What models are written as is read as the same. */
static void try_models(const char *text)
{
    struct orr_switches switches;
    g_autofree char *once = NULL;
    g_autofree char *twice = NULL;

    orr_switches_init(&switches);
    if (!orr_switches_parse(&switches, text, NULL))
        return;
    once = orr_switches_format(&switches);
    if (!orr_switches_parse(&switches, once, NULL))
        abort();
    twice = orr_switches_format(&switches);
    if (strcmp(once, twice) != 0)
        abort();
}

static void try_names(const char *text)
{
    g_autoptr(GError) error = NULL;
    const struct orr_sched_ops *ops = orr_policy_choose(text, &error);

    if (!ops != (error != NULL))
        abort();
    /* Of fixed:FILE, the file is not part of the name; heft* means dmda. */
    if (ops && !orr_sched_file(text) && !orr_sched_is_old_name(text) &&
        !orr_name_matches(ops->name, text))
        abort();
    orr_app_builtin(text, NULL);
    orr_strategies_find(text, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_strndup((const char *)data, size);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    give(lines);
    for (char **line = lines; *line; line++) {
        try_lists(*line);
        try_models(*line);
        try_names(*line);
    }
    return 0;
}
