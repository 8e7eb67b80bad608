/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/output/json.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "apps/output/exact.h"

static void print(JsonNode *node, int indent);

static bool needs_escape(char c)
{
    return c == '"' || c == '\\' || (unsigned char)c < ' ';
}

/* RFC 8259, section 7. What needs no escape is written at once. */
static void print_string(const char *text)
{
    const char *from = text;

    putchar('"');
    for (; *text; text++) {
        if (G_LIKELY(!needs_escape(*text)))
            continue;
        fwrite(from, 1, (size_t)(text - from), stdout);
        from = text + 1;
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else
            printf("\\u%04x", (unsigned)*text);
    }
    fwrite(from, 1, (size_t)(text - from), stdout);
    putchar('"');
}

static void break_line(int indent)
{
    putchar('\n');
    for (int i = 0; i < 2 * indent; i++)
        putchar_unlocked(' ');
}

static void print_array(JsonArray *array, int indent)
{
    guint count = json_array_get_length(array);

    putchar('[');
    for (guint i = 0; i < count; i++) {
        if (i > 0)
            putchar(',');
        break_line(indent + 1);
        print(json_array_get_element(array, i), indent + 1);
    }
    if (count > 0)
        break_line(indent);
    putchar(']');
}

static void print_object(JsonObject *object, int indent)
{
    JsonObjectIter members;
    const char *name;
    JsonNode *value;
    bool first = true;

    putchar('{');
    json_object_iter_init_ordered(&members, object);
    while (json_object_iter_next_ordered(&members, &name, &value)) {
        if (!first)
            putchar(',');
        first = false;
        break_line(indent + 1);
        print_string(name);
        fputs(": ", stdout);
        print(value, indent + 1);
    }
    if (!first)
        break_line(indent);
    putchar('}');
}

static void print(JsonNode *node, int indent)
{
    g_autofree char *value = NULL;

    if (JSON_NODE_HOLDS_OBJECT(node)) {
        print_object(json_node_get_object(node), indent);
    } else if (JSON_NODE_HOLDS_ARRAY(node)) {
        print_array(json_node_get_array(node), indent);
    } else if (JSON_NODE_HOLDS_NULL(node)) {
        fputs("null", stdout);
    } else if (json_node_get_value_type(node) == G_TYPE_STRING) {
        print_string(json_node_get_string(node));
    } else {
        value = orr_exact_format(node, "");
        fputs(value, stdout);
    }
}

void orr_json_put(JsonNode *node, int indent)
{
    print(node, indent);
}

void orr_json_print(JsonNode *node)
{
    print(node, 0);
    putchar('\n');
}
