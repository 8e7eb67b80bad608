/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/programs/graph_file.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "apps/programs/graph_kernel.h"
#include "apps/programs/programs.h"
#include "models/base/error.h"
#include "models/dagfile/dag_read.h"

struct orr_graph_file {
    struct orr_app app;
    char *path;
    GMutex mutex;
    struct orr_dag *dag; /* NULL until it is read */
};

static const char *const suffixes[] = {".rec", ".csv", ".json", ".dot",
                                       ".gv",  ".dax", ".xml",  ".stg"};

bool orr_graph_is_file(const char *name)
{
    g_autofree char *plain = g_ascii_strdown(name, -1);

    if (g_str_has_suffix(plain, ".gz"))
        plain[strlen(plain) - strlen(".gz")] = '\0';
    for (unsigned i = 0; i < G_N_ELEMENTS(suffixes); i++) {
        if (g_str_has_suffix(plain, suffixes[i]))
            return true;
    }
    return false;
}

void orr_graph_file_free(struct orr_graph_file *file)
{
    if (!file)
        return;
    orr_dag_free(file->dag);
    g_mutex_clear(&file->mutex);
    g_free(file->path);
    g_free(file);
}

static struct orr_graph_file *file_of(const struct orr_app_values *values)
{
    return (struct orr_graph_file *)orr_app_values_data(values);
}

static const struct orr_dag *dag_of(const struct orr_app_values *values)
{
    return file_of(values)->dag;
}

enum { RUNTIME_IS_SECONDS, RUNTIME_IS_FLOPS };

struct orr_dag *orr_graph_file_read(const struct orr_app_values *values,
                                    GError **error)
{
    const struct orr_dag_read_settings settings = {
        .runtime_is_flops =
            orr_app_choice(values, "runtime-is") == RUNTIME_IS_FLOPS,
    };

    return orr_dag_read(file_of(values)->path, &settings, error);
}

static bool complete(struct orr_app_values *values, GError **error)
{
    struct orr_graph_file *file = file_of(values);
    bool good;

    g_mutex_lock(&file->mutex);
    if (!file->dag)
        file->dag = orr_graph_file_read(values, error);
    good = file->dag;
    g_mutex_unlock(&file->mutex);
    return good;
}

static double tasks(const struct orr_app_values *values)
{
    return dag_of(values)->task_count;
}

/* NAN unless all tasks have some. */
static double flops(const struct orr_app_values *values)
{
    const struct orr_dag *dag = dag_of(values);
    double sum = 0;

    for (uint32_t i = 0; i < dag->task_count; i++) {
        if (dag->tasks[i].kernel != ORR_DAG_NONE)
            sum += dag->tasks[i].flops >= 0 ? dag->tasks[i].flops : NAN;
    }
    return sum;
}

/* ---- submission ---- */

/* A kernel of the file, for data of some sizes. */
struct variant {
    struct orr_kernel *kernel; /* NULL: not calibrated */
    uint32_t name;             /* index in the graph */
    bool synchronous;
    unsigned count;
    uint64_t bytes[];
};

struct submission {
    struct orr_run *run;
    const struct orr_dag *dag;
    struct orr_data **data;
    bool *awaited;        /* by task: another one has an edge from it */
    GHashTable *variants; /* struct variant, owned */
    GArray *sizes;        /* uint64_t: of the data of a task */
    GArray *accesses;     /* struct orr_access */
    GArray *waits;        /* uint64_t: tags */
};

/* "pitch 7680", of a block of a larger matrix. */
static uint64_t pitch_of(const char *shape)
{
    return g_str_has_prefix(shape, "pitch ")
               ? g_ascii_strtoull(shape + strlen("pitch "), NULL, 10)
               : 0;
}

static struct orr_data *register_datum(struct orr_run *run,
                                       const struct orr_dag *dag,
                                       const struct orr_dag_datum *datum)
{
    uint64_t bytes = MAX(datum->bytes, 1); /* an empty file orders tasks */
    uint64_t pitch = pitch_of(orr_dag_text(dag, datum->shape));
    const char *coordinates = orr_dag_text(dag, datum->coordinates);
    struct orr_data *data = pitch > 1
                                ? orr_data_register_matrix(run, 1, bytes, pitch)
                                : orr_data_register(run, bytes);
    char *end;
    uint64_t row = g_ascii_strtoull(coordinates, &end, 10);
    uint64_t column;

    if (end == coordinates || *end != ' ')
        return data;
    coordinates = end;
    column = g_ascii_strtoull(coordinates, &end, 10);
    if (end != coordinates && *end == '\0' && row <= UINT_MAX &&
        column <= UINT_MAX)
        orr_data_set_coordinates(data, (unsigned)row, (unsigned)column);
    return data;
}

/* Scratch memory is not simulated; a reduction is an update in any order. */
static unsigned mode_of(unsigned mode)
{
    if (mode & (ORR_DAG_COMMUTE | ORR_DAG_REDUX) &&
        mode & (ORR_DAG_WRITE | ORR_DAG_REDUX))
        return ORR_RW | ORR_COMMUTE;
    return (mode & ORR_DAG_READ ? ORR_R : 0) |
           (mode & ORR_DAG_WRITE ? ORR_W : 0);
}

static void take_accesses(struct submission *s, const struct orr_dag_task *task)
{
    g_array_set_size(s->sizes, 0);
    g_array_set_size(s->accesses, 0);
    for (uint32_t i = task[0].first_access; i < task[1].first_access; i++) {
        const struct orr_dag_access *access = &s->dag->accesses[i];
        struct orr_access one = {s->data[access->datum], mode_of(access->mode)};

        g_array_append_val(s->sizes, s->dag->data[access->datum].bytes);
        if (one.mode)
            g_array_append_val(s->accesses, one);
    }
}

/* The tags of what comes before @task by edges. */
static void take_waits(struct submission *s, const struct orr_dag_task *task)
{
    g_array_set_size(s->waits, 0);
    for (uint32_t i = task[0].first_edge; i < task[1].first_edge; i++) {
        uint64_t tag = (uint64_t)s->dag->edges[i] + 1;

        g_array_append_val(s->waits, tag);
    }
}

static guint hash_variant(gconstpointer key)
{
    const struct variant *variant = key;
    uint64_t hash = variant->name * 2 + variant->synchronous;

    for (unsigned i = 0; i < variant->count; i++)
        hash = (hash ^ variant->bytes[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return (guint)(hash >> 32);
}

static gboolean is_same_variant(gconstpointer a, gconstpointer b)
{
    const struct variant *left = a;
    const struct variant *right = b;

    return left->name == right->name &&
           left->synchronous == right->synchronous &&
           left->count == right->count &&
           memcmp(left->bytes, right->bytes,
                  left->count * sizeof(left->bytes[0])) == 0;
}

static struct variant *new_variant(const struct submission *s,
                                   const struct orr_dag_task *task)
{
    size_t size = s->sizes->len * sizeof(uint64_t);
    struct variant *variant = g_malloc0(sizeof(*variant) + size);

    variant->name = task->kernel;
    variant->synchronous = task->synchronous;
    variant->count = s->sizes->len;
    if (size > 0)
        memcpy(variant->bytes, s->sizes->data, size);
    return variant;
}

/* The calibration of the kernel of @task; NULL: there is none. */
static struct orr_kernel *find_kernel(struct submission *s,
                                      const struct orr_dag_task *task)
{
    struct variant *variant = new_variant(s, task);
    struct variant *known = g_hash_table_lookup(s->variants, variant);

    if (known) {
        g_free(variant);
        return known->kernel;
    }
    variant->kernel = orr_graph_kernel_find(
        s->run, orr_dag_text(s->dag, s->dag->kernels[task->kernel]),
        variant->bytes, variant->count);
    if (variant->kernel && task->synchronous)
        orr_kernel_set_synchronous(variant->kernel);
    g_hash_table_add(s->variants, variant);
    return variant->kernel;
}

static bool fail_time(const struct submission *s, uint32_t task, GError **error)
{
    const struct orr_dag *dag = s->dag;

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s:%u: task %s: platform %s has no duration of the kernel "
                "'%s' for data of these sizes",
                dag->path, dag->tasks[task].line,
                orr_dag_text(dag, dag->tasks[task].name),
                orr_run_report(s->run)->platform, orr_dag_kernel(dag, task));
    return false;
}

static bool submit_task(struct submission *s, uint32_t number, GError **error)
{
    const struct orr_dag_task *task = &s->dag->tasks[number];
    int most = orr_run_max_priority(s->run);
    struct orr_task_spec spec = {
        .name = orr_dag_text(s->dag, task->name),
        .priority =
            most == INT_MAX ? task->priority : CLAMP(task->priority, 0, most),
        .tag = s->awaited[number] ? (uint64_t)number + 1 : 0,
    };

    take_accesses(s, task);
    take_waits(s, task);
    spec.count = s->accesses->len;
    spec.accesses = (const struct orr_access *)(void *)s->accesses->data;
    spec.wait_count = s->waits->len;
    spec.wait_tags = (const uint64_t *)(void *)s->waits->data;
    spec.kernel = task->kernel == ORR_DAG_NONE ? NULL : find_kernel(s, task);
    if (!spec.kernel)
        return fail_time(s, number, error);
    orr_task_submit(s->run, &spec);
    return true;
}

static bool submit_all(struct submission *s, GError **error)
{
    const struct orr_dag *dag = s->dag;
    uint32_t hint = 0;

    for (uint32_t i = 0; i < dag->datum_count; i++)
        s->data[i] = register_datum(s->run, dag, &dag->data[i]);
    for (uint32_t i = 0; i < orr_dag_edge_count(dag); i++)
        s->awaited[dag->edges[i]] = true;
    for (uint32_t task = 0; task <= dag->task_count; task++) {
        for (; hint < dag->hint_count && dag->hints[hint].task <= task; hint++)
            orr_data_wont_use(s->run, s->data[dag->hints[hint].datum]);
        if (task < dag->task_count && !submit_task(s, task, error))
            return false;
    }
    return true;
}

static bool submit(struct orr_run *run, const struct orr_app_values *values,
                   GError **error)
{
    const struct orr_dag *dag = dag_of(values);
    struct submission s = {
        .run = run,
        .dag = dag,
        .data = g_new(struct orr_data *, dag->datum_count + (size_t)1),
        .awaited = g_new0(bool, dag->task_count),
        .variants =
            g_hash_table_new_full(hash_variant, is_same_variant, g_free, NULL),
        .sizes = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
        .accesses = g_array_new(FALSE, FALSE, sizeof(struct orr_access)),
        .waits = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
    };
    bool done = submit_all(&s, error);

    g_free(s.data);
    g_free(s.awaited);
    g_hash_table_unref(s.variants);
    g_array_unref(s.sizes);
    g_array_unref(s.accesses);
    g_array_unref(s.waits);
    return done;
}

static const char *const no_kernels[] = {NULL};
static const char *const units[] = {"seconds", "flops", NULL};

static const struct orr_app_option options[] = {
    {"runtime-is", "UNIT", "what WfFormat calls runtime: seconds or flops",
     ORR_APP_CHOICE, 0, 0, "seconds", units},
    {NULL, NULL, NULL, ORR_APP_FLAG, 0, 0, NULL, NULL},
};

struct orr_graph_file *orr_graph_file_new(const char *path)
{
    struct orr_graph_file *file = g_new0(struct orr_graph_file, 1);

    file->path = g_strdup(path);
    file->app = (struct orr_app){
        .name = file->path,
        .summary = "a task graph of a file",
        .kernels = no_kernels,
        .options = options,
        .complete = complete,
        .tasks = tasks,
        .flops = flops,
        .submit = submit,
    };
    g_mutex_init(&file->mutex);
    return file;
}

const struct orr_app *orr_graph_file_app(const struct orr_graph_file *file)
{
    return &file->app;
}

bool orr_graph_is_app(const struct orr_app *app)
{
    return app->submit == submit;
}
