/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DETERMINISM_H
#define ORR_DETERMINISM_H

#include "apps/settings/settings.h"
#include "runtime/trace.h"

/*
 * The same run a second time, to see whether it is the same: it is not if the
 * policy depends on addresses, clocks or memory that it did not initialise.
 * The first run stays where it is during the second, whose memory comes from a
 * heap in another order and is filled otherwise, so that such a policy does
 * not get away with it.
 */
struct orr_log; /* of one run: what its trace told */

struct orr_determinism {
    struct orr_run *first;
    struct orr_log *one; /* of it */
    struct orr_log *two; /* of the second run: its observer's */
    void **holes;        /* see above */
};

/*
 * Runs what @settings, resolved and with a policy, say for the first time.
 * Returns ORR_EXIT_OK, also if that hangs, or, with @error, the exit status
 * that suits. @twice is to be cleared then, after the second run.
 */
enum orr_exit orr_determinism_begin(struct orr_determinism *twice,
                                    const struct orr_settings *settings,
                                    GError **error);
void orr_determinism_clear(struct orr_determinism *twice);

/* Who has to be told of the second run. Borrowed. */
struct orr_trace *orr_determinism_observer(struct orr_determinism *twice);

/*
 * Whether @run, the second, did what the first did; else ORR_ERROR_VALUE,
 * which names the first difference.
 */
bool orr_determinism_check(const struct orr_determinism *twice,
                           struct orr_run *run, GError **error);

#endif
