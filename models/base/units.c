/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses and formats quantities with units (units.h). Bytes are computed
 * exactly in integers, as digits x 10^power x 2^twos, so that "0.1GB" is
 * 100000000 bytes; other quantities as doubles, times rounded to the nearest
 * ns.
 */
#include "models/base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/base/error.h"

/* 2^63, the first value that an int64_t cannot hold. */
#define TOO_LARGE 9223372036854775808.0

#define MAX_WATTS 1e6
#define MAX_JOULES 1e9

/* A unit worth 10^@tens x 2^@twos of the base unit. */
struct unit {
    const char *name;
    int tens;
    int twos;
};

static const struct unit byte_units[] = {
    {"B", 0, 0},    {"KB", 3, 0},   {"MB", 6, 0},   {"GB", 9, 0},
    {"TB", 12, 0},  {"KiB", 0, 10}, {"MiB", 0, 20}, {"GiB", 0, 30},
    {"TiB", 0, 40}, {NULL, 0, 0},
};

static const struct unit rate_units[] = {
    {"Bps", 0, 0},    {"KBps", 3, 0},   {"MBps", 6, 0},   {"GBps", 9, 0},
    {"TBps", 12, 0},  {"KiBps", 0, 10}, {"MiBps", 0, 20}, {"GiBps", 0, 30},
    {"TiBps", 0, 40}, {"B/s", 0, 0},    {"KB/s", 3, 0},   {"MB/s", 6, 0},
    {"GB/s", 9, 0},   {"TB/s", 12, 0},  {"KiB/s", 0, 10}, {"MiB/s", 0, 20},
    {"GiB/s", 0, 30}, {"TiB/s", 0, 40}, {NULL, 0, 0},
};

static const struct unit flop_units[] = {
    {"Flop/s", 0, 0},  {"KFlop/s", 3, 0},  {"MFlop/s", 6, 0},
    {"GFlop/s", 9, 0}, {"TFlop/s", 12, 0}, {"PFlop/s", 15, 0},
    {NULL, 0, 0},
};

/* The base unit is mW. */
static const struct unit watt_units[] = {
    {"mW", 0, 0}, {"W", 3, 0}, {"kW", 6, 0}, {"MW", 9, 0}, {NULL, 0, 0},
};

/* The base unit is pJ. */
static const struct unit joule_units[] = {
    {"pJ", 0, 0}, {"nJ", 3, 0},  {"uJ", 6, 0}, {"mJ", 9, 0},
    {"J", 12, 0}, {"kJ", 15, 0}, {NULL, 0, 0},
};

static const struct unit time_units[] = {
    {"ns", 0, 0}, {"us", 3, 0}, {"ms", 6, 0}, {"s", 9, 0}, {NULL, 0, 0},
};

char *orr_quote(const char *text)
{
    enum { SHOWN = 60 };
    g_autofree char *start = g_strndup(text, SHOWN);
    g_autofree char *valid = g_utf8_make_valid(start, -1);
    gboolean cut = strlen(text) > SHOWN;

    for (char *c = valid; *c; c++) {
        if (g_ascii_iscntrl(*c))
            *c = '?';
    }
    return g_strdup_printf("'%s%s'", valid, cut ? "..." : "");
}

static bool fail(const char *text, const char *expected, GError **error)
{
    g_autofree char *quoted = orr_quote(text);

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s: expected %s", quoted,
                expected);
    return false;
}

/*
 * Skips a decimal number such as "12", "0.5" or "1e-6". Returns the text after
 * it, or NULL if @text does not begin with one. Stricter than strtod(): no
 * space, sign, hexadecimal, "inf" or "nan".
 */
static const char *skip_number(const char *text)
{
    const char *exponent;

    if (!g_ascii_isdigit(*text))
        return NULL;
    while (g_ascii_isdigit(*text))
        text++;
    if (*text == '.') {
        if (!g_ascii_isdigit(*++text))
            return NULL;
        while (g_ascii_isdigit(*text))
            text++;
    }
    if (*text != 'e' && *text != 'E')
        return text;
    exponent = text + 1;
    if (*exponent == '+' || *exponent == '-')
        exponent++;
    if (!g_ascii_isdigit(*exponent))
        return NULL;
    while (g_ascii_isdigit(*exponent))
        exponent++;
    return exponent;
}

/* The unit after the number that @text begins with, or NULL. */
static const struct unit *find_unit(const struct unit *units, const char *text)
{
    const char *name = skip_number(text);

    if (!name)
        return NULL;
    for (; units->name; units++) {
        if (strcmp(units->name, name) == 0)
            return units;
    }
    return NULL;
}

/* The number that @text begins with, in base units; infinite if too large. */
static double to_double(const char *text, const struct unit *unit)
{
    double scale = (double)(G_GUINT64_CONSTANT(1) << unit->twos);

    for (int i = 0; i < unit->tens; i++)
        scale *= 10; /* exact up to 10^22 */
    return g_ascii_strtod(text, NULL) * scale;
}

/*
 * Sets *@value to *@value x @factor^@power. Returns false if the result is
 * not a whole number, or too large.
 */
static bool scale_exactly(uint64_t *value, uint64_t factor, int64_t power)
{
    if (*value == 0)
        return true;
    for (; power < 0; power++) {
        if (*value % factor != 0)
            return false;
        *value /= factor;
    }
    for (; power > 0; power--) {
        if (!g_uint64_checked_mul(value, *value, factor))
            return false;
    }
    return true;
}

/*
 * Splits the number that @text begins with into @digits x 10^@power. Returns
 * false if it has too many digits.
 */
static bool split_number(const char *text, uint64_t *digits, int64_t *power)
{
    bool fraction = false;

    *digits = 0;
    *power = 0;
    for (; g_ascii_isdigit(*text) || *text == '.'; text++) {
        if (*text == '.') {
            fraction = true;
            continue;
        }
        if (!g_uint64_checked_mul(digits, *digits, 10) ||
            !g_uint64_checked_add(digits, *digits,
                                  (uint64_t)g_ascii_digit_value(*text)))
            return false;
        *power -= fraction;
    }
    if (*text == 'e' || *text == 'E')
        *power +=
            CLAMP(g_ascii_strtoll(text + 1, NULL, 10), -G_MAXINT32, G_MAXINT32);
    return true;
}

bool orr_parse_bytes(const char *text, uint64_t *bytes, GError **error)
{
    const struct unit *unit = find_unit(byte_units, text);
    uint64_t value;
    int64_t power;

    if (!unit)
        return fail(text,
                    "a size such as 512MiB, in B, KB, MB, GB, TB, KiB, MiB, "
                    "GiB or TiB",
                    error);
    /* 10 = 2 x 5. No intermediate value exceeds the result. */
    if (!split_number(text, &value, &power) ||
        !scale_exactly(&value, 5, unit->tens + power) ||
        !scale_exactly(&value, 2, unit->tens + power + unit->twos) ||
        value > INT64_MAX)
        return fail(text, "a whole number of bytes below 2^63", error);
    *bytes = value;
    return true;
}

bool orr_parse_rate(const char *text, double *bytes_per_s, GError **error)
{
    const struct unit *unit = find_unit(rate_units, text);
    double value;

    if (!unit)
        return fail(text,
                    "a rate such as 12.5GBps, in Bps, KBps, MBps, GBps, TBps, "
                    "KiBps, MiBps, GiBps or TiBps",
                    error);
    value = to_double(text, unit);
    if (!(value > 0) || value >= TOO_LARGE)
        return fail(text, "a rate above 0 and below 2^63 bytes/s", error);
    *bytes_per_s = value;
    return true;
}

bool orr_parse_flops(const char *text, double *flops_per_s, GError **error)
{
    const struct unit *unit = find_unit(flop_units, text);
    double value;

    if (!unit)
        return fail(text,
                    "a speed such as 67TFlop/s, in Flop/s, KFlop/s, MFlop/s, "
                    "GFlop/s, TFlop/s or PFlop/s",
                    error);
    value = to_double(text, unit);
    if (!(value >= 1) || value >= TOO_LARGE)
        return fail(text, "a speed from 1 to 2^63 Flop/s", error);
    *flops_per_s = value;
    return true;
}

bool orr_parse_watts(const char *text, double *watts, GError **error)
{
    const struct unit *unit = find_unit(watt_units, text);
    double value = unit ? to_double(text, unit) / 1e3 : INFINITY;

    if (value > MAX_WATTS)
        return fail(text, "a power such as 250W, in mW, W, kW or MW, up to 1MW",
                    error);
    *watts = value;
    return true;
}

bool orr_parse_joules(const char *text, double *joules, GError **error)
{
    const struct unit *unit = find_unit(joule_units, text);
    double value = unit ? to_double(text, unit) / 1e12 : INFINITY;

    if (value > MAX_JOULES)
        return fail(text,
                    "an energy such as 1.5J, in pJ, nJ, uJ, mJ, J or kJ, up to "
                    "1e9 J",
                    error);
    *joules = value;
    return true;
}

bool orr_parse_number(const char *text, double max, double *number,
                      GError **error)
{
    const char *end = skip_number(text);
    double value = end ? g_ascii_strtod(text, NULL) : 0;
    g_autofree char *expected = NULL;

    if (end && *end == '\0' && value > 0 && value <= max) {
        *number = value;
        return true;
    }
    expected = g_strdup_printf("a number above 0 and at most %.15g", max);
    return fail(text, expected, error);
}

bool orr_parse_time(const char *text, orr_time *time, GError **error)
{
    const struct unit *unit = find_unit(time_units, text);
    orr_time value;

    if (!unit)
        return fail(text, "a time such as 2.5ms, in ns, us, ms or s", error);
    value = orr_time_nearest(to_double(text, unit));
    if (value == ORR_NEVER)
        return fail(text, "a time below 2^63 ns", error);
    *time = value;
    return true;
}

bool orr_parse_factor(const char *text, double *factor, GError **error)
{
    static const struct unit units[] = {{"x", 0, 0}, {NULL, 0, 0}};
    const struct unit *unit = find_unit(units, text);
    double value = unit ? to_double(text, unit) : TOO_LARGE;

    if (value >= TOO_LARGE)
        return fail(text, "a factor such as 0.5x, below 2^63", error);
    *factor = value;
    return true;
}

bool orr_parse_decimal(const char *text, const char *characters, double *number)
{
    char *end = NULL;
    double value = 0;

    if (*text && text[strspn(text, characters)] == '\0')
        value = g_ascii_strtod(text, &end);
    if (!end || end == text || *end)
        return false;
    *number = value;
    return true;
}

bool orr_parse_count(const char *text, uint64_t min, uint64_t max,
                     uint64_t *count, GError **error)
{
    g_autofree char *expected = NULL;

    /* Unlike strtoull(), refuses signs, spaces and overflow. */
    if (g_ascii_string_to_unsigned(text, 10, min, max, count, NULL))
        return true;
    expected = g_strdup_printf("a whole number from %" G_GUINT64_FORMAT
                               " to %" G_GUINT64_FORMAT,
                               min, max);
    return fail(text, expected, error);
}

/* @value in the first of @units in which it has at most 3 digits. */
static char *format(double value, const struct unit *units, const char *suffix)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    const char *digits = "%.0f";
    double scale = 1;

    while (value / scale >= 999.5 && units[1].name && units[1].tens > 0) {
        units++;
        scale *= 1000;
    }
    value /= scale;
    if (scale > 1 && value < 9.995)
        digits = "%.2f";
    else if (scale > 1 && value < 99.95)
        digits = "%.1f";
    g_ascii_formatd(number, sizeof(number), digits, value);
    return g_strdup_printf("%s %s%s", number, units->name, suffix);
}

char *orr_format_bytes(uint64_t bytes)
{
    return format((double)bytes, byte_units, "");
}

char *orr_format_rate(double bytes_per_s)
{
    return format(bytes_per_s, byte_units, "/s");
}

char *orr_format_flops(double flops_per_s)
{
    return format(flops_per_s, flop_units, "");
}

char *orr_format_time(orr_time time)
{
    return time == ORR_NEVER ? g_strdup("never")
                             : format((double)time, time_units, "");
}

char *orr_format_limit(uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    unsigned unit = 0;

    while (bytes > 0 && bytes % 1024 == 0 && unit + 1 < G_N_ELEMENTS(units)) {
        bytes /= 1024;
        unit++;
    }
    return g_strdup_printf("%" G_GUINT64_FORMAT " %s", bytes, units[unit]);
}
