/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RACE_H
#define ORR_RACE_H

#include "runtime/engine/decision.h"

/*
 * The happens-before relation between the steps of one date, and their races.
 *
 * A step happens after an earlier one if their footprints do not commute, if
 * both are of one event, if the earlier one made its event due, or by
 * transitivity. Two steps race if their footprints do not commute, no third
 * step lies between them in this relation, and the event of the later one was
 * due before the earlier one.
 */
struct orr_races;

struct orr_races *orr_races_new(void);

/* NULL is allowed. */
void orr_races_free(struct orr_races *races);

/* Whether steps with these footprints lead to one state in either order. */
bool orr_footprints_commute(const struct orr_footprint *a,
                            const struct orr_footprint *b);

/* Forgets all steps, e.g. when the date is over. */
void orr_races_clear(struct orr_races *races);

/* Adds a step, of one of the events of @due. Returns its number since the last
 * clear, below ORR_MOST_STEPS. */
unsigned orr_races_add(struct orr_races *races, const struct orr_due *due);

/* The step that was just added is of @event. */
void orr_races_choose(struct orr_races *races, const struct orr_event *event);

/* The last step has ended and touched @touched. */
void orr_races_end_step(struct orr_races *races,
                        const struct orr_footprint *touched);

enum { ORR_MOST_STEPS = 64 };

unsigned orr_races_count(const struct orr_races *races);

/* Mask of the steps that race with the last step, which has ended. */
uint64_t orr_races_racing(const struct orr_races *races);

/*
 * The initials (source sets) of the steps after @step that do not happen after
 * it, the last step included: one of them should be tried in place of @step, so
 * that the last step comes before it. One bit each.
 */
uint64_t orr_races_initials(const struct orr_races *races, unsigned step);

const struct orr_event *orr_races_event(const struct orr_races *races,
                                        unsigned step);

#endif
