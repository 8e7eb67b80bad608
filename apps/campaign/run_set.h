/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RUN_SET_H
#define ORR_RUN_SET_H

#include "apps/campaign/campaign.h"

/* A set of runs of a campaign: a bit for each. */
struct orr_run_set;

/* Returns an empty set of runs of @campaign, which is borrowed. Free with
 * orr_run_set_free(), which allows NULL. */
struct orr_run_set *orr_run_set_new(const struct orr_campaign *campaign);
void orr_run_set_free(struct orr_run_set *set);

/* Whether the campaign has this run; both numbers may be out of range. */
bool orr_run_set_wants(const struct orr_run_set *set, uint64_t point,
                       uint64_t replica);

/* Adds a run of the campaign; returns whether the set has it. */
void orr_run_set_add(struct orr_run_set *set, uint64_t point, uint64_t replica);
bool orr_run_set_has(const struct orr_run_set *set, uint64_t point,
                     uint64_t replica);

/* The number of runs in the set, and in the whole campaign. */
uint64_t orr_run_set_count(const struct orr_run_set *set);
uint64_t orr_run_set_wanted(const struct orr_run_set *set);

/*
 * Lists the points with runs in the set (@present) or with runs missing from it
 * (otherwise): "3, 11-14"; a long list ends with "...". Free with g_free().
 * NULL: there are none.
 */
char *orr_run_set_list(const struct orr_run_set *set, bool present);

#endif
