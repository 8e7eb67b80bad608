/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POINT_RUNNER_H
#define ORR_POINT_RUNNER_H

#include <json-glib/json-glib.h>

#include "apps/campaign/campaign.h"
#include "apps/sweep/identity.h"

/*
 * Runs the points of a campaign. Each is what `orrery run` does with its
 * settings, which are read by the same tables of options; but what is read from
 * files is shared: applications, platforms, and machines, of which those used
 * last are kept.
 */
struct orr_point_runner;

/*
 * Opens the applications of @campaign, borrowed, and checks its settings: that
 * each is known. Returns NULL with @error: ORR_ERROR_UNKNOWN names the nearest
 * setting. Free with orr_point_runner_free(), which allows NULL. To be called
 * while there is only one thread.
 */
struct orr_point_runner *
orr_point_runner_new(const struct orr_campaign *campaign, GError **error);
void orr_point_runner_free(struct orr_point_runner *points);

/* The applications: const struct orr_app *; borrowed. */
const GPtrArray *orr_point_runner_apps(const struct orr_point_runner *points);

/*
 * Sets @identity to that of the campaign: reads the platforms and other files
 * that it names. A file that cannot be read counts as such; its runs will fail.
 * @identity is to be cleared.
 */
void orr_point_runner_identify(struct orr_point_runner *points,
                               struct orr_identity *identity);

/*
 * Simulates replica @replica of point @point, whose keys have @values, as text.
 * Sets *@facts if the run has facts (facts.h); to be freed with
 * json_object_unref(); else to NULL. Returns false with @error if the run could
 * not begin, or hangs. May be called by any thread.
 */
bool orr_point_runner_run(struct orr_point_runner *points, char *const *values,
                          uint64_t replica, JsonObject **facts, GError **error);

/* Whether no application failed where it cannot say so: see
 * orr_program_check(). */
bool orr_point_runner_check(const struct orr_point_runner *points,
                            GError **error);

#endif
