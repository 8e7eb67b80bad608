/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_VARIANTS_H
#define ORR_VARIANTS_H

#include "apps/settings/settings.h"

/*
 * Returns the settings of each comparison of `orrery compare`: one for each
 * problem, in ascending order, or one for each spread of --robustness, which
 * also sets the durations of @settings to sampled. An array of struct
 * orr_settings, which borrow what @settings own; free with g_array_unref().
 * Returns NULL as orr_settings_resolve_several() does, or with ORR_ERROR_VALUE.
 */
GArray *orr_variants_find(struct orr_settings *settings, const char *app,
                          GError **error);

#endif
