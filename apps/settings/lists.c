/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/settings/lists.h"

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

#define EXPECTED "expected A,B,C or FROM:TO:STEP"

static void refuse(const char *text, const char *why, GError **error)
{
    g_autofree char *quoted = orr_quote(text);

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s: %s", quoted, why);
}

static gboolean append_list(GArray *sizes, const char *text, uint64_t min,
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

        if (!orr_parse_count(*item, min, max, &size, error))
            return FALSE;
        g_array_append_val(sizes, size);
    }
    return TRUE;
}

/* TO is a limit, which need not be reached. */
static gboolean append_range(GArray *sizes, const char *text, uint64_t min,
                             uint64_t max, GError **error)
{
    g_auto(GStrv) ends = g_strsplit(text, ":", -1);
    uint64_t from, to, step;

    if (g_strv_length(ends) != 3) {
        refuse(text, EXPECTED, error);
        return FALSE;
    }
    if (!orr_parse_count(ends[0], min, max, &from, error) ||
        !orr_parse_count(ends[1], 1, max, &to, error) ||
        !orr_parse_count(ends[2], 1, max, &step, error))
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

GArray *orr_sizes_parse(const char *text, uint64_t min, uint64_t max,
                        GError **error)
{
    GArray *sizes = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    gboolean parsed = strchr(text, ':')
                          ? append_range(sizes, text, min, max, error)
                          : append_list(sizes, text, min, max, error);

    if (parsed)
        return sizes;
    g_array_unref(sizes);
    return NULL;
}

char **orr_sizes_texts(const char *text, uint64_t min, uint64_t max,
                       GError **error)
{
    g_autoptr(GArray) sizes = orr_sizes_parse(text, min, max, error);
    char **texts;

    if (!sizes)
        return NULL;
    texts = g_new0(char *, sizes->len + 1);
    for (guint i = 0; i < sizes->len; i++)
        texts[i] = g_strdup_printf("%" G_GUINT64_FORMAT,
                                   g_array_index(sizes, uint64_t, i));
    return texts;
}

char **orr_items_parse(const char *text, GError **error)
{
    char **items = g_strsplit(text, ",", -1);

    if (g_strv_length(items) <= ORR_SIZES_MAX)
        return items;
    refuse(text, "too many sizes", error);
    g_strfreev(items);
    return NULL;
}
