/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parses the values of attributes. */
#include "models/xml/xml_reader.h"

#include <string.h>

#define MAX_NAME 100 /* bytes */
#define MIN_RATE 1.0 /* bytes per second */
#define MAX_TIME (86400 * ORR_S)

bool orr_xml_is_name(const char *text)
{
    if (!g_ascii_isalnum(*text) || strlen(text) > MAX_NAME)
        return false;
    for (; *text; text++) {
        if (!g_ascii_isalnum(*text) && !strchr("._+-", *text))
            return false;
    }
    return true;
}

/* Refuses the value of @attribute: @expected was expected. */
static bool refuse(struct orr_xml *xml, const char *attribute,
                   const char *expected)
{
    g_autofree char *quoted = orr_quote(orr_xml_text(xml, attribute));

    orr_xml_fail(xml, ORR_ERROR_VALUE, "%s of <%s>: %s: expected %s", attribute,
                 orr_xml_element(xml), quoted, expected);
    return false;
}

/* Refuses the value of @attribute, which units.h could not parse. */
static bool refuse_error(struct orr_xml *xml, const char *attribute,
                         GError *error)
{
    orr_xml_fail(xml, ORR_ERROR_VALUE, "%s of <%s>: %s", attribute,
                 orr_xml_element(xml), error->message);
    g_error_free(error);
    return false;
}

bool orr_xml_name(struct orr_xml *xml, const char *attribute, const char **name)
{
    const char *text = orr_xml_text(xml, attribute);

    if (text && !orr_xml_is_name(text))
        return refuse(xml, attribute,
                      "a name of at most 100 letters, digits, '.', '_', '+' "
                      "and '-', a letter or digit first");
    *name = text ? text : *name;
    return true;
}

bool orr_xml_label(struct orr_xml *xml, const char *attribute,
                   const char **label)
{
    const char *text = orr_xml_text(xml, attribute);

    if (text && (*text == '\0' || strlen(text) > MAX_NAME))
        return refuse(xml, attribute, "1 to 100 bytes of text");
    *label = text ? text : *label;
    return true;
}

bool orr_xml_bytes(struct orr_xml *xml, const char *attribute, uint64_t *bytes)
{
    const char *text = orr_xml_text(xml, attribute);
    GError *error = NULL;

    if (text && !orr_parse_bytes(text, bytes, &error))
        return refuse_error(xml, attribute, error);
    return true;
}

bool orr_xml_rate(struct orr_xml *xml, const char *attribute,
                  double *bytes_per_s)
{
    const char *text = orr_xml_text(xml, attribute);
    GError *error = NULL;
    double value;

    if (!text)
        return true;
    if (!orr_parse_rate(text, &value, &error))
        return refuse_error(xml, attribute, error);
    if (value < MIN_RATE)
        return refuse(xml, attribute, "a rate of at least 1 Bps");
    *bytes_per_s = value;
    return true;
}

bool orr_xml_time(struct orr_xml *xml, const char *attribute, orr_time *time)
{
    const char *text = orr_xml_text(xml, attribute);
    GError *error = NULL;
    orr_time value;

    if (!text)
        return true;
    if (!orr_parse_time(text, &value, &error))
        return refuse_error(xml, attribute, error);
    if (value > MAX_TIME)
        return refuse(xml, attribute, "a time of at most a day");
    *time = value;
    return true;
}

bool orr_xml_seconds(struct orr_xml *xml, const char *attribute,
                     double *seconds)
{
    const char *text = orr_xml_text(xml, attribute);
    orr_time rounded;
    double value;
    char *unit;

    if (!text)
        return true;
    /* Checks that the text is a number with a unit of time. */
    if (!orr_xml_time(xml, attribute, &rounded))
        return false;
    value = g_ascii_strtod(text, &unit);
    if (*unit == 'n')
        value /= 1e9;
    else if (*unit == 'u')
        value /= 1e6;
    else if (*unit == 'm')
        value /= 1e3;
    *seconds = value;
    return true;
}

bool orr_xml_flops(struct orr_xml *xml, const char *attribute,
                   double *flops_per_s)
{
    const char *text = orr_xml_text(xml, attribute);
    GError *error = NULL;

    if (text && !orr_parse_flops(text, flops_per_s, &error))
        return refuse_error(xml, attribute, error);
    return true;
}

bool orr_xml_watts(struct orr_xml *xml, const char *attribute, double *watts)
{
    const char *text = orr_xml_text(xml, attribute);
    GError *error = NULL;

    if (text && !orr_parse_watts(text, watts, &error))
        return refuse_error(xml, attribute, error);
    return true;
}

bool orr_xml_joules(struct orr_xml *xml, const char *attribute, double *joules)
{
    const char *text = orr_xml_text(xml, attribute);
    GError *error = NULL;

    if (text && !orr_parse_joules(text, joules, &error))
        return refuse_error(xml, attribute, error);
    return true;
}

bool orr_xml_number(struct orr_xml *xml, const char *attribute, double max,
                    double *number)
{
    const char *text = orr_xml_text(xml, attribute);
    GError *error = NULL;

    if (text && !orr_parse_number(text, max, number, &error))
        return refuse_error(xml, attribute, error);
    return true;
}

bool orr_xml_count(struct orr_xml *xml, const char *attribute, uint64_t min,
                   uint64_t max, unsigned *count)
{
    const char *text = orr_xml_text(xml, attribute);
    GError *error = NULL;
    uint64_t value;

    g_assert(max <= G_MAXUINT);
    if (!text)
        return true;
    if (!orr_parse_count(text, min, max, &value, &error))
        return refuse_error(xml, attribute, error);
    *count = (unsigned)value;
    return true;
}
