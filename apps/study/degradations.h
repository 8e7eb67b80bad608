/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DEGRADATIONS_H
#define ORR_DEGRADATIONS_H

#include "apps/settings/settings.h"

/*
 * The models that `orrery ablate` degrades: "memory=off" for each that a run
 * of @settings has at more than its plainest value, or for those among them
 * that were asked for. NULL-terminated, not empty; to be freed with
 * g_strfreev().
 *
 * Returns NULL with ORR_ERROR_UNKNOWN when a model or the platform is not
 * known or nothing is left to degrade, else as the platform fails to load.
 */
char **orr_degradations_find(const struct orr_settings *settings,
                             GError **error);

#endif
