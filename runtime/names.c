/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names of enumerators in reports and traces. */
#include "runtime/orrery.h"
#include "runtime/orrery_trace.h"

static const char *name_of(const char *const *names, size_t count, size_t i)
{
    return i < count ? names[i] : NULL;
}

const char *orr_times_source_name(enum orr_times_source source)
{
    static const char *const names[] = {
        [ORR_TIMES_GIVEN] = "given",
        [ORR_TIMES_FLOPS] = "flops",
        [ORR_TIMES_RECORDED] = "recorded",
        [ORR_TIMES_NONE] = "none",
    };

    G_STATIC_ASSERT(G_N_ELEMENTS(names) == ORR_TIMES_SOURCES);
    return name_of(names, G_N_ELEMENTS(names), source);
}

const char *orr_access_mode_name(enum orr_access_mode mode)
{
    static const char *const names[] = {
        [ORR_R] = "R",     [ORR_W] = "W",
        [ORR_RW] = "RW",   [ORR_RW | ORR_COMMUTE] = "RWC",
        [ORR_REDUX] = "X",
    };

    return name_of(names, G_N_ELEMENTS(names), mode);
}

const char *orr_trace_step_kind_name(enum orr_trace_step_kind kind)
{
    static const char *const names[] = {
        [ORR_TRACE_CALLS] = "calls",
        [ORR_TRACE_RETURNS] = "returns",
        [ORR_TRACE_OPERATES] = "operates",
        [ORR_TRACE_ACQUIRES] = "acquires",
        [ORR_TRACE_RELEASES] = "releases",
        [ORR_TRACE_WAITS] = "waits",
        [ORR_TRACE_HOLDS_BACK] = "holds-back",
        [ORR_TRACE_GOES_ON] = "continues",
    };

    return name_of(names, G_N_ELEMENTS(names), kind);
}
