/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/programs/app_check.h"

#include <math.h>
#include <string.h>

#include "models/base/error.h"
#include "runtime/config/app_values.h"

/* Limits that no application reaches; they find lists without an end. */
enum { MAX_OPTIONS = 100, MAX_NAMES = 1000, MAX_TEXT = 200 };

#define MAX_NUMBER 9007199254740992.0 /* 2^53 */

static bool refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool refuse(GError **error, const char *format, ...)
{
    g_autofree char *why = NULL;
    va_list arguments;

    va_start(arguments, format);
    why = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE, why);
    return false;
}

static bool is_name(const char *name)
{
    return name && g_ascii_islower(*name) && strlen(name) <= MAX_TEXT &&
           !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")];
}

/* Whether @text fits into a line of a help or a report. */
static bool is_text(const char *text)
{
    if (!text || !*text || strlen(text) > MAX_TEXT ||
        !g_utf8_validate(text, -1, NULL))
        return false;
    for (; *text; text++) {
        if (g_ascii_iscntrl(*text))
            return false;
    }
    return true;
}

static bool check_names(const char *const *names, const char *what,
                        GError **error)
{
    for (unsigned i = 0; names && names[i]; i++) {
        if (i == MAX_NAMES)
            return refuse(error, "its list of %s has no end: NULL", what);
        if (!is_text(names[i]) || strpbrk(names[i], "=,"))
            return refuse(error,
                          "its list of %s has a name that is not a short text "
                          "without '=' and ','",
                          what);
    }
    return true;
}

static bool check_limits(const struct orr_app_option *option, GError **error)
{
    const double limits[] = {option->min, option->max};

    bool counts =
        option->kind == ORR_APP_COUNT || option->kind == ORR_APP_SHAPE;

    if (!counts && option->kind != ORR_APP_NUMBER)
        return true;
    for (unsigned i = 0; i < G_N_ELEMENTS(limits); i++) {
        bool whole = limits[i] >= 0 && floor(limits[i]) == limits[i];

        if (!(fabs(limits[i]) <= MAX_NUMBER) || (counts && !whole))
            return refuse(error,
                          "min or max of option --%s is not a %s of at most "
                          "2^53",
                          option->name, counts ? "whole number" : "number");
    }
    return option->min <= option->max ||
           refuse(error, "min of option --%s is above max", option->name);
}

static bool check_choices(const struct orr_app_option *option, GError **error)
{
    g_autofree char *what =
        g_strdup_printf("choices of option --%s", option->name);

    if (option->kind != ORR_APP_CHOICE)
        return true;
    if (!option->choices || !option->choices[0])
        return refuse(error, "option --%s has no choices", option->name);
    return check_names(option->choices, what, error);
}

/* Whether @name is a member of the facts, where an option of this name would
 * clash. */
static bool is_fact(const char *name)
{
    static const char *const facts[] = {
        "app",       "bounds",       "by",      "changes", "copies",
        "decisions", "degradations", "energy",  "events",  "evictions",
        "gflops",    "hang",         "models",  "options", "pairs",
        "policies",  "policy",       "runs",    "spread",  "tasks",
        "unused",    "version",      "workers", NULL,
    };

    return g_strv_contains(facts, name);
}

static bool check_option(const struct orr_app *app, unsigned i, GError **error)
{
    const struct orr_app_option *option = &app->options[i];
    bool is_flag = option->kind == ORR_APP_FLAG;

    if (!is_name(option->name))
        return refuse(error,
                      "the name of option %u must begin with a letter a-z and "
                      "consist of these, digits and dashes",
                      i + 1);
    for (unsigned j = 0; j < i; j++) {
        if (strcmp(app->options[j].name, option->name) == 0)
            return refuse(error, "two options have the name --%s",
                          option->name);
    }
    if (is_fact(option->name))
        return refuse(error,
                      "option --%s has the name of a fact that reports have",
                      option->name);
    if (!is_text(option->help))
        return refuse(error, "the help of option --%s is not a short text",
                      option->name);
    if ((unsigned)option->kind > ORR_APP_SHAPE)
        return refuse(error, "option --%s has no kind", option->name);
    if (is_flag ? option->value || option->preset : !is_text(option->value))
        return refuse(error, "option --%s %s", option->name,
                      is_flag ? "is a flag, which has no value"
                              : "has no name of its value for the help");
    if (option->preset && !is_text(option->preset))
        return refuse(error, "the preset of option --%s is not a short text",
                      option->name);
    return check_limits(option, error) && check_choices(option, error);
}

static bool check_options(const struct orr_app *app, GError **error)
{
    for (unsigned i = 0; app->options && app->options[i].name; i++) {
        if (i == MAX_OPTIONS)
            return refuse(error, "its options have no end: one without a name");
        if (!check_option(app, i, error))
            return false;
    }
    return true;
}

static bool check_presets(const struct orr_app *app, GError **error)
{
    struct orr_app_values *values = orr_app_values_new(app);
    bool done = orr_app_values_preset(values, error);

    orr_app_values_free(values);
    return done;
}

/* Whether @name, of member @member, is NULL or the name of a count or a shape.
 */
static bool check_count(const struct orr_app *app, const char *member,
                        const char *name, GError **error)
{
    const struct orr_app_option *option =
        name ? orr_app_option(app, name, strlen(name)) : NULL;

    if (!name || (option && (option->kind == ORR_APP_COUNT ||
                             option->kind == ORR_APP_SHAPE)))
        return true;
    return refuse(error,
                  "its %s is not the name of an option of kind COUNT or SHAPE",
                  member);
}

bool orr_app_check(const struct orr_app *app, GError **error)
{
    if (!is_name(app->name))
        return refuse(error, "the name of its application must consist of the "
                             "letters a-z, digits and dashes");
    if (!is_text(app->summary))
        return refuse(error, "application %s has no summary, a short text",
                      app->name);
    if (!app->submit)
        return refuse(error, "application %s lacks the function submit",
                      app->name);
    if (app->axis_title && !is_text(app->axis_title))
        return refuse(error, "its axis_title is not a short text");
    return check_names(app->kernels, "kernels", error) &&
           check_options(app, error) && check_presets(app, error) &&
           check_count(app, "axis", app->axis, error) &&
           check_count(app, "scale", app->scale, error);
}
