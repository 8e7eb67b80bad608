/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POWER_FACTS_H
#define ORR_POWER_FACTS_H

#include <json-glib/json-glib.h>

#include "models/platform/platform.h"

/*
 * Adds the power of the devices to the facts of a platform:
 *
 *   "power"         an array with a row for each state of a device, and, if
 *                   there are any, for each kernel that differs in it; equal
 *                   GPUs share rows; empty: nothing is known
 *   "power_source"  if a power is known: the source of the figures; null: not
 * stated
 */
void orr_power_facts_add(JsonObject *machine,
                         const struct orr_platform *platform);

#endif
