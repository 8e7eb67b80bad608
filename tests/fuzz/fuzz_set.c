/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What --set, --pcie and --nvlink take: whatever lines say, each is refused or
 * changes the platform to what a file could say. $ORR_FUZZ_PLATFORM names the
 * file that they change.
 */
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>

#include "models/format/platform_save.h"
#include "models/format/platform_xml.h"
#include "models/platform/platform_change.h"
#include "tests/fuzz/fuzz.h"

static struct orr_platform *read_path(const char *path)
{
    g_autoptr(GError) error = NULL;
    struct orr_platform *platform = orr_platform_read(path, &error);

    if (!platform) {
        fprintf(stderr, "%s\n", error->message);
        abort();
    }
    return platform;
}

static void expect_readable(const struct orr_platform *platform)
{
    g_autofree char *path = NULL;
    g_autofree char *text = orr_platform_format(platform, NULL);
    int file = g_file_open_tmp("orrery-fuzz-XXXXXX", &path, NULL);

    if (file < 0 || !g_close(file, NULL) ||
        !g_file_set_contents(path, text, -1, NULL))
        abort();
    orr_platform_free(read_path(path));
    g_remove(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_strndup((const char *)data, size);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    struct orr_platform *platform = read_path(getenv("ORR_FUZZ_PLATFORM"));
    const struct orr_what_if what = {
        .gpus = -1, .cpus = -1, (const char *const *)lines, false};
    struct orr_changes *changes = orr_platform_change(platform, &what, NULL);

    for (char **line = lines; *line; line++) {
        /* What changes a platform is understood without one. */
        if (!orr_change_check(*line, NULL) && changes)
            abort();
    }
    if (changes)
        expect_readable(platform);
    orr_changes_free(changes);
    orr_platform_free(platform);
    return 0;
}
