/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_MEMBERS_H
#define ORR_MEMBERS_H

#include <json-glib/json-glib.h>

/*
 * Short names for access to members of JSON objects, which must exist and have
 * the right type. Results are borrowed.
 */

static inline const char *orr_text_of(JsonObject *facts, const char *name)
{
    return json_object_get_string_member(facts, name);
}

static inline gint64 orr_int_of(JsonObject *facts, const char *name)
{
    return json_object_get_int_member(facts, name);
}

static inline double orr_double_of(JsonObject *facts, const char *name)
{
    return json_object_get_double_member(facts, name);
}

static inline JsonArray *orr_array_of(JsonObject *facts, const char *name)
{
    return json_object_get_array_member(facts, name);
}

static inline JsonObject *orr_object_at(JsonArray *array, guint i)
{
    return json_array_get_object_element(array, i);
}

#endif
