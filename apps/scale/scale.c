/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/scale/scale.h"

const char *orr_scale_factor_name(enum orr_scale_factor factor)
{
    static const char *const names[ORR_SCALE_FACTORS] = {
        "load_balance", "serialization", "transfer", "computation"};

    return names[factor];
}

void orr_scale_init(struct orr_scale *scale)
{
    *scale = (struct orr_scale){
        .runs = g_array_new(FALSE, FALSE, sizeof(struct orr_scale_row)),
        .predictions = g_array_new(FALSE, FALSE, sizeof(struct orr_scale_row)),
    };
}

void orr_scale_clear(struct orr_scale *scale)
{
    g_array_unref(scale->runs);
    g_array_unref(scale->predictions);
}

void orr_scale_add(struct orr_scale *scale, double count, const double *busy_ns,
                   unsigned workers, int64_t makespan, int64_t ideal)
{
    struct orr_scale_row row = {
        .count = count, .workers = workers, .makespan_ns = makespan};
    struct orr_efficiency efficiency;
    double first;

    for (unsigned i = 0; i < workers; i++)
        row.computing += busy_ns[i];
    orr_efficiency_init(&efficiency, busy_ns, workers, (double)makespan,
                        (double)ideal);
    first = scale->runs->len > 0 ? orr_scale_row(scale->runs, 0)->computing
                                 : row.computing;
    row.factors[ORR_SCALE_LOAD_BALANCE] = efficiency.load_balance;
    row.factors[ORR_SCALE_SERIALIZATION] = efficiency.serialization;
    row.factors[ORR_SCALE_TRANSFER] = efficiency.transfer;
    row.factors[ORR_SCALE_COMPUTATION] =
        row.computing > 0 ? first / row.computing : 1;
    row.parallel = efficiency.parallel;
    g_array_append_val(scale->runs, row);
}

static void predict(struct orr_scale *scale, double count)
{
    struct orr_scale_row row = {.count = count, .parallel = 1};

    for (enum orr_scale_factor i = 0; i < ORR_SCALE_FACTORS; i++) {
        row.factors[i] = orr_scaling_at(&scale->fits[i].scaling, count);
        if (i == ORR_SCALE_COMPUTATION)
            continue;
        row.factors[i] = MIN(row.factors[i], 1);
        row.parallel *= row.factors[i];
    }
    g_array_append_val(scale->predictions, row);
}

void orr_scale_fit(struct orr_scale *scale, double count)
{
    guint runs = scale->runs->len;
    struct orr_scaling_point *points;
    double last;

    if (runs < ORR_SCALING_LEAST_POINTS)
        return;
    scale->fitted = true;
    points = g_new(struct orr_scaling_point, runs);
    for (enum orr_scale_factor i = 0; i < ORR_SCALE_FACTORS; i++) {
        for (guint n = 0; n < runs; n++) {
            const struct orr_scale_row *row = orr_scale_row(scale->runs, n);

            points[n] = (struct orr_scaling_point){row->count, row->factors[i]};
        }
        orr_scaling_choose(&scale->fits[i], points, runs);
    }
    g_free(points);
    last = orr_scale_row(scale->runs, runs - 1)->count;
    if (count <= last)
        return;
    while (last * 2 < count) {
        last *= 2;
        predict(scale, last);
    }
    predict(scale, count);
}
