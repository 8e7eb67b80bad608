/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_CHANGE_H
#define ORR_PLATFORM_CHANGE_H

#include "models/platform/parameters.h"

/*
 * "What if?": changes to a platform after it was loaded and before it is used.
 *
 * A change is a text, PATH=VALUE:
 *
 *   link.RAM-CUDA0.bandwidth=12GBps   a parameter (parameters.h), and its value
 * with its unit link.*.bandwidth=2x               * and ? in the path match any
 * text and any character; 2x is twice what it was pcie=0.5x, 16GBps or gen4x16
 * all links of a kind (interconnect.h) nvlink=50GBps or 2x
 *
 * Instead of a link's name, a path may say the two memories of a route,
 * "RAM-CUDA0", if one link of that route is on no other.
 *
 * Changes apply in their order. Each also scales what policies believe of the
 * copies that it makes slower or faster, unless the calibration is to be
 * stale.
 */
struct orr_change {
    char *text;         /* as it was asked for: "pcie=0.5x" */
    char *idle;         /* why it changed nothing at all, or NULL */
    GArray *parameters; /* struct orr_parameter: what it changed */
    bool beliefs;       /* whether it scaled what policies believe */
};

struct orr_changes {
    unsigned count;
    struct orr_change *items;
};

/* A machine other than the file's. */
struct orr_what_if {
    int gpus;                    /* at least; -1: as they are */
    int cpus;                    /* cores beside those of the GPUs, likewise */
    const char *const *settings; /* texts as above, NULL-terminated, or NULL */
    bool stale_calibration;
};

/*
 * Changes @platform: first to more GPUs and cores (platform_resize.h), if it
 * has less, then by the settings.
 *
 * Returns what was changed, to be freed with orr_changes_free(), or NULL with
 * @error; @platform is then fit for orr_platform_free() only. Messages name
 * the setting:
 *   ORR_ERROR_UNKNOWN  no parameter has that path; it lists what there is
 *   ORR_ERROR_VALUE    the value is none, or no platform file could have it
 */
struct orr_changes *orr_platform_change(struct orr_platform *platform,
                                        const struct orr_what_if *what,
                                        GError **error);

/* NULL is allowed. */
void orr_changes_free(struct orr_changes *changes);

/*
 * Whether @text is understood, as far as can be said without a machine: false
 * with ORR_ERROR_UNKNOWN or ORR_ERROR_VALUE.
 */
bool orr_change_check(const char *text, GError **error);

#endif
