/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_FACTS_H
#define ORR_PLATFORM_FACTS_H

#include <json-glib/json-glib.h>

#include "models/platform/platform.h"

/*
 * What there is to say of a platform, for `orrery platform show`: members of
 * its own, then arrays "gpus", "links", "routes", "beliefs", "kernels",
 * "modelled_kernels" and the object "overheads". Durations stay in the file.
 */
JsonObject *orr_platform_facts_new(const struct orr_platform *platform);

/* The text of `orrery platform show`. */
void orr_platform_facts_print(JsonObject *machine);

#endif
