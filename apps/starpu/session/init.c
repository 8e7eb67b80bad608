/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/sampling.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/base/threads.h"
#include "apps/starpu/data/handle.h"
#include "apps/starpu/model/measure.h"
#include "apps/starpu/model/model.h"
#include "apps/starpu/model/source.h"
#include "apps/starpu/remote/client.h"
#include "apps/starpu/session/buckets.h"
#include "apps/starpu/session/policies.h"
#include "apps/starpu/session/settings.h"
#include "apps/starpu/task/tasks.h"

#include <starpu.h>

#include <stdlib.h>

/* Several threads may call starpu_init() at once. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned init_count; /* starpu_init() without starpu_shutdown() */
static unsigned pauses;     /* starpu_pause() without starpu_resume() */

static void check_conf(const struct starpu_conf *conf, const char *call)
{
    if (!conf)
        return;
    if (conf->magic != 42)
        sp_fail(call, "the configuration was not made by starpu_conf_init()");
}

/* Begins the run again without the CPUs that the program reserves for itself,
 * unless it says how many workers it wants. */
static void reserve_cpus(struct sp_session *session, struct orr_config *config,
                         const struct starpu_conf *user_conf, GError **error)
{
    int reserved = sp_settings_reserved_cpus(user_conf);
    if (reserved <= 0 || orr_config_get(config, "cpus"))
        return;
    if (sp_calls != &sp_direct_calls) {
        sp_warn("%d reserved CPUs are workers here: give the command --cpus",
                reserved);
        return;
    }
    sp_session_count_workers();
    g_autofree char *cpus =
        g_strdup_printf("%d", MAX((int)session->cpus - reserved, 0));
    sp_calls->run_free(session->run);
    session->run = orr_config_set(config, "cpus", cpus, error)
                       ? sp_calls->run_new(config, error)
                       : NULL;
}

/* The program gets no more GPUs than the machine has. Below a command, that
 * sees to it. */
static void limit_gpus(struct orr_config *config, GError **error)
{
    const char *asked = orr_config_get(config, "gpus");
    unsigned wanted = asked ? (unsigned)g_ascii_strtoull(asked, NULL, 10) : 0;
    struct orr_config *all =
        wanted > 0 && sp_calls == &sp_direct_calls ? orr_config_new() : NULL;
    struct orr_run *run =
        all && orr_config_set(all, "platform",
                              orr_config_get(config, "platform"), error)
            ? sp_calls->run_new(all, error)
            : NULL;
    unsigned gpus = 0;

    orr_config_free(all);
    if (!run)
        return;
    for (unsigned w = 0; w < sp_calls->run_workers(run); w++)
        gpus += sp_calls->run_worker_class(run, w) == ORR_WHERE_GPU;
    sp_calls->run_free(run);
    if (gpus < wanted) {
        g_autofree char *text = g_strdup_printf("%u", gpus);
        sp_warn("%u GPUs are asked for; the machine has %u", wanted, gpus);
        orr_config_set(config, "gpus", text, error);
    }
}

static int begin(const struct starpu_conf *user_conf)
{
    static const char call[] = "starpu_init()";
    if (init_count++)
        return 0;
    check_conf(user_conf, call);
    sp_remote_begin(call);
    GError *error = NULL;
    struct orr_config *config = sp_settings_new(user_conf, &error);
    if (config)
        limit_gpus(config, &error);
    if (error)
        sp_fail_error(call, error);
    if (!g_strcmp0(orr_config_get(config, "cpus"), "0") &&
        !g_strcmp0(orr_config_get(config, "gpus"), "0")) {
        orr_config_free(config);
        init_count = 0;
        return -ENODEV;
    }
    struct sp_session *session = &sp_session;
    session->begins = true;
    sp_threads_begin();
    session->run = sp_calls->run_new(config, &error);
    if (session->run)
        reserve_cpus(session, config, user_conf, &error);
    orr_config_free(config);
    if (!session->run)
        sp_fail(call, "%s%s", error->message,
                sp_sampling_names_host() ||
                        !g_str_has_prefix(error->message, "no platform ")
                    ? ""
                    : " (STARPU_HOSTNAME chooses the machine)");
    session->begins = false;
    sp_calls->run_wake(session->run);
    sp_calls->run_set_switch(session->run, sp_give_control, NULL);
    sp_session_count_workers();
    session->max_priority = sp_calls->run_max_priority(session->run);
    int least = sp_number_of("STARPU_LIMIT_MIN_SUBMITTED_TASKS");
    int most = sp_number_of("STARPU_LIMIT_MAX_SUBMITTED_TASKS");
    sp_limits_begin(least, most);
    const char *execute = getenv("ORRERY_STARPU_EXECUTE");
    session->execute = execute && *execute && strcmp(execute, "0") != 0;
    sp_sources_begin();
    sp_measures_begin();
    sp_buckets_begin(user_conf);
    return 0;
}

int starpu_initialize(struct starpu_conf *user_conf, int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    pthread_mutex_lock(&lock);
    int status = begin(user_conf);
    pthread_mutex_unlock(&lock);
    return status;
}

int starpu_init(struct starpu_conf *conf)
{
    return starpu_initialize(conf, NULL, NULL);
}

int starpu_is_initialized(void)
{
    return sp_session.run != NULL;
}

void starpu_wait_initialized(void)
{
}

void starpu_pause(void)
{
    sp_need_session("starpu_pause()");
    pauses++;
    sp_calls->run_pause(sp_session.run);
}

void starpu_resume(void)
{
    static const char call[] = "starpu_resume()";
    sp_need_session(call);
    if (!pauses)
        sp_fail(call, "the workers are not paused");
    pauses--;
    sp_calls->run_resume(sp_session.run);
}

int starpu_is_paused(void)
{
    return pauses > 0;
}

void starpu_shutdown(void)
{
    static const char call[] = "starpu_shutdown()";
    if (!init_count)
        sp_fail(call, "starpu_init() was not called as often");
    if (--init_count)
        return;
    if (pauses)
        sp_fail(call, "the workers are paused");
    sp_threads_adopt();
    GError *error = NULL;
    if (!sp_calls->run_wait(sp_session.run, &error))
        sp_fail_error(call, error);
    sp_threads_end(call);
    sp_tasks_end();
    sp_models_end();
    sp_handles_end();
    sp_calls->run_free(sp_session.run);
    sp_session = (struct sp_session){0};
}

/* Copies never block the programs, as in StarPU without such options. */
#define DISABLED(function)                                                     \
    int function(void)                                                         \
    {                                                                          \
        return 0;                                                              \
    }
DISABLED(starpu_asynchronous_copy_disabled)
DISABLED(starpu_asynchronous_cuda_copy_disabled)
DISABLED(starpu_asynchronous_hip_copy_disabled)
DISABLED(starpu_asynchronous_sycl_copy_disabled)
DISABLED(starpu_asynchronous_opencl_copy_disabled)
DISABLED(starpu_asynchronous_max_fpga_copy_disabled)
DISABLED(starpu_asynchronous_mpi_sc_copy_disabled)
DISABLED(starpu_asynchronous_tcpip_sc_copy_disabled)
DISABLED(starpu_asynchronous_mic_copy_disabled)
DISABLED(starpu_asynchronous_mpi_ms_copy_disabled)
DISABLED(starpu_asynchronous_tcpip_ms_copy_disabled)
DISABLED(starpu_map_enabled)

int starpu_asynchronous_copy_disabled_for(enum starpu_node_kind kind)
{
    (void)kind;
    return 0;
}

void starpu_topology_print(FILE *f)
{
    sp_need_session("starpu_topology_print()");
    fprintf(f, "%u CPUs, %u GPUs\n", sp_session.cpus, sp_session.gpus);
}

void starpu_display_stats(void)
{
}

/* Threads of the program are bound to nothing. */

/* Cores are numbered behind the workers. Active threads have one each, all
 * others share one. */
unsigned starpu_get_next_bindid(unsigned flags, unsigned *preferred,
                                unsigned npreferred)
{
    static unsigned active, shared;
    if (npreferred)
        return preferred[0];
    if (!(flags & STARPU_THREAD_ACTIVE) && shared)
        return shared;
    unsigned core = sp_session.workers + active++;
    if (!(flags & STARPU_THREAD_ACTIVE))
        shared = core;
    return core;
}

int starpu_bind_thread_on(int cpuid, unsigned flags, const char *name)
{
    (void)cpuid;
    (void)flags;
    (void)name;
    return 0;
}

void starpu_bind_thread_on_worker(unsigned workerid)
{
    (void)workerid;
}

void starpu_bind_thread_on_main(void)
{
}

void starpu_bind_thread_on_cpu(int cpuid)
{
    (void)cpuid;
}

int starpu_cpu_os_index(int cpuid)
{
    return cpuid;
}
