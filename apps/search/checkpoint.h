/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CHECKPOINT_H
#define ORR_CHECKPOINT_H

#include "apps/search/exploration.h"
#include "models/base/lines.h"
#include "runtime/explore/dfs.h"
#include "runtime/explore/portfolio.h"

/*
 * The state of an exploration between two schedules, as lines of text (lines.h)
 * from which the same program goes on with the same results: how many schedules
 * each strategy has made, the findings, the interleavings that were seen, and
 * the path of the depth-first search. What the first schedule tells is not
 * kept: it is run again.
 *
 * A section, for one exploration:
 *
 *     case TEXT                      its name
 *     request TOKEN                  all that determines its schedules
 * (token.h) strategy NAME ALL              ALL: 1 with --all round FIRST COUNT
 * WALL         schedules before the round, and in it; time so far (us)
 *     portfolio ROUND                at the beginning of the round, with a line
 *     share MADE YIELD NEXT          for each strategy
 *     orders N                       of the distinct schedules, with a line
 *     HASH                           for each
 *     ...                            the state at the beginning of the round
 *     ...                            the present state
 *
 * The last round of a budget is shorter than it would be otherwise. If the
 * budget has grown since, it begins again. A state is
 *
 *     state SCHEDULES DISTINCT
 *     parts N                        with a line for each strategy that was
 * used part NAME SCHEDULES DISTINCT HANGS findings N                     with
 * these lines for each: finding KIND STATUS STRATEGY NUMBER COUNT DIGEST
 * SENTENCES DEVIATIONS message TEXT chain TEXT                     for each
 * sentence deviation POSITION OPTION COUNT KIND locks N
 * orr_interleavings_save() lock TEXT sites N site GOES_ON BEFORE AFTER FOLLOWED
 * TEXT dfs ENDED INCOMPLETE ORDERED N choice COUNT OPTION BACKTRACK DONE [READS
 * WRITES for each that is done]
 */
struct orr_checkpoint {
    struct orr_exploration *exploration;
    struct orr_portfolio *portfolio;
    struct orr_dfs **dfs; /* *dfs may be NULL: not used yet */
};

/* A round of an exploration (portfolio.h). */
struct orr_round {
    uint64_t first; /* schedules before it */
    uint64_t count; /* schedules that it has */

    /* Of each strategy, schedules before it. */
    uint64_t made[ORR_PORTFOLIO_MOST];
    uint64_t distinct[ORR_PORTFOLIO_MOST];

    GString *begin; /* the portfolio, and after it the state, before the round;
                       NULL: not kept; owned */
    gsize state;    /* where the state begins there */
};

/* Sets @round to one of up to @most schedules that begins. @keeps: sets
 * round->begin, too. Clear @round with orr_round_clear(). */
void orr_round_begin(struct orr_round *round,
                     const struct orr_checkpoint *checkpoint, uint64_t most,
                     bool keeps);
void orr_round_clear(struct orr_round *round);

/* Tells the portfolio what each strategy has made in @round, which has ended.
 */
void orr_round_end(const struct orr_round *round,
                   const struct orr_checkpoint *checkpoint);

/* Appends a state. Ends the present schedule of the depth-first search. */
void orr_checkpoint_add_state(const struct orr_checkpoint *checkpoint,
                              GString *text);

/*
 * Reads a position that begins with the line "round", where @last is the number
 * of the last schedule in the budget; sets @round, and adds to
 * exploration->wall_s. The exploration has run its first schedule, and its
 * results are replaced. Returns false with the error of @lines.
 */
bool orr_checkpoint_read(const struct orr_checkpoint *checkpoint, uint64_t last,
                         struct orr_round *round, struct orr_lines *lines);

/* Appends such a position. */
void orr_checkpoint_add(const struct orr_checkpoint *checkpoint,
                        const struct orr_round *round, GString *text);

#endif
