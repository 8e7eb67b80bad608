/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CHANGED_PLATFORM_H
#define ORR_CHANGED_PLATFORM_H

#include "apps/settings/settings.h"
#include "models/platform/platform.h"

/*
 * The machine that a run with some settings would use, as a platform: with the
 * changes that options ask for, and without GPUs and cores that they exclude.
 */
struct orr_changed_platform {
    struct orr_platform *platform;
    GPtrArray *changes; /* char *, "name=value": how it differs from the file */
};

/*
 * Loads the platform of @scenario and changes it. Prints messages of @command
 * about errors and about changes without effect.
 *
 * Returns the exit status. If it is ORR_EXIT_OK, @changed is set and must be
 * cleared.
 */
enum orr_exit orr_changed_platform_load(struct orr_changed_platform *changed,
                                        const struct orr_scenario *scenario,
                                        const char *command);
void orr_changed_platform_clear(struct orr_changed_platform *changed);

#endif
