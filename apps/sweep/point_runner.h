/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POINT_RUNNER_H
#define ORR_POINT_RUNNER_H

#include <json-glib/json-glib.h>

#include "apps/campaign/campaign.h"
#include "apps/sweep/identity.h"

/*
 * Runs the points of a campaign. A point gives the result of `orrery run` with
 * the same settings, which are read by the same table of options. Applications,
 * platforms and the machines used last stay in memory and are shared between
 * runs.
 */
struct orr_point_runner;

/*
 * Opens the applications of @campaign (borrowed), and checks that each setting
 * is known. Returns NULL with @error; for ORR_ERROR_UNKNOWN it names the
 * nearest setting. Free with orr_point_runner_free(), which allows NULL. Call
 * it while there is only one thread.
 */
struct orr_point_runner *
orr_point_runner_new(const struct orr_campaign *campaign, GError **error);
void orr_point_runner_free(struct orr_point_runner *points);

/* The applications: const struct orr_app *; borrowed. */
const GPtrArray *orr_point_runner_apps(const struct orr_point_runner *points);

/*
 * Sets @identity to the identity of the campaign, for which it reads the
 * platforms and other files that the campaign names. A file that cannot be read
 * is entered as unreadable; runs that need it will fail. Clear @identity.
 */
void orr_point_runner_identify(struct orr_point_runner *points,
                               struct orr_identity *identity);

/*
 * Simulates replica @replica of the point whose keys have the @values, as text.
 * Sets *@facts to the facts of the run (facts.h), to be freed with
 * json_object_unref(), or to NULL if it has none. Returns false with @error if
 * the run could not begin, or hangs. May be called by any thread.
 */
bool orr_point_runner_run(struct orr_point_runner *points, char *const *values,
                          uint64_t replica, JsonObject **facts, GError **error);

/* Reports errors of applications in functions that cannot fail:
 * orr_app_check_calls(). */
bool orr_point_runner_check(const struct orr_point_runner *points,
                            GError **error);

#endif
