/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/session.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/policy.h"
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

/* Beginnings of the calls that simulate, or change what is simulated; a
 * function of a policy is in the middle of that. */
static const char *const not_in_policy[] = {
    "starpu_data_acquire",    "starpu_data_partition_",
    "starpu_data_release",    "starpu_data_unpartition_",
    "starpu_data_unregister", "starpu_do_schedule",
    "starpu_pause",           "starpu_resume",
    "starpu_shutdown",        "starpu_tag_wait",
    "starpu_task_submit",     "starpu_task_wait",
};

static void check_policy(const char *call)
{
    for (size_t i = 0; i < G_N_ELEMENTS(not_in_policy); i++)
        if (g_str_has_prefix(call, not_in_policy[i]))
            sp_fail(call, "a function of a policy cannot call it");
}

void sp_need_session(const char *call)
{
    if (G_UNLIKELY(sp_policy.sched && sp_policy_calls()))
        check_policy(call);
    if (G_UNLIKELY(!sp_session.run))
        sp_fail(call, "starpu_init() was not called, or failed");
    if (G_UNLIKELY(!sp_thread_self() && !sp_policy_calls()))
        sp_fail(call, "called in a thread that starpu_pthread_create() has not "
                      "made since starpu_init() (docs/STARPU.md#threads)");
}
