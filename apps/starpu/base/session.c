/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/session.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/threads.h"

struct sp_session sp_session;

void sp_session_count_workers(void)
{
    struct sp_session *session = &sp_session;
    session->workers = sp_calls->run_workers(session->run);
    session->gpus = 0;
    for (unsigned w = 0; w < session->workers; w++)
        if (sp_calls->run_worker_class(session->run, w) == ORR_WHERE_GPU)
            session->gpus++;
    session->cpus = session->workers - session->gpus;
    session->nodes = session->gpus + 1;
}

void sp_need_session(const char *call)
{
    if (G_UNLIKELY(!sp_session.run))
        sp_fail(call, "starpu_init() was not called, or failed");
    if (G_UNLIKELY(!sp_thread_self()))
        sp_fail(call, "called in a thread that starpu_pthread_create() has not "
                      "made since starpu_init() (docs/STARPU.md#threads)");
}
