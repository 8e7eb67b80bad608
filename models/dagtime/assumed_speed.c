/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/dagtime/assumed_speed.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/names.h"
#include "models/base/units.h"

#define MAX_SPEED 1e9

static const char *const names[] = {"CPU", "CUDA", "recorded-CPU",
                                    "recorded-CUDA", NULL};

static bool fail(const char *item, const char *why, GError **error)
{
    g_autofree char *quoted = orr_quote(item);

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "assumed speed %s: %s",
                quoted, why);
    return false;
}

/* Parses "CUDA=10" into @speeds, in the order of names. */
static bool parse_item(const char *item, double speeds[4], GError **error)
{
    const char *equals = strchr(item, '=');
    g_autofree char *name = NULL;
    size_t index;

    if (!equals)
        return fail(item, "expected CLASS=SPEED, as in CUDA=10", error);
    name = g_strndup(item, (size_t)(equals - item));
    if (!orr_names_find("class of devices", names, name, &index, error))
        return false;
    if (speeds[index] > 0)
        return fail(item, "the class has a speed already", error);
    return orr_parse_number(equals + 1, MAX_SPEED, &speeds[index], NULL) ||
           fail(item, "expected a number above 0 and at most 10^9", error);
}

bool orr_assumed_speeds_parse(const char *text,
                              struct orr_assumed_speeds *speeds, GError **error)
{
    g_auto(GStrv) items = g_strsplit(text ? text : "", ",", -1);
    double parsed[4] = {0};

    if (text && !*text)
        return fail(text, "expected CLASS=SPEED, as in CUDA=10", error);
    for (char **item = items; *item; item++) {
        if (!parse_item(*item, parsed, error))
            return false;
    }
    if (text && !(parsed[ORR_ASSUMED_CPU] > 0))
        parsed[ORR_ASSUMED_CPU] = 1;
    for (unsigned class = 0; class < 2; class ++) {
        speeds->target[class] = parsed[class];
        speeds->recording[class] = parsed[2 + class];
    }
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
