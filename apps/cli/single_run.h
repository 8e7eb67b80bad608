/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SINGLE_RUN_H
#define ORR_SINGLE_RUN_H

#include <json-glib/json-glib.h>

#include "apps/settings/settings.h"

/* A single run and its report. */
struct orr_single_run {
    const char *command;                 /* for messages */
    const struct orr_settings *settings; /* resolved, with a policy */
    struct orr_trace *observer;          /* a second trace, beside the one of
                                            settings; borrowed; NULL: none */

    /*
     * Called when @run has finished or hangs. If it returns false, with
     * @error, there is no report. NULL: every run is accepted.
     */
    bool (*accept)(struct orr_run *run, void *data, GError **error);

    /* Adds members to @facts of a run that finished; NULL: adds nothing. */
    void (*complete)(JsonObject *facts, struct orr_run *run, void *data);
    void *data;

    /* Prints the facts; NULL: orr_facts_print_run(). */
    void (*print)(JsonObject *facts, enum orr_format format, void *data);
};

/*
 * Simulates one run and reports it: prints its facts in the format of the
 * settings and messages about settings without effect, and writes the traces,
 * also of a run that hangs.
 *
 * Returns the exit status. The diagnosis of a hang is printed on the standard
 * error, and is part of the facts unless they are text. For other failures
 * @error is set; it must not be NULL.
 */
enum orr_exit orr_single_run_perform(const struct orr_single_run *single,
                                     GError **error);

#endif
