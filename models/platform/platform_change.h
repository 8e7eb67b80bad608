/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_CHANGE_H
#define ORR_PLATFORM_CHANGE_H

#include "models/platform/parameters.h"

/*
 * Changes to a platform after it was loaded and before it is used: what if?
 *
 * A change is a text, PATH=VALUE:
 *
 *   link.RAM-CUDA0.bandwidth=12GBps   the path of a parameter (parameters.h),
 *                                     and its new value
 *   link.*.bandwidth=2x               * and ? in the path match any text and
 *                                     any character; 2x doubles the value
 *   pcie=0.5x, 16GBps or gen4x16      all links of a kind (interconnect.h)
 *   nvlink=50GBps or 2x
 *   pstate.cpu=2, power-cap.CUDA0=150W    states of devices (power_change.h)
 *
 * Instead of the name of a link, a path may give the two memories of a route,
 * "RAM-CUDA0", if one link of that route is on no other.
 *
 * Changes apply in order. Each also scales the bandwidth and latency that
 * policies plan with, for the copies that it makes slower or faster, unless the
 * calibration is to be stale.
 */
struct orr_change {
    char *text;         /* as given: "pcie=0.5x" */
    char *idle;         /* why it has no effect, or NULL */
    GArray *parameters; /* struct orr_parameter: the changed ones */
    bool power;         /* the power of devices changed */
    bool beliefs;       /* the predictions of policies were scaled, too */
};

struct orr_changes {
    unsigned count;
    struct orr_change *items;
};

/* How the machine of a run differs from its file. */
struct orr_what_if {
    int gpus;                    /* least number of GPUs; -1: no change */
    int cpus;                    /* least number of cores that drive no GPU; -1:
                                    no change */
    const char *const *settings; /* changes, NULL-terminated, or NULL */
    bool stale_calibration;
};

/*
 * Changes @platform: first adds GPUs and cores (platform_resize.h) if it has
 * fewer, then applies the settings.
 *
 * Returns the changes, to be freed with orr_changes_free(). On failure, returns
 * NULL with @error, and @platform may only be freed. Messages name the setting:
 *   ORR_ERROR_UNKNOWN  no parameter has that path; it lists what there is
 *   ORR_ERROR_VALUE    the value is not understood, or not allowed in a file
 */
struct orr_changes *orr_platform_change(struct orr_platform *platform,
                                        const struct orr_what_if *what,
                                        GError **error);

/* NULL is allowed. */
void orr_changes_free(struct orr_changes *changes);

/*
 * Checks @text as far as is possible without a platform. Returns false with
 * ORR_ERROR_UNKNOWN or ORR_ERROR_VALUE.
 */
bool orr_change_check(const char *text, GError **error);

#endif
