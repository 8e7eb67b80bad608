/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Factors of efficiency over numbers of GPUs or CPUs: computed for each run
 * from the busy times and the makespan on an ideal network, fitted by laws
 * (models/fit/scaling.h), and reported as facts, text and CSV.
 */
#include "apps/experiment/scale.h"

#include <math.h>
#include <stdio.h>

#include "apps/output/exact.h"
#include "apps/output/members.h"
#include "apps/output/table.h"
#include "models/base/units.h"

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

/* Rounds a fitted value, whose last digits differ between machines. */
static double fitted(double value)
{
    return round(value * 1e7) / 1e7;
}

/* Adds the numbers of GPUs and CPUs; for a prediction, only the number on the
 * axis is known. */
static void add_workers(JsonObject *object, const struct orr_scale_row *row,
                        const char *axis)
{
    bool is_gpus = g_str_equal(axis, "gpus");
    const char *others = is_gpus ? "cpus" : "gpus";

    json_object_set_int_member(object, axis, (gint64)row->count);
    if (row->workers > 0)
        json_object_set_int_member(object, others,
                                   row->workers - (gint64)row->count);
    else
        json_object_set_null_member(object, others);
}

static void set_factor(JsonObject *object, const struct orr_scale_row *row,
                       const char *name, double value)
{
    json_object_set_double_member(object, name,
                                  row->workers > 0 ? value : fitted(value));
}

static void add_rows(JsonObject *facts, const char *name, const GArray *rows,
                     const char *axis)
{
    JsonArray *array = orr_output_add_array(facts, name);

    for (guint i = 0; i < rows->len; i++) {
        const struct orr_scale_row *row = orr_scale_row(rows, i);
        JsonObject *object = orr_output_add_object(array);

        add_workers(object, row, axis);
        json_object_set_boolean_member(object, "predicted", row->workers == 0);
        if (row->workers > 0)
            json_object_set_double_member(
                object, "makespan_s", orr_time_to_seconds(row->makespan_ns));
        else
            json_object_set_null_member(object, "makespan_s");
        set_factor(object, row, "parallel", row->parallel);
        for (enum orr_scale_factor f = 0; f < ORR_SCALE_FACTORS; f++)
            set_factor(object, row, orr_scale_factor_name(f), row->factors[f]);
    }
}

static void add_fit(JsonArray *fits, enum orr_scale_factor factor,
                    const struct orr_scaling_choice *choice)
{
    const struct orr_scaling *scaling = &choice->scaling;
    JsonObject *fit = orr_output_add_object(fits);

    orr_output_set_text(fit, "factor", orr_scale_factor_name(factor));
    orr_output_set_text(fit, "law", orr_scaling_name(scaling->law));
    json_object_set_double_member(fit, "a0", fitted(scaling->a));
    if (scaling->law == ORR_SCALING_CONSTANT)
        json_object_set_null_member(fit, "f");
    else
        json_object_set_double_member(fit, "f", fitted(scaling->f));
    json_object_set_double_member(fit, "last_out_error",
                                  fitted(choice->errors[scaling->law]));
}

void orr_scale_add_facts(const struct orr_scale *scale, const char *axis,
                         JsonObject *facts)
{
    JsonArray *fits;

    orr_output_set_text(facts, "scale", axis);
    add_rows(facts, "runs", scale->runs, axis);
    fits = orr_output_add_array(facts, "fits");
    for (enum orr_scale_factor f = 0; scale->fitted && f < ORR_SCALE_FACTORS;
         f++)
        add_fit(fits, f, &scale->fits[f]);
    add_rows(facts, "predictions", scale->predictions, axis);
}

/* Adds the member @name of @row as a cell. */
static void add_cell(struct orr_table *table, JsonObject *row, const char *name)
{
    if (json_object_get_null_member(row, name))
        orr_table_add(table, "-");
    else
        orr_table_take(table,
                       g_strdup_printf("%.4f", orr_double_of(row, name)));
}

static void add_table_rows(struct orr_table *table, JsonArray *rows,
                           const char *axis)
{
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = orr_object_at(rows, i);

        orr_table_take(
            table, g_strdup_printf("%" G_GINT64_FORMAT, orr_int_of(row, axis)));
        orr_table_take(
            table, orr_output_value("makespan_s",
                                    json_object_get_member(row, "makespan_s")));
        add_cell(table, row, "parallel");
        for (enum orr_scale_factor f = 0; f < ORR_SCALE_FACTORS; f++)
            add_cell(table, row, orr_scale_factor_name(f));
    }
}

static void print_rows(JsonObject *facts)
{
    const char *axis = orr_text_of(facts, "scale");
    g_autofree char *title = g_ascii_strup(axis, -1);
    struct orr_table *table = orr_table_new("rrrrrrr");

    orr_table_add(table, title);
    orr_table_add(table, "makespan");
    orr_table_add(table, "parallel");
    for (enum orr_scale_factor f = 0; f < ORR_SCALE_FACTORS; f++)
        orr_table_take(table, orr_output_title(orr_scale_factor_name(f)));
    add_table_rows(table, orr_array_of(facts, "runs"), axis);
    add_table_rows(table, orr_array_of(facts, "predictions"), axis);
    orr_table_print(table);
    orr_table_free(table);
}

/* The law of @fit as a formula. */
static char *formula_of(JsonObject *fit)
{
    const char *law = orr_text_of(fit, "law");
    double a0 = orr_double_of(fit, "a0"), f;

    if (json_object_get_null_member(fit, "f"))
        return g_strdup_printf("%.4g", a0);
    f = orr_double_of(fit, "f");
    return g_str_equal(law, orr_scaling_name(ORR_SCALING_AMDAHL))
               ? g_strdup_printf("%.4g / (%.6g + %.4g P)", a0, f, 1 - f)
               : g_strdup_printf("%.4g P / (%.4g + %.6g (2 P - 1))", a0, 1 - f,
                                 f);
}

static void print_fits(JsonArray *fits)
{
    struct orr_table *table = orr_table_new("llrl");

    orr_table_add(table, "FACTOR");
    orr_table_add(table, "law");
    orr_table_add(table, "misses last");
    orr_table_add(table, "formula");
    for (guint i = 0; i < json_array_get_length(fits); i++) {
        JsonObject *fit = orr_object_at(fits, i);

        orr_table_take(table, orr_output_title(orr_text_of(fit, "factor")));
        orr_table_add(table, orr_text_of(fit, "law"));
        orr_table_take(
            table,
            g_strdup_printf("%.4f", orr_double_of(fit, "last_out_error")));
        orr_table_take(table, formula_of(fit));
    }
    printf("\n");
    orr_table_print(table);
    orr_table_free(table);
}

static void print_request(JsonObject *facts)
{
    g_autofree char *options =
        orr_exact_format(json_object_get_member(facts, "options"), ", ");

    printf("%s%s%s on %s, policy %s\n\n", orr_text_of(facts, "app"),
           *options ? ", " : "", options, orr_text_of(facts, "platform"),
           orr_text_of(facts, "sched"));
}

/* Prints runs and predictions as one table. */
static void print_csv(JsonObject *facts)
{
    JsonArray *rows = json_array_new();
    static const char *const parts[] = {"runs", "predictions"};

    for (size_t p = 0; p < G_N_ELEMENTS(parts); p++) {
        JsonArray *part = orr_array_of(facts, parts[p]);

        for (guint i = 0; i < json_array_get_length(part); i++)
            json_array_add_object_element(
                rows, json_object_ref(orr_object_at(part, i)));
    }
    orr_output_rows(rows, ORR_FORMAT_CSV);
    json_array_unref(rows);
}

void orr_scale_facts_print(JsonObject *facts, enum orr_format format)
{
    JsonArray *fits = orr_array_of(facts, "fits");

    if (format == ORR_FORMAT_JSON) {
        orr_output_object(facts);
        return;
    }
    if (format == ORR_FORMAT_CSV) {
        print_csv(facts);
        return;
    }
    print_request(facts);
    print_rows(facts);
    if (json_array_get_length(fits) > 0)
        print_fits(fits);
}
