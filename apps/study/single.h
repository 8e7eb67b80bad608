/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SINGLE_H
#define ORR_SINGLE_H

#include "apps/settings/settings.h"

/* One run, and the report of it. */
struct orr_single {
    const char *command;                 /* that messages come from */
    const struct orr_settings *settings; /* resolved, with a policy */
    struct orr_trace *observer;          /* told beside the trace that settings
                                            ask for; borrowed; NULL: none */

    /*
     * Asked when @run has finished or hung, before anything is reported; if it
     * returns false, with @error, nothing is. NULL: everything is.
     */
    bool (*accept)(struct orr_run *run, void *data, GError **error);
    void *data;
};

/*
 * Simulates what the settings say once, and reports it: the facts on the
 * standard output in the format asked for, a trace where one was asked for
 * and, as the command, settings that had no influence. What hangs has a trace,
 * too.
 *
 * Returns the exit status that suits. Why a run hangs is said on the standard
 * error, and among the facts unless they are text; of other failures @error,
 * which must not be NULL, says why.
 */
enum orr_exit orr_single_run(const struct orr_single *single, GError **error);

#endif
