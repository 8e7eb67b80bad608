/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/codelet/codelet.h"
#include "apps/starpu/data/handle.h"
#include "apps/starpu/model/bound.h"
#include "apps/starpu/model/cost.h"
#include "apps/starpu/model/formula.h"
#include "apps/starpu/model/measure.h"
#include "apps/starpu/model/model.h"
#include "apps/starpu/model/source.h"

#include <starpu_hash.h>
#include <starpu_scheduler.h>
#include <starpu_task_util.h>

#include <string.h>

/* A model by the history of its symbol finds the kernel of a task by a hash of
 * the data, one by a formula also by size or terms; one by functions has one
 * kernel, with costs task by task. */
struct known {
    const struct starpu_codelet *codelet;
    const char *symbol;
    uint32_t footprint;
    enum orr_where where;
    struct sp_formula formula; /* its terms are owned */
    char *uncalibrated; /* why the platform has no times, owned; its tasks bring
                           times of sp_source_times(). NULL: it has */
    struct orr_kernel *kernel;
};

static GHashTable *known_kernels; /* struct known, owned */

/* Kernels of the platform that were asked for, to the class of workers that may
 * run them (GINT_TO_POINTER()): as the first codelet that needs them has it. */
static GHashTable *classes;

static guint hash_known(gconstpointer key)
{
    const struct known *known = key;
    return known->footprint ^ (guint)((uintptr_t)known->codelet >> 4) ^
           sp_formula_hash(&known->formula);
}

static void free_known(gpointer data)
{
    struct known *known = data;
    g_free((double *)known->formula.terms);
    g_free(known->uncalibrated);
    g_free(known);
}

static gboolean equal_known(gconstpointer a, gconstpointer b)
{
    const struct known *first = a, *second = b;
    return first->footprint == second->footprint &&
           first->codelet == second->codelet && first->where == second->where &&
           sp_formula_equal(&first->formula, &second->formula) &&
           (first->symbol == second->symbol ||
            g_strcmp0(first->symbol, second->symbol) == 0);
}

uint32_t starpu_task_data_footprint(struct starpu_task *task)
{
    uint32_t footprint = 0;
    unsigned count = sp_task_buffers(task);
    for (unsigned i = 0; i < count; i++) {
        if (!(sp_task_mode(task, i) & STARPU_NOFOOTPRINT))
            footprint = starpu_hash_crc32c_be(
                sp_handle_footprint(sp_task_handle(task, i)), footprint);
    }
    return footprint;
}

/* StarPU hashes what the first of these gives: the footprint function, the size
 * function of an architecture or of the model, the data (footprint.c). */
uint32_t starpu_task_footprint(struct starpu_perfmodel *model,
                               struct starpu_task *task,
                               struct starpu_perfmodel_arch *arch,
                               unsigned nimpl)
{
    if (!model)
        return starpu_task_data_footprint(task);
    if (model->footprint)
        return model->footprint(task);
    const struct starpu_perfmodel_per_arch *entry =
        arch && model->state
            ? starpu_perfmodel_get_model_per_arch(model, arch, nimpl)
            : NULL;
    size_t size;
    if (entry && entry->size_base)
        size = entry->size_base(task, arch, nimpl);
    else if (model->size_base)
        size = model->size_base(task, nimpl);
    else
        return starpu_task_data_footprint(task);
    return starpu_hash_crc32c_be_n(&size, sizeof(size), 0);
}

static const char *symbol_of(const struct starpu_task *task)
{
    const struct starpu_perfmodel *model = task->cl->model;
    return model && model->symbol ? model->symbol : NULL;
}

/* The data of @task, for messages: "A (3686400 bytes), ...". */
static char *list_data(const struct starpu_task *task)
{
    GString *list = g_string_new(NULL);
    unsigned count = sp_task_buffers(task);
    for (unsigned i = 0; i < count; i++) {
        starpu_data_handle_t handle = sp_task_handle(task, i);
        g_string_append_printf(list, "%s%s (%" G_GUINT64_FORMAT " bytes)",
                               i ? ", " : "", sp_handle_name(handle),
                               sp_handle_size(handle));
    }
    return g_string_free(list, FALSE);
}

G_NORETURN static void fail_without_times(const struct starpu_task *task,
                                          uint32_t footprint, const char *call,
                                          const char *why)
{
    g_autofree char *data = list_data(task);
    g_autofree char *sources = sp_source_complain(task);
    sp_fail(call,
            "codelet %s has no times: %s; its data are %s, with the footprint "
            "%08x%s (docs/STARPU.md#times)",
            sp_codelet_name(task), why, *data ? data : "none", footprint,
            sources);
}

/* The classes of workers that may run the codelet of @task. */
static enum orr_where where_of(const struct starpu_task *task)
{
    uint32_t where = sp_task_where(task);
    bool cpu = where & STARPU_CPU, gpu = where & STARPU_CUDA;
    return cpu == gpu ? ORR_WHERE_ANY : cpu ? ORR_WHERE_CPU : ORR_WHERE_GPU;
}

static bool restrict_kernel(struct orr_kernel *kernel, enum orr_where where,
                            GError **error)
{
    void *set;
    if (!classes)
        classes = g_hash_table_new(NULL, NULL);
    if (!g_hash_table_lookup_extended(classes, kernel, NULL, &set)) {
        g_hash_table_insert(classes, kernel, GINT_TO_POINTER(where));
        set = GINT_TO_POINTER(ORR_WHERE_ANY);
    }
    if (GPOINTER_TO_INT(set) == (int)where)
        return true;
    g_hash_table_insert(classes, kernel, GINT_TO_POINTER(where));
    return sp_calls->kernel_set_where(sp_session.run, kernel, where, error);
}

/* The kernel of the platform; NULL with @why, which is owned. */
static struct orr_kernel *find_kernel(const struct known *key, char **why)
{
    g_autoptr(GError) error = NULL;
    struct orr_kernel *kernel;

    if (!key->symbol) {
        *why = g_strdup(key->codelet->model ? "its model has no symbol"
                                            : "it has no model");
        return NULL;
    }
    kernel =
        sp_formula_find(&key->formula, key->symbol, key->footprint, &error);
    if (kernel && restrict_kernel(kernel, key->where, &error))
        return kernel;
    *why = g_strdup(error->message);
    return NULL;
}

static struct orr_kernel *new_kernel(struct starpu_task *task, const char *call)
{
    GError *error = NULL;
    struct orr_kernel *kernel =
        sp_calls->kernel_new(sp_session.run, sp_task_name(task), &error);
    if (!kernel)
        sp_fail_error(call, error);
    return kernel;
}

static const struct known *add_known(struct starpu_task *task,
                                     const struct known *key, bool has_costs,
                                     const char *call)
{
    struct known *added = g_memdup2(key, sizeof(*key));

    added->symbol = sp_calls->run_keep_text(sp_session.run, key->symbol);
    added->formula.terms = g_memdup2(
        key->formula.terms, key->formula.count * sizeof(*key->formula.terms));
    if (!has_costs)
        added->kernel = find_kernel(key, &added->uncalibrated);
    if (!added->kernel)
        added->kernel = new_kernel(task, call);
    g_hash_table_add(known_kernels, added);
    return added;
}

static const struct known *get_known(struct starpu_task *task,
                                     const struct known *key, bool has_costs,
                                     const char *call)
{
    if (!known_kernels)
        known_kernels =
            g_hash_table_new_full(hash_known, equal_known, free_known, NULL);
    const struct known *found = g_hash_table_lookup(known_kernels, key);
    return found ? found : add_known(task, key, has_costs, call);
}

static void fill_times(struct starpu_task *task, struct orr_task_spec *spec,
                       const struct known *known, const char *call)
{
    static struct orr_task_times times;
    if (!sp_source_times(task, known->where, &times))
        fail_without_times(task, known->footprint, call, known->uncalibrated);
    spec->times = &times;
}

struct starpu_perfmodel sp_no_time;

/* Times of 1 ns on the classes of workers that may run @task, which takes none:
 * 0 says that a class cannot run a task. */
static const struct orr_task_times *no_time_of(const struct starpu_task *task)
{
    static struct orr_task_times times = {ORR_TASK_TIMES_INIT};
    enum orr_where where = where_of(task);

    times.cpu_ns = where != ORR_WHERE_GPU;
    times.gpu_ns = where != ORR_WHERE_CPU;
    return &times;
}

/* In place of times that are not known yet. */
static const struct orr_task_times *
unknown_time_of(const struct starpu_task *task)
{
    if (sp_measure_file())
        sp_measure_without_times();
    return no_time_of(task);
}

static void fill_no_time(struct starpu_task *task, struct orr_task_spec *spec,
                         const struct orr_task_times *times, const char *call)
{
    struct known key = {.codelet = task->cl};

    spec->kernel = get_known(task, &key, true, call)->kernel;
    spec->times = times;
}

/* A kernel that is called when its task starts takes the time that it sleeps,
 * and needs a model only for the scheduler to plan with. Kernels that are
 * measured have no times yet. */
static bool needs_times(const struct starpu_codelet *cl)
{
    return !(cl->flags & STARPU_CODELET_SIMGRID_EXECUTE) && !sp_measure_file();
}

void sp_model_fill(struct starpu_task *task, struct orr_task_spec *spec,
                   const char *call)
{
    struct starpu_perfmodel *model = task->cl->model;
    struct known key = {.codelet = task->cl, .symbol = symbol_of(task)};
    const struct known *known;

    if (G_UNLIKELY(model == &sp_no_time)) {
        fill_no_time(task, spec, no_time_of(task), call);
        return;
    }
    if (model && sp_model_has_functions(model)) {
        if (sp_costs_fill(task, spec, call))
            spec->kernel = get_known(task, &key, true, call)->kernel;
        else if (needs_times(task->cl))
            fail_without_times(task, starpu_task_data_footprint(task), call,
                               "its model gives none");
        else
            fill_no_time(task, spec, unknown_time_of(task), call);
        return;
    }
    key.footprint = starpu_task_footprint(model, task, NULL, 0);
    key.where = where_of(task);
    if (key.symbol)
        sp_formula_fill(task, &key.formula, call);
    known = get_known(task, &key, false, call);
    if (G_UNLIKELY(known->uncalibrated)) {
        if (needs_times(task->cl))
            fill_times(task, spec, known, call);
        else
            spec->times = unknown_time_of(task);
    }
    spec->kernel = known->kernel;
}

void sp_models_end(void)
{
    g_clear_pointer(&known_kernels, g_hash_table_unref);
    g_clear_pointer(&classes, g_hash_table_unref);
    sp_bound_end();
    sp_measures_end();
    sp_costs_end();
    sp_formula_end();
    sp_sources_end();
    sp_profiling_end();
}
