/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the models expect of a task, for the program. */
#include "apps/starpu/base/policy.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/codelet/codelet.h"
#include "apps/starpu/data/handle.h"
#include "apps/starpu/model/arch.h"
#include "apps/starpu/model/cost.h"
#include "apps/starpu/model/model.h"

#include <starpu_scheduler.h>

#include <math.h>

enum { US = 1000 }; /* ns */

static double length_on(struct starpu_task *task, int worker, unsigned nimpl,
                        const char *call)
{
    sp_need_session(call);
    sp_task_need(task, call);
    if (!task->cl || sp_task_where(task) == STARPU_NOWHERE)
        return 0;
    if (!task->cl->model)
        return 0; /* as in StarPU */
    if (worker < 0)
        return NAN;
    const struct orr_task *ready = sp_policy_asks(task);
    if (ready) {
        orr_time length = orr_sched_implementation_duration(
            sp_policy.sched, ready, (unsigned)worker, nimpl);
        return length == ORR_NEVER ? NAN : (double)length / US;
    }
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT};
    sp_model_fill(task, &spec, call);
    int64_t ns = sp_calls->task_expected_ns(sp_session.run, &spec,
                                            (unsigned)worker, nimpl);
    return ns < 0 ? NAN : (double)ns / US;
}

double starpu_task_expected_length(struct starpu_task *task,
                                   struct starpu_perfmodel_arch *arch,
                                   unsigned nimpl)
{
    return length_on(task, sp_worker_of_arch(arch), nimpl,
                     "starpu_task_expected_length()");
}

double starpu_task_worker_expected_length(struct starpu_task *task,
                                          unsigned workerid,
                                          unsigned sched_ctx_id, unsigned nimpl)
{
    (void)sched_ctx_id;
    return length_on(task, (int)workerid, nimpl,
                     "starpu_task_worker_expected_length()");
}

/* The harmonic mean over workers, each by its fastest implementation. */
double starpu_task_expected_length_average(struct starpu_task *task,
                                           unsigned sched_ctx_id)
{
    (void)sched_ctx_id;
    sp_task_need(task, "starpu_task_expected_length_average()");
    double inverse = 0;
    unsigned count = 0;
    for (unsigned w = 0; w < sp_session.workers; w++) {
        double best = INFINITY;
        for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++) {
            if (!task->cl || !sp_task_can_execute(task, w, i))
                continue;
            best = fmin(best, length_on(task, (int)w, i,
                                        "starpu_task_expected_length_average"
                                        "()"));
        }
        if (isfinite(best)) {
            inverse += 1 / best;
            count++;
        }
    }
    return count ? count / inverse : 0;
}

double starpu_data_expected_transfer_time(starpu_data_handle_t handle,
                                          unsigned memory_node,
                                          enum starpu_data_access_mode mode)
{
    static const char call[] = "starpu_data_expected_transfer_time()";
    sp_need_session(call);
    if (mode & (STARPU_SCRATCH | STARPU_REDUX) || !(mode & STARPU_R))
        return 0;
    return (double)sp_calls->data_expected_transfer_ns(
               sp_session.run, sp_handle_data(handle, call), memory_node) /
           US;
}

double starpu_task_expected_data_transfer_time(unsigned memory_node,
                                               struct starpu_task *task)
{
    static const char call[] = "starpu_task_expected_data_transfer_time()";
    sp_need_session(call);
    sp_task_need(task, call);
    const struct orr_task *ready = sp_policy_asks(task);
    if (ready)
        return (double)orr_sched_transfer(sp_policy.sched, ready, memory_node) /
               US;
    double sum = 0;
    for (unsigned i = 0; task->cl && i < sp_task_buffers(task); i++)
        sum += starpu_data_expected_transfer_time(
            sp_task_handle(task, i), memory_node, sp_task_mode(task, i));
    return sum;
}

double starpu_task_expected_data_transfer_time_for(struct starpu_task *task,
                                                   unsigned worker)
{
    sp_need_session("starpu_task_expected_data_transfer_time_for()");
    return starpu_task_expected_data_transfer_time(
        sp_calls->run_worker_node(sp_session.run, worker), task);
}

/* Data have one format. */
double starpu_task_expected_conversion_time(struct starpu_task *task,
                                            struct starpu_perfmodel_arch *arch,
                                            unsigned nimpl)
{
    (void)task;
    (void)arch;
    (void)nimpl;
    return 0;
}

/* In joules, as functions of the energy model give it; 0 without a model. */
static double energy_on(struct starpu_task *task, int worker, unsigned nimpl)
{
    if (!task->cl || sp_task_where(task) == STARPU_NOWHERE ||
        !task->cl->energy_model)
        return 0;
    if (worker < 0)
        return NAN;
    return sp_cost_us(task, task->cl->energy_model,
                      sp_arch_of_worker((unsigned)worker), (unsigned)worker,
                      nimpl);
}

double starpu_task_expected_energy(struct starpu_task *task,
                                   struct starpu_perfmodel_arch *arch,
                                   unsigned nimpl)
{
    sp_need_session("starpu_task_expected_energy()");
    sp_task_need(task, "starpu_task_expected_energy()");
    return energy_on(task, sp_worker_of_arch(arch), nimpl);
}

double starpu_task_worker_expected_energy(struct starpu_task *task,
                                          unsigned workerid,
                                          unsigned sched_ctx_id, unsigned nimpl)
{
    (void)sched_ctx_id;
    sp_need_session("starpu_task_worker_expected_energy()");
    sp_task_need(task, "starpu_task_worker_expected_energy()");
    return energy_on(task, (int)workerid, nimpl);
}
