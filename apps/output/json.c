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

/* RFC 8259, section 7. Runs of characters that need no escape are appended
 * together. */
void orr_json_append(GString *text, const char *value)
{
    const char *from = value;

    if (!value) {
        g_string_append(text, "null");
        return;
    }
    g_string_append_c(text, '"');
    for (; *value; value++) {
        if (G_LIKELY(!needs_escape(*value)))
            continue;
        g_string_append_len(text, from, value - from);
        from = value + 1;
        if (*value == '"' || *value == '\\')
            g_string_append_printf(text, "\\%c", *value);
        else
            g_string_append_printf(text, "\\u%04x", (unsigned)*value);
    }
    g_string_append_len(text, from, value - from);
    g_string_append_c(text, '"');
}

static void print_string(const char *value)
{
    g_autoptr(GString) text = g_string_new(NULL);

    orr_json_append(text, value);
    fwrite(text->str, 1, text->len, stdout);
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

/* @part: a member that is given as text; NULL: none. */
static void print_object(JsonObject *object, int indent,
                         const struct orr_json_part *part)
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
        if (part && strcmp(name, part->name) == 0)
            fputs(part->text, stdout);
        else
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
        print_object(json_node_get_object(node), indent, NULL);
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

void orr_json_print_with(JsonNode *node, const struct orr_json_part *part)
{
    print_object(json_node_get_object(node), 0, part);
    putchar('\n');
}

void orr_json_print(JsonNode *node)
{
    print(node, 0);
    putchar('\n');
}
