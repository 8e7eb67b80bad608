/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BOUNDS_FACTS_H
#define ORR_BOUNDS_FACTS_H

#include <json-glib/json-glib.h>

#include "models/bounds/bounds.h"

/*
 * Adds lower bounds to @facts as the object "bounds": area_s, critical_path_s,
 * mixed_s and transfer_s. Where power is known, it has an object "energy":
 * least_j, area_j and idle_j, J. Values that are not known or not finite are
 * null.
 */
void orr_bounds_facts_add(JsonObject *facts, const struct orr_bounds *bounds);

/* Return the cells "0.25 s: area 0.2 s, ..." and "7.4 J ..." for @bounds, the
 * object above; NULL: not known. Free with g_free(). */
char *orr_bounds_facts_describe_time(JsonObject *bounds);
char *orr_bounds_facts_describe_energy(JsonObject *bounds);

#endif
