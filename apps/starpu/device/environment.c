/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <starpu_helper.h>

#include "apps/starpu/base/error.h"

#include <glib.h>

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

char *starpu_getenv(const char *name)
{
    return getenv(name);
}

/* The whole number at the start of @text, and the rest of @text. */
static int read_number(const char *call, const char *name, const char *text,
                       char **rest)
{
    errno = 0;
    long number = strtol(text, rest, 10);
    if (errno != 0 || *rest == text || number > INT_MAX || number < 0)
        sp_fail(call, "%s=%s is not a whole number from 0 to %d", name, text,
                INT_MAX);
    return (int)number;
}

int starpu_get_env_number(const char *name)
{
    return starpu_get_env_number_default(name, -1);
}

int starpu_get_env_number_default(const char *name, int fallback)
{
    const char *text = getenv(name);
    if (text == NULL)
        return fallback;
    char *rest = NULL;
    int number = read_number("starpu_getenv_number()", name, text, &rest);
    if (*rest != '\0')
        sp_fail("starpu_getenv_number()", "%s=%s is not a whole number", name,
                text);
    return number;
}

float starpu_get_env_float_default(const char *name, float fallback)
{
    const char *text = getenv(name);
    if (text == NULL)
        return fallback;
    char *rest = NULL;
    float number = strtof(text, &rest);
    if (rest == text || *rest != '\0')
        sp_fail("starpu_getenv_float_default()", "%s=%s is not a number", name,
                text);
    return number;
}

/* KiB without a unit. */
int starpu_get_env_size_default(const char *name, int fallback)
{
    const char *call = "starpu_getenv_size_default()";
    const char *value = getenv(name);
    if (value == NULL)
        return fallback;
    g_autofree char *text = g_strstrip(g_strdup(value));
    if (*text == '\0')
        return fallback;
    char *rest = NULL;
    int number = read_number(call, name, text, &rest);
    rest = g_strchug(rest);
    const char *units = "BKMG";
    const char *unit = strchr(units, *rest ? g_ascii_toupper(*rest) : 'K');
    if (unit == NULL)
        sp_fail(call, "%s=%s: the unit is not B, K, M or G", name, value);
    int64_t bytes = (int64_t)number << 10 * (unit - units);
    if (bytes > INT_MAX)
        sp_fail(call, "%s=%s: over %d bytes", name, value, INT_MAX);
    return (int)bytes;
}

int starpu_get_env_string_var_default(const char *name, const char *strings[],
                                      int fallback)
{
    const char *value = getenv(name);
    if (value == NULL)
        return fallback;
    for (int i = 0; strings[i] != NULL; i++)
        if (g_ascii_strcasecmp(strings[i], value) == 0)
            return i;
    g_autofree char *all = g_strjoinv(", ", (char **)strings);
    sp_fail("starpu_getenv_string_var_default()", "%s=%s is not one of: %s",
            name, value, all);
}
