/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names of platforms and policies. */
#include <glib/gstdio.h>
#include <limits.h>
#include <orrery.h>

#include "tests/support/cmocka_all.h"

static void platforms_of_all_folders_are_listed(void **state)
{
    g_autofree char *folder = g_dir_make_tmp("names-XXXXXX", NULL);
    g_autofree char *first = g_build_filename(folder, "aaa.xml", NULL);
    g_autofree char *other = g_build_filename(folder, "attila.xml", NULL);
    const char *const folders[] = {folder, NULL};
    struct orr_config *config = orr_config_new();
    g_auto(GStrv) before = orr_config_platforms(config);
    g_auto(GStrv) after = NULL;

    (void)state;
    assert_true(g_file_set_contents(first, "", 0, NULL));
    assert_true(g_file_set_contents(other, "", 0, NULL));
    orr_config_set_platform_folders(config, folders);
    after = orr_config_platforms(config);
    /* attila is one of the platforms of the library already */
    assert_int_equal(g_strv_length(after), g_strv_length(before) + 1);
    assert_true(g_strv_contains((const char *const *)before, "attila"));
    assert_string_equal(after[0], "aaa");
    for (unsigned i = 0; before[i]; i++)
        assert_string_equal(after[i + 1], before[i]);
    orr_config_free(config);
    g_remove(first);
    g_remove(other);
    g_rmdir(folder);
}

/* Whether @name_of lists @wanted, and all names in alphabetical order. */
static bool lists(const char *(*name_of)(unsigned), const char *wanted)
{
    bool found = false;
    unsigned i;

    for (i = 0; name_of(i); i++) {
        found |= g_strcmp0(name_of(i), wanted) == 0;
        if (i > 0)
            assert_true(g_strcmp0(name_of(i - 1), name_of(i)) < 0);
    }
    assert_null(name_of(i + 1));
    assert_null(name_of(UINT_MAX));
    return found;
}

static void policies_are_listed(void **state)
{
    (void)state;
    assert_true(lists(orr_sched_name, "dmda"));
    assert_true(lists(orr_sched_name, "ws"));
    assert_false(lists(orr_sched_name, "fixed")); /* needs a file */
    assert_true(lists(orr_evict_name, "lru"));
}

ORR_TESTS(names)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(platforms_of_all_folders_are_listed),
        cmocka_unit_test(policies_are_listed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
