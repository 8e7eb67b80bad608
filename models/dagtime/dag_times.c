/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the durations of all tasks (dag_times.h). Tasks of one kernel on data
 * of the same sizes are a variant: the calibration of a variant is searched
 * once, and found again by a hash of kernel, footprint and sizes. Flops and
 * recorded durations are properties of single tasks.
 */
#include "models/dagtime/dag_times.h"

#include <math.h>
#include <string.h>

#include "models/base/error.h"
#include "models/starpu/starpu_operands.h"

#define ANY "any" /* family and name of the kernel for all other kernels */
#define LONGEST (86400 * ORR_S) /* the limit of platform files */

static const char *const source_names[] = {"none", "calibration", "flops",
                                           "recorded"};

const char *orr_dag_time_source_name(enum orr_dag_time_source source)
{
    return source_names[source];
}

/* Tasks of one kernel on data of the same sizes: their calibrated time, or the
 * kernel whose <flops> models them. */
struct variant {
    uint32_t kernel; /* in the graph */
    uint32_t footprint;
    bool calibrated;
    struct orr_dag_time time; /* of each of the tasks, if calibrated */
    const struct orr_platform_kernel *modelled; /* has <flops>; or NULL */
    unsigned count;
    uint64_t bytes[];
};

/* A search for all tasks. */
struct search {
    const struct orr_dag *dag;
    const struct orr_dag_time_settings *settings;
    struct orr_dag_times *times;
    GArray *kernels; /* struct orr_dag_time_kernel */
    GHashTable *variants;
    struct variant *key; /* of the current task */
    uint8_t *classes;    /* enum orr_assumed_class, by recording device */
};

/* ---- kernels of the platform ---- */

static const struct orr_platform_kernel *
find_kernel(const struct orr_platform *platform, const char *family,
            const char *name, enum orr_precision precision)
{
    for (unsigned i = 0; i < platform->kernel_count; i++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[i];

        if (kernel->precision == precision && strcmp(kernel->name, name) == 0 &&
            strcmp(kernel->family, family) == 0)
            return kernel;
    }
    return NULL;
}

static orr_time known(const struct orr_platform_kernel *kernel, unsigned tile,
                      unsigned device)
{
    orr_time time = orr_platform_duration(kernel, tile, device);

    return time == ORR_NEVER ? 0 : time;
}

/* Sets the durations of @time. Returns whether some device in use has one. */
static bool take_durations(const struct search *search,
                           const struct orr_platform_kernel *kernel,
                           unsigned tile, struct orr_dag_time *time)
{
    bool any = false;

    time->cpu = search->settings->cpus > 0 ? known(kernel, tile, ORR_RAM) : 0;
    time->gpu = search->settings->gpus > 0 ? known(kernel, tile, 1) : 0;
    for (unsigned gpu = 2; gpu <= search->settings->gpus; gpu++)
        any |= known(kernel, tile, gpu) > 0;
    return any || time->cpu > 0 || time->gpu > 0;
}

struct calibration {
    struct search *search;
    struct variant *variant;
};

static bool take_kernel(void *data, const char *family, const char *name,
                        enum orr_precision precision, unsigned tile)
{
    const struct calibration *calibration = data;
    struct search *search = calibration->search;
    struct variant *variant = calibration->variant;
    struct orr_dag_time_kernel kernel = {
        find_kernel(search->settings->platform, family, name, precision), tile};

    if (!kernel.model)
        return false;
    if (kernel.model->flops_count > 0 && !variant->modelled)
        variant->modelled = kernel.model;
    if (!take_durations(search, kernel.model, tile, &variant->time))
        return false;
    variant->time.kernel = search->kernels->len;
    variant->time.source = ORR_DAG_TIME_CALIBRATION;
    variant->calibrated = true;
    g_array_append_val(search->kernels, kernel);
    return true;
}

static void find_calibration(struct search *search, struct variant *variant)
{
    const char *symbol =
        orr_dag_text(search->dag, search->dag->kernels[variant->kernel]);
    const struct orr_starpu_task task = {symbol, variant->bytes, variant->count,
                                         variant->footprint};
    struct calibration calibration = {search, variant};
    const struct orr_starpu_visitor visitor = {take_kernel, &calibration};

    orr_starpu_visit_kernels(&task, &visitor);
    for (int p = ORR_SINGLE; p <= ORR_DOUBLE && !variant->modelled; p++) {
        const struct orr_platform_kernel *any = find_kernel(
            search->settings->platform, ANY, ANY, (enum orr_precision)p);

        if (any && any->flops_count > 0)
            variant->modelled = any;
    }
}

/* ---- variants ---- */

static guint hash_variant(gconstpointer data)
{
    const struct variant *variant = data;
    uint64_t hash = ((uint64_t)variant->kernel << 32) ^ variant->footprint;

    for (unsigned i = 0; i <= variant->count; i++) {
        hash *= UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
        hash += i < variant->count ? variant->bytes[i] : i;
    }
    return (guint)(hash ^ hash >> 32);
}

static gboolean is_same(gconstpointer left, gconstpointer right)
{
    const struct variant *a = left;
    const struct variant *b = right;

    return a->kernel == b->kernel && a->footprint == b->footprint &&
           a->count == b->count &&
           (a->count == 0 ||
            memcmp(a->bytes, b->bytes, a->count * sizeof(a->bytes[0])) == 0);
}

static size_t size_of_variant(unsigned count)
{
    return sizeof(struct variant) + count * sizeof(uint64_t);
}

static const struct variant *variant_of(struct search *search, uint32_t number)
{
    const struct orr_dag_task *task = &search->dag->tasks[number];
    struct variant *key = search->key;
    struct variant *found;

    key->kernel = task->kernel;
    key->footprint = task->footprint;
    key->count = task[1].first_access - task[0].first_access;
    for (unsigned i = 0; i < key->count; i++)
        key->bytes[i] =
            search->dag
                ->data[search->dag->accesses[task->first_access + i].datum]
                .bytes;
    found = g_hash_table_lookup(search->variants, key);
    if (found)
        return found;
    found = g_malloc0(size_of_variant(key->count));
    memcpy(found, key, size_of_variant(key->count));
    find_calibration(search, found);
    g_hash_table_add(search->variants, found);
    return found;
}

/* ---- times from flops and records ---- */

/* @flops at @speed, Flop/s, in ns; 0: more than a day, or no speed. */
static orr_time time_at(double speed, double flops)
{
    orr_time time =
        speed > 0 ? orr_time_from_seconds(flops / speed) : LONGEST + 1;

    return time > LONGEST ? 0 : MAX(time, 1);
}

/* flops / (peak x efficiency), in ns; 0: not known, or more than a day. */
static orr_time model(const struct orr_platform_kernel *kernel, unsigned device,
                      double flops)
{
    const struct orr_flops *speed = orr_platform_flops(kernel, device);

    return speed ? time_at(orr_flops_speed(speed, flops), flops) : 0;
}

/* As model(), for a device of class @class; at the assumed speed if there is no
 * kernel. */
static orr_time model_on(const struct search *search,
                         const struct orr_platform_kernel *kernel,
                         enum orr_assumed_class class, double flops)
{
    return kernel ? model(kernel, class == ORR_ASSUMED_CPU ? ORR_RAM : 1, flops)
                  : time_at(search->settings->speeds.flops[class], flops);
}

static bool take_flops(const struct search *search,
                       const struct variant *variant,
                       const struct orr_dag_task *task,
                       struct orr_dag_time *time)
{
    if (!(task->flops >= 0))
        return false;
    if (search->settings->cpus > 0)
        time->cpu =
            model_on(search, variant->modelled, ORR_ASSUMED_CPU, task->flops);
    if (search->settings->gpus > 0)
        time->gpu =
            model_on(search, variant->modelled, ORR_ASSUMED_GPU, task->flops);
    time->source = ORR_DAG_TIME_FLOPS;
    return time->cpu > 0 || time->gpu > 0;
}

static orr_time scale(orr_time recorded, double factor)
{
    if (!(factor > 0))
        return 0;
    if (factor >= 1 && factor <= 1)
        return MAX(recorded, 1);
    return MAX(orr_time_from_seconds(orr_time_to_seconds(recorded) * factor),
               1);
}

static enum orr_assumed_class class_of(const struct search *search,
                                       const struct orr_dag_task *task)
{
    return task->device == ORR_DAG_NONE
               ? ORR_ASSUMED_CPU
               : (enum orr_assumed_class)search->classes[task->device];
}

static bool take_recorded(const struct search *search,
                          const struct orr_dag_task *task,
                          struct orr_dag_time *time)
{
    const struct orr_dag_time_settings *settings = search->settings;
    enum orr_assumed_class from = class_of(search, task);

    if (task->duration < 0)
        return false;
    if (settings->cpus > 0)
        time->cpu =
            scale(task->duration,
                  orr_assumed_factor(&settings->speeds, from, ORR_ASSUMED_CPU));
    if (settings->gpus > 0)
        time->gpu =
            scale(task->duration,
                  orr_assumed_factor(&settings->speeds, from, ORR_ASSUMED_GPU));
    time->source = ORR_DAG_TIME_RECORDED;
    return time->cpu > 0 || time->gpu > 0;
}

/* How the user could give the task a duration: the end of a message. */
static const char *hint(const struct search *search,
                        const struct orr_dag_task *task)
{
    if (task->duration >= 0)
        return search->settings->gpus > 0
                   ? "; its duration was recorded on a CPU, and "
                     "--assume-speed CUDA=SPEED scales it"
                   : "; its duration was recorded on a GPU, and "
                     "--assume-speed CUDA=SPEED scales it";
    if (task->flops >= 0)
        return "; its flops need the speed of a kernel 'any' of family 'any' "
               "with <flops>, or assumed ones: --assume-flops "
               "CPU=20GFlop/s,CUDA=1TFlop/s";
    return "; the graph states neither its flops nor its duration";
}

static bool fail(const struct search *search, uint32_t number, GError **error)
{
    const struct orr_dag *dag = search->dag;
    const struct orr_dag_task *task = &dag->tasks[number];
    const struct orr_dag_time_settings *settings = search->settings;
    g_autofree char *kernel = orr_quote(orr_dag_kernel(dag, number));
    g_autofree char *name = orr_quote(orr_dag_text(dag, task->name));
    g_autofree char *devices = g_strdup_printf(
        "%s%s%s", settings->cpus > 0 ? "CPU" : "",
        settings->cpus > 0 && settings->gpus > 0 ? " and " : "",
        settings->gpus > 0 ? orr_platform_device_name(settings->platform, 1)
                           : "");

    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "%s:%u: task %s: kernel %s has no duration for data of these "
                "sizes on %s of platform %s%s",
                dag->path, task->line, name, kernel, devices,
                settings->platform->name, hint(search, task));
    return false;
}

static bool find_time(struct search *search, uint32_t number, GError **error)
{
    const struct orr_dag_task *task = &search->dag->tasks[number];
    struct orr_dag_time *time = &search->times->tasks[number];
    const struct variant *variant;

    if (task->kernel != ORR_DAG_NONE) {
        variant = variant_of(search, number);
        if (variant->calibrated)
            *time = variant->time;
        else if (!take_flops(search, variant, task, time) &&
                 !take_recorded(search, task, time))
            return fail(search, number, error);
    }
    search->times->counts[time->source]++;
    return true;
}

/* ---- all tasks ---- */

/* A device without a name is a GPU if its memory node is not 0, the RAM. */
static enum orr_assumed_class class_of_device(const struct orr_dag *dag,
                                              uint32_t number)
{
    const struct orr_dag_device *device = &dag->devices[number];
    const char *name = orr_dag_text(dag, device->name);

    if (!*name)
        return device->memory_node != ORR_DAG_NONE && device->memory_node > 0
                   ? ORR_ASSUMED_GPU
                   : ORR_ASSUMED_CPU;
    return g_ascii_strncasecmp(name, "CUDA", 4) == 0 ||
                   g_ascii_strncasecmp(name, "GPU", 3) == 0
               ? ORR_ASSUMED_GPU
               : ORR_ASSUMED_CPU;
}

static uint8_t *classes_of(const struct orr_dag *dag)
{
    uint8_t *classes = g_new0(uint8_t, dag->device_count + (size_t)1);

    for (uint32_t i = 0; i < dag->device_count; i++)
        classes[i] = (uint8_t)class_of_device(dag, i);
    return classes;
}

static unsigned most_accesses(const struct orr_dag *dag)
{
    unsigned most = 0;

    for (uint32_t i = 0; i < dag->task_count; i++)
        most = MAX(most,
                   dag->tasks[i + 1].first_access - dag->tasks[i].first_access);
    return most;
}

struct orr_dag_times *
orr_dag_times_new(const struct orr_dag *dag,
                  const struct orr_dag_time_settings *settings, GError **error)
{
    struct search search = {
        .dag = dag,
        .settings = settings,
        .times = g_new0(struct orr_dag_times, 1),
        .kernels =
            g_array_new(FALSE, FALSE, sizeof(struct orr_dag_time_kernel)),
        .variants = g_hash_table_new_full(hash_variant, is_same, g_free, NULL),
        .key = g_malloc0(size_of_variant(most_accesses(dag))),
        .classes = classes_of(dag),
    };
    bool good = true;

    search.times->tasks =
        g_new0(struct orr_dag_time, dag->task_count + (size_t)1);
    for (uint32_t task = 0; good && task < dag->task_count; task++)
        good = find_time(&search, task, error);
    search.times->kernel_count = search.kernels->len;
    search.times->kernels = (struct orr_dag_time_kernel *)(void *)g_array_free(
        search.kernels, FALSE);
    g_hash_table_unref(search.variants);
    g_free(search.key);
    g_free(search.classes);
    if (good)
        return search.times;
    orr_dag_times_free(search.times);
    return NULL;
}

void orr_dag_times_free(struct orr_dag_times *times)
{
    if (!times)
        return;
    g_free(times->tasks);
    g_free(times->kernels);
    g_free(times);
}
