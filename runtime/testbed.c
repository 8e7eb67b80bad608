/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/testbed.h"

#include "models/platform/platform_xml.h"

/* Loads the platform, and makes of it what was asked for. */
static bool load(struct orr_testbed *testbed, const struct orr_config *config,
                 GError **error)
{
    const struct orr_what_if what = {
        .gpus = config->gpus,
        .cpus = config->cpus,
        .settings = config->changes,
        .stale_calibration = config->stale_calibration,
    };

    testbed->platform =
        orr_platform_load(config->platform, orr_platform_folders(), error);
    if (testbed->platform)
        testbed->changes = orr_platform_change(testbed->platform, &what, error);
    if (!testbed->changes)
        return false;
    testbed->change_texts = g_new0(const char *, testbed->changes->count + 1);
    for (unsigned i = 0; i < testbed->changes->count; i++)
        testbed->change_texts[i] = testbed->changes->items[i].text;
    return orr_platform_check_calibrated(testbed->platform, error);
}

struct orr_testbed *orr_testbed_new(const struct orr_config *config,
                                    GError **error)
{
    struct orr_testbed *testbed = g_new0(struct orr_testbed, 1);

    if (load(testbed, config, error))
        return testbed;
    orr_testbed_free(testbed);
    return NULL;
}

void orr_testbed_free(struct orr_testbed *testbed)
{
    if (!testbed)
        return;
    orr_platform_free(testbed->platform);
    orr_changes_free(testbed->changes);
    g_free(testbed->change_texts);
    g_free(testbed);
}
