/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The importer of StarPU's calibrations: whatever is in its files, they are
 * refused or make a platform that can be written and read. Each text is all
 * files of a calibration, one after the other, separated by lines "%%"; see
 * the names below for their order.
 */
#include <stdio.h>
#include <string.h>

#include "models/format/platform_save.h"
#include "models/format/platform_xml.h"
#include "models/starpu/platform_starpu.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

static const char *const names[] = {
    "bus/h.platform.v4.xml",
    "bus/h.bandwidth",
    "bus/h.latency",
    "codelets/45/chol_model_gemm.h",
    "codelets/45/chol_model_potrf.h",
    "codelets/45/dgeqrt.h",
    "codelets/45/other.h",
};

static const char *const folders[] = {"bus", "codelets/45", "codelets", ""};

static void expect_readable(const struct orr_platform *platform)
{
    g_autofree char *text = orr_platform_format(platform, NULL);
    char *path = fuzz_file_new(text, strlen(text));
    g_autoptr(GError) error = NULL;
    struct orr_platform *again = orr_platform_read(path, &error);

    if (!again) {
        fprintf(stderr, "%s\nis not read back: %s\n", text, error->message);
        abort();
    }
    orr_platform_free(again);
    fuzz_file_free(path);
}

static void import(const char *folder)
{
    g_autoptr(GError) error = NULL;
    struct orr_platform *platform =
        orr_platform_starpu_read(folder, "h", &error);

    if (!platform != (error != NULL))
        abort();
    if (platform)
        expect_readable(platform);
    orr_platform_free(platform);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *folder = g_dir_make_tmp("orrery-fuzz-XXXXXX", NULL);
    g_autofree char *codelets = g_build_filename(folder, folders[1], NULL);
    g_autofree char *bus = g_build_filename(folder, folders[0], NULL);
    g_autofree char *text = g_strndup((const char *)data, size);
    g_auto(GStrv) parts = g_strsplit(text, "\n%%\n", G_N_ELEMENTS(names));

    if (g_mkdir_with_parents(codelets, 0700) || g_mkdir(bus, 0700))
        abort();
    for (size_t i = 0; parts[i]; i++) {
        g_autofree char *path = g_build_filename(folder, names[i], NULL);

        if (!g_file_set_contents(path, parts[i], -1, NULL))
            abort();
    }
    import(folder);
    for (size_t i = 0; parts[i]; i++) {
        g_autofree char *path = g_build_filename(folder, names[i], NULL);

        g_remove(path);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *path = g_build_filename(folder, folders[i], NULL);

        g_rmdir(path);
    }
    return 0;
}
