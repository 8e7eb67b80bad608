/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RECORDED_APP_H
#define ORR_RECORDED_APP_H

#include "runtime/config/run_config.h"
#include "runtime/recording.h"
#include "tests/support/app_values.h"
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
    g_autofree char *options = g_strdup_printf("tiles=%u", tiles);
    g_autoptr(GError) error = NULL;
    struct orr_run *run;

    config.platform = path;
    run = orr_run_new(&config, &error);
    if (error)
        fail_msg("%s", error->message);
    orr_run_record(run, UINT64_MAX);
    assert_true(submit_app(run, app, options, NULL));
    return run;
}

#endif
