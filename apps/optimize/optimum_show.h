/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_OPTIMUM_SHOW_H
#define ORR_OPTIMUM_SHOW_H

#include "apps/campaign/campaign.h"
#include "apps/optimize/halving.h"
#include "apps/output/output.h"

/* What was found. */
struct orr_optimum {
    const struct orr_campaign *campaign;
    const char *objective; /* "makespan" */
    const char *fact;      /* "makespan_s": that of a run */
    unsigned count;
    const uint64_t *points; /* of the candidates, by index */
    char *const *reasons;   /* why one fails; NULL: it does not */
    const struct orr_candidate *candidates; /* from the best to the worst */
};

/* Prints a row for each candidate and, as text, how sure the result is. */
void orr_optimum_print(const struct orr_optimum *optimum,
                       enum orr_format format);

#endif
