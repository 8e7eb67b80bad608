/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/facts/prediction_facts.h"

#include <math.h>
#include <stdio.h>

#include "apps/output/members.h"
#include "apps/output/table.h"
#include "models/base/input.h"

static const char *const laws[] = {
    [ORR_LAW_NONE] = NULL,
    [ORR_LAW_TIME] = "Amdahl",
    [ORR_LAW_ENERGY] = "Woo and Lee",
    [ORR_LAW_POWER] = "Woo and Lee",
};

static void add_history(JsonObject *facts, const char *path,
                        const struct orr_history_request *request,
                        const struct orr_history *history)
{
    g_autofree char *shown = orr_input_show_path(path);
    JsonObject *object = json_object_new();
    guint last = history->knots->len - 1;

    orr_output_set_text(object, "file", shown);
    orr_output_set_text(object, "x", request->x);
    orr_output_set_text(object, "y", request->y);
    json_object_set_int_member(object, "runs", history->runs->len);
    json_object_set_int_member(object, "left_out", (gint64)history->left_out);
    json_object_set_int_member(object, "incomplete",
                               (gint64)history->incomplete);
    json_object_set_double_member(object, "first_x",
                                  orr_history_knot(history, 0)->x);
    json_object_set_double_member(object, "last_x",
                                  orr_history_knot(history, last)->x);
    json_object_set_object_member(facts, "history", object);
}

static void add_curves(JsonObject *facts, const struct orr_predictor *predictor)
{
    JsonArray *curves = orr_output_add_array(facts, "curves");

    json_object_set_double_member(facts, "rmse_limit", predictor->limit);
    if (predictor->history->knots->len < 2)
        return;
    for (enum orr_curve_kind kind = 0; kind < ORR_CURVE_KINDS; kind++) {
        JsonObject *curve = orr_output_add_object(curves);

        orr_output_set_text(curve, "curve", orr_curve_name(kind));
        json_object_set_double_member(curve, "rmse", predictor->errors[kind]);
        json_object_set_boolean_member(curve, "fits", predictor->fits[kind]);
        json_object_set_boolean_member(curve, "used", predictor->kind == kind);
    }
}

static void set_bound(JsonObject *object, const char *name, double bound)
{
    if (isfinite(bound))
        json_object_set_double_member(object, name, bound);
    else
        json_object_set_null_member(object, name);
}

static void add_prediction(JsonArray *predictions,
                           const struct orr_predictor *predictor,
                           const struct orr_prediction *prediction,
                           const char *law)
{
    JsonObject *object = orr_output_add_object(predictions);
    bool bounded = isfinite(prediction->low);

    json_object_set_double_member(object, "x", prediction->x);
    json_object_set_double_member(object, "y", prediction->y);
    orr_output_set_text(object, "by",
                        prediction->runs ? "mean"
                                         : orr_curve_name(predictor->kind));
    json_object_set_int_member(object, "runs", (gint64)prediction->runs);
    json_object_set_boolean_member(object, "beyond", prediction->beyond);
    orr_output_set_text(object, "law", bounded ? law : NULL);
    set_bound(object, "low", prediction->low);
    set_bound(object, "high", prediction->high);
    if (bounded)
        json_object_set_boolean_member(object, "allowed",
                                       prediction->y >= prediction->low &&
                                           prediction->y <= prediction->high);
    else
        json_object_set_null_member(object, "allowed");
}

/* Adds the prediction at each x requested. */
static bool add_predictions(JsonObject *facts,
                            const struct orr_history_request *request,
                            const GArray *at,
                            const struct orr_predictor *predictor,
                            GError **error)
{
    JsonArray *predictions = orr_output_add_array(facts, "predictions");
    enum orr_prediction_law law = orr_prediction_law(request->x, request->y);

    for (guint i = 0; i < at->len; i++) {
        double x = g_array_index(at, double, i);
        struct orr_prediction prediction;

        if (!orr_predict(predictor, law, x, &prediction, error))
            return false;
        add_prediction(predictions, predictor, &prediction, laws[law]);
    }
    return true;
}

JsonObject *orr_prediction_facts_new(const char *path,
                                     const struct orr_history_request *request,
                                     const struct orr_predictor *predictor,
                                     const GArray *at, GError **error)
{
    JsonObject *facts = json_object_new();

    add_history(facts, path, request, predictor->history);
    add_curves(facts, predictor);
    if (add_predictions(facts, request, at, predictor, error))
        return facts;
    json_object_unref(facts);
    return NULL;
}

static char *text_of(double number)
{
    return g_strdup_printf("%.6g", number);
}

static void print_history(JsonObject *history)
{
    g_autofree char *first = text_of(orr_double_of(history, "first_x"));
    g_autofree char *last = text_of(orr_double_of(history, "last_x"));
    gint64 incomplete = orr_int_of(history, "incomplete");

    printf("%s: %s from %s to %s, runs: %" G_GINT64_FORMAT "\n",
           orr_text_of(history, "file"), orr_text_of(history, "x"), first, last,
           orr_int_of(history, "runs"));
    if (orr_int_of(history, "left_out") > 0)
        printf("rows left out: %" G_GINT64_FORMAT "\n",
               orr_int_of(history, "left_out"));
    if (incomplete > 0)
        printf("rows without x or y: %" G_GINT64_FORMAT "\n", incomplete);
    printf("\n");
}

static void print_curves(JsonObject *facts)
{
    JsonArray *curves = orr_array_of(facts, "curves");
    struct orr_table *table;

    if (json_array_get_length(curves) == 0)
        return;
    table = orr_table_new("lrl");
    orr_table_add(table, "curve");
    orr_table_add(table, "rmse");
    orr_table_take(table, g_strdup_printf("fits within %.3g",
                                          orr_double_of(facts, "rmse_limit")));
    for (guint i = 0; i < json_array_get_length(curves); i++) {
        JsonObject *curve = orr_object_at(curves, i);
        bool fits = json_object_get_boolean_member(curve, "fits");
        bool swings = !fits && orr_double_of(curve, "rmse") <=
                                   orr_double_of(facts, "rmse_limit");

        orr_table_add(table, orr_text_of(curve, "curve"));
        orr_table_take(table,
                       g_strdup_printf("%.3g", orr_double_of(curve, "rmse")));
        orr_table_add(table, json_object_get_boolean_member(curve, "used")
                                 ? "yes: used"
                             : fits   ? "yes"
                             : swings ? "no: it swings"
                                      : "no");
    }
    orr_table_print(table);
    orr_table_free(table);
    printf("\n");
}

/* Returns a remark on how reliable the prediction @object is. */
static char *remark_on(JsonObject *object)
{
    bool bounded = !json_object_get_null_member(object, "allowed");
    GString *text = g_string_new(NULL);

    if (orr_int_of(object, "runs") > 0)
        g_string_append_printf(text, "mean of %" G_GINT64_FORMAT " %s",
                               orr_int_of(object, "runs"),
                               orr_int_of(object, "runs") > 1 ? "runs" : "run");
    else
        g_string_append_printf(text, "%s%s", orr_text_of(object, "by"),
                               json_object_get_boolean_member(object, "beyond")
                                   ? ", beyond the runs"
                                   : "");
    if (bounded)
        g_string_append_printf(
            text, "; %s: %s %.4g to %.4g", orr_text_of(object, "law"),
            json_object_get_boolean_member(object, "allowed") ? "within"
                                                              : "not within",
            orr_double_of(object, "low"), orr_double_of(object, "high"));
    return g_string_free(text, FALSE);
}

static void print_predictions(JsonObject *facts)
{
    JsonObject *history = json_object_get_object_member(facts, "history");
    JsonArray *predictions = orr_array_of(facts, "predictions");
    struct orr_table *table = orr_table_new("rrl");

    orr_table_add(table, orr_text_of(history, "x"));
    orr_table_add(table, orr_text_of(history, "y"));
    orr_table_add(table, "by");
    for (guint i = 0; i < json_array_get_length(predictions); i++) {
        JsonObject *prediction = orr_object_at(predictions, i);

        orr_table_take(table, text_of(orr_double_of(prediction, "x")));
        orr_table_take(table, text_of(orr_double_of(prediction, "y")));
        orr_table_take(table, remark_on(prediction));
    }
    orr_table_print(table);
    orr_table_free(table);
}

void orr_prediction_facts_print(JsonObject *facts, enum orr_format format)
{
    if (format == ORR_FORMAT_JSON) {
        orr_output_object(facts);
        return;
    }
    if (format == ORR_FORMAT_CSV) {
        orr_output_rows(orr_array_of(facts, "predictions"), format);
        return;
    }
    print_history(json_object_get_object_member(facts, "history"));
    print_curves(facts);
    print_predictions(facts);
}
