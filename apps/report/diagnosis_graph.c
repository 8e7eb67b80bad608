/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A diagnosis as a graph of waits. */
#include <string.h>

#include "apps/output/members.h"
#include "apps/picture/graphviz.h"
#include "apps/report/diagnosis.h"

/* Colour-blind readers can tell these colours apart. */
#define CHAIN_COLOUR "#d55e00"
#define CHAIN_FILL "#fdeee2"
#define OTHER_COLOUR "#707070"
#define OTHER_FILL "#f4f4f4"

/* Characters in each line of a box. */
enum { MOST_COLUMNS = 46 };

/* Appends @text, wrapped into lines that are aligned to the left. */
static void append_wrapped(GString *script, const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    size_t column = 0;

    for (char **word = words; *word; word++) {
        if (column > 0 && column + strlen(*word) >= MOST_COLUMNS) {
            g_string_append(script, "\\l");
            column = 0;
        }
        if (column > 0)
            g_string_append_c(script, ' ');
        orr_graphviz_append(script, *word);
        column += strlen(*word) + 1;
    }
    g_string_append(script, "\\l");
}

/* Appends a box for the waiting side of @wait, with the reason. */
static void append_box(GString *script, JsonObject *wait, guint number)
{
    bool in_chain = json_object_get_boolean_member(wait, "in_chain");

    g_string_append_printf(script, "  p%u [label=\"", number);
    append_wrapped(script, orr_text_of(wait, "why"));
    g_string_append_printf(
        script, "\", color=\"%s\", fillcolor=\"%s\"%s];\n",
        in_chain ? CHAIN_COLOUR : OTHER_COLOUR,
        in_chain ? CHAIN_FILL : OTHER_FILL,
        json_object_get_null_member(wait, "to") ? ", penwidth=3" : "");
}

static guint find(JsonArray *waits, const char *name)
{
    guint i = 0;

    while (strcmp(orr_text_of(orr_object_at(waits, i), "from"), name) != 0)
        i++;
    return i;
}

static void append_arrow(GString *script, JsonArray *waits, guint number)
{
    JsonObject *wait = orr_object_at(waits, number);
    bool in_chain = json_object_get_boolean_member(wait, "in_chain");

    if (json_object_get_null_member(wait, "to"))
        return;
    g_string_append_printf(script, "  p%u -> p%u [color=\"%s\"%s];\n", number,
                           find(waits, orr_text_of(wait, "to")),
                           in_chain ? CHAIN_COLOUR : OTHER_COLOUR,
                           in_chain ? ", penwidth=2" : "");
}

/* A livelock has no waits: its chain becomes the text of one box. */
static void append_chain(GString *script, JsonObject *hang)
{
    JsonArray *chain = orr_array_of(hang, "chain");

    g_string_append(script, "  chain [label=\"");
    for (guint i = 0; i < json_array_get_length(chain); i++)
        append_wrapped(script, json_array_get_string_element(chain, i));
    g_string_append(script, "\", color=\"" CHAIN_COLOUR
                            "\", fillcolor=\"" CHAIN_FILL "\"];\n");
}

char *orr_diagnosis_script(JsonObject *hang)
{
    GString *script = g_string_new("digraph hang {\n  label=\"");
    JsonArray *waits = orr_array_of(hang, "waits");
    guint count = json_array_get_length(waits);
    g_autofree char *title = orr_diagnosis_title(hang);

    orr_graphviz_append(script, title);
    g_string_append(script,
                    "\"; labelloc=t; fontsize=16; nodesep=0.3; ranksep=0.35;\n"
                    "  fontname=\"Helvetica,Arial,sans-serif\";\n"
                    "  node [shape=box, style=\"rounded,filled\", fontsize=11, "
                    "margin=\"0.15,0.08\", "
                    "fontname=\"Helvetica,Arial,sans-serif\"];\n");
    for (guint i = 0; i < count; i++)
        append_box(script, orr_object_at(waits, i), i);
    for (guint i = 0; i < count; i++)
        append_arrow(script, waits, i);
    if (count == 0)
        append_chain(script, hang);
    g_string_append(script, "}\n");
    return g_string_free(script, FALSE);
}
