/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/output/json.h"

#include <stdio.h>

#include "apps/output/exact.h"

static void print(JsonNode *node, int indent);

/* RFC 8259, section 7. */
static void print_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            printf("\\u%04x", (unsigned)*text);
        else
            putchar(*text);
    }
    putchar('"');
}

static void break_line(int indent)
{
    printf("\n%*s", 2 * indent, "");
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
    GList *names = json_object_get_members(object);

    putchar('{');
    for (GList *i = names; i; i = i->next) {
        if (i != names)
            putchar(',');
        break_line(indent + 1);
        print_string(i->data);
        fputs(": ", stdout);
        print(json_object_get_member(object, i->data), indent + 1);
    }
    if (names)
        break_line(indent);
    putchar('}');
    g_list_free(names);
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
