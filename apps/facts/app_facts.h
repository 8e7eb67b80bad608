/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_APP_FACTS_H
#define ORR_APP_FACTS_H

#include <json-glib/json-glib.h>

#include "runtime/orrery_app.h"

/*
 * What the table of an application says, as JSON: name, summary, kernels,
 * options with their limits and defaults, and what the commands make of it.
 * @file: the file that it comes from; NULL: it is built in. Free with
 * json_object_unref().
 */
JsonObject *orr_app_facts_new(const struct orr_app *app, const char *file);

/* Prints these facts for people. */
void orr_app_facts_print(JsonObject *facts);

#endif
