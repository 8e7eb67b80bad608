/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/sampling.h"

#include <glib.h>
#include <stdlib.h>

char *sp_sampling_folder(void)
{
    const char *folder = getenv("STARPU_PERF_MODEL_DIR");
    const char *home = getenv("STARPU_HOME");
    if (folder && *folder)
        return g_strdup(folder);
    return g_build_filename(home && *home ? home : g_get_home_dir(), ".starpu",
                            "sampling", NULL);
}

bool sp_sampling_is_used(void)
{
    const char *named = getenv("STARPU_PERF_MODEL_DIR");
    g_autofree char *folder = sp_sampling_folder();
    g_autofree char *name = g_strconcat(sp_sampling_host(), ".config", NULL);
    g_autofree char *path = g_build_filename(folder, "bus", name, NULL);

    return (named && *named) || g_file_test(path, G_FILE_TEST_EXISTS);
}

bool sp_sampling_names_host(void)
{
    const char *host = getenv("STARPU_HOSTNAME");
    return host && *host;
}

const char *sp_sampling_host(void)
{
    return sp_sampling_names_host() ? getenv("STARPU_HOSTNAME")
                                    : g_get_host_name();
}
