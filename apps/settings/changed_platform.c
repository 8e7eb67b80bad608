/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/settings/changed_platform.h"

#include "models/import/platform_find.h"
#include "models/platform/platform_change.h"
#include "models/platform/platform_resize.h"
#include "runtime/data/memory.h"

#define MIB ((uint64_t)1024 * 1024)

/* Returns the smallest memory of a GPU of which a run uses @bytes. */
static uint64_t card_for(uint64_t bytes)
{
    uint64_t card = MAX(bytes / MIB, 1) * MIB;

    while (orr_memory_usable(card) < bytes / MIB * MIB)
        card +=
            MAX((bytes / MIB * MIB - orr_memory_usable(card)) / MIB, 1) * MIB;
    return card;
}

static void limit_memory(struct orr_changed_platform *changed, uint64_t bytes)
{
    for (unsigned i = 0; i < changed->platform->gpu_count; i++)
        changed->platform->gpus[i].memory_bytes = card_for(bytes);
    g_ptr_array_add(
        changed->changes,
        g_strdup_printf("gpu-memory=%" G_GUINT64_FORMAT "B", bytes));
}

/* Removes the GPUs and cores that a run would not use. */
static void shrink(struct orr_changed_platform *changed,
                   const struct orr_scenario *scenario, const char *command)
{
    struct orr_platform *platform = changed->platform;
    unsigned gpus = platform->gpu_count;
    unsigned cores = platform->cores;

    if (scenario->config.gpus >= 0)
        gpus = MIN(gpus, (unsigned)scenario->config.gpus);
    if (scenario->config.cpus >= 0)
        cores = MIN(cores, gpus + (unsigned)scenario->config.cpus);
    if (gpus != platform->gpu_count)
        g_ptr_array_add(changed->changes, g_strdup_printf("gpus=%u", gpus));
    if (cores != platform->cores && platform->sockets > 0)
        orr_message_print(
            command, "--cpus has no effect here, because the cores of this "
                     "platform are on sockets; give it to the run");
    else if (cores != platform->cores)
        g_ptr_array_add(changed->changes, g_strdup_printf("cores=%u", cores));
    orr_platform_shrink(platform, gpus, cores);
}

static bool change(struct orr_changed_platform *changed,
                   const struct orr_scenario *scenario, const char *command,
                   GError **error)
{
    const struct orr_what_if what = {
        .gpus = scenario->config.gpus,
        .cpus = scenario->config.cpus,
        .settings = scenario->config.changes,
        .stale_calibration = scenario->config.stale_calibration,
    };
    struct orr_changes *changes =
        orr_platform_change(changed->platform, &what, error);

    if (!changes)
        return false;
    for (unsigned i = 0; i < changes->count; i++) {
        const struct orr_change *item = &changes->items[i];

        g_ptr_array_add(changed->changes, g_strdup(item->text));
        if (item->idle)
            orr_message_print(command, "%s changed nothing: %s", item->text,
                              item->idle);
    }
    orr_changes_free(changes);
    return true;
}

enum orr_exit orr_changed_platform_load(struct orr_changed_platform *changed,
                                        const struct orr_scenario *scenario,
                                        const char *command)
{
    g_autoptr(GError) error = NULL;
    enum orr_exit status = ORR_EXIT_OK;

    changed->changes = g_ptr_array_new_with_free_func(g_free);
    changed->platform =
        orr_platform_load(scenario->config.platform, NULL, &error);
    if (changed->platform && change(changed, scenario, command, &error)) {
        shrink(changed, scenario, command);
        if (scenario->config.gpu_memory_bytes > 0)
            limit_memory(changed, scenario->config.gpu_memory_bytes);
        return ORR_EXIT_OK;
    }
    orr_message_print(command, "%s", error->message);
    status = orr_exit_of_name(error);
    orr_changed_platform_clear(changed);
    return status;
}

void orr_changed_platform_clear(struct orr_changed_platform *changed)
{
    orr_platform_free(changed->platform);
    g_ptr_array_unref(changed->changes);
}
