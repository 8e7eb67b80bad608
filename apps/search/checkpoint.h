/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CHECKPOINT_H
#define ORR_CHECKPOINT_H

#include "apps/search/exploration.h"
#include "models/base/lines.h"
#include "runtime/explore/dfs.h"
#include "runtime/explore/portfolio.h"

/*
 * Saves an exploration between two schedules as lines of text (lines.h), and
 * reads it again. The exploration can then go on, with the results that it
 * would have had without the break. The text has the number of schedules of
 * each strategy, the failures, the interleavings that were seen, and the path
 * of the depth-first search. The facts of the first schedule are not saved: it
 * is run again.
 *
 * The lines of one exploration. "for each" says that there are several:
 *
 *     case TEXT                   its name
 *     request TOKEN               all that determines its schedules (token.h)
 *     strategy NAME ALL           ALL: 1 with --all
 *     round FIRST COUNT WALL      schedules before the round, and in it; time
 *                                 spent so far, in us
 *     portfolio ROUND             at the beginning of the round
 *     share MADE YIELD NEXT       for each strategy
 *     orders N                    number of distinct schedules
 *     order HASH                  for each
 *     (a state)                   at the beginning of the round
 *     (a state)                   now
 *
 * The budget may cut its last round short. If the budget has grown since, this
 * round is made again from its beginning.
 *
 * The lines of a state:
 *
 *     state SCHEDULES DISTINCT
 *     parts N                     number of strategies that were used
 *     part NAME SCHEDULES DISTINCT HANGS
 *                                 for each
 *     findings N                  number of failures; the lines from here to
 *                                 "deviation" are for each
 *     finding KIND STATUS STRATEGY NUMBER COUNT DIGEST SENTENCES DEVIATIONS
 *     message TEXT
 *     chain TEXT                  for each sentence
 *     deviation POSITION OPTION COUNT KIND
 *                                 for each deviation
 *     locks N                     see orr_interleavings_save()
 *     lock TEXT                   for each
 *     sites N
 *     site GOES_ON BEFORE AFTER FOLLOWED TEXT
 *                                 for each
 *     dfs ENDED INCOMPLETE ORDERED N
 *                                 if there is a depth-first search; N: depth
 *     choice COUNT OPTION BACKTRACK DONE [READS WRITES]...
 *                                 for each level; READS and WRITES for each
 *                                 option that is done
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
