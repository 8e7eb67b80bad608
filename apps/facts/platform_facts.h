/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_FACTS_H
#define ORR_PLATFORM_FACTS_H

#include <json-glib/json-glib.h>

#include "models/platform/platform.h"

/*
 * Returns the facts of a platform for `orrery platform show`: plain members,
 * the arrays "gpus", "links", "routes", "beliefs", "kernels",
 * "modelled_kernels" and "power" (power_facts.h), and the object "overheads".
 * Kernel durations are not included. Free with json_object_unref().
 */
JsonObject *orr_platform_facts_new(const struct orr_platform *platform);

/* Prints @machine as the text of `orrery platform show`. */
void orr_platform_facts_print(JsonObject *machine);

#endif
