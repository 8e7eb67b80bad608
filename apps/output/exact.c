/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/output/exact.h"

/* Returns the shortest decimal that reads back as @value. */
static char *format_double(double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    for (int digits = 15; digits < 18; digits++) {
        char format[8];

        g_snprintf(format, sizeof(format), "%%.%dg", digits);
        g_ascii_formatd(text, sizeof(text), format, value);
        if (g_ascii_strtod(text, NULL) <= value &&
            g_ascii_strtod(text, NULL) >= value)
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
