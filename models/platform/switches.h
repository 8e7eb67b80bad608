/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SWITCHES_H
#define ORR_SWITCHES_H

#include <stdbool.h>

#include "models/platform/bus.h"

/* What a kernel takes on a worker: docs/MODELS.md, durations. */
enum orr_durations {
    ORR_DURATIONS_MEAN,     /* the mean of what was measured */
    ORR_DURATIONS_SAMPLED,  /* a draw for each task */
    ORR_DURATIONS_REPLAYED, /* what a record says of that very task */
};

/* Accidents of the reference that change schedules. */
enum orr_quirks {
    ORR_QUIRKS_ON,
    ORR_QUIRKS_OFF,
    ORR_QUIRKS_EXACT, /* also those that hardly matter and cost most to follow:
                         runs without CPU workers go by rounds, too */
};

/*
 * Which models a run uses, as `--model NAME=VALUE` sets them (docs/MODELS.md).
 * The defaults are those whose results compare with the reference; each
 * accident of the reference is one named switch here, tested where it acts.
 */
struct orr_switches {
    bool overheads;         /* the runtime's own costs; else free */
    bool memory;            /* GPUs have a capacity; else unlimited */
    bool network_full;      /* shared links and routes; else one link for each
                               device and direction, without contention */
    bool pitch;             /* copies have the platform's segments; else what
                               their routes give */
    bool sharing_weighted;  /* shares as 1/latency; else equal */
    enum orr_belief belief; /* what policies expect of copies */
    enum orr_quirks quirks;
    enum orr_durations durations;
};

void orr_switches_init(struct orr_switches *switches);

/*
 * Applies @text: "name=value" items separated by commas, or one of the sets
 * "reference" and "clean", later ones overriding earlier ones. Returns false
 * with ORR_ERROR_UNKNOWN, naming the switch or value and listing those that
 * there are; @switches is then unchanged.
 */
bool orr_switches_parse(struct orr_switches *switches, const char *text,
                        GError **error);

/*
 * What could be done without: for each model that @switches have at more than
 * its plainest value, "name=value" with that value. NULL-terminated, in a
 * fixed order; to be freed with g_strfreev().
 */
char **orr_switches_degradations(const struct orr_switches *switches);

/* "durations=mean,overheads=on,..."; to be freed with g_free(). */
char *orr_switches_format(const struct orr_switches *switches);

static inline bool orr_switches_quirks(const struct orr_switches *switches)
{
    return switches->quirks != ORR_QUIRKS_OFF;
}

#endif
