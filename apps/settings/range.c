/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/settings/range.h"

#include <math.h>
#include <string.h>

#include "models/base/error.h"
#include "models/base/units.h"

/* Tolerance, in steps, within which TO counts as reached: 0:0.5:0.05. */
#define ROUNDING 1e-9

static bool parse_number(const char *text, double *number)
{
    char *end = NULL;

    /* strtod() also accepts blanks, signs, hexadecimal, "inf" and "nan". */
    if (!*text || text[strspn(text, "0123456789.eE-")] != '\0' || *text == '-')
        return false;
    *number = g_ascii_strtod(text, &end);
    return *end == '\0' && isfinite(*number);
}

/* @ends: FROM, TO and STEP. */
static bool append_steps(GArray *numbers, const double *ends)
{
    double count = floor((ends[1] - ends[0]) / ends[2] + ROUNDING) + 1;

    if (!(ends[2] > 0) || !(count >= 1) || count > ORR_RANGE_MAX)
        return false;
    for (unsigned i = 0; i < (unsigned)count; i++) {
        double number = ends[0] + i * ends[2];

        g_array_append_val(numbers, number);
    }
    return true;
}

static bool append_all(GArray *numbers, const char *text)
{
    bool stepped = strchr(text, ':') != NULL;
    g_auto(GStrv) items = g_strsplit(text, stepped ? ":" : ",", -1);
    unsigned count = g_strv_length(items);
    double ends[3], number;

    if (stepped && count != 3)
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (!parse_number(items[i], &number) || i >= ORR_RANGE_MAX)
            return false;
        if (stepped)
            ends[i] = number;
        else
            g_array_append_val(numbers, number);
    }
    return stepped ? append_steps(numbers, ends) : count > 0;
}

GArray *orr_range_parse(const char *text, GError **error)
{
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(double));
    g_autofree char *quoted = orr_quote(text);

    if (append_all(numbers, text))
        return numbers;
    g_array_unref(numbers);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s is neither A,B,C nor FROM:TO:STEP, of at most %d numbers",
                quoted, ORR_RANGE_MAX);
    return NULL;
}
