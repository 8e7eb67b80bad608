/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/output/exact.h"

/* Writes @value as it is, if it is a whole number of 1e-9 with 15 digits at
 * most: most numbers are times in s that came from ns, and printf() takes long.
 * "%.15g" would give the same, as one of so few digits is found again. Returns
 * NULL if it is not, or would have an exponent. */
static char *format_nano(double value)
{
    char text[24], *at = text + sizeof(text);
    double scaled = value * 1e9, read;
    int64_t nano;

    if (!(scaled >= 1e5 && scaled < 1e15))
        return NULL;
    nano = (int64_t)(scaled + 0.5);
    read = (double)nano / 1e9;
    if (read < value || read > value)
        return NULL;
    *--at = '\0';
    for (int digit = 0; digit < 9; digit++, nano /= 10)
        if (*at != '\0' || nano % 10 != 0)
            *--at = (char)('0' + nano % 10);
    if (*at != '\0')
        *--at = '.';
    do {
        *--at = (char)('0' + nano % 10);
        nano /= 10;
    } while (nano > 0);
    return g_strdup(at);
}

/* Returns the shortest decimal that reads back as @value. */
static char *format_double(double value)
{
    static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    char *nano = format_nano(value);

    if (nano)
        return nano;
    for (unsigned i = 0; i < G_N_ELEMENTS(formats); i++) {
        double read;

        g_ascii_formatd(text, sizeof(text), formats[i], value);
        read = g_ascii_strtod(text, NULL);
        if (read <= value && read >= value)
            break;
    }
    return g_strdup(text);
}

static char *join(JsonArray *array, const char *separator)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < json_array_get_length(array); i++) {
        g_autofree char *element =
            orr_exact_format(json_array_get_element(array, i), separator);

        if (i > 0)
            g_string_append(text, separator);
        g_string_append(text, element);
    }
    return g_string_free(text, FALSE);
}

char *orr_exact_format(JsonNode *node, const char *separator)
{
    if (JSON_NODE_HOLDS_NULL(node))
        return g_strdup("");
    if (JSON_NODE_HOLDS_ARRAY(node))
        return join(json_node_get_array(node), separator);
    switch (json_node_get_value_type(node)) {
    case G_TYPE_STRING:
        return g_strdup(json_node_get_string(node));
    case G_TYPE_BOOLEAN:
        return g_strdup(json_node_get_boolean(node) ? "true" : "false");
    case G_TYPE_DOUBLE:
        return format_double(json_node_get_double(node));
    default:
        return g_strdup_printf("%" G_GINT64_FORMAT, json_node_get_int(node));
    }
}
