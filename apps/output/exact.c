/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/output/exact.h"

#include "models/digits.h"

void orr_exact_append(GString *text, double value)
{
    static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    const char *end = digits + ORR_DIGITS;
    const char *nano = orr_digits_put_nano(digits + ORR_DIGITS, value);

    if (nano) {
        g_string_append_len(text, nano, end - nano);
        return;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(formats); i++) {
        double read;

        g_ascii_formatd(digits, sizeof(digits), formats[i], value);
        read = g_ascii_strtod(digits, NULL);
        if (read <= value && read >= value)
            break;
    }
    g_string_append(text, digits);
}

static char *format_double(double value)
{
    GString *text = g_string_new(NULL);

    orr_exact_append(text, value);
    return g_string_free(text, FALSE);
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
