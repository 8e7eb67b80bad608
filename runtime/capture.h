/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CAPTURE_H
#define ORR_CAPTURE_H

#include "runtime/orrery.h"

/*
 * Captures the submissions of an application without a machine: each task is
 * passed to a callback instead of being simulated. Every kernel exists, and may
 * run anywhere; priorities have no limits. So the result depends on the
 * application alone.
 *
 * The functions are called with a specification that was checked. Its data and
 * its kernel are valid until the run is freed.
 */
struct orr_capture {
    void (*task)(struct orr_capture *capture, const struct orr_task_spec *spec);
    void (*wont_use)(struct orr_capture *capture, const struct orr_data *data);
    /* The application waits for earlier tasks: to use @data, or, if @data is
       NULL, for a tag. */
    void (*waits)(struct orr_capture *capture, const struct orr_data *data);
};

/* A run for an application to submit to. @capture is borrowed. Free with
 * orr_run_free(). */
struct orr_run *orr_capture_new(struct orr_capture *capture);

#endif
