/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DEGRADATIONS_H
#define ORR_DEGRADATIONS_H

#include "apps/settings/settings.h"

/*
 * Returns the models that `orrery ablate` degrades, with their simplest value,
 * "memory=off". These are all models that do not have that value in a run of
 * @settings or, with --degrade, the ones named there. NULL-terminated, not
 * empty; free with g_strfreev().
 *
 * Returns NULL with ORR_ERROR_UNKNOWN if a model or the platform is not known
 * or there is nothing to degrade, or with the error of loading the platform.
 */
char **orr_degradations_find(const struct orr_settings *settings,
                             GError **error);

#endif
