/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The application that submits the tasks of a graph file. The graph is read
 * when the values of the options are complete, and shared by all runs. A
 * submission registers all data, then submits each task with its accesses; an
 * edge that no datum implies becomes a tag, which the first task declares and
 * the second one waits for. A name of a kernel that the platform knows is
 * calibrated; other tasks bring their durations.
 */
#include "runtime/programs/graph_file.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "models/base/error.h"
#include "models/dagfile/dag_read.h"
#include "models/dagtime/dag_times.h"
#include "runtime/executor/kernel.h"
#include "runtime/programs/programs.h"
#include "runtime/run.h"

G_STATIC_ASSERT((int)ORR_DAG_NOT_CRITICAL == (int)ORR_NOT_CRITICAL);
G_STATIC_ASSERT((int)ORR_DAG_CRITICAL == (int)ORR_CRITICAL);

struct graph_file {
    struct orr_app app; /* first member */
    char *path;
    GMutex mutex;
    struct orr_dag
        *dags[2]; /* by value of option runtime-is; NULL until read */
    const char *
        *kernels; /* names of the kernels; NULL until the graph is read */
};

const char *const orr_graph_endings[] = {".rec", ".csv", ".json", ".dot", ".gv",
                                         ".dax", ".xml", ".stg",  NULL};

bool orr_graph_is_file(const char *name)
{
    g_autofree char *plain = g_ascii_strdown(name, -1);

    if (g_str_has_suffix(plain, ".gz"))
        plain[strlen(plain) - strlen(".gz")] = '\0';
    for (unsigned i = 0; orr_graph_endings[i]; i++) {
        if (g_str_has_suffix(plain, orr_graph_endings[i]))
            return true;
    }
    return false;
}

void orr_graph_file_free(const struct orr_app *app)
{
    struct graph_file *file = (struct graph_file *)app;

    for (unsigned i = 0; i < G_N_ELEMENTS(file->dags); i++)
        orr_dag_free(file->dags[i]);
    g_free(file->kernels);
    g_mutex_clear(&file->mutex);
    g_free(file->path);
    g_free(file);
}

static struct graph_file *file_of(const struct orr_app_values *values)
{
    return (struct graph_file *)orr_app_values_app(values);
}

static const struct orr_dag *dag_of(const struct orr_app_values *values)
{
    return file_of(values)->dags[orr_app_choice(values, "runtime-is")];
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

/* Reads the graph, and names its kernels in the table. */
static bool take_graph(struct graph_file *file,
                       const struct orr_app_values *values, GError **error)
{
    struct orr_dag *dag = orr_graph_file_read(values, error);

    if (!dag)
        return false;
    file->dags[orr_app_choice(values, "runtime-is")] = dag;
    if (file->kernels)
        return true;
    file->kernels = g_new0(const char *, dag->kernel_count + (size_t)1);
    for (uint32_t i = 0; i < dag->kernel_count; i++)
        file->kernels[i] = orr_dag_text(dag, dag->kernels[i]);
    file->app.kernels = file->kernels;
    return true;
}

static bool read_speeds(const struct orr_app_values *values,
                        struct orr_assumed_speeds *speeds, GError **error)
{
    if (!orr_assumed_speeds_parse(orr_app_text(values, "assume-speed"), speeds,
                                  error)) {
        g_prefix_error(error, "--assume-speed: ");
        return false;
    }
    if (!orr_assumed_flops_parse(orr_app_text(values, "assume-flops"), speeds,
                                 error)) {
        g_prefix_error(error, "--assume-flops: ");
        return false;
    }
    return true;
}

static bool complete(struct orr_app_values *values, GError **error)
{
    struct graph_file *file = file_of(values);
    struct orr_assumed_speeds speeds;
    bool good;

    if (!read_speeds(values, &speeds, error))
        return false;
    g_mutex_lock(&file->mutex);
    good = dag_of(values) || take_graph(file, values, error);
    g_mutex_unlock(&file->mutex);
    return good;
}

static double tasks(const struct orr_app_values *values)
{
    return dag_of(values)->task_count;
}

/* Sum over all tasks; NAN unless all have a number of operations. */
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

struct submission {
    struct orr_run *run;
    const struct orr_dag *dag;
    struct orr_data **data;
    bool *awaited; /* by task: another task has an edge from it */
    struct orr_dag_times *times;
    enum orr_where *wheres; /* where kernels may run, by number of the kernel */
    /* Kernels, created on first use; in each pair, the second one is
     * synchronous (orr_kernel_set_synchronous()). */
    struct orr_kernel *(*calibrated)[2]; /* by number in times */
    struct orr_kernel *(*others)[2];     /* by number in the graph */
    GArray *accesses;                    /* struct orr_access */
    GArray *waits;                       /* uint64_t: tags */
};

/* The number after @word in @shape; 0: there is none. */
static uint64_t number_after(const char *shape, const char *word)
{
    const char *found = strstr(shape, word);

    return found ? g_ascii_strtoull(found + strlen(word), NULL, 10) : 0;
}

/* Registers a datum of the given shape. A block of a larger matrix has "pitch
 * 7680 columns 960"; other shapes, such as "960x960x4", have no effect. */
static struct orr_data *register_shape(struct orr_run *run, uint64_t bytes,
                                       const char *shape)
{
    bool is_block = g_str_has_prefix(shape, "pitch ");
    uint64_t pitch = is_block ? number_after(shape, "pitch ") : 0;
    uint64_t columns = is_block ? number_after(shape, " columns ") : 0;

    if (columns <= 1 || bytes % columns != 0 || pitch <= bytes / columns)
        return orr_data_register(run, bytes);
    return orr_data_register_matrix(run, bytes / columns, columns, pitch);
}

/* Reads up to @most coordinates, "2 0", each at most @max. Returns how many
 * there are; 0 if @text is something else. */
static unsigned read_coordinates(const char *text, unsigned *coordinates,
                                 unsigned most, unsigned max)
{
    for (unsigned count = 0; count < most && g_ascii_isdigit(*text);) {
        char *end;
        uint64_t number = g_ascii_strtoull(text, &end, 10);

        if (number > max)
            return 0;
        coordinates[count++] = (unsigned)number;
        if (*end == '\0')
            return count;
        text = end + (*end == ' ');
    }
    return 0;
}

/* Sets the coordinates @text, "2 0". Returns false if it is something else. */
static bool place_datum(struct orr_data *data, const char *text)
{
    unsigned place[2];

    if (read_coordinates(text, place, 2, UINT_MAX) != 2)
        return false;
    orr_data_set_coordinates(data, place[0], place[1]);
    return true;
}

/* Sets the name of the matrix of a tile: files without coordinates call tiles
 * of one matrix "A#1" and "A#2", or "A(0,0)" and "A(1,0)". */
static void name_matrix(struct orr_data *data, const char *name)
{
    size_t length = strcspn(name, "#(");
    g_autofree char *matrix = NULL;

    if (!data || length == 0 || name[length] == '\0')
        return;
    matrix = g_strndup(name, length);
    orr_data_set_matrix(data, matrix);
}

/* Registers a datum under its coordinates and the name of their matrix or,
 * without these, under its name in the file. A name may contain coordinates:
 * "A(2,1)". */
static struct orr_data *register_datum(struct orr_run *run,
                                       const struct orr_dag *dag,
                                       const struct orr_dag_datum *datum)
{
    uint64_t bytes =
        MAX(datum->bytes, 1); /* an empty datum still orders tasks */
    struct orr_data *data =
        register_shape(run, bytes, orr_dag_text(dag, datum->shape));
    const char *name = orr_dag_text(dag, datum->name);

    if (!place_datum(data, orr_dag_text(dag, datum->coordinates)) ||
        (datum->is_named && !strchr(name, '(')))
        orr_data_set_name(data, name);
    name_matrix(data, name);
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
    g_array_set_size(s->accesses, 0);
    for (uint32_t i = task[0].first_access; i < task[1].first_access; i++) {
        const struct orr_dag_access *access = &s->dag->accesses[i];
        struct orr_access one = {s->data[access->datum], mode_of(access->mode)};

        if (one.mode)
            g_array_append_val(s->accesses, one);
    }
}

/* Collects the tags of the tasks from which @task has edges. */
static void take_waits(struct submission *s, const struct orr_dag_task *task)
{
    g_array_set_size(s->waits, 0);
    for (uint32_t i = task[0].first_edge; i < task[1].first_edge; i++) {
        uint64_t tag = (uint64_t)s->dag->edges[i] + 1;

        g_array_append_val(s->waits, tag);
    }
}

/*
 * Finds a kernel of the platform for a kernel of the graph. The configuration
 * may restrict it by its name in the graph or in the platform. If several names
 * in the graph mean one kernel of the platform, each name gets a variant of it.
 */
static struct orr_kernel *find_calibrated(struct submission *s,
                                          const struct orr_dag_task *task,
                                          uint32_t number, GError **error)
{
    struct orr_kernel **kernel = &s->calibrated[number][task->synchronous];
    const struct orr_dag_time_kernel *known = &s->times->kernels[number];
    enum orr_where where = s->wheres[task->kernel];

    if (*kernel)
        return *kernel;
    *kernel = orr_kernel_find(s->run, known->model->family, known->model->name,
                              known->model->precision == ORR_SINGLE
                                  ? ORR_SINGLE_PRECISION
                                  : ORR_DOUBLE_PRECISION,
                              known->tile, error);
    if (*kernel)
        *kernel = orr_kernel_variant(
            *kernel, where == ORR_WHERE_ANY ? (*kernel)->where : where,
            task->synchronous, error);
    return *kernel;
}

static struct orr_kernel *find_other(struct submission *s,
                                     const struct orr_dag_task *task,
                                     GError **error)
{
    struct orr_kernel **kernel = &s->others[task->kernel][task->synchronous];

    if (*kernel)
        return *kernel;
    *kernel = orr_kernel_new(
        s->run, orr_dag_text(s->dag, s->dag->kernels[task->kernel]), error);
    if (*kernel && task->synchronous)
        orr_kernel_set_synchronous(*kernel);
    return *kernel;
}

/* Sets the kernel of task @number in @spec and, unless it is calibrated, how
 * long it takes; or that it only synchronises. */
static bool set_kernel(struct submission *s, uint32_t number,
                       struct orr_task_spec *spec, struct orr_task_times *times,
                       GError **error)
{
    const struct orr_dag_task *task = &s->dag->tasks[number];
    const struct orr_dag_time *time = &s->times->tasks[number];

    spec->synchronises = time->source == ORR_DAG_TIME_NONE;
    if (spec->synchronises)
        return true;
    if (time->source == ORR_DAG_TIME_CALIBRATION) {
        spec->kernel = find_calibrated(s, task, time->kernel, error);
        return spec->kernel;
    }
    spec->kernel = find_other(s, task, error);
    *times = (struct orr_task_times){ORR_TASK_TIMES_INIT, time->cpu, time->gpu,
                                     time->source == ORR_DAG_TIME_FLOPS
                                         ? ORR_TIMES_FLOPS
                                         : ORR_TIMES_RECORDED};
    spec->times = times;
    return spec->kernel;
}

static bool submit_task(struct submission *s, uint32_t number, GError **error)
{
    const struct orr_dag_task *task = &s->dag->tasks[number];
    struct orr_task_times times;
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .name = orr_dag_text(s->dag, task->name),
        .priority = task->priority,
        .critical = (enum orr_critical)task->critical,
        .tag = s->awaited[number] ? (uint64_t)number + 1 : 0,
    };

    spec.coordinate_count = read_coordinates(
        orr_dag_text(s->dag, task->iteration), spec.coordinates,
        ORR_MAX_COORDINATES, ORR_MAX_COORDINATE);
    take_accesses(s, task);
    take_waits(s, task);
    spec.count = s->accesses->len;
    spec.accesses = (const struct orr_access *)(void *)s->accesses->data;
    spec.wait_count = s->waits->len;
    spec.wait_tags = (const uint64_t *)(void *)s->waits->data;
    if (!set_kernel(s, number, &spec, &times, error))
        return false;
    orr_task_submit(s->run, &spec);
    return true;
}

static bool submit_all(struct submission *s, GError **error)
{
    const struct orr_dag *dag = s->dag;
    uint32_t hint = 0;

    for (uint32_t i = 0; i < dag->kernel_count; i++)
        s->wheres[i] =
            orr_kernel_restriction(s->run, orr_dag_text(dag, dag->kernels[i]));
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

static struct orr_dag_times *find_times(struct orr_run *run,
                                        const struct orr_app_values *values,
                                        GError **error)
{
    const struct orr_report *report = orr_run_report(run);
    struct orr_dag_time_settings settings = {
        .platform = run->platform,
        .cpus = report->cpus,
        .gpus = report->gpus,
    };

    if (!read_speeds(values, &settings.speeds, error))
        return NULL;
    return orr_dag_times_new(dag_of(values), &settings, error);
}

static bool submit(struct orr_run *run, const struct orr_app_values *values,
                   GError **error)
{
    const struct orr_dag *dag = dag_of(values);
    struct submission s = {
        .run = run,
        .dag = dag,
        .times = find_times(run, values, error),
    };
    bool done;

    if (!s.times)
        return false;
    s.data = g_new(struct orr_data *, dag->datum_count + (size_t)1);
    s.awaited = g_new0(bool, dag->task_count);
    s.wheres = g_new(enum orr_where, dag->kernel_count + (size_t)1);
    s.calibrated =
        g_malloc0_n(s.times->kernel_count + (size_t)1, sizeof *s.calibrated);
    s.others = g_malloc0_n(dag->kernel_count + (size_t)1, sizeof *s.others);
    s.accesses = g_array_new(FALSE, FALSE, sizeof(struct orr_access));
    s.waits = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    done = submit_all(&s, error);
    orr_dag_times_free(s.times);
    g_free(s.data);
    g_free(s.awaited);
    g_free(s.wheres);
    g_free(s.calibrated);
    g_free(s.others);
    g_array_unref(s.accesses);
    g_array_unref(s.waits);
    return done;
}

static const char *const units[] = {"seconds", "flops", NULL};

static const struct orr_app_option options[] = {
    {"runtime-is", "UNIT", "what WfFormat calls runtime: seconds or flops",
     ORR_APP_CHOICE, 0, 0, "seconds", units},
    {"assume-speed", "CLASS=X,...",
     "speeds for recorded times: CPU, CUDA, recorded-CPU, recorded-CUDA",
     ORR_APP_TEXT, 0, 0, NULL, NULL},
    {"assume-flops", "CLASS=X,...",
     "speeds for flops, where the platform has none: CPU, CUDA", ORR_APP_TEXT,
     0, 0, NULL, NULL},
    {NULL, NULL, NULL, ORR_APP_FLAG, 0, 0, NULL, NULL},
};

const struct orr_app *orr_graph_file_new(const char *path)
{
    struct graph_file *file = g_new0(struct graph_file, 1);

    file->path = g_strdup(path);
    file->app = (struct orr_app){
        .name = file->path,
        .summary = "a task graph of a file",
        .options = options,
        .complete = complete,
        .tasks = tasks,
        .flops = flops,
        .submit = submit,
    };
    g_mutex_init(&file->mutex);
    return &file->app;
}

bool orr_graph_is_app(const struct orr_app *app)
{
    return app->submit == submit;
}
