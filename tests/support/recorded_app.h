/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RECORDED_APP_H
#define ORR_RECORDED_APP_H

#include "apps/programs/app.h"
#include "runtime/recording.h"
#include "tests/support/temp_file.h"

/*
 * The task graph of the application @app, of @tiles x @tiles tiles of 960, on
 * @config's workers of one of our platforms. The run is to be freed.
 */
static inline struct orr_run *recorded_app(const char *app, unsigned tiles,
                                           const char *platform,
                                           struct orr_config config)
{
    g_autofree char *folder = source_file("platforms");
    g_autofree char *file = g_strconcat(platform, ".xml", NULL);
    g_autofree char *path = g_build_filename(folder, file, NULL);
    struct orr_problem problem = {
        .app = orr_app_find(app, NULL),
        .tiles = tiles,
        .tile = 960,
    };
    g_autoptr(GError) error = NULL;

    config.platform = path;
    problem.run = orr_run_new(&config, &error);
    if (error)
        fail_msg("%s", error->message);
    assert_true(orr_problem_prepare(&problem, NULL));
    orr_run_record(problem.run);
    problem.app->submit(&problem);
    return problem.run;
}

#endif
