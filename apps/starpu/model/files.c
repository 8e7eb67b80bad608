/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of models. The run reads them; these functions find them. */
#include "apps/starpu/base/sampling.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/model/arch.h"

#include <starpu_perfmodel.h>

#include <math.h>
#include <stdio.h>

/* The folder with models of StarPU's present version. */
static char *codelets_folder(void)
{
    g_autofree char *folder = sp_sampling_folder();
    return g_strdup_printf("%s/codelets/45/", folder);
}

void starpu_perfmodel_get_model_path(const char *symbol, char *path,
                                     size_t maxlen)
{
    g_autofree char *folder = codelets_folder();
    g_autofree char *of_host =
        g_strdup_printf("%s%s.%s", folder, symbol, sp_sampling_host());
    g_autofree char *of_all = g_strconcat(folder, symbol, NULL);
    const char *found = "";
    if (g_file_test(of_host, G_FILE_TEST_EXISTS))
        found = of_host;
    else if (g_file_test(of_all, G_FILE_TEST_EXISTS))
        found = of_all;
    g_strlcpy(path, found, maxlen);
}

int starpu_perfmodel_load_file(const char *filename,
                               struct starpu_perfmodel *model)
{
    if (!g_file_test(filename, G_FILE_TEST_EXISTS))
        return 1;
    starpu_perfmodel_init(model);
    model->is_loaded = 1;
    return 0;
}

int starpu_perfmodel_load_symbol(const char *symbol,
                                 struct starpu_perfmodel *model)
{
    char path[4096];
    starpu_perfmodel_get_model_path(symbol, path, sizeof(path));
    if (starpu_perfmodel_load_file(path, model) != 0) {
        fprintf(stderr, "There is no performance model for symbol %s\n",
                symbol);
        return 1;
    }
    model->symbol = g_intern_string(symbol);
    return 0;
}

int starpu_perfmodel_unload_model(struct starpu_perfmodel *model)
{
    model->symbol = NULL;
    return starpu_perfmodel_deinit(model);
}

void starpu_perfmodel_directory(FILE *output)
{
    g_autofree char *folder = codelets_folder();
    fprintf(output, "directory: <%s>\n", folder);
}

static int compare_names(gconstpointer a, gconstpointer b)
{
    return g_strcmp0(*(const char *const *)a, *(const char *const *)b);
}

int starpu_perfmodel_list(FILE *output)
{
    g_autofree char *folder = codelets_folder();
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    if (!dir)
        return 0;
    while ((name = g_dir_read_name(dir)))
        g_ptr_array_add(names, g_strdup(name));
    g_ptr_array_sort(names, compare_names);
    fprintf(output, "codelet directory: <%s>\n", folder);
    for (guint i = 0; i < names->len; i++)
        fprintf(output, "file: <%s>\n", (const char *)names->pdata[i]);
    return 0;
}

double
starpu_perfmodel_history_based_expected_perf(struct starpu_perfmodel *model,
                                             struct starpu_perfmodel_arch *arch,
                                             uint32_t footprint)
{
    int worker = sp_worker_of_arch(arch);
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT};
    sp_need_session("starpu_perfmodel_history_based_expected_perf()");
    spec.kernel = sp_calls->kernel_find_footprint(sp_session.run, model->symbol,
                                                  footprint, NULL);
    if (worker < 0 || !spec.kernel)
        return NAN;
    int64_t ns =
        sp_calls->task_expected_ns(sp_session.run, &spec, (unsigned)worker, 0);
    return ns < 0 ? NAN : (double)ns / 1000;
}

/* StarPU has this name, too. */
double
starpu_permodel_history_based_expected_perf(struct starpu_perfmodel *model,
                                            struct starpu_perfmodel_arch *arch,
                                            uint32_t footprint)
{
    return starpu_perfmodel_history_based_expected_perf(model, arch, footprint);
}

/* A simulation measures nothing, so models stay as they are. */

void starpu_perfmodel_initialize(void)
{
}

void starpu_perfmodel_free_sampling(void)
{
}

void starpu_perfmodel_free_sampling_directories(void)
{
}

void starpu_save_history_based_model(struct starpu_perfmodel *model)
{
    (void)model;
}

void starpu_perfmodel_update_history(struct starpu_perfmodel *model,
                                     struct starpu_task *task,
                                     struct starpu_perfmodel_arch *arch,
                                     unsigned cpuid, unsigned nimpl,
                                     double measured)
{
    starpu_perfmodel_update_history_n(model, task, arch, cpuid, nimpl, measured,
                                      1);
}

void starpu_perfmodel_update_history_n(struct starpu_perfmodel *model,
                                       struct starpu_task *task,
                                       struct starpu_perfmodel_arch *arch,
                                       unsigned cpuid, unsigned nimpl,
                                       double average_measured, unsigned number)
{
    (void)model;
    (void)task;
    (void)arch;
    (void)cpuid;
    (void)nimpl;
    (void)average_measured;
    (void)number;
}

int starpu_energy_start(int workerid, enum starpu_worker_archtype archi)
{
    (void)workerid;
    (void)archi;
    return -1;
}

int starpu_energy_stop(struct starpu_perfmodel *model, struct starpu_task *task,
                       unsigned nimpl, unsigned ntasks, int workerid,
                       enum starpu_worker_archtype archi)
{
    (void)model;
    (void)task;
    (void)nimpl;
    (void)ntasks;
    (void)workerid;
    (void)archi;
    return -1;
}
