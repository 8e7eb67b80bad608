/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/machine.h"

#include "models/import/platform_find.h"
#include "runtime/arguments.h"
#include "runtime/config/run_config.h"

/* Loads the platform and changes it as @config asks. */
static bool load(struct orr_machine *machine, const struct orr_config *config,
                 GError **error)
{
    const struct orr_what_if what = {
        .gpus = config->gpus,
        .cpus = config->cpus,
        .settings = config->changes,
        .stale_calibration = config->stale_calibration,
    };
    g_auto(GStrv) folders = orr_platform_folders(config->platform_folders);

    machine->platform = orr_platform_load(config->platform,
                                          (const char *const *)folders, error);
    if (machine->platform)
        machine->changes = orr_platform_change(machine->platform, &what, error);
    if (!machine->changes)
        return false;
    machine->change_texts = g_new0(const char *, machine->changes->count + 1);
    for (unsigned i = 0; i < machine->changes->count; i++)
        machine->change_texts[i] = machine->changes->items[i].text;
    return orr_platform_check_calibrated(machine->platform, error);
}

struct orr_machine *orr_machine_new(const struct orr_config *config,
                                    GError **error)
{
    struct orr_config alone = *config;
    struct orr_machine *machine;

    alone.machine = NULL;
    if (!orr_config_check(&alone, error))
        return NULL;
    machine = g_new0(struct orr_machine, 1);
    if (load(machine, config, error))
        return machine;
    orr_machine_free(machine);
    return NULL;
}

void orr_machine_free(struct orr_machine *machine)
{
    if (!machine)
        return;
    orr_platform_free(machine->platform);
    orr_changes_free(machine->changes);
    g_free(machine->change_texts);
    g_free(machine);
}
