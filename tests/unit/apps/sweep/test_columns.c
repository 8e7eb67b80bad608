/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The columns of results are the scalar members of the facts of a run. */
#include "apps/sweep/columns.h"

#include <string.h>

#include "apps/sweep/point_runner.h"
#include "models/base/error.h"
#include "tests/support/cmocka_all.h"

static const char text[] = "[campaign]\n"
                           "app=cholesky\n"
                           "tiles=2\n"
                           "alpha=2\n"
                           "replicas=1\n"
                           "[vary]\n"
                           "gpus=1:2\n";

struct fixture {
    struct orr_campaign campaign;
    struct orr_point_runner *points;
    GArray *columns;
};

static int set_up(void **state)
{
    struct fixture *fixture = g_new0(struct fixture, 1);

    *state = fixture;
    if (!orr_campaign_parse(&fixture->campaign, text, NULL))
        return -1;
    fixture->points = orr_point_runner_new(&fixture->campaign, NULL);
    if (!fixture->points)
        return -1;
    fixture->columns = orr_columns_new(
        &fixture->campaign, orr_point_runner_apps(fixture->points), NULL);
    return fixture->columns ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    g_array_unref(fixture->columns);
    orr_point_runner_free(fixture->points);
    orr_campaign_clear(&fixture->campaign);
    g_free(fixture);
    return 0;
}

static const struct orr_column *find(const GArray *columns, const char *name)
{
    for (guint i = 0; i < columns->len; i++) {
        const struct orr_column *column =
            &g_array_index(columns, struct orr_column, i);

        if (strcmp(column->name, name) == 0)
            return column;
    }
    return NULL;
}

/* The type of a column that holds @node; text also for null. */
static enum orr_column_type type_of(JsonNode *node)
{
    if (JSON_NODE_HOLDS_NULL(node) ||
        json_node_get_value_type(node) == G_TYPE_STRING)
        return ORR_COLUMN_TEXT;
    return json_node_get_value_type(node) == G_TYPE_DOUBLE ? ORR_COLUMN_REAL
                                                           : ORR_COLUMN_INTEGER;
}

static void each_scalar_member_has_a_column(void **state)
{
    const struct fixture *fixture = *state;
    g_auto(GStrv) values = orr_campaign_texts(&fixture->campaign, 1);
    unsigned seen = 0;
    JsonObject *facts;
    GList *members;

    assert_true(orr_point_runner_run(fixture->points, values, 0, &facts, NULL));
    members = json_object_get_members(facts);
    for (GList *i = members; i; i = i->next) {
        JsonNode *node = json_object_get_member(facts, i->data);
        const struct orr_column *column = find(fixture->columns, i->data);

        if (JSON_NODE_HOLDS_OBJECT(node) || JSON_NODE_HOLDS_ARRAY(node))
            continue;
        if (!column)
            fail_msg("no column for %s", (char *)i->data);
        if (column && !JSON_NODE_HOLDS_NULL(node) &&
            column->type != type_of(node))
            fail_msg("column %s has another type", (char *)i->data);
        seen++;
    }
    assert_true(seen > 20);
    g_list_free(members);
    json_object_unref(facts);
}

static void point_replica_and_state_are_first_and_error_is_last(void **state)
{
    const struct fixture *fixture = *state;
    const GArray *columns = fixture->columns;
    static const char *const first[] = {"point", "replica", "state", "gpus"};

    for (guint i = 0; i < G_N_ELEMENTS(first); i++)
        assert_string_equal(g_array_index(columns, struct orr_column, i).name,
                            first[i]);
    assert_string_equal(
        g_array_index(columns, struct orr_column, columns->len - 1).name,
        "error");
}

static void a_key_may_not_be_called_like_a_column_of_ours(void **state)
{
    g_autoptr(GPtrArray) apps = g_ptr_array_new();
    g_autoptr(GError) error = NULL;
    struct orr_campaign campaign;

    (void)state;
    assert_true(orr_campaign_parse(&campaign,
                                   "[campaign]\napp=a\nreplicas=1\n"
                                   "[vary]\nError=1,2\n",
                                   NULL));
    assert_null(orr_columns_new(&campaign, apps, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
    orr_campaign_clear(&campaign);
}

ORR_TESTS(columns)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_scalar_member_has_a_column, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            point_replica_and_state_are_first_and_error_is_last, set_up,
            tear_down),
        cmocka_unit_test(a_key_may_not_be_called_like_a_column_of_ours),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
