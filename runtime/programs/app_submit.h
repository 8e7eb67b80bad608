/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_APP_SUBMIT_H
#define ORR_APP_SUBMIT_H

#include "models/platform/platform.h"
#include "runtime/config/app_values.h"

#define ORR_APP_TILE "tile"

/*
 * The tile size for an application in the library that has the options tile and
 * precision: one at which @platform has measured kernels (orr_measured_tile()).
 * 0: the value of the option remains, as it is given, or @values are of another
 * application. To be called after orr_app_values_preset().
 */
unsigned orr_app_measured_tile(const struct orr_app_values *values,
                               const struct orr_platform *platform);

#endif
