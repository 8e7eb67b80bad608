/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TEST_APP_VALUES_H
#define ORR_TEST_APP_VALUES_H

#include <string.h>

#include "runtime/programs/programs.h"
#include "tests/support/cmocka_all.h"

/* The complete values of the application @app with @options, "tiles=3 tile=7".
 * To be freed. */
static inline struct orr_app_values *app_values(const char *app,
                                                const char *options)
{
    struct orr_app_values *values =
        orr_app_values_new(orr_app_builtin(app, NULL));
    g_auto(GStrv) items = g_strsplit(options, " ", -1);

    for (char **item = items; *item && **item; item++) {
        char *sign = strchr(*item, '=');

        *sign = '\0';
        assert_true(orr_app_values_give(values, *item, sign + 1, NULL));
    }
    assert_true(orr_app_values_complete(values, NULL));
    return values;
}

/* Has the application submit its tasks to @run; returns what it returns. */
static inline bool submit_app(struct orr_run *run, const char *app,
                              const char *options, GError **error)
{
    struct orr_app_values *values = app_values(app, options);
    bool submitted = orr_app_values_app(values)->submit(run, values, error);

    orr_app_values_free(values);
    return submitted;
}

#endif
