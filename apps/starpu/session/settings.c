/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/session/settings.h"

#include "apps/starpu/base/calls.h"
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/sampling.h"
#include "apps/starpu/policy/adapter.h"
#include "apps/starpu/session/policies.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The value of each variable, and a unit behind it, is the value of an option.
 */
static const struct {
    const char *variable, *option, *unit;
} settings[] = {
    {"STARPU_SCHED_ALPHA", "alpha", ""},
    {"STARPU_SCHED_BETA", "beta", ""},
    {"STARPU_SCHED_GAMMA", "gamma", ""},
    {"STARPU_IDLE_POWER", "idle-power", ""},
    {"STARPU_LIMIT_CUDA_MEM", "gpu-memory", "MiB"},
};

/* Variables that change results in StarPU, and change nothing here. */
static const char *const unheeded[] = {
    "STARPU_AUTOHETEROPRIO_FREEZE_GATHERING",
    "STARPU_AUTOHETEROPRIO_ORDERING_INTERVAL",
    "STARPU_AUTOHETEROPRIO_PRIORITY_ORDERING_POLICY",
    "STARPU_AUTOHETEROPRIO_TIME_ESTIMATION_POLICY",
    "STARPU_CPU_PIPELINE",
    "STARPU_CUDA_THREAD_PER_DEV",
    "STARPU_CUDA_THREAD_PER_WORKER",
    "STARPU_DISABLE_ASYNCHRONOUS_COPY",
    "STARPU_DISABLE_ASYNCHRONOUS_CUDA_COPY",
    "STARPU_DISABLE_PINNING",
    "STARPU_ENABLE_CUDA_GPU_GPU_DIRECT",
    "STARPU_FORCE_MODEL",
    "STARPU_HETEROPRIO_CODELET_GROUPING_STRATEGY",
    "STARPU_HETEROPRIO_USE_LA",
    "STARPU_LIMIT_CPU_MEM",
    "STARPU_MAX_PRIO",
    "STARPU_MINIMUM_AVAILABLE_MEM",
    "STARPU_MINIMUM_CLEAN_BUFFERS",
    "STARPU_MIN_PRIO",
    "STARPU_NHIP",
    "STARPU_NTHREADS_PER_CORE",
    "STARPU_NWORKER_PER_CUDA",
    "STARPU_PREFETCH",
    "STARPU_SIMGRID_CUDA_MALLOC_COST",
    "STARPU_SIMGRID_CUDA_QUEUE_COST",
    "STARPU_SIMGRID_FETCHING_INPUT_COST",
    "STARPU_SIMGRID_SCHED_COST",
    "STARPU_SIMGRID_TASK_SUBMIT_COST",
    "STARPU_SIMGRID_TRANSFER_COST",
    "STARPU_TARGET_AVAILABLE_MEM",
    "STARPU_TARGET_CLEAN_BUFFERS",
    "STARPU_WORKERS_CUDAID",
};

static void warn_of_unheeded(void)
{
    static bool warned[G_N_ELEMENTS(unheeded)];
    for (size_t i = 0; i < G_N_ELEMENTS(unheeded); i++) {
        if (warned[i] || !getenv(unheeded[i]))
            continue;
        warned[i] = true;
        sp_warn("%s is set, which changes results of StarPU, not of Orrery",
                unheeded[i]);
    }
}

int sp_number_of(const char *variable)
{
    const char *text = getenv(variable);
    if (!text || !*text)
        return -1;
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (errno != 0 || *end || number < INT_MIN || number > INT_MAX)
        sp_fail("starpu_init()", "%s=%s is not a whole number", variable, text);
    return (int)number;
}

int starpu_conf_init(struct starpu_conf *conf)
{
    if (!conf)
        return -EINVAL;
    *conf = (struct starpu_conf){.magic = 42,
                                 .sched_policy_name = getenv("STARPU_SCHED")};
    conf->global_sched_ctx_min_priority = sp_number_of("STARPU_MIN_PRIO");
    conf->global_sched_ctx_max_priority = sp_number_of("STARPU_MAX_PRIO");
    conf->catch_signals = 1;
    conf->ncpus = sp_number_of("STARPU_NCPU");
    if (conf->ncpus < 0)
        conf->ncpus = sp_number_of("STARPU_NCPUS");
    conf->reserve_ncpus = sp_number_of("STARPU_RESERVE_NCPU");
    conf->ncuda = sp_number_of("STARPU_NCUDA");
    conf->nhip = conf->nsycl = conf->nopencl = conf->nmax_fpga = -1;
    conf->nmpi_sc = conf->ntcpip_sc = -1;
    conf->nmic = conf->nmpi_ms = conf->ntcpip_ms = -1;
    return 0;
}

int starpu_conf_noworker(struct starpu_conf *conf)
{
    if (!conf)
        return -EINVAL;
    conf->ncpus = conf->ncuda = conf->nhip = conf->nsycl = conf->nopencl = 0;
    conf->nmax_fpga = conf->nmpi_sc = conf->ntcpip_sc = 0;
    conf->nmic = conf->nmpi_ms = conf->ntcpip_ms = 0;
    return 0;
}

/* A number of workers: of the environment, or else of the program, or the
 * other way round if the program wants that. */
static bool set_workers(struct orr_config *config, const char *option,
                        int of_environment, int of_program, bool program_first,
                        GError **error)
{
    int first = program_first ? of_program : of_environment;
    int n = first >= 0 ? first : program_first ? of_environment : of_program;
    if (n < 0)
        return true;
    g_autofree char *text = g_strdup_printf("%d", n);
    return orr_config_set(config, option, text, error);
}

/* Calibrations of the user come first, then platforms of Orrery. Below a
 * command that needs no name, as the command has a machine. */
static bool set_platform(struct orr_config *config, GError **error)
{
    if (!sp_sampling_is_used())
        return (!sp_sampling_names_host() && sp_calls != &sp_direct_calls) ||
               orr_config_set(config, "platform", sp_sampling_host(), error);
    g_autofree char *folder = sp_sampling_folder();
    g_autofree char *value =
        g_strdup_printf("starpu:%s:%s", folder, sp_sampling_host());
    return orr_config_set(config, "platform", value, error);
}

/* Below a command, which loads the library itself. */
static bool set_policy_of_command(struct orr_config *config,
                                  const struct starpu_conf *conf,
                                  const char *name, GError **error)
{
    if (conf->sched_policy)
        sp_fail("starpu_conf.sched_policy",
                "below a command of `orrery`, put the policy into a library: "
                "STARPU_SCHED_LIB (docs/STARPU.md#policies)");
    g_autofree char *path =
        g_canonicalize_filename(getenv("STARPU_SCHED_LIB"), NULL);
    g_autofree char *value = g_strdup_printf("starpu:%s:%s", path, name);
    return orr_config_set(config, "sched", value, error);
}

/* A policy that the program brings is none of an option. */
static bool set_policy(struct orr_config *config,
                       const struct starpu_conf *conf, GError **error)
{
    const char *of_environment = getenv("STARPU_SCHED");
    const char *name = conf->sched_policy ? sp_policy_name(conf->sched_policy)
                                          : conf->sched_policy_name;
    if (of_environment && !conf->sched_policy &&
        (!name || !conf->precedence_over_environment_variables))
        name = of_environment;
    const struct starpu_sched_policy *own = sp_policy_of_program(conf, name);
    if (!own && name && g_str_has_prefix(name, "heft")) {
        sp_warn("policy %s is now called dmda", name);
        name = "dmda";
    }
    if (!own)
        return orr_config_set(config, "sched", name ? name : "lws", error);
    if (sp_calls != &sp_direct_calls)
        return set_policy_of_command(config, conf, name, error);
    const struct orr_sched_ops *table = sp_policy_table(own, error);
    orr_config_set_policy(config, table);
    return table != NULL;
}

/* Dates as StarPU over SimGrid has them, if the library can. */
static bool set_model(struct orr_config *config, GError **error)
{
    return strstr(orr_version(), "no-lockstep") ||
           orr_config_set(config, "model", "quirks=exact", error);
}

/* Limits of submitted tasks. */
static bool set_window(struct orr_config *config, GError **error)
{
    int least = sp_number_of("STARPU_LIMIT_MIN_SUBMITTED_TASKS");
    int most = sp_number_of("STARPU_LIMIT_MAX_SUBMITTED_TASKS");
    if (least < 0 || most < 0)
        return true;
    g_autofree char *value = g_strdup_printf("%d:%d", MIN(least, most), most);
    return orr_config_set(config, "window", value, error);
}

/* How many tasks a GPU worker holds: as in StarPU, at most 4. */
static bool set_pipeline(struct orr_config *config, GError **error)
{
    enum { MOST = 4 };
    int depth = sp_number_of("STARPU_CUDA_PIPELINE");
    if (depth < 0)
        return true;
    if (depth > MOST)
        sp_warn("STARPU_CUDA_PIPELINE is %d, but the most is %d", depth, MOST);
    g_autofree char *value = g_strdup_printf("%d", MIN(depth, MOST));
    return orr_config_set(config, "pipeline", value, error);
}

static bool set_values(struct orr_config *config, GError **error)
{
    for (size_t i = 0; i < G_N_ELEMENTS(settings); i++) {
        const char *text = getenv(settings[i].variable);
        if (!text || !*text)
            continue;
        g_autofree char *value = g_strconcat(text, settings[i].unit, NULL);
        if (orr_config_set(config, settings[i].option, value, error))
            continue;
        g_prefix_error(error, "%s: ", settings[i].variable);
        return false;
    }
    return true;
}

int sp_settings_reserved_cpus(const struct starpu_conf *conf)
{
    int of_environment = sp_number_of("STARPU_RESERVE_NCPU");
    int of_program = conf ? conf->reserve_ncpus : -1;
    bool program_first = of_environment < 0 ||
                         (conf && conf->precedence_over_environment_variables);
    return program_first && of_program >= 0 ? of_program : of_environment;
}

struct orr_config *sp_settings_new(const struct starpu_conf *conf,
                                   GError **error)
{
    struct starpu_conf by_default;
    if (!conf) {
        starpu_conf_init(&by_default);
        conf = &by_default;
    }
    warn_of_unheeded();
    struct orr_config *config = orr_config_new();
    bool first = conf->precedence_over_environment_variables;
    int cpus = sp_number_of("STARPU_NCPU");
    if (cpus < 0)
        cpus = sp_number_of("STARPU_NCPUS");
    if (set_platform(config, error) && set_policy(config, conf, error) &&
        set_workers(config, "cpus", cpus, conf->ncpus, first, error) &&
        set_workers(config, "gpus", sp_number_of("STARPU_NCUDA"), conf->ncuda,
                    first, error) &&
        set_model(config, error) && set_window(config, error) &&
        set_pipeline(config, error) && set_values(config, error))
        return config;
    orr_config_free(config);
    return NULL;
}
