/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <float.h>
#include <string.h>

#include "apps/cli/cmd.h"
#include "apps/facts/prediction_facts.h"
#include "apps/options/option.h"
#include "apps/options/tables.h"
#include "apps/options/values.h"
#include "apps/settings/lists.h"
#include "models/base/error.h"
#include "models/base/units.h"
#include "models/fit/scaling.h"

/* The options. Texts are borrowed from the arguments. */
struct values {
    const char *x, *y; /* names of columns; NULL: not given */
    GArray *at;        /* double; owned; NULL: not given */
    GPtrArray *only;   /* "COLUMN=VALUE", NULL-terminated; owned; NULL: none */
    double rmse;       /* negative: not given */
    enum orr_format format;
};

#define MEMBER(name) offsetof(struct values, name)

static bool parse_list(const struct orr_option *option, const char *text,
                       void *member, GError **error)
{
    GArray **list = member;
    GArray *numbers = orr_range_parse(text, error);

    (void)option;
    if (!numbers)
        return false;
    g_clear_pointer(list, g_array_unref);
    *list = numbers;
    return true;
}

/* A decimal number of at least 0. */
static bool parse_rmse(const struct orr_option *option, const char *text,
                       void *member, GError **error)
{
    (void)option;
    if (strcmp(text, "0") == 0) {
        *(double *)member = 0;
        return true;
    }
    return orr_parse_number(text, DBL_MAX, member, error);
}

static const struct orr_option predict_options[] = {
    {"y", "COLUMN", "what to predict, such as makespan_s",
     .parse = orr_value_text, .member = MEMBER(y),
     .manual = "What to predict, such as makespan_mean_s of `compare`."},
    {"x", "COLUMN", "what it depends on, such as gpus", .parse = orr_value_text,
     .member = MEMBER(x)},
    {"at", "LIST", "where to predict it: numbers, or FROM:TO:STEP",
     .parse = parse_list, .member = MEMBER(at),
     .manual = "Where to predict it: numbers, as 3,5, or FROM:TO:STEP."},
    {"only", "COLUMN=VALUE", "leaves other rows out; may be repeated",
     .parse = orr_value_conditions, .member = MEMBER(only),
     .manual = "Leaves rows out in which the column holds something else. May "
               "be repeated."},
    {"rmse", "ERROR",
     "largest error of a curve that fits, in units of y (default: 5 %)",
     .parse = parse_rmse, .member = MEMBER(rmse),
     .manual = "A curve fits if the root of its mean square error is at most "
               "ERROR, in the unit of y; 5 % of the mean of y by default."},
};

static const struct orr_option_group predict_group =
    ORR_OPTION_GROUP("Prediction", predict_options);

static const struct orr_option_group output_group = {
    .title = "Output",
    .options = orr_format_option_table,
    .count = G_N_ELEMENTS(orr_format_option_table),
    .member = MEMBER(format)};

static void clear(struct values *values)
{
    g_clear_pointer(&values->at, g_array_unref);
    g_clear_pointer(&values->only, g_ptr_array_unref);
}

static const struct orr_syntax syntax = {
    "predict",
    "HISTORY.csv",
    1,
    1,
    "Predicts a column of a table of runs, such as makespan_s or energy_j, "
    "from "
    "another\none, such as gpus: the mean of the runs at an x that is there; "
    "elsewhere a point of\nthe simplest curve that fits: a line, a spline or "
    "segments. Says what Amdahl's law\nallows a time, and its extension by Woo "
    "and Lee energy and power, if x counts\nprocessors. HISTORY.csv may be "
    "what "
    "compare prints with --format csv.",
    {&predict_group, &output_group, NULL},
};

/* What is asked for may be far beyond the runs. */
static void warn(const struct values *values, const struct orr_history *history)
{
    const GArray *knots = history->knots;
    double last =
        g_array_index(knots, struct orr_history_knot, knots->len - 1).x;

    for (guint i = 0; i < values->at->len; i++) {
        double x = g_array_index(values->at, double, i);

        if (last > 0 && x > ORR_SCALING_FAR * last) {
            orr_message_print(syntax.command,
                              "%s: %g is more than %d times the last run: do "
                              "not rely on what is predicted",
                              values->x, x, ORR_SCALING_FAR);
            return;
        }
    }
}

static bool predict(const char *path, const struct values *values,
                    GError **error)
{
    const struct orr_history_request request = {
        .x = values->x,
        .y = values->y,
        .only = orr_value_list(values->only),
    };
    JsonObject *facts = NULL;
    struct orr_history history;

    if (orr_history_read(&history, path, &request, error)) {
        struct orr_predictor predictor;

        orr_predictor_init(&predictor, &history, values->rmse);
        facts = orr_prediction_facts_new(path, &request, &predictor, values->at,
                                         error);
        if (facts)
            warn(values, &history);
        orr_predictor_clear(&predictor);
    }
    orr_history_clear(&history);
    if (!facts)
        return false;
    orr_prediction_facts_print(facts, values->format);
    json_object_unref(facts);
    return true;
}

static enum orr_exit perform(const char *path, const struct values *values)
{
    const char *missing = !values->y    ? "--y COLUMN"
                          : !values->x  ? "--x COLUMN"
                          : !values->at ? "--at LIST"
                                        : NULL;
    g_autoptr(GError) error = NULL;

    if (missing) {
        orr_message_print(syntax.command, "%s is missing", missing);
        return ORR_EXIT_USAGE;
    }
    if (predict(path, values, &error))
        return ORR_EXIT_OK;
    orr_message_print(syntax.command, "%s", error->message);
    return ORR_EXIT_FAILURE;
}

static enum orr_exit command(int argc, char **argv)
{
    struct values values = {.rmse = -1};
    enum orr_exit status;
    int operands;

    if (orr_syntax_read(&syntax, argc, argv, &values, &operands, &status))
        status = perform(argv[0], &values);
    clear(&values);
    return status;
}

const struct orr_cmd orr_cmd_predict = {
    .name = "predict",
    .summary = "predict times or energy from earlier runs",
    .syntax = &syntax,
    .main = command};
