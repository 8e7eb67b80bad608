/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/dagtime/assumed_speed.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/names.h"
#include "models/base/units.h"

#define MAX_SPEED 1e9

static const char *const names[] = {"CPU", "CUDA", "recorded-CPU",
                                    "recorded-CUDA", NULL};

/* How a kind of speed is written. */
struct notation {
    const char *example; /* of an item, for messages */
    const char *range;
    unsigned classes; /* the first so many names are allowed */
    bool (*parse)(const char *text, double *speed, GError **error);
};

static bool parse_relative(const char *text, double *speed, GError **error)
{
    return orr_parse_number(text, MAX_SPEED, speed, error);
}

static const struct notation relative = {
    "CUDA=10", "expected a number above 0 and at most 10^9",
    G_N_ELEMENTS(names) - 1, parse_relative};
static const struct notation absolute = {
    "CUDA=1TFlop/s", "expected a speed from 1 Flop/s to 2^63 Flop/s", 2,
    orr_parse_flops};

static bool fail(const char *item, const char *why, GError **error)
{
    g_autofree char *quoted = orr_quote(item);

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "assumed speed %s: %s",
                quoted, why);
    return false;
}

static bool fail_form(const struct notation *notation, const char *item,
                      GError **error)
{
    g_autofree char *why =
        g_strdup_printf("expected CLASS=SPEED, as in %s", notation->example);

    return fail(item, why, error);
}

/* Parses "CUDA=10" into @speeds, in the order of names. */
static bool parse_item(const struct notation *notation, const char *item,
                       double *speeds, GError **error)
{
    const char *equals = strchr(item, '=');
    const char *known[G_N_ELEMENTS(names)] = {NULL};
    g_autofree char *name = NULL;
    size_t index;

    if (!equals)
        return fail_form(notation, item, error);
    name = g_strndup(item, (size_t)(equals - item));
    for (unsigned i = 0; i < notation->classes; i++)
        known[i] = names[i];
    if (!orr_names_find("class of devices", known, name, &index, error))
        return false;
    if (speeds[index] > 0)
        return fail(item, "the class has a speed already", error);
    return notation->parse(equals + 1, &speeds[index], NULL) ||
           fail(item, notation->range, error);
}

static bool parse_items(const struct notation *notation, const char *text,
                        double *speeds, GError **error)
{
    g_auto(GStrv) items = g_strsplit(text ? text : "", ",", -1);

    if (text && !*text)
        return fail_form(notation, text, error);
    for (char **item = items; *item; item++) {
        if (!parse_item(notation, *item, speeds, error))
            return false;
    }
    return true;
}

bool orr_assumed_speeds_parse(const char *text,
                              struct orr_assumed_speeds *speeds, GError **error)
{
    double parsed[4] = {0};

    if (!parse_items(&relative, text, parsed, error))
        return false;
    if (text && !(parsed[ORR_ASSUMED_CPU] > 0))
        parsed[ORR_ASSUMED_CPU] = 1;
    for (unsigned class = 0; class < 2; class ++) {
        speeds->target[class] = parsed[class];
        speeds->recording[class] = parsed[2 + class];
    }
    return true;
}

bool orr_assumed_flops_parse(const char *text,
                             struct orr_assumed_speeds *speeds, GError **error)
{
    double parsed[2] = {0};

    if (!parse_items(&absolute, text, parsed, error))
        return false;
    for (unsigned class = 0; class < 2; class ++)
        speeds->flops[class] = parsed[class];
    return true;
}

static double recording_speed(const struct orr_assumed_speeds *speeds,
                              enum orr_assumed_class class)
{
    return speeds->recording[class] > 0 ? speeds->recording[class]
                                        : speeds->target[class];
}

double orr_assumed_factor(const struct orr_assumed_speeds *speeds,
                          enum orr_assumed_class from,
                          enum orr_assumed_class to)
{
    double recording = recording_speed(speeds, from);

    if (recording > 0 && speeds->target[to] > 0)
        return recording / speeds->target[to];
    return from == to && !(recording > 0) ? 1 : 0;
}
