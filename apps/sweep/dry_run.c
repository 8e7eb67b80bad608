/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/sweep/dry_run.h"

#include <inttypes.h>
#include <stdio.h>

#define SAMPLES UINT64_C(9)
#define FIRST_POINTS UINT64_C(10)

/* Time after which no further run of the sample begins, us. */
#define PATIENCE_US (INT64_C(5) * G_USEC_PER_SEC)

/* Calls @each for the selected points, in order, until it returns false. */
static uint64_t visit(const struct orr_sweep *sweep,
                      bool (*each)(const struct orr_sweep *sweep,
                                   uint64_t point, uint64_t number, void *data),
                      void *data)
{
    uint64_t count = 0;

    for (uint64_t p = sweep->shard.index; p < sweep->campaign->points;
         p += sweep->shard.count) {
        if (!orr_sweep_wants(sweep, p))
            continue;
        if (each && !each(sweep, p, count, data))
            break;
        count++;
    }
    return count;
}

static bool print_point(const struct orr_sweep *sweep, uint64_t point,
                        uint64_t number, void *data)
{
    g_autofree char *text = orr_campaign_describe(sweep->campaign, point);

    (void)data;
    if (number >= FIRST_POINTS)
        return false;
    printf("  %" PRIu64 "%s%s\n", point, *text ? "  " : "", text);
    return true;
}

struct sample {
    uint64_t points; /* wanted */
    uint64_t done, failed;
    char *first_failed; /* the first run that failed, and why; NULL: none; owned
                         */
    gint64 began_us;
};

/* Whether selected point @number is in the sample, which is spread evenly. */
static bool is_sampled(const struct sample *sample, uint64_t number)
{
    uint64_t last = sample->points - 1;

    return number * (SAMPLES - 1) >= last * sample->done || number == last;
}

static bool run_point(const struct orr_sweep *sweep, uint64_t point,
                      uint64_t number, void *data)
{
    struct sample *sample = data;
    g_auto(GStrv) values = NULL;
    g_autoptr(GError) why = NULL;
    JsonObject *facts;

    if (!is_sampled(sample, number))
        return true;
    values = orr_campaign_texts(sweep->campaign, point);
    if (!orr_point_runner_run(sweep->points, values, 0, &facts, &why) &&
        sample->failed++ == 0)
        sample->first_failed =
            orr_campaign_complain(sweep->campaign, point, why->message);
    if (facts)
        json_object_unref(facts);
    sample->done++;
    return sample->done < SAMPLES &&
           g_get_monotonic_time() - sample->began_us < PATIENCE_US;
}

/* Returns whether some run of the sample succeeds. */
static bool print_estimate(const struct orr_sweep *sweep, uint64_t points)
{
    struct sample sample = {
        .points = points,
        .began_us = g_get_monotonic_time(),
    };
    unsigned threads =
        sweep->threads > 0 ? sweep->threads : g_get_num_processors();
    double each_s;

    visit(sweep, run_point, &sample);
    each_s = (double)(g_get_monotonic_time() - sample.began_us) / 1e6 /
             (double)sample.done;
    printf("about %.3g s with %u thread%s, by %" PRIu64 " run%s of %.3g s each",
           (double)points * (double)sweep->campaign->replicas * each_s /
               threads,
           threads, threads == 1 ? "" : "s", sample.done,
           sample.done == 1 ? "" : "s", each_s);
    if (sample.failed > 0)
        printf(", of which %" PRIu64 " failed", sample.failed);
    putchar('\n');
    if (sample.first_failed)
        orr_message_print(sweep->command, "%s", sample.first_failed);
    g_free(sample.first_failed);
    return sample.failed < sample.done;
}

enum orr_exit orr_dry_run(const struct orr_sweep *sweep)
{
    uint64_t points = visit(sweep, NULL, NULL);
    uint64_t replicas = sweep->campaign->replicas;
    bool good = true;

    printf("%" PRIu64 " points", points);
    if (points < sweep->campaign->points)
        printf(" of %" PRIu64, sweep->campaign->points);
    if (replicas > 1)
        printf(", %" PRIu64 " replicas", replicas);
    printf(": %" PRIu64 " runs\n", points * replicas);
    if (points > 0)
        good = print_estimate(sweep, points);
    puts("\nfirst points:");
    visit(sweep, print_point, NULL);
    return good ? ORR_EXIT_OK : ORR_EXIT_FAILURE;
}
