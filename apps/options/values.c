/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/options/values.h"

#include <math.h>
#include <string.h>

#include "apps/output/output.h"
#include "models/base/error.h"
#include "models/base/units.h"
#include "models/xml/xml.h"

bool orr_value_count(const struct orr_option *option, const char *text,
                     void *member, GError **error)
{
    return orr_parse_count(text, option->min, option->max, member, error);
}

bool orr_value_int(const struct orr_option *option, const char *text,
                   void *member, GError **error)
{
    uint64_t count;

    if (!orr_parse_count(text, option->min, option->max, &count, error))
        return false;
    *(int *)member = (int)count;
    return true;
}

bool orr_value_window(const struct orr_option *option, const char *text,
                      void *member, GError **error)
{
    struct orr_window *window = member;
    const char *colon = strchr(text, ':');
    g_autofree char *first = colon ? g_strndup(text, colon - text) : NULL;
    uint64_t most, least = 0;

    if ((first &&
         !orr_parse_count(first, option->min, option->max, &least, error)) ||
        !orr_parse_count(colon ? colon + 1 : text, option->min, option->max,
                         &most, error))
        return false;
    if (least > most) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%" G_GUINT64_FORMAT " is above %" G_GUINT64_FORMAT
                    ": expected MIN:MAX",
                    least, most);
        return false;
    }
    *window = (struct orr_window){most, colon ? (int64_t)least : -1};
    return true;
}

bool orr_value_text(const struct orr_option *option, const char *text,
                    void *member, GError **error)
{
    (void)option;
    if (!*text) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "the value is empty");
        return false;
    }
    *(const char **)member = text;
    return true;
}

bool orr_value_texts(const struct orr_option *option, const char *text,
                     void *member, GError **error)
{
    GPtrArray **list = member;
    const char *checked;

    if (!orr_value_text(option, text, &checked, error))
        return false;
    if (!*list) {
        *list = g_ptr_array_new();
        g_ptr_array_add(*list, NULL);
    }
    g_ptr_array_insert(*list, (int)(*list)->len - 1, (gpointer)checked);
    return true;
}

bool orr_value_conditions(const struct orr_option *option, const char *text,
                          void *member, GError **error)
{
    const char *equals = strchr(text, '=');

    if (equals && equals != text)
        return orr_value_texts(option, text, member, error);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "'%s' is not COLUMN=VALUE",
                text);
    return false;
}

const char *const *orr_value_list(const GPtrArray *texts)
{
    return texts ? (const char *const *)texts->pdata : NULL;
}

bool orr_value_line(const struct orr_option *option, const char *text,
                    void *member, GError **error)
{
    bool valid = g_utf8_validate(text, -1, NULL);
    size_t size = strlen(text);

    for (const char *c = text; *c; c++)
        valid = valid && !g_ascii_iscntrl(*c);
    if (!valid)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "the value is not a line of text in UTF-8");
    else if (size > ORR_XML_MAX_VALUE)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "the value is %zu bytes long, %u are the limit", size,
                    ORR_XML_MAX_VALUE);
    else
        return orr_value_text(option, text, member, error);
    return false;
}

bool orr_value_format(const struct orr_option *option, const char *text,
                      void *member, GError **error)
{
    (void)option;
    return orr_format_parse(text, member, error);
}

bool orr_value_true(const struct orr_option *option, const char *text,
                    void *member, GError **error)
{
    (void)option;
    (void)text;
    (void)error;
    *(bool *)member = true;
    return true;
}

static void set_wrong(const char *text, const char *what, GError **error)
{
    g_autofree char *quoted = orr_quote(text);

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s %s", quoted, what);
}

/*
 * Returns the decimal number that is the whole of @text, -1 if there is none.
 * @characters are those that it may have: strtod() also accepts blanks,
 * hexadecimal, "inf" and "nan".
 */
static double parse_decimal(const char *text, const char *characters)
{
    char *end = NULL;
    double value = -1;

    if (*text && text[strspn(text, characters)] == '\0')
        value = g_ascii_strtod(text, &end);
    return end && end != text && !*end ? value : -1;
}

bool orr_value_perturbation(const struct orr_option *option, const char *text,
                            void *member, GError **error)
{
    struct orr_perturbation *perturbation = member;
    const char *colon = strchr(text, ':');
    const char *by = colon ? colon + 1 : "worker";
    g_autofree char *number =
        colon ? g_strndup(text, (gsize)(colon - text)) : g_strdup(text);
    double value = parse_decimal(number, "0123456789.eE-");

    (void)option;
    if (!(value >= 0 && value < 1)) {
        set_wrong(number, "is not a number from 0 to below 1", error);
        return false;
    }
    if (strcmp(by, "worker") != 0 && strcmp(by, "device") != 0) {
        set_wrong(by, "is neither worker nor device", error);
        return false;
    }
    perturbation->share = fabs(value); /* "-0" is 0 */
    perturbation->by_device = strcmp(by, "device") == 0;
    return true;
}

bool orr_value_seconds(const struct orr_option *option, const char *text,
                       void *member, GError **error)
{
    double value = parse_decimal(text, "0123456789.");

    if (value < 0 || (value > 0 && value < 0.1) ||
        value > (double)option->max) {
        set_wrong(text, "is not a number of seconds: 0, or 0.1 to 1000000",
                  error);
        return false;
    }
    *(double *)member = value;
    return true;
}

bool orr_value_time(const struct orr_option *option, const char *text,
                    void *member, GError **error)
{
    orr_time *time = member;

    (void)option;
    if (!orr_parse_time(text, time, error))
        return false;
    if (*time <= 0)
        set_wrong(text, "is not above 0", error);
    return *time > 0;
}

bool orr_value_weight(const struct orr_option *option, const char *text,
                      void *member, GError **error)
{
    double value = parse_decimal(text, "0123456789.eE-+");
    g_autofree char *what = NULL;

    if (!(value >= 0 && value <= (double)option->max)) {
        what = g_strdup_printf("is not a number from 0 to %.0e",
                               (double)option->max);
        set_wrong(text, what, error);
        return false;
    }
    *(double *)member = fabs(value); /* "-0" is 0 */
    return true;
}
