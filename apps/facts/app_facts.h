/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_APP_FACTS_H
#define ORR_APP_FACTS_H

#include <json-glib/json-glib.h>

#include "runtime/orrery_app.h"

/*
 * Returns the table of an application as JSON: name, summary, kernels, options
 * with their limits and defaults, and how commands use it. @file: the file of
 * the application; NULL: it is built in. Free with json_object_unref().
 */
JsonObject *orr_app_facts_new(const struct orr_app *app, const char *file);

/* Prints these facts as text. */
void orr_app_facts_print(JsonObject *facts);

#endif
