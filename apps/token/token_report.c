/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/token/token_report.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "apps/output/members.h"
#include "models/base/error.h"

char *orr_token_report_path(const char *path)
{
    g_autofree char *report = g_strconcat(path, ".json", NULL);

    return !g_file_test(path, G_FILE_TEST_EXISTS) &&
                   g_file_test(report, G_FILE_TEST_EXISTS)
               ? g_steal_pointer(&report)
               : g_strdup(path);
}

static JsonArray *array_in(JsonNode *node, const char *name)
{
    JsonObject *object =
        JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
    JsonNode *member = object ? json_object_get_member(object, name) : NULL;

    return member && JSON_NODE_HOLDS_ARRAY(member) ? json_node_get_array(member)
                                                   : NULL;
}

/* The first object with a token: a hang, in an exploration, or in one of
 * several cases. NULL: there is none. */
static JsonObject *find_hang(JsonNode *node)
{
    static const char *const lists[] = {"hangs", "cases"};
    JsonObject *object =
        JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;

    if (object && json_object_has_member(object, "token"))
        return object;
    for (size_t l = 0; l < G_N_ELEMENTS(lists); l++) {
        JsonArray *list = array_in(node, lists[l]);

        for (guint i = 0; list && i < json_array_get_length(list); i++) {
            JsonObject *hang = find_hang(json_array_get_element(list, i));

            if (hang)
                return hang;
        }
    }
    return NULL;
}

char *orr_token_report_read(const char *path, const char *text, char ***options,
                            GError **error)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    g_autoptr(GError) why = NULL;
    JsonObject *hang;

    if (!json_parser_load_from_data(parser, text, -1, &why)) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_SYNTAX, "%s: %s", path,
                    why->message);
        return NULL;
    }
    hang = find_hang(json_parser_get_root(parser));
    if (!hang) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_SYNTAX,
                    "%s: contains no token: no schedule failed", path);
        return NULL;
    }
    if (!g_shell_parse_argv(json_object_get_string_member_with_default(
                                hang, "replay_options", ""),
                            NULL, options, NULL))
        *options = g_new0(char *, 1);
    return g_strdup(
        json_object_get_string_member_with_default(hang, "token", ""));
}
