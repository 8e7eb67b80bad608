/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/dag/dag_number.h"

#include <glib.h>
#include <math.h>

#define MAX_SCALED 1000000000000000000
#define MAX_EXACT 15 /* decimal digits that a double holds */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* orr_dag_scaled() for numbers with an exponent, or with more digits than fit
 * 64 bits. */
static bool scaled_slowly(const char *text, unsigned scale, int64_t *value)
{
    double number;

    if (!orr_dag_real(text, false, &number))
        return false;
    for (unsigned i = 0; i < scale; i++)
        number *= 10;
    if (!(number <= (double)MAX_SCALED))
        return false;
    *value = llround(number);
    return true;
}

bool orr_dag_scaled(const char *text, unsigned scale, int64_t *value)
{
    const char *at = text;
    int64_t number = 0;
    unsigned digits = 0;
    unsigned left = scale; /* digits after the point that are missing */

    for (; is_digit(*at) && digits < MAX_EXACT; at++, digits++)
        number = 10 * number + (*at - '0');
    if (digits > 0 && *at == '.') {
        at++;
        for (; is_digit(*at) && left > 0; at++, left--) {
            if (++digits > MAX_EXACT + 2)
                return scaled_slowly(text, scale, value);
            number = 10 * number + (*at - '0');
        }
        if (is_digit(*at)) {
            number += *at >= '5';
            while (is_digit(*at))
                at++;
        }
    }
    if (digits == 0 || *at != '\0')
        return scaled_slowly(text, scale, value);
    for (; left > 0; left--) {
        if (number > MAX_SCALED / 10)
            return false;
        number *= 10;
    }
    *value = number;
    return number <= MAX_SCALED;
}

bool orr_dag_whole_word(const char **text, uint64_t max, uint64_t *value)
{
    const char *at = *text;
    uint64_t number = 0;
    unsigned digit;

    for (; (digit = (unsigned char)*at - (unsigned)'0') <= 9; at++) {
        if (number > (UINT64_MAX - 9) / 10)
            return false;
        number = 10 * number + digit;
    }
    if (at == *text || number > max)
        return false;
    *text = at;
    *value = number;
    return *at == '\0' || *at == ' ';
}

bool orr_dag_whole(const char *text, uint64_t max, uint64_t *value)
{
    return orr_dag_whole_word(&text, max, value) && *text == '\0';
}

bool orr_dag_signed(const char *text, int32_t *value)
{
    bool negative = *text == '-';
    uint64_t number;

    if (!orr_dag_whole(text + negative, (uint64_t)INT32_MAX + negative,
                       &number))
        return false;
    *value = (int32_t)(negative ? -(int64_t)number : (int64_t)number);
    return true;
}

/* Reads the exponent of a number, if it is short and not negative: "e+09". */
static bool read_exponent(const char *text, unsigned *exponent)
{
    unsigned digits = 0;

    *exponent = 0;
    if (*text != 'e' && *text != 'E')
        return *text == '\0';
    text += text[1] == '+' ? 2 : 1;
    for (; is_digit(*text) && digits < 2; text++, digits++)
        *exponent = 10 * *exponent + (unsigned)(*text - '0');
    return digits > 0 && *text == '\0';
}

bool orr_dag_real(const char *text, bool negative, double *value)
{
    /* All are exact, and so are numbers of MAX_EXACT digits: their product or
       quotient is rounded once. */
    static const double powers[] = {
        1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *at = text;
    int64_t number = 0;
    unsigned digits = 0;
    unsigned fraction = 0;
    unsigned exponent;
    char *end;

    /* A few digits: exact, and much faster than the general way. */
    for (; is_digit(*at) && digits < MAX_EXACT; at++, digits++)
        number = 10 * number + (*at - '0');
    if (digits > 0 && *at == '.') {
        for (at++; is_digit(*at) && digits < MAX_EXACT; at++, digits++)
            fraction++, number = 10 * number + (*at - '0');
    }
    if (digits > 0 && read_exponent(at, &exponent) &&
        exponent < fraction + G_N_ELEMENTS(powers)) {
        *value = exponent < fraction
                     ? (double)number / powers[fraction - exponent]
                     : (double)number * powers[exponent - fraction];
        return true;
    }
    if (!is_digit(*text) && *text != '.' && *text != '-' && *text != '+')
        return false; /* also "inf", "nan" and blanks */
    *value = g_ascii_strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value) &&
           (negative || *value >= 0) && text[1] != 'x' && text[1] != 'X';
}

bool orr_dag_hexadecimal(const char *text, uint32_t *value)
{
    char *end;
    guint64 number;

    if (!g_ascii_isxdigit(*text))
        return false;
    number = g_ascii_strtoull(text, &end, 16);
    *value = (uint32_t)number;
    return *end == '\0' && number <= UINT32_MAX;
}
