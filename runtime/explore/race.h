/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RACE_H
#define ORR_RACE_H

#include "runtime/engine/decision.h"

/*
 * Which steps of one date had to come after which, and which might as well
 * have come the other way round.
 *
 * A step comes after another by need if it is dependent on it, is the next of
 * the same event, or of one that the other made due; or by way of a third.
 * Two are in a race if one is dependent on the other, but by nothing between
 * them, and was due before it.
 */
struct orr_races;

struct orr_races *orr_races_new(void);

/* NULL is allowed. */
void orr_races_free(struct orr_races *races);

/* Whether steps that leave these come to the same in either order. */
bool orr_footprints_commute(const struct orr_footprint *a,
                            const struct orr_footprint *b);

/* All that follows comes after all so far: the date is over, say. */
void orr_races_clear(struct orr_races *races);

/* One of those of @due is to come. Returns the number of steps before it, since
 * the last clear. There are ORR_MOST_STEPS at most. */
unsigned orr_races_add(struct orr_races *races, const struct orr_due *due);

/* Which it is. */
void orr_races_choose(struct orr_races *races, const struct orr_event *event);

/* The last step was @event's and is over. */
void orr_races_end_step(struct orr_races *races,
                        const struct orr_footprint *touched);

enum { ORR_MOST_STEPS = 64 };

unsigned orr_races_count(const struct orr_races *races);

/* The steps, a bit each, with which the last one, which has ended, is in a
 * race. */
uint64_t orr_races_racing(const struct orr_races *races);

/*
 * The steps of which one should be tried in place of @step, so that the last
 * one comes before it: those that follow @step though they need not, itself
 * among them, and come first of these.
 */
uint64_t orr_races_initials(const struct orr_races *races, unsigned step);

const struct orr_event *orr_races_event(const struct orr_races *races,
                                        unsigned step);

#endif
