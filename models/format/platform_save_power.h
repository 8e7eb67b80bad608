/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_SAVE_POWER_H
#define ORR_PLATFORM_SAVE_POWER_H

#include "models/platform/platform.h"

/* Appends the section <power> of the file of @platform, if it has one. @source
 * may be NULL. */
void orr_platform_save_power(GString *text, const struct orr_platform *platform,
                             const char *source);

#endif
