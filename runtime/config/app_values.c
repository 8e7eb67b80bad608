/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Values of an application's options: an array beside the application's table
 * of options. A value is given, then preset, or computed by the application's
 * complete(); a name without an option is an error of the application, and ends
 * the program.
 */
#include "runtime/config/app_values.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/names.h"
#include "models/base/units.h"

struct value {
    bool given;
    uint64_t count; /* value of a count, index of a choice, or flag (0, 1) */
    double number;
    char *text; /* owned */
    struct orr_shape shape;
};

struct orr_app_values {
    const struct orr_app *app;
    char *remark; /* or NULL; owned */
    size_t count;
    struct value each[]; /* in the order of app->options */
};

static size_t count_options(const struct orr_app *app)
{
    size_t count = 0;

    while (app->options && app->options[count].name)
        count++;
    return count;
}

struct orr_app_values *orr_app_values_new(const struct orr_app *app)
{
    size_t count = count_options(app);
    struct orr_app_values *values =
        g_malloc0(sizeof(*values) + count * sizeof(values->each[0]));

    values->app = app;
    values->count = count;
    return values;
}

struct orr_app_values *orr_app_values_copy(const struct orr_app_values *values)
{
    struct orr_app_values *copy = orr_app_values_new(values->app);

    copy->remark = g_strdup(values->remark);
    for (size_t i = 0; i < values->count; i++) {
        copy->each[i] = values->each[i];
        copy->each[i].text = g_strdup(values->each[i].text);
    }
    return copy;
}

void orr_app_values_free(struct orr_app_values *values)
{
    for (size_t i = 0; values && i < values->count; i++)
        g_free(values->each[i].text);
    if (values)
        g_free(values->remark);
    g_free(values);
}

const struct orr_app *orr_app_values_app(const struct orr_app_values *values)
{
    return values->app;
}

const struct orr_app_option *orr_app_option(const struct orr_app *app,
                                            const char *name, size_t length)
{
    for (size_t i = 0; i < count_options(app); i++) {
        const struct orr_app_option *option = &app->options[i];

        if (strlen(option->name) == length &&
            strncmp(option->name, name, length) == 0)
            return option;
    }
    return NULL;
}

/* A name without an option is an error of the application. */
static struct value *find(const struct orr_app_values *values, const char *name)
{
    const struct orr_app_option *option =
        orr_app_option(values->app, name, strlen(name));

    if (!option)
        g_error("application %s has no option %s", values->app->name, name);
    return (struct value *)&values->each[option - values->app->options];
}

/* Finds an option that must be of @kind; as find(). */
static struct value *find_kind(const struct orr_app_values *values,
                               const char *name, enum orr_app_kind kind)
{
    struct value *value = find(values, name);

    if (values->app->options[value - values->each].kind != kind)
        g_error("application %s: option %s is of another kind",
                values->app->name, name);
    return value;
}

uint64_t orr_app_count(const struct orr_app_values *values, const char *name)
{
    return find_kind(values, name, ORR_APP_COUNT)->count;
}

double orr_app_number(const struct orr_app_values *values, const char *name)
{
    return find_kind(values, name, ORR_APP_NUMBER)->number;
}

unsigned orr_app_choice(const struct orr_app_values *values, const char *name)
{
    return (unsigned)find_kind(values, name, ORR_APP_CHOICE)->count;
}

bool orr_app_flag(const struct orr_app_values *values, const char *name)
{
    return find_kind(values, name, ORR_APP_FLAG)->count > 0;
}

const char *orr_app_text(const struct orr_app_values *values, const char *name)
{
    return find_kind(values, name, ORR_APP_TEXT)->text;
}

bool orr_app_is_given(const struct orr_app_values *values, const char *name)
{
    return find(values, name)->given;
}

void orr_app_set_count(struct orr_app_values *values, const char *name,
                       uint64_t count)
{
    find_kind(values, name, ORR_APP_COUNT)->count = count;
}

unsigned orr_app_shape(const struct orr_app_values *values, const char *name,
                       uint64_t counts[ORR_APP_DIMENSIONS])
{
    const struct orr_shape *shape =
        &find_kind(values, name, ORR_APP_SHAPE)->shape;

    for (unsigned i = 0; i < ORR_APP_DIMENSIONS; i++) {
        bool given = i == 0 || i < shape->dimensions;

        counts[i] = given ? shape->counts[i] : counts[i - 1];
    }
    return shape->dimensions;
}

void orr_app_set_shape(struct orr_app_values *values, const char *name,
                       const uint64_t *counts, unsigned dimensions)
{
    struct orr_shape *shape = &find_kind(values, name, ORR_APP_SHAPE)->shape;

    *shape = (struct orr_shape){MIN(dimensions, ORR_APP_DIMENSIONS), {0}};
    for (unsigned i = 0; i < shape->dimensions; i++)
        shape->counts[i] = counts[i];
}

void orr_app_remark(struct orr_app_values *values, const char *text)
{
    char *remark = g_strdup(text);

    g_free(values->remark);
    values->remark = remark;
}

const char *orr_app_values_remark(const struct orr_app_values *values)
{
    return values->remark;
}

static bool is_shape(const struct orr_app_values *values, const char *name)
{
    return values->app->options[find(values, name) - values->each].kind ==
           ORR_APP_SHAPE;
}

struct orr_shape orr_app_values_shape(const struct orr_app_values *values,
                                      const char *name)
{
    if (is_shape(values, name))
        return find(values, name)->shape;
    return (struct orr_shape){1, {orr_app_count(values, name)}};
}

void orr_app_values_set_shape(struct orr_app_values *values, const char *name,
                              const struct orr_shape *shape)
{
    if (is_shape(values, name))
        find(values, name)->shape = *shape;
    else
        orr_app_set_count(values, name, shape->counts[0]);
}

static bool parse_number(const struct orr_app_option *option, const char *text,
                         double *number, GError **error)
{
    g_autofree char *quoted = orr_quote(text);
    double value;

    if (orr_parse_decimal(text, "0123456789.eE+-", &value) &&
        value >= option->min && value <= option->max) {
        *number = value;
        return true;
    }
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s is not a number from %.15g to %.15g", quoted, option->min,
                option->max);
    return false;
}

static bool parse(const struct orr_app_option *option, struct value *value,
                  const char *text, GError **error)
{
    size_t index = 0;

    switch (option->kind) {
    case ORR_APP_COUNT:
        return orr_parse_count(text, (uint64_t)option->min,
                               (uint64_t)option->max, &value->count, error);
    case ORR_APP_NUMBER:
        return parse_number(option, text, &value->number, error);
    case ORR_APP_CHOICE:
        if (!orr_names_find(option->name, option->choices, text, &index, error))
            return false;
        value->count = index;
        return true;
    case ORR_APP_FLAG:
        value->count = 1;
        return true;
    case ORR_APP_SHAPE:
        return orr_shape_parse(text, (uint64_t)option->min,
                               (uint64_t)option->max, &value->shape, error);
    case ORR_APP_TEXT:
        break;
    }
    if (*text == '\0') {
        g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE,
                            "the empty text is no value");
        return false;
    }
    g_free(value->text);
    value->text = g_strdup(text);
    return true;
}

bool orr_app_values_give(struct orr_app_values *values, const char *name,
                         const char *text, GError **error)
{
    struct value *value = find(values, name);
    const struct orr_app_option *option =
        &values->app->options[value - values->each];

    if (!parse(option, value, text, error))
        return false;
    value->given = true;
    return true;
}

/* A hint at the option of @app that is nearest to @name; NULL is allowed. */
static char *hint_at(const struct orr_app *app, const char *name)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (size_t i = 0; i < count_options(app); i++)
        g_ptr_array_add(names, (char *)app->options[i].name);
    g_ptr_array_add(names, NULL);
    return orr_names_hint((const char *const *)names->pdata, name ? name : "",
                          "");
}

bool orr_app_values_set(struct orr_app_values *values, const char *name,
                        const char *value, GError **error)
{
    const struct orr_app_option *option =
        name ? orr_app_option(values->app, name, strlen(name)) : NULL;
    const char *text = value ? value : "";
    g_autofree char *quoted = orr_quote(name ? name : "");

    if (!option || (option->kind == ORR_APP_FLAG && *text)) {
        g_autofree char *hint =
            option ? g_strdup("") : hint_at(values->app, name);

        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    option ? "option %s takes no value%s"
                           : "there is no option %s%s",
                    quoted, hint);
        return false;
    }
    if (orr_app_values_give(values, option->name, text, error))
        return true;
    g_prefix_error(error, "--%s: ", option->name);
    return false;
}

static bool preset(const struct orr_app_option *option, struct value *value,
                   GError **error)
{
    value->count = 0;
    value->number = 0;
    value->shape = (struct orr_shape){0};
    g_clear_pointer(&value->text, g_free);
    if (!option->preset || parse(option, value, option->preset, error))
        return true;
    g_prefix_error(error, "the default of --%s: ", option->name);
    return false;
}

bool orr_app_values_preset(struct orr_app_values *values, GError **error)
{
    orr_app_remark(values, NULL);
    for (size_t i = 0; i < values->count; i++) {
        if (!values->each[i].given &&
            !preset(&values->app->options[i], &values->each[i], error))
            return false;
    }
    return true;
}

bool orr_app_values_check(struct orr_app_values *values, GError **error)
{
    const struct orr_app *app = values->app;

    return !app->complete || app->complete(values, error);
}

bool orr_app_values_complete(struct orr_app_values *values, GError **error)
{
    return orr_app_values_preset(values, error) &&
           orr_app_values_check(values, error);
}

char *orr_app_values_format(const struct orr_app_values *values,
                            const struct orr_app_option *option)
{
    const struct value *value = &values->each[option - values->app->options];

    switch (option->kind) {
    case ORR_APP_NUMBER:
        return g_strdup_printf("%.15g", value->number);
    case ORR_APP_CHOICE:
        return g_strdup(option->choices[value->count]);
    case ORR_APP_FLAG:
        return g_strdup(value->count ? "yes" : "no");
    case ORR_APP_TEXT:
        return g_strdup(value->text);
    case ORR_APP_SHAPE:
        return orr_shape_format(&value->shape);
    case ORR_APP_COUNT:
        break;
    }
    return g_strdup_printf("%" G_GUINT64_FORMAT, value->count);
}
