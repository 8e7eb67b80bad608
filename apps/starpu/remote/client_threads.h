/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CLIENT_THREADS_H
#define ORR_CLIENT_THREADS_H

#include <orrery.h>

/* The calls about threads, each name without orr_. */
#define SP_REMOTE_THREAD_CALLS(CALL)                                           \
    CALL(run_park)                                                             \
    CALL(run_set_switch)                                                       \
    CALL(run_thread_end)                                                       \
    CALL(run_thread_new)                                                       \
    CALL(run_unpark)

#define SP_REMOTE_DECLARE(name) __typeof__(orr_##name) sp_remote_##name;
SP_REMOTE_THREAD_CALLS(SP_REMOTE_DECLARE)
#undef SP_REMOTE_DECLARE

#endif
