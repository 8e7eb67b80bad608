/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Some runs of a campaign fail. Its file is resumed, and merged with others. */
#include "apps/sweep/sweep.h"

#include <string.h>

#include "apps/sweep/merge.h"
#include "tests/support/temp_folder.h"

/* Points 0 to 3, each with runs 0 and 1. No GPU is called x or y. */
static const char text[] = "[campaign]\n"
                           "app=cholesky\n"
                           "tiles=2\n"
                           "replicas=2\n"
                           "[vary]\n"
                           "gpus=1;x;2;y\n";

struct fixture {
    char *folder;
    struct orr_campaign campaign;
    struct orr_point_runner *points;
    struct orr_identity identity;
    GArray *columns;
};

static int set_up(void **state)
{
    struct fixture *fixture = g_new0(struct fixture, 1);

    *state = fixture;
    fixture->folder = temp_folder_new();
    if (!orr_campaign_parse(&fixture->campaign, text, NULL))
        return -1;
    fixture->points = orr_point_runner_new(&fixture->campaign, NULL);
    if (!fixture->points)
        return -1;
    orr_point_runner_identify(fixture->points, &fixture->identity);
    fixture->columns = orr_columns_new(
        &fixture->campaign, orr_point_runner_apps(fixture->points), NULL);
    return fixture->columns ? 0 : -1;
}

/* Each test removes its files. */
static int tear_down(void **state)
{
    static const char *const none[] = {NULL};
    struct fixture *fixture = *state;

    g_array_unref(fixture->columns);
    orr_identity_clear(&fixture->identity);
    orr_point_runner_free(fixture->points);
    orr_campaign_clear(&fixture->campaign);
    temp_folder_remove(fixture->folder, none);
    g_free(fixture);
    return 0;
}

/* Runs shard @index of @count in the file @name. */
static void sweep(struct fixture *fixture, const char *name, unsigned index,
                  unsigned count, struct orr_sweep_count *result)
{
    const struct orr_sweep sweep = {
        .command = "test",
        .campaign = &fixture->campaign,
        .points = fixture->points,
        .shard = {index, count},
        .threads = 1,
    };
    g_autofree char *path = temp_folder_path(fixture->folder, name);
    struct orr_store *store;
    GError *error = NULL;

    fixture->identity.shard = sweep.shard;
    store = orr_store_open(path, &fixture->identity, fixture->columns, false,
                           &error);
    assert_non_null(store);
    assert_int_equal(orr_sweep_run(&sweep, store, result, &error), ORR_EXIT_OK);
    assert_true(orr_store_close(store, &error));
    assert_null(error);
}

static void remove_file(const struct fixture *fixture, const char *name)
{
    g_autofree char *path = temp_folder_path(fixture->folder, name);

    assert_int_equal(g_remove(path), 0);
}

static void runs_that_fail_are_counted(void **state)
{
    struct fixture *fixture = *state;
    struct orr_sweep_count count;

    sweep(fixture, "all.db", 0, 1, &count);
    assert_int_equal(count.wanted, 8);
    assert_int_equal(count.ended, 8);
    assert_int_equal(count.failed, 4);
    assert_true(g_str_has_prefix(count.first_failed, "point 1 (gpus=x): "));
    g_free(count.first_failed);
    remove_file(fixture, "all.db");
}

/* The second time, nothing is left to run; the file knows what had failed. */
static void a_resumed_campaign_knows_which_runs_had_failed(void **state)
{
    struct fixture *fixture = *state;
    struct orr_sweep_count count;

    sweep(fixture, "all.db", 0, 1, &count);
    g_free(count.first_failed);
    sweep(fixture, "all.db", 0, 1, &count);
    assert_int_equal(count.wanted, 8);
    assert_int_equal(count.ended, 8);
    assert_int_equal(count.failed, 4);
    assert_null(count.first_failed); /* not in this process */
    remove_file(fixture, "all.db");
}

/* Shard 1 of 3 has point 1 alone, shard 0 points 0 and 3. */
static void a_shard_runs_every_third_point(void **state)
{
    struct fixture *fixture = *state;
    struct orr_sweep_count count;

    sweep(fixture, "1.db", 1, 3, &count);
    assert_int_equal(count.wanted, 2);
    assert_int_equal(count.failed, 2);
    g_free(count.first_failed);
    sweep(fixture, "0.db", 0, 3, &count);
    assert_int_equal(count.wanted, 4);
    assert_int_equal(count.failed, 2);
    assert_true(g_str_has_prefix(count.first_failed, "point 3 (gpus=y): "));
    g_free(count.first_failed);
    remove_file(fixture, "1.db");
    remove_file(fixture, "0.db");
}

static void expect_path(const char *path, unsigned index, unsigned count,
                        const char *expected)
{
    const struct orr_shard shard = {index, count};
    g_autofree char *own = orr_shard_path(path, &shard);

    assert_string_equal(own, expected);
}

static void a_shard_has_a_file_of_its_own(void **state)
{
    (void)state;
    expect_path("my.db", 0, 1, "my.db");
    expect_path("my.db", 2, 3, "my.2-of-3.db");
    expect_path("dir.db/my", 2, 3, "dir.db/my.2-of-3.db");
}

static void merge(const struct fixture *fixture, const char *const *names,
                  struct orr_merged *merged)
{
    g_autofree char *path = temp_folder_path(fixture->folder, "merged.db");
    g_autoptr(GPtrArray) shards = g_ptr_array_new_with_free_func(g_free);
    GError *error = NULL;

    for (; *names; names++)
        g_ptr_array_add(shards, temp_folder_path(fixture->folder, *names));
    g_ptr_array_add(shards, NULL);
    if (!orr_merge(path, (char **)shards->pdata, merged, &error))
        fail_msg("%s", error->message);
}

static void expect_merged(struct orr_merged *merged, unsigned ended,
                          unsigned failed, const char *missing)
{
    assert_int_equal(merged->wanted, 8);
    assert_int_equal(merged->ended, ended);
    assert_int_equal(merged->failed, failed);
    if (missing)
        assert_string_equal(merged->missing, missing);
    else
        assert_null(merged->missing);
    g_free(merged->missing);
}

/* A shard that is merged again adds nothing; a failed run is counted once. */
static void a_merge_counts_each_run_once(void **state)
{
    static const char *const first[] = {"0.db", NULL};
    static const char *const twice[] = {"1.db", "1.db", "0.db", NULL};
    struct fixture *fixture = *state;
    struct orr_sweep_count count;
    struct orr_merged merged;

    for (unsigned i = 0; i < 2; i++) {
        sweep(fixture, i ? "1.db" : "0.db", i, 3, &count);
        g_free(count.first_failed);
    }
    merge(fixture, first, &merged);
    assert_null(merged.twice);
    expect_merged(&merged, 4, 2, "1-2");
    merge(fixture, twice, &merged); /* shard 0 is in the result already */
    assert_int_equal(merged.doubled, 2);
    assert_string_equal(merged.twice, "1");
    g_free(merged.twice);
    expect_merged(&merged, 6, 4, "2");
    remove_file(fixture, "0.db");
    remove_file(fixture, "1.db");
    remove_file(fixture, "merged.db");
}

ORR_TESTS(sweep)
{
#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(runs_that_fail_are_counted),
        T(a_resumed_campaign_knows_which_runs_had_failed),
        T(a_shard_runs_every_third_point),
        T(a_shard_has_a_file_of_its_own),
        T(a_merge_counts_each_run_once),
    };
#undef T

    return cmocka_run_group_tests(tests, NULL, NULL);
}
