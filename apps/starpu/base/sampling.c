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

const char *sp_sampling_host(void)
{
    const char *host = getenv("STARPU_HOSTNAME");
    return host && *host ? host : g_get_host_name();
}
