/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SWITCHES_H
#define ORR_SWITCHES_H

#include <stdbool.h>

#include "models/platform/bus.h"

/* How long a task takes on a worker: docs/MODELS.md, durations. */
enum orr_durations {
    ORR_DURATIONS_MEAN,     /* the measured mean */
    ORR_DURATIONS_SAMPLED,  /* a random draw for each task */
    ORR_DURATIONS_REPLAYED, /* the recorded duration of the same task */
};

/* Whether accidental behaviour of StarPU that changes schedules is simulated.
 */
enum orr_quirks {
    ORR_QUIRKS_ON,
    ORR_QUIRKS_OFF,
    ORR_QUIRKS_EXACT, /* like on, but all runs are in lock-step, also without
                         CPU workers, which costs time and hardly matters */
};

/*
 * The models of a run, as `--model NAME=VALUE` sets them (docs/MODELS.md). With
 * the defaults, results are comparable with those of StarPU.
 */
struct orr_switches {
    bool overheads;         /* operations of the runtime take time */
    bool memory;            /* the memory of GPUs is limited */
    bool network_full;      /* shared links and routes; else one link for each
                               device and direction, without contention */
    bool pitch;             /* segments of the platform apply to copies
                               (pitch.h); else only routes count */
    bool sharing_weighted;  /* weights of copies are 1/latency; else equal */
    enum orr_belief belief; /* how policies predict copies */
    enum orr_quirks quirks;
    enum orr_durations durations;
};

void orr_switches_init(struct orr_switches *switches);

/*
 * Applies @text: items "name=value", "reference" or "clean", separated by
 * commas. Later items override earlier ones. Returns false with
 * ORR_ERROR_UNKNOWN, and
 * @switches unchanged; the message lists the known names or values.
 */
bool orr_switches_parse(struct orr_switches *switches, const char *text,
                        GError **error);

/*
 * "name=value" with the simplest value, for each model that has another value
 * in @switches: the ablations of a run. NULL-terminated, in a fixed order. Free
 * with g_strfreev().
 */
char **orr_switches_degradations(const struct orr_switches *switches);

/* All items that orr_switches_parse() accepts: "durations=mean",
 * "durations=sampled", ..., "reference", "clean". NULL-terminated; free with
 * g_strfreev(). */
char **orr_switches_list(void);

/* "durations=mean,overheads=on,..."; to be freed with g_free(). */
char *orr_switches_format(const struct orr_switches *switches);

static inline bool orr_switches_quirks(const struct orr_switches *switches)
{
    return switches->quirks != ORR_QUIRKS_OFF;
}

#endif
