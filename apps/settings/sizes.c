/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/settings/sizes.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/units.h"

#define EXPECTED "expected A,B,C or FROM:TO:STEP"

static void refuse(const char *text, const char *why, GError **error)
{
    g_autofree char *quoted = orr_quote(text);

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s: %s", quoted, why);
}

bool orr_size_check(uint64_t size, uint64_t tile, GError **error)
{
    uint64_t below = size / tile * tile;
    g_autoptr(GString) nearest = g_string_new(NULL);

    if (size % tile == 0)
        return true;
    if (below == 0)
        g_string_printf(nearest, "smallest is");
    else
        g_string_printf(nearest, "nearest are %" G_GUINT64_FORMAT " and",
                        below);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%" G_GUINT64_FORMAT
                " is not a multiple of the tile, %" G_GUINT64_FORMAT
                "; the %s %" G_GUINT64_FORMAT,
                size, tile, nearest->str, below + tile);
    return false;
}

static gboolean parse_one(const char *text, uint64_t tile, uint64_t max,
                          uint64_t *size, GError **error)
{
    return orr_parse_count(text, 1, max, size, error) &&
           orr_size_check(*size, tile, error);
}

static gboolean append_list(GArray *sizes, const char *text, uint64_t tile,
                            uint64_t max, GError **error)
{
    g_auto(GStrv) items = g_strsplit(text, ",", -1);

    if (!items[0]) {
        refuse(text, EXPECTED, error);
        return FALSE;
    }
    if (g_strv_length(items) > ORR_SIZES_MAX) {
        refuse(text, "too many sizes", error);
        return FALSE;
    }
    for (char **item = items; *item; item++) {
        uint64_t size;

        if (!parse_one(*item, tile, max, &size, error))
            return FALSE;
        g_array_append_val(sizes, size);
    }
    return TRUE;
}

/* TO is a limit, which need not be a multiple of the tile. */
static gboolean append_range(GArray *sizes, const char *text, uint64_t tile,
                             uint64_t max, GError **error)
{
    g_auto(GStrv) ends = g_strsplit(text, ":", -1);
    uint64_t from, to, step;

    if (g_strv_length(ends) != 3) {
        refuse(text, EXPECTED, error);
        return FALSE;
    }
    if (!parse_one(ends[0], tile, max, &from, error) ||
        !orr_parse_count(ends[1], 1, max, &to, error) ||
        !parse_one(ends[2], tile, max, &step, error))
        return FALSE;
    if (to < from) {
        refuse(text, "the range ends before it begins", error);
        return FALSE;
    }
    if ((to - from) / step >= ORR_SIZES_MAX) {
        refuse(text, "too many sizes", error);
        return FALSE;
    }
    for (uint64_t size = from; size <= to; size += step)
        g_array_append_val(sizes, size);
    return TRUE;
}

GArray *orr_sizes_parse(const char *text, uint64_t tile, uint64_t max,
                        GError **error)
{
    GArray *sizes = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    gboolean parsed = strchr(text, ':')
                          ? append_range(sizes, text, tile, max, error)
                          : append_list(sizes, text, tile, max, error);

    if (parsed)
        return sizes;
    g_array_unref(sizes);
    return NULL;
}
