/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Captures the task graph that an application submits, as a run without a
 * machine does (runtime/capture.h). Tasks and hints are added in the order of
 * submission; waits for tags become edges at the end, when all tags are known.
 * A graph file cannot represent some features, such as callbacks: a task that
 * uses one makes the capture fail.
 */
#include "apps/trace/submitted.h"

#include <string.h>

#include "apps/trace/trace_file.h"
#include "models/cost/flops.h"
#include "models/dag/dag_builder.h"
#include "models/digits.h"
#include "models/starpu/starpu_symbols.h"
#include "runtime/capture.h"
#include "runtime/programs/graph_file.h"
#include "runtime/run.h"

struct graph {
    struct orr_capture capture; /* first */
    struct orr_run *run;
    struct orr_dag_builder *builder;
    GHashTable *tags; /* uint64_t *, owned: task + 1 */
    GArray *waits;    /* struct wait */
    GArray *kernels;  /* struct kernel, by number in the run */
    uint64_t rank;    /* number of tasks and hints submitted so far */
    bool has_waited;  /* the application has waited for earlier tasks */
    GError *error;    /* the first one */
};

/* A task that waits for a tag. */
struct wait {
    uint64_t tag;
    uint32_t task;
};

/* Properties common to all tasks of a kernel. */
struct kernel {
    bool is_known;      /* the members below are set */
    uint32_t number;    /* in the graph */
    uint32_t footprint; /* StarPU's, of the data; 0: not known */
    double flops;       /* -1: not known */
};

/* Converts a name given by the application, which may be any bytes, to one line
 * of UTF-8. Free with g_free(). */
static char *line_of(const char *name)
{
    char *line = g_utf8_make_valid(name, -1);

    for (char *c = line; *c; c++) {
        if (g_ascii_iscntrl(*c))
            *c = ' ';
    }
    return line;
}

static uint32_t share_name(struct orr_dag_builder *builder, const char *name)
{
    g_autofree char *line = NULL;

    if (orr_trace_is_plain(name, 0))
        return orr_dag_share(builder, name, strlen(name));
    line = line_of(name);
    return orr_dag_share(builder, line, strlen(line));
}

/* ---- data ---- */

/* Adds data to the graph with the numbers that they have in the run. */
static bool add_data(struct graph *graph)
{
    const GPtrArray *data = graph->run->store.data;
    struct orr_dag_builder *builder = graph->builder;

    while (builder->data->len < data->len) {
        const struct orr_data *one = data->pdata[builder->data->len];

        if (orr_dag_datum_add(builder, one->bytes, 0, &graph->error) ==
            ORR_DAG_NONE)
            return false;
    }
    return true;
}

/* Coordinates and the pitch may be set after the first use. */
static void describe_data(struct graph *graph)
{
    struct orr_dag_builder *builder = graph->builder;

    for (guint i = 0; i < builder->data->len; i++) {
        struct orr_dag_datum *datum =
            &g_array_index(builder->data, struct orr_dag_datum, i);
        const struct orr_data *data = graph->run->store.data->pdata[i];
        char text[80];

        datum->home = 0;
        datum->is_named = data->name != NULL;
        if (data->name)
            datum->name = share_name(builder, data->name);
        if (data->has_coordinates) {
            g_snprintf(text, sizeof text, "%u %u", data->row, data->column);
            datum->coordinates = orr_dag_share(builder, text, strlen(text));
        }
        if (data->pitch_bytes > 0) {
            g_snprintf(text, sizeof text,
                       "pitch %" G_GUINT64_FORMAT " columns %" G_GUINT64_FORMAT,
                       data->pitch_bytes, data->span_bytes / data->pitch_bytes);
            datum->shape = orr_dag_share(builder, text, strlen(text));
        }
    }
}

/* ---- tasks ---- */

/* The name of the kernel in files: its symbol in StarPU, else "family/name", or
 * "family/name/double" in double precision. A kernel defined by the application
 * has no family and is written as its name, with "/" in front if the name looks
 * like one of the other forms. *@footprint is set if the kernel is known by its
 * symbol and that. Free with g_free(). */
static char *name_kernel(const struct orr_kernel *kernel, uint32_t *footprint)
{
    const struct orr_platform_kernel *model = kernel->model;
    char *symbol =
        orr_starpu_symbol_of(model->family, model->name, model->precision);

    if (!symbol && strcmp(model->family, ORR_STARPU_FAMILY) == 0)
        symbol = orr_starpu_footprint_symbol(model->name, footprint);
    if (symbol)
        return symbol;
    if (!*model->family && !strchr(model->name, '/') &&
        !orr_starpu_symbol_knows(model->name))
        return g_strdup(model->name);
    return g_strconcat(model->family, "/", model->name,
                       model->precision == ORR_DOUBLE ? "/double" : NULL, NULL);
}

static struct kernel describe_kernel(struct orr_dag_builder *builder,
                                     const struct orr_kernel *kernel)
{
    uint32_t footprint = 0;
    g_autofree char *name = name_kernel(kernel, &footprint);
    g_autofree char *symbol = line_of(name);
    double operations = orr_flops_operations(kernel->model->name);
    double tile = kernel->tile;

    return (struct kernel){
        .is_known = true,
        .number = orr_dag_kernel_of(builder, symbol, strlen(symbol)),
        .footprint = footprint,
        .flops = operations > 0 ? operations * tile * tile * tile : -1,
    };
}

/* The kernel of a task. */
static const struct kernel *kernel_of(struct graph *graph,
                                      const struct orr_kernel *kernel)
{
    struct kernel *known;

    if (kernel->number >= graph->kernels->len)
        g_array_set_size(graph->kernels, kernel->number + 1);
    known = &g_array_index(graph->kernels, struct kernel, kernel->number);
    if (!known->is_known)
        *known = describe_kernel(graph->builder, kernel);
    return known;
}

/* StarPU calls the coordinates of a task its iteration. */
static void describe_coordinates(struct orr_dag_builder *builder,
                                 struct orr_dag_task *task,
                                 const struct orr_task_spec *spec)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (unsigned i = 0; i < spec->coordinate_count; i++)
        g_string_append_printf(text, "%s%u", i > 0 ? " " : "",
                               spec->coordinates[i]);
    if (text->len > 0)
        task->iteration = orr_dag_share(builder, text->str, text->len);
}

static void describe_task(struct graph *graph, struct orr_dag_task *task,
                          const struct orr_task_spec *spec)
{
    struct orr_dag_builder *builder = graph->builder;
    task->name = share_name(builder, orr_spec_name(spec));
    task->priority = spec->priority;
    task->critical = (uint8_t)spec->critical;
    if (spec->coordinate_count > 0)
        describe_coordinates(builder, task, spec);
    if (spec->kernel) {
        const struct kernel *kernel = kernel_of(graph, spec->kernel);

        task->kernel = kernel->number;
        task->footprint = kernel->footprint;
        task->synchronous = spec->kernel->synchronous || spec->blocks_driver;
        task->flops = kernel->flops;
    }
}

static bool give_tag(struct graph *graph, uint64_t tag, uint32_t task)
{
    uint64_t *key = g_memdup2(&tag, sizeof tag);

    if (g_hash_table_insert(graph->tags, key, GUINT_TO_POINTER(task + 1)))
        return true;
    return orr_dag_fail(graph->builder, 0, ORR_ERROR_VALUE, &graph->error,
                        "task %u has the tag %" G_GUINT64_FORMAT
                        ", which another task has already",
                        task, tag);
}

/* Accesses are added in groups of this size. */
enum { TOGETHER = 16 };

static bool add_accesses(struct graph *graph, uint32_t task,
                         const struct orr_task_spec *spec)
{
    struct orr_dag_pending_access some[TOGETHER];
    unsigned count = 0;

    for (unsigned i = 0; i < spec->count; i++) {
        unsigned mode = spec->accesses[i].mode;
        unsigned known = (mode & ORR_R ? ORR_DAG_READ : 0) |
                         (mode & ORR_W ? ORR_DAG_WRITE : 0) |
                         (mode & ORR_COMMUTE ? ORR_DAG_COMMUTE : 0);

        some[count++] = (struct orr_dag_pending_access){
            task, (uint32_t)spec->accesses[i].data->id, known};
        if (count < TOGETHER && i + 1 < spec->count)
            continue;
        if (!orr_dag_accesses(graph->builder, some, count, &graph->error))
            return false;
        count = 0;
    }
    return true;
}

/* Records that the application waited: in a file, which has no such waits,
 * later tasks could run earlier. Before the first task nothing can. */
static void record_wait(struct orr_capture *capture,
                        const struct orr_data *data)
{
    struct graph *graph = (struct graph *)capture;

    (void)data;
    if (graph->rank > 0)
        graph->has_waited = true;
}

/* Whether files can represent the task; if not, sets the error. */
static bool is_representable(struct graph *graph,
                             const struct orr_task_spec *spec)
{
    const char *what =
        spec->worker_count > 0                       ? "names its workers"
        : spec->unordered                            ? "has unordered accesses"
        : spec->callback || spec->calls              ? "has a callback"
        : (spec->end_count | spec->end_releases) > 0 ? "has end dependencies"
        : spec->scratch_count > 0 ? "needs buffers of its worker"
        : spec->costs             ? "brings costs"
        : graph->has_waited ? "is submitted after the application has waited"
                            : NULL;

    for (unsigned i = 0; !what && i < spec->count; i++) {
        if (spec->accesses[i].data->unordered)
            what = "has an unordered access";
        else if (spec->accesses[i].mode == ORR_REDUX)
            what = "adds to a datum that is reduced";
    }
    return !what ||
           orr_dag_fail(
               graph->builder, 0, ORR_ERROR_VALUE, &graph->error,
               "task %u (%s) %s, which files of graphs cannot represent",
               graph->builder->tasks->len, orr_spec_name(spec), what);
}

static void take_task(struct orr_capture *capture,
                      const struct orr_task_spec *spec)
{
    struct graph *graph = (struct graph *)capture;
    struct orr_dag_builder *builder = graph->builder;
    char id[ORR_DIGITS];
    char *end = id + sizeof id;
    char *begin;
    uint32_t task;

    if (graph->error || !add_data(graph) || !is_representable(graph, spec))
        return;
    begin = orr_digits_put(end, builder->tasks->len + UINT64_C(1));
    task =
        orr_dag_task_add(builder, begin, (size_t)(end - begin), &graph->error);
    if (task == ORR_DAG_NONE)
        return;
    describe_task(graph, orr_dag_task_of(builder, task), spec);
    g_array_index(builder->ranks, uint64_t, task) = graph->rank++;
    if (!add_accesses(graph, task, spec) ||
        (spec->tag && !give_tag(graph, spec->tag, task)))
        return;
    for (unsigned i = 0; i < spec->wait_count; i++) {
        struct wait wait = {spec->wait_tags[i], task};

        g_array_append_val(graph->waits, wait);
    }
}

static void take_hint(struct orr_capture *capture, const struct orr_data *data)
{
    struct graph *graph = (struct graph *)capture;
    struct orr_dag_pending_hint hint = {graph->rank++, (uint32_t)data->id};

    if (!graph->error && add_data(graph))
        g_array_append_val(graph->builder->hints, hint);
}

/* ---- the graph ---- */

static bool add_waits(struct graph *graph)
{
    for (guint i = 0; i < graph->waits->len; i++) {
        const struct wait *wait = &g_array_index(graph->waits, struct wait, i);
        uint32_t before =
            GPOINTER_TO_UINT(g_hash_table_lookup(graph->tags, &wait->tag));

        if (before == 0)
            return orr_dag_fail(graph->builder, 0, ORR_ERROR_VALUE,
                                &graph->error,
                                "task %u waits for the tag %" G_GUINT64_FORMAT
                                ", which no task has",
                                wait->task, wait->tag);
        if (!orr_dag_edge(graph->builder, before - 1, wait->task,
                          &graph->error))
            return false;
    }
    return true;
}

static struct orr_dag *finish(struct graph *graph)
{
    if (graph->error || !orr_run_wait(graph->run, &graph->error) ||
        !add_data(graph) || !add_waits(graph))
        return NULL;
    describe_data(graph);
    return orr_dag_builder_finish(graph->builder, &graph->error);
}

/* Has @app submit its tasks. The first error is kept, as the error of the
 * application may follow from it. */
static bool submit(struct graph *graph, const struct orr_app *app,
                   const struct orr_app_values *values)
{
    GError *error = NULL;
    bool good = app->submit(graph->run, values, &error);

    if (error && !graph->error)
        g_propagate_error(&graph->error, error);
    else
        g_clear_error(&error);
    return good;
}

static struct orr_dag *capture(const struct orr_app *app,
                               const struct orr_app_values *values,
                               GError **error)
{
    struct graph graph = {
        .capture = {take_task, take_hint, record_wait},
        .builder = orr_dag_builder_new(app->name, "rec", ORR_DAG_BY_RANK),
        .tags =
            g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
        .waits = g_array_new(FALSE, FALSE, sizeof(struct wait)),
        .kernels = g_array_new(FALSE, TRUE, sizeof(struct kernel)),
    };
    struct orr_dag *dag = NULL;

    graph.run = orr_capture_new(&graph.capture);
    if (submit(&graph, app, values))
        dag = finish(&graph);
    if (graph.error)
        g_propagate_error(error, graph.error);
    orr_run_free(graph.run);
    orr_dag_builder_free(graph.builder);
    g_hash_table_unref(graph.tags);
    g_array_unref(graph.waits);
    g_array_unref(graph.kernels);
    return dag;
}

struct orr_dag *orr_submitted_graph(const struct orr_app *app,
                                    const struct orr_app_values *values,
                                    GError **error)
{
    if (orr_graph_is_app(app))
        return orr_graph_file_read(values, error);
    return capture(app, values, error);
}
