/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/config/shape.h"

#include <math.h>

#include "models/base/error.h"
#include "models/base/units.h"

bool orr_shape_parse(const char *text, uint64_t min, uint64_t max,
                     struct orr_shape *shape, GError **error)
{
    struct orr_shape parsed = {0};
    g_auto(GStrv) items = g_strsplit(text, "x", ORR_APP_DIMENSIONS + 1);
    g_autofree char *quoted = orr_quote(text);
    unsigned count = g_strv_length(items);

    for (unsigned i = 0; i < count && i < ORR_APP_DIMENSIONS; i++) {
        if (!g_ascii_string_to_unsigned(items[i], 10, min, max,
                                        &parsed.counts[i], NULL))
            break;
        parsed.dimensions++;
    }
    if (count > 0 && parsed.dimensions == count) {
        *shape = parsed;
        return true;
    }
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s: expected 1 to %d whole numbers from %" G_GUINT64_FORMAT
                " to %" G_GUINT64_FORMAT ", separated by 'x'",
                quoted, ORR_APP_DIMENSIONS, min, max);
    return false;
}

char *orr_shape_format(const struct orr_shape *shape)
{
    GString *text = g_string_new(NULL);

    for (unsigned i = 0; i < shape->dimensions; i++)
        g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, i > 0 ? "x" : "",
                               shape->counts[i]);
    return g_string_free(text, shape->dimensions == 0);
}

uint64_t orr_shape_mean(const struct orr_shape *shape)
{
    double product = 1;

    if (shape->dimensions < 2)
        return shape->counts[0];
    for (unsigned i = 0; i < shape->dimensions; i++)
        product *= (double)shape->counts[i];
    return (uint64_t)round(pow(product, 1.0 / shape->dimensions));
}

uint64_t orr_shape_largest(const struct orr_shape *shape)
{
    uint64_t largest = 0;

    for (unsigned i = 0; i < shape->dimensions; i++)
        largest = MAX(largest, shape->counts[i]);
    return largest;
}

void orr_shape_scale(struct orr_shape *shape, uint64_t from, uint64_t to,
                     uint64_t least)
{
    for (unsigned i = 0; i < shape->dimensions; i++) {
        uint64_t *count = &shape->counts[i];

        /* exact if the count equals @from */
        if (*count == from)
            *count = to;
        else if (from > 0)
            *count =
                (uint64_t)round((double)*count / (double)from * (double)to);
        *count = MAX(*count, least);
    }
}
