/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels of a run: what the platform says, for the devices in use. */
#include "runtime/executor/kernel.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/names.h"
#include "models/base/units.h"
#include "models/rng.h"
#include "models/starpu/starpu_operands.h"
#include "models/starpu/starpu_symbols.h"
#include "runtime/executor/duration.h"
#include "runtime/run.h"

/* The kernel that orr_kernel_find() has found before, or NULL. */
static struct orr_kernel *recall(const struct orr_run *run,
                                 const struct orr_platform_kernel *model,
                                 unsigned tile)
{
    struct orr_kernel *kernel = run->kernels.first;

    while (kernel && (kernel->model != model || kernel->tile != tile ||
                      kernel->is_variant))
        kernel = kernel->next;
    return kernel;
}

static bool refuse(GError **error, const char *why)
{
    g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE, why);
    return false;
}

static bool check_names(const char *family, const char *name,
                        enum orr_kernel_precision precision, unsigned tile,
                        GError **error)
{
    if (!family || !name)
        return refuse(error, family ? "the name of the kernel is NULL"
                                    : "the family of the kernel is NULL");
    if (precision != ORR_SINGLE_PRECISION && precision != ORR_DOUBLE_PRECISION)
        return refuse(error, "the precision of the kernel is neither "
                             "ORR_SINGLE_PRECISION nor ORR_DOUBLE_PRECISION");
    return tile > 0 || refuse(error, "the tile of the kernel is 0");
}

static void free_model(gpointer data)
{
    struct orr_platform_kernel *model = data;

    g_free(model->family);
    g_free(model->name);
    g_free(model->durations);
    g_free(model);
}

/* Adds a kernel that the platform does not know. */
static struct orr_platform_kernel *add_model(struct orr_run *run,
                                             const char *family,
                                             const char *name,
                                             enum orr_precision precision)
{
    struct orr_platform_kernel *model = g_new0(struct orr_platform_kernel, 1);

    model->family = g_strdup(family);
    model->name = g_strdup(name);
    model->precision = precision;
    if (!run->kernels.models)
        run->kernels.models = g_ptr_array_new_with_free_func(free_model);
    g_ptr_array_add(run->kernels.models, model);
    return model;
}

/* The kernel of a run without a machine, which knows every kernel. */
static const struct orr_platform_kernel *
find_captured(struct orr_run *run, const char *family, const char *name,
              enum orr_precision precision)
{
    for (guint i = 0; run->kernels.models && i < run->kernels.models->len;
         i++) {
        const struct orr_platform_kernel *model = run->kernels.models->pdata[i];

        if (strcmp(model->family, family) == 0 &&
            strcmp(model->name, name) == 0 && model->precision == precision)
            return model;
    }
    return add_model(run, family, name, precision);
}

static const struct orr_platform_kernel *
find_model(struct orr_run *run, const char *family, const char *name,
           enum orr_kernel_precision precision, GError **error)
{
    enum orr_precision known =
        precision == ORR_SINGLE_PRECISION ? ORR_SINGLE : ORR_DOUBLE;

    return run->capture
               ? find_captured(run, family, name, known)
               : orr_platform_kernel(run->platform, family, name, known, error);
}

/* A kernel and its arrays, in one block: there may be one for each task. */
static struct orr_kernel *new_kernel(struct orr_run *run,
                                     const struct orr_platform_kernel *model,
                                     unsigned tile)
{
    size_t nodes = run->node_count;
    size_t workers = run->worker_count;
    bool has_factors =
        run->kernels.perturb > 0 && !run->kernels.perturb_by_device;
    struct orr_kernel *kernel = g_malloc0(
        sizeof(*kernel) + (2 * nodes + 2 * workers) * sizeof(orr_time) +
        (nodes + has_factors * workers) * sizeof(double));

    kernel->run = run;
    kernel->model = model;
    kernel->tile = tile;
    kernel->only_worker = ORR_NO_WORKER;
    kernel->durations = (orr_time *)(kernel + 1);
    kernel->means = kernel->durations + nodes;
    kernel->by_worker = kernel->means + nodes;
    kernel->means_s = (double *)(kernel->by_worker + 2 * workers);
    kernel->factors = has_factors ? kernel->means_s + nodes : NULL;
    return kernel;
}

static void list_kernel(struct orr_run *run, struct orr_kernel *kernel)
{
    kernel->next = run->kernels.first;
    run->kernels.first = kernel;
    kernel->number = orr_graph_add_kernel(&run->graph, kernel);
}

struct orr_kernel *orr_kernel_find(struct orr_run *run, const char *family,
                                   const char *name,
                                   enum orr_kernel_precision precision,
                                   unsigned tile, GError **error)
{
    const struct orr_platform_kernel *model;
    struct orr_kernel *kernel;
    enum orr_where where;

    if (!check_names(family, name, precision, tile, error))
        return NULL;
    model = find_model(run, family, name, precision, error);
    if (!model)
        return NULL;
    kernel = recall(run, model, tile);
    if (kernel)
        return kernel;
    kernel = new_kernel(run, model, tile);
    if (!run->capture && !orr_kernel_set_durations(run, kernel)) {
        g_autofree char *tiles = orr_platform_tiles(model);

        g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                    "kernel %s of %s (%s precision) has no duration at tile "
                    "%u on the workers of this run; platform %s has it at "
                    "tile %s",
                    name, family, orr_precision_name(model->precision), tile,
                    run->platform->name, tiles);
        g_free(kernel->variations);
        g_free(kernel);
        return NULL;
    }
    list_kernel(run, kernel);
    where = orr_kernel_restriction(run, name);
    return where == ORR_WHERE_ANY ||
                   orr_kernel_set_where(run, kernel, where, error)
               ? kernel
               : NULL;
}

struct orr_kernel *orr_kernel_add(struct orr_run *run,
                                  const struct orr_platform_kernel *model,
                                  unsigned tile)
{
    struct orr_platform_kernel *own =
        add_model(run, model->family, model->name, model->precision);
    struct orr_kernel *kernel;

    own->count = model->count;
    own->durations =
        g_memdup2(model->durations, model->count * sizeof(*model->durations));
    kernel = new_kernel(run, own, tile);
    if (orr_kernel_set_durations(run, kernel)) {
        list_kernel(run, kernel);
        return kernel;
    }
    orr_kernels_free(kernel);
    return NULL;
}

static struct orr_kernel *recall_variant(const struct orr_kernel *of,
                                         enum orr_where where, bool synchronous)
{
    struct orr_kernel *kernel = of->run->kernels.first;

    while (kernel && (kernel->model != of->model || kernel->tile != of->tile ||
                      !kernel->is_variant || kernel->where != where ||
                      kernel->synchronous != synchronous))
        kernel = kernel->next;
    return kernel;
}

struct orr_kernel *orr_kernel_variant(struct orr_kernel *kernel,
                                      enum orr_where where, bool synchronous,
                                      GError **error)
{
    struct orr_run *run = (struct orr_run *)kernel->run;
    struct orr_kernel *variant;

    if (kernel->where == where && kernel->synchronous == synchronous)
        return kernel;
    variant = recall_variant(kernel, where, synchronous);
    if (variant)
        return variant;
    variant = new_kernel(run, kernel->model, kernel->tile);
    variant->is_variant = true;
    variant->synchronous = synchronous;
    list_kernel(run, variant);
    return orr_kernel_set_where(run, variant, where, error) ? variant : NULL;
}

struct orr_kernel *orr_kernel_new(struct orr_run *run, const char *name,
                                  GError **error)
{
    struct orr_kernel *kernel;

    if (!name || !*name) {
        refuse(error, name ? "the name of the kernel is empty"
                           : "the name of the kernel is NULL");
        return NULL;
    }
    kernel = new_kernel(run, add_model(run, "", name, ORR_SINGLE), 0);
    kernel->brings_times = true;
    kernel->where = orr_kernel_restriction(run, name);
    orr_kernel_set_durations(run, kernel);
    list_kernel(run, kernel);
    return kernel;
}

static guint hash_given(gconstpointer data)
{
    const struct orr_given *given = data;
    uint64_t mix = (uint64_t)given->times.cpu_ns * 0x9e3779b97f4a7c15u ^
                   (uint64_t)given->times.gpu_ns * 0xc2b2ae3d27d4eb4fu ^
                   (uint64_t)given->kernel->number * 0x165667b19e3779f9u ^
                   (uintptr_t)given->workers ^ (uintptr_t)given->scratch << 1 ^
                   (uintptr_t)given->costs << 2 ^ given->synchronous;

    return (guint)(mix ^ mix >> 32);
}

static gboolean is_same_given(gconstpointer a, gconstpointer b)
{
    const struct orr_given *one = a, *other = b;

    return one->kernel == other->kernel && one->timed == other->timed &&
           one->workers == other->workers && one->scratch == other->scratch &&
           one->redux == other->redux && one->costs == other->costs &&
           one->reduces == other->reduces &&
           one->synchronous == other->synchronous &&
           one->times.cpu_ns == other->times.cpu_ns &&
           one->times.gpu_ns == other->times.gpu_ns;
}

/* Returns the set in run->kernels.sets that equals @set, which is taken; adds
 * it if there is none. */
static GBytes *intern(struct orr_run *run, GBytes *set)
{
    GBytes *known;

    if (!run->kernels.sets)
        run->kernels.sets = g_hash_table_new_full(
            g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    known = g_hash_table_lookup(run->kernels.sets, set);
    if (known) {
        g_bytes_unref(set);
        return known;
    }
    g_hash_table_add(run->kernels.sets, set);
    return set;
}

/* The set of the workers that @spec names; NULL: all. */
static GBytes *set_of(struct orr_run *run, const struct orr_task_spec *spec)
{
    gsize size = (run->worker_count + 7) / 8;
    uint8_t *bits;

    if (spec->worker_count == 0)
        return NULL;
    bits = g_malloc0(size);
    for (unsigned i = 0; i < spec->worker_count; i++)
        bits[spec->workers[i] / 8] |= (uint8_t)(1u << spec->workers[i] % 8);
    return intern(run, g_bytes_new_take(bits, size));
}

/* The data of @spec that need a buffer of the worker; NULL: none. */
static GBytes *scratch_of(struct orr_run *run, const struct orr_task_spec *spec)
{
    gsize size = spec->scratch_count * sizeof(struct orr_data *);

    return size > 0 ? intern(run, g_bytes_new(spec->scratch, size)) : NULL;
}

/* The costs of @spec; NULL: none. */
static GBytes *costs_of(struct orr_run *run, const struct orr_task_spec *spec)
{
    gsize count = (gsize)run->worker_count * spec->implementations;

    return count > 0 ? intern(run, g_bytes_new(spec->costs,
                                               count * sizeof(struct orr_cost)))
                     : NULL;
}

/* The accesses of @spec by ORR_REDUX; NULL: none. */
static GBytes *redux_of(struct orr_run *run, const struct orr_task_spec *spec)
{
    GByteArray *places;

    if (!run->buffers.redux)
        return NULL;
    places = g_byte_array_new();
    for (unsigned i = 0; i < spec->count; i++) {
        uint16_t place = (uint16_t)i;

        if (spec->accesses[i].mode == ORR_REDUX)
            g_byte_array_append(places, (const guint8 *)&place, sizeof place);
    }
    if (places->len > 0)
        return intern(run, g_byte_array_free_to_bytes(places));
    g_byte_array_unref(places);
    return NULL;
}

/* Sets the durations of @kernel, of which @given is set. Returns whether some
 * worker can run it. */
static bool set_given_durations(struct orr_run *run, struct orr_kernel *kernel)
{
    const struct orr_given *given = &kernel->given;

    if (given->costs)
        return orr_kernel_take_costs(run, kernel, given->costs);
    if (given->kernel->joules && !given->timed)
        return orr_kernel_share_costs(run, kernel, given->kernel);
    return orr_kernel_set_durations(run, kernel);
}

struct orr_kernel *orr_kernel_with(const struct orr_task_spec *spec,
                                   bool reduces)
{
    struct orr_kernel *kernel = spec->kernel;
    struct orr_run *run = (struct orr_run *)kernel->run;
    struct orr_given given = {.kernel = kernel,
                              .timed = spec->times != NULL,
                              .workers = set_of(run, spec),
                              .scratch = scratch_of(run, spec),
                              .redux = redux_of(run, spec),
                              .costs = costs_of(run, spec),
                              .reduces = reduces,
                              .synchronous =
                                  kernel->synchronous || spec->blocks_driver};
    struct orr_kernel *other;

    if (spec->times)
        given.times = *spec->times;
    if (!run->kernels.by_given)
        run->kernels.by_given = g_hash_table_new(hash_given, is_same_given);
    other = g_hash_table_lookup(run->kernels.by_given, &given);
    if (other)
        return other;
    other = new_kernel(run, kernel->model, kernel->tile);
    other->given = given;
    other->pinned_to = spec->worker_count > 0 ? spec->workers[0] : 0;
    other->synchronous = given.synchronous;
    other->where = kernel->where;
    if (!set_given_durations(run, other)) {
        orr_kernels_free(other);
        return NULL;
    }
    other->next = run->kernels.first_given;
    run->kernels.first_given = other;
    other->number = orr_graph_add_kernel(&run->graph, other);
    g_hash_table_insert(run->kernels.by_given, &other->given, other);
    return other;
}

static bool check_where(const struct orr_run *run,
                        const struct orr_kernel *kernel, enum orr_where where,
                        GError **error)
{
    if (!kernel)
        return refuse(error, "the kernel is NULL");
    if (kernel->run != run)
        return refuse(error, "the kernel is of another run");
    if (where != ORR_WHERE_ANY && where != ORR_WHERE_CPU &&
        where != ORR_WHERE_GPU)
        return refuse(error, "the class of workers is none of ORR_WHERE_ANY, "
                             "ORR_WHERE_CPU, ORR_WHERE_GPU");
    return !kernel->task_name || run->graph.live == 0 ||
           refuse(error, "the kernel has tasks that may not be complete");
}

/* Removes the kernels made for tasks of @kernel that bring more (struct
 * orr_given), since the class of workers has changed. No such task is
 * running. */
static gboolean is_given_for(gpointer given, gpointer other, gpointer kernel)
{
    (void)other;
    return ((struct orr_given *)given)->kernel == kernel;
}

static void drop_given(struct orr_run *run, struct orr_kernel *kernel)
{
    if (run->kernels.by_given)
        g_hash_table_foreach_remove(run->kernels.by_given, is_given_for,
                                    kernel);
}

bool orr_kernel_set_where(struct orr_run *run, struct orr_kernel *kernel,
                          enum orr_where where, GError **error)
{
    const struct orr_platform_kernel *model;
    enum orr_where before;

    if (!check_where(run, kernel, where, error))
        return false;
    if (run->capture)
        return true;
    if (kernel->joules)
        return refuse(error, "the costs of the kernel are given, by worker");
    model = kernel->model;
    before = kernel->where;
    g_clear_pointer(&kernel->expected_joules, g_free);
    kernel->where = where;
    if (orr_kernel_set_durations(run, kernel) || kernel->brings_times) {
        drop_given(run, kernel);
        return true;
    }
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "kernel %s of %s (%s precision) is restricted to %ss, but no "
                "%s of this run can run it at tile %u",
                model->name, model->family,
                orr_precision_name(model->precision),
                where == ORR_WHERE_CPU ? "CPU" : "GPU",
                where == ORR_WHERE_CPU ? "CPU worker" : "GPU", kernel->tile);
    kernel->where = before;
    orr_kernel_set_durations(run, kernel);
    return false;
}

void orr_kernel_set_synchronous(struct orr_kernel *kernel)
{
    if (kernel)
        kernel->synchronous = true;
}

void orr_kernels_free(struct orr_kernel *kernel)
{
    while (kernel) {
        struct orr_kernel *next = kernel->next;

        g_free(kernel->variations);
        g_free(kernel->spent);
        orr_kernel_free_costs(kernel);
        g_free(kernel->expected_joules);
        g_free(kernel);
        kernel = next;
    }
}

/* The class of workers that may run a kernel, and restrictions to it. */

static const char *const where_names[] = {
    [ORR_WHERE_ANY] = "any",
    [ORR_WHERE_CPU] = "cpu",
    [ORR_WHERE_GPU] = "gpu",
    NULL,
};

const char *orr_where_name(enum orr_where where)
{
    return (unsigned)where <= ORR_WHERE_GPU ? where_names[where] : NULL;
}

bool orr_where_parse(const char *text, enum orr_where *where, GError **error)
{
    size_t index;

    if (!orr_names_find("class of workers", where_names, text, &index, error))
        return false;
    *where = (enum orr_where)index;
    return true;
}

bool orr_restriction_parse(const char *text, size_t *length,
                           enum orr_where *where, GError **error)
{
    g_autofree char *quoted = orr_quote(text);
    const char *sign = strrchr(text, '=');

    if (sign) {
        *length = (size_t)(sign - text);
        return orr_where_parse(sign + 1, where, error);
    }
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s is not KERNEL=cpu, KERNEL=gpu or KERNEL=any", quoted);
    return false;
}

enum orr_where orr_kernel_restriction(const struct orr_run *run,
                                      const char *name)
{
    enum orr_where where = ORR_WHERE_ANY;

    for (unsigned i = 0; run->kernels.where && run->kernels.where[i]; i++) {
        enum orr_where other;
        size_t length;

        if (orr_restriction_parse(run->kernels.where[i], &length, &other,
                                  NULL)) {
            g_autofree char *typed = g_strndup(run->kernels.where[i], length);

            if (orr_name_matches(name, typed))
                where = other;
        }
    }
    return where;
}

/* Kernels found by the sizes of their operands. */

/* A search among the kernels that fit. */
struct search {
    struct orr_run *run;
    struct orr_kernel *kernel; /* found, or NULL */
    GString *others;           /* kernels that fit but are not calibrated */
};

static bool take(void *data, const char *family, const char *name,
                 enum orr_precision precision, unsigned tile)
{
    struct search *search = data;

    search->kernel = orr_kernel_find(
        search->run, family, name,
        precision == ORR_DOUBLE ? ORR_DOUBLE_PRECISION : ORR_SINGLE_PRECISION,
        tile, NULL);
    g_string_append_printf(search->others, "%s%s of %s at tile %u (%s)",
                           search->others->len > 0 ? ", " : "", name, family,
                           tile, orr_precision_name(precision));
    return search->kernel;
}

static void describe(GString *text, const uint64_t *bytes, unsigned count)
{
    for (unsigned i = 0; i < count && i < 8; i++)
        g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, i > 0 ? ", " : "",
                               bytes[i]);
    if (count > 8)
        g_string_append(text, ", ...");
}

static void fail(const struct search *search,
                 const struct orr_starpu_task *task, GError **error)
{
    g_autofree char *symbol = orr_quote(task->symbol);
    g_autoptr(GString) bytes = g_string_new(NULL);

    if (search->others->len > 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                    "kernel %s has no duration on the workers of this run: its "
                    "operands are those of %s",
                    symbol, search->others->str);
        return;
    }
    describe(bytes, task->bytes, task->count);
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "kernel %s: no known kernel of this name has %u operands of %s "
                "bytes",
                symbol, task->count, task->count > 0 ? bytes->str : "0");
}

static bool refuse_null(const char *what, GError **error)
{
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "the %s is NULL", what);
    return false;
}

struct orr_kernel *orr_kernel_find_sizes(struct orr_run *run,
                                         const char *symbol,
                                         const uint64_t *bytes, unsigned count,
                                         GError **error)
{
    const struct orr_starpu_task task = {symbol, bytes, count, 0};
    struct search search = {.run = run};
    const struct orr_starpu_visitor visitor = {take, &search};

    if ((!symbol && !refuse_null("symbol of the kernel", error)) ||
        (!bytes && count > 0 &&
         !refuse_null("array of operands' sizes", error)))
        return NULL;
    search.others = g_string_new(NULL);
    if (!orr_starpu_visit_kernels(&task, &visitor))
        fail(&search, &task, error);
    g_string_free(search.others, TRUE);
    return search.kernel;
}

/* The kernel of a run without a machine, which has each footprint. */
static struct orr_kernel *capture_footprint(struct orr_run *run,
                                            const char *symbol,
                                            uint32_t footprint, GError **error)
{
    g_autofree char *name = orr_starpu_footprint_name(symbol, footprint);

    return orr_kernel_find(run, ORR_STARPU_FAMILY, name, ORR_SINGLE_PRECISION,
                           ORR_STARPU_FOOTPRINT_TILE, error);
}

static void refuse_footprint(const struct search *search, const char *symbol,
                             uint32_t footprint, GError **error)
{
    const struct orr_platform *platform = search->run->platform;
    g_autofree char *quoted = orr_quote(symbol);
    g_autofree char *has = orr_starpu_list_calibrated(platform, symbol);

    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "kernel %s: platform %s has no duration of footprint %08x on "
                "the workers of this run%s%s; %s has %s%s",
                quoted, platform->name, footprint,
                search->others->len > 0 ? ": it is measured elsewhere as " : "",
                search->others->str, platform->path,
                has ? "only " : "nothing of this name", has ? has : "");
}

struct orr_kernel *orr_kernel_find_footprint(struct orr_run *run,
                                             const char *symbol,
                                             uint32_t footprint, GError **error)
{
    struct search search = {.run = run};
    const struct orr_starpu_visitor visitor = {take, &search};

    if (!symbol && !refuse_null("symbol of the kernel", error))
        return NULL;
    if (run->capture)
        return capture_footprint(run, symbol, footprint, error);
    search.others = g_string_new(NULL);
    if (!orr_starpu_visit_footprint(run->platform, symbol, footprint, &visitor))
        refuse_footprint(&search, symbol, footprint, error);
    g_string_free(search.others, TRUE);
    return search.kernel;
}
