/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CHECKPOINT_H
#define ORR_CHECKPOINT_H

#include "apps/search/exploration.h"
#include "models/base/lines.h"
#include "runtime/explore/dfs.h"
#include "runtime/explore/portfolio.h"

/*
 * Saves an exploration between two schedules as lines of text (lines.h), and
 * reads it again. A resumed exploration has the results that it would have had
 * without the break. The text has the number of schedules of each strategy, the
 * failures, the interleavings that were seen, and the path of the depth-first
 * search. It does not have the facts of the first schedule, which is run again.
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
 * The budget may cut its last round short. If a resumed exploration has a
 * larger budget, it repeats this round from its beginning.
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
    struct orr_dfs *
        *dfs; /* **dfs is NULL until the depth-first search begins */
};

/* A round of an exploration (portfolio.h). */
struct orr_round {
    uint64_t first; /* schedules before the round */
    uint64_t count; /* number of schedules of the round */

    /* For each strategy: schedules, and distinct ones, before the round. */
    uint64_t made[ORR_PORTFOLIO_MOST];
    uint64_t distinct[ORR_PORTFOLIO_MOST];

    GString *begin; /* the portfolio, and after it the state, before the round;
                       NULL: not kept; owned */
    gsize state;    /* offset of the state in @begin */
};

/* Begins @round, with at most @most schedules. @keeps: sets round->begin, too.
 * Clear @round with orr_round_clear(). */
void orr_round_begin(struct orr_round *round,
                     const struct orr_checkpoint *checkpoint, uint64_t most,
                     bool keeps);
void orr_round_clear(struct orr_round *round);

/* Reports the schedules of each strategy in @round, which has ended, to the
 * portfolio. */
void orr_round_end(const struct orr_round *round,
                   const struct orr_checkpoint *checkpoint);

/* Appends the lines of a state to @text. Ends the current schedule of the
 * depth-first search. */
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

/* Appends the lines from "round" to the end to @text. */
void orr_checkpoint_add(const struct orr_checkpoint *checkpoint,
                        const struct orr_round *round, GString *text);

#endif
