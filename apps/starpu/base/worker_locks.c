/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The locks of workers, and waking them. In functions of a policy they are the
 * ones of sched/sched.h. Elsewhere one thing happens at a time, and no lock is
 * needed.
 */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/policy.h"
#include "apps/starpu/base/session.h"

#include <errno.h>
#include <starpu_scheduler.h>
#include <starpu_worker.h>

/* Whether a function of the policy calls @call for @worker, which must exist.
 */
static bool acts_on(int worker, const char *call)
{
    sp_need_session(call);
    if (worker < 0 || (unsigned)worker >= sp_session.workers)
        sp_fail(call, "there is no worker %d: the last one is %d", worker,
                (int)sp_session.workers - 1);
    return sp_policy_calls();
}

int starpu_worker_sched_op_pending(void)
{
    return sp_policy_calls() && sp_policy_caller() >= 0;
}

void starpu_worker_relax_on(void)
{
    if (sp_policy_calls())
        orr_sched_relax(sp_policy.sched, true);
}

void starpu_worker_relax_off(void)
{
    if (sp_policy_calls())
        orr_sched_relax(sp_policy.sched, false);
}

int starpu_worker_get_relax_state(void)
{
    return !sp_policy_calls() || sp_policy_caller() < 0 ||
           orr_sched_is_relaxed(sp_policy.sched);
}

void starpu_worker_lock(int worker)
{
    if (acts_on(worker, "starpu_worker_lock()"))
        orr_sched_lock_worker(sp_policy.sched, (unsigned)worker);
}

int starpu_worker_trylock(int worker)
{
    return !acts_on(worker, "starpu_worker_trylock()") ||
                   orr_sched_try_lock_worker(sp_policy.sched, (unsigned)worker)
               ? 0
               : EBUSY;
}

void starpu_worker_unlock(int worker)
{
    if (acts_on(worker, "starpu_worker_unlock()"))
        orr_sched_unlock_worker(sp_policy.sched, (unsigned)worker);
}

void starpu_worker_lock_self(void)
{
    starpu_worker_lock((int)starpu_worker_get_id_check());
}

void starpu_worker_unlock_self(void)
{
    starpu_worker_unlock((int)starpu_worker_get_id_check());
}

/* ---- waking ---- */

int starpu_wake_worker_locked(int worker)
{
    return acts_on(worker, "starpu_wake_worker_locked()") &&
           orr_sched_wake_locked(sp_policy.sched, (unsigned)worker);
}

int starpu_wake_worker_relax_light(int worker)
{
    return acts_on(worker, "starpu_wake_worker_relax_light()") &&
           orr_sched_wake(sp_policy.sched, (unsigned)worker);
}

int starpu_wake_worker_relax(int worker)
{
    starpu_worker_lock(worker);
    int woken = starpu_wake_worker_locked(worker);
    starpu_worker_unlock(worker);
    return woken;
}

int starpu_wake_worker_no_relax(int worker)
{
    return starpu_wake_worker_relax(worker);
}
