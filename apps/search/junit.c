/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/search/junit.h"

#include <string.h>

#include "apps/output/members.h"
#include "models/base/file.h"

static const char *options_of(JsonObject *hang)
{
    return json_object_get_string_member_with_default(hang, "replay_options",
                                                      "");
}

/* The text of a failure. */
static char *describe(JsonObject *hang)
{
    JsonArray *chain = orr_array_of(hang, "chain");
    GString *text = g_string_new(NULL);

    if (json_array_get_length(chain) == 0)
        g_string_append_printf(text, "%s\n", orr_text_of(hang, "message"));
    for (guint i = 0; i < json_array_get_length(chain); i++)
        g_string_append_printf(text, "%s\n",
                               json_array_get_string_element(chain, i));
    g_string_append_printf(text, "orrery replay %s %s",
                           orr_text_of(hang, "token"), options_of(hang));
    return g_string_free(text, FALSE);
}

static void add_failure(GString *xml, const char *kind, const char *message,
                        const char *text)
{
    g_autofree char *line =
        g_markup_printf_escaped("    <failure type=\"%s\" message=\"%s\">%s"
                                "</failure>\n",
                                kind, message, text);

    g_string_append(xml, line);
}

static void add_failures(GString *xml, JsonObject *one)
{
    JsonArray *hangs = orr_array_of(one, "hangs");

    for (guint i = 0; i < json_array_get_length(hangs); i++) {
        JsonObject *hang = orr_object_at(hangs, i);
        g_autofree char *text = describe(hang);

        add_failure(xml, orr_text_of(hang, "kind"),
                    orr_text_of(hang, "message"), text);
    }
    if (!json_object_get_null_member(one, "difference"))
        add_failure(xml, "not-deterministic", orr_text_of(one, "difference"),
                    "the first schedule was run twice");
}

static bool fails(JsonObject *one)
{
    return json_array_get_length(orr_array_of(one, "hangs")) > 0 ||
           !json_object_get_null_member(one, "difference");
}

static void add_case(GString *xml, JsonObject *one, const char *policy)
{
    g_autofree char *head = g_markup_printf_escaped(
        "  <testcase classname=\"%s\" name=\"%s\" time=\"%.3f\"", policy,
        orr_text_of(one, "case"), orr_double_of(one, "exploration_wall_s"));

    g_string_append(xml, head);
    if (!fails(one)) {
        g_string_append(xml, "/>\n");
        return;
    }
    g_string_append(xml, ">\n");
    add_failures(xml, one);
    g_string_append(xml, "  </testcase>\n");
}

bool orr_junit_write(const char *path, JsonObject *facts, const char *policy,
                     GError **error)
{
    g_autoptr(GString) xml = g_string_new(NULL);
    JsonArray *cases = orr_array_of(facts, "cases");
    guint count = json_array_get_length(cases), failures = 0;

    for (guint i = 0; i < count; i++)
        failures += fails(orr_object_at(cases, i));
    g_string_append_printf(xml,
                           "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                           "<testsuite name=\"orrery explore\" tests=\"%u\" "
                           "failures=\"%u\" errors=\"0\">\n",
                           count, failures);
    for (guint i = 0; i < count; i++)
        add_case(xml, orr_object_at(cases, i), policy);
    g_string_append(xml, "</testsuite>\n");
    return orr_file_replace(path, xml->str, xml->len, error);
}
