/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CHOICE_H
#define ORR_CHOICE_H

#include "apps/settings/settings.h"
#include "models/platform/platform.h"

/*
 * The machine that settings ask for, as a platform of its own: changed as for
 * a run, and with no more GPUs and cores than the run would use.
 */
struct orr_choice {
    struct orr_platform *platform;
    GPtrArray *changes; /* texts: how it differs from the file */
};

/*
 * Loads the platform that @settings name and makes of it what they ask for.
 * What has no effect is said on stderr, as @command.
 *
 * Returns the exit status that suits: with ORR_EXIT_OK, @choice is set, to be
 * cleared; otherwise the mistake has been reported.
 */
enum orr_exit orr_choice_load(struct orr_choice *choice,
                              const struct orr_settings *settings,
                              const char *command);
void orr_choice_clear(struct orr_choice *choice);

#endif
