/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The clock, and the machine as StarPU would find it. */
#include <starpu.h>

#include "apps/starpu/base/session.h"

double starpu_timing_now(void)
{
    return sp_session.run == NULL
               ? 0
               : (double)(sp_calls->run_now(sp_session.run) + sp_kernel.ns) /
                     1000;
}

/* Of the simulated clock, which begins with the session. */
double starpu_timing_get_reference(void)
{
    return 0;
}

void starpu_get_version(int *major, int *minor, int *release)
{
    *release = STARPU_RELEASE_VERSION;
    *major = STARPU_MAJOR_VERSION;
    *minor = STARPU_MINOR_VERSION;
}

int starpu_get_pu_os_index(unsigned logical_index)
{
    return (int)logical_index;
}

/* Memory is not bound to a part of the machine. */
long starpu_get_memory_location_bitmap(void *ptr, size_t size)
{
    (void)ptr;
    (void)size;
    return -1;
}

void starpu_display_bindings(void)
{
}
