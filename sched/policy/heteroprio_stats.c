/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/policy/heteroprio_stats.h"

enum { ARCHS = ORR_HETEROPRIO_ARCHS };

#define MEMORY 256            /* number of samples in an average */
#define ENOUGH_SAMPLES 16     /* with fewer, the measured time is not used */
#define FAIR_TIME_US 1e3      /* assumed time without samples */
#define LONG_TIME_US 1e8      /* time where a bucket cannot run */
#define UNRIVALLED 1e15       /* normalised time of a missing second best */
#define EXPLORATION 99999999. /* added to scores while samples are few */
#define ASSUMED_RELEASE 1e3

void orr_heteroprio_stats_clear(struct orr_heteroprio_stats *stats)
{
    g_free(stats->buckets);
    for (unsigned a = 0; a < ARCHS; a++)
        g_free(stats->order[a]);
}

unsigned orr_heteroprio_stats_add(struct orr_heteroprio_stats *stats,
                                  const bool runs_on[ORR_HETEROPRIO_ARCHS])
{
    unsigned index = stats->count++;
    struct orr_heteroprio_bucket *bucket;

    stats->buckets =
        g_renew(struct orr_heteroprio_bucket, stats->buckets, stats->count);
    bucket = &stats->buckets[index];
    *bucket = (struct orr_heteroprio_bucket){.slowdown = 1, .timed = true};
    for (unsigned a = 0; a < ARCHS; a++) {
        bucket->runs_on[a] = runs_on[a];
        if (!runs_on[a])
            continue;
        stats->order[a] =
            g_renew(unsigned, stats->order[a], stats->order_count[a] + 1);
        stats->order[a][stats->order_count[a]++] = index;
    }
    return index;
}

/* Counts one more sample, up to MEMORY. */
static unsigned count_sample(unsigned *samples)
{
    if (*samples < MEMORY)
        (*samples)++;
    return *samples;
}

static double averaged(double average, double sample, unsigned samples)
{
    return average * (samples - 1) / samples + sample / samples;
}

void orr_heteroprio_stats_pushed(struct orr_heteroprio_stats *stats,
                                 unsigned bucket)
{
    unsigned samples = 0;
    double sum = 0;

    count_sample(&stats->buckets[bucket].share_samples);
    for (unsigned b = 0; b < stats->count; b++)
        samples += stats->buckets[b].share_samples;
    stats->buckets[bucket].share += 1.0 / samples;
    for (unsigned b = 0; b < stats->count; b++)
        sum += stats->buckets[b].share;
    for (unsigned b = 0; b < stats->count; b++)
        stats->buckets[b].share /= sum;
}

void orr_heteroprio_stats_released(struct orr_heteroprio_stats *stats,
                                   unsigned bucket,
                                   const double release[ORR_HETEROPRIO_ARCHS])
{
    struct orr_heteroprio_bucket *of = &stats->buckets[bucket];
    unsigned samples = count_sample(&of->release_samples);

    for (unsigned a = 0; a < ARCHS; a++)
        of->release[a] = averaged(of->release[a], release[a], samples);
}

void orr_heteroprio_stats_executed(struct orr_heteroprio_stats *stats,
                                   unsigned bucket,
                                   enum orr_heteroprio_arch arch,
                                   double time_us)
{
    struct orr_heteroprio_bucket *of = &stats->buckets[bucket];
    unsigned samples = count_sample(&of->part_samples);
    double sum = 0;

    /* As in StarPU, the second sample has the weight of the first. */
    of->part[arch] += 1.0 / (samples >= 2 ? samples - 1 : samples);
    for (unsigned a = 0; a < ARCHS; a++)
        sum += of->part[a];
    for (unsigned a = 0; a < ARCHS; a++)
        of->part[a] /= sum;

    samples = count_sample(&of->time_samples[arch]);
    of->time_us[arch] = averaged(of->time_us[arch], time_us, samples);
    of->timed = true;
}

static double expected_us(const struct orr_heteroprio_bucket *bucket,
                          enum orr_heteroprio_arch arch)
{
    if (bucket->time_samples[arch] > 0)
        return bucket->time_us[arch];
    return bucket->runs_on[arch] ? FAIR_TIME_US : LONG_TIME_US;
}

static double best_us(const struct orr_heteroprio_bucket *bucket)
{
    double best = UNRIVALLED;

    for (unsigned a = 0; a < ARCHS; a++) {
        if (bucket->runs_on[a])
            best = MIN(best, expected_us(bucket, a));
    }
    return best;
}

double orr_heteroprio_stats_unit(const struct orr_heteroprio_stats *stats)
{
    double unit = 0;

    for (unsigned b = 0; b < stats->count; b++)
        unit += stats->buckets[b].share * best_us(&stats->buckets[b]);
    return unit;
}

static double normalised(const struct orr_heteroprio_bucket *bucket,
                         enum orr_heteroprio_arch arch, double unit)
{
    return unit > 0 ? expected_us(bucket, arch) / unit : 1;
}

double orr_heteroprio_stats_work(const struct orr_heteroprio_stats *stats,
                                 unsigned bucket, enum orr_heteroprio_arch arch,
                                 double unit)
{
    const struct orr_heteroprio_bucket *of = &stats->buckets[bucket];

    return of->part[arch] * normalised(of, arch, unit);
}

static void compare(struct orr_heteroprio_bucket *bucket)
{
    double cpu = expected_us(bucket, ORR_HETEROPRIO_CPU);
    double gpu = expected_us(bucket, ORR_HETEROPRIO_GPU);
    bool gpu_wins = bucket->runs_on[ORR_HETEROPRIO_GPU] &&
                    (!bucket->runs_on[ORR_HETEROPRIO_CPU] || gpu < cpu);

    bucket->fastest = gpu_wins ? ORR_HETEROPRIO_GPU : ORR_HETEROPRIO_CPU;
    bucket->slowdown = (float)(gpu_wins ? cpu / gpu : gpu / cpu);
    bucket->timed = false;
}

void orr_heteroprio_stats_compare(struct orr_heteroprio_stats *stats)
{
    for (unsigned b = 0; b < stats->count; b++) {
        if (stats->buckets[b].timed)
            compare(&stats->buckets[b]);
    }
}

/*
 * The urgency of @bucket for @arch: the time that it saves against the other
 * architecture, weighted by the work that it releases (StarPU's "URT dot diff
 * 4"; URT: useful released time). StarPU also takes into account how busy each
 * architecture was in earlier runs. In a first run these terms are zero; they
 * are left out here.
 */
static double score(const struct orr_heteroprio_bucket *bucket,
                    enum orr_heteroprio_arch arch, double unit)
{
    enum orr_heteroprio_arch other =
        arch == ORR_HETEROPRIO_CPU ? ORR_HETEROPRIO_GPU : ORR_HETEROPRIO_CPU;
    bool rivalled = bucket->runs_on[other];
    bool known = bucket->release_samples > 0;
    double other_time = rivalled ? normalised(bucket, other, unit) : UNRIVALLED;
    double release = known ? bucket->release[arch] : ASSUMED_RELEASE;
    double result;

    if (rivalled)
        release += (known ? bucket->release[other] : ASSUMED_RELEASE) *
                   (1 - bucket->part[other]);
    result = (1 + release) * (other_time - normalised(bucket, arch, unit));
    if (bucket->time_samples[arch] < ENOUGH_SAMPLES)
        result += EXPLORATION;
    return result;
}

/* Inserts @bucket after the buckets with the same score. */
static void insert(unsigned *order, double *scores, unsigned count,
                   unsigned bucket, double scored)
{
    unsigned at = count;

    for (; at > 0 && scores[at - 1] < scored; at--) {
        order[at] = order[at - 1];
        scores[at] = scores[at - 1];
    }
    order[at] = bucket;
    scores[at] = scored;
}

void orr_heteroprio_stats_order(struct orr_heteroprio_stats *stats)
{
    double *scores = g_new(double, stats->count);
    double unit = orr_heteroprio_stats_unit(stats);

    for (unsigned a = 0; a < ARCHS; a++) {
        unsigned count = 0;

        for (unsigned b = 0; b < stats->count; b++) {
            if (stats->buckets[b].runs_on[a])
                insert(stats->order[a], scores, count++, b,
                       score(&stats->buckets[b], a, unit));
        }
    }
    g_free(scores);
}
