/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls of the application about data: acquire, release, unregister; hints
 * (prefetch, wont_use); dependencies that its accesses do not imply. */
#include "models/base/sized.h"
#include "runtime/application/acquire.h"
#include "runtime/application/hints.h"
#include "runtime/application/partition.h"
#include "runtime/application/reduction.h"
#include "runtime/arguments.h"
#include "runtime/capture.h"
#include "runtime/executor/kernel.h"
#include "runtime/run.h"

void orr_data_wont_use(struct orr_run *run, struct orr_data *data)
{
    struct orr_job *job;
    struct orr_access access = {.data = data, .mode = ORR_R};

    if (orr_run_ignores(run) || !orr_check_registered(run, data) ||
        data->empty || !orr_check_data(run, data, ORR_R))
        return;
    if (run->capture) {
        run->capture->wont_use(run->capture, data);
        return;
    }
    job = orr_job_new(&run->graph, ORR_JOB_WONT_USE, &access, 1);
    orr_run_submit(run, job);
}

void orr_data_set_unordered(struct orr_run *run, struct orr_data *data,
                            bool unordered)
{
    if (!orr_check_data(run, data, ORR_RW))
        return;
    data->unordered = unordered;
    run->graph.has_unordered |= unordered;
}

/* The error in a reduction of @data by @kernel, or NULL. */
static const char *wrong_reduction(const struct orr_run *run,
                                   const struct orr_data *data,
                                   const struct orr_kernel *kernel,
                                   const struct orr_task_times *times)
{
    if (data->redux)
        return "the datum has a reduction already";
    if (data->temporary)
        return "temporary data have no reduction";
    if (!kernel)
        return "the kernel of a reduction is NULL";
    if (kernel->run != run)
        return "the kernel of a reduction is of another run";
    if (times && (times->cpu_ns < 0 || times->gpu_ns < 0))
        return "the times of a reduction are below 0";
    if (!times && kernel->brings_times)
        return "a reduction has no times, and its kernel no durations";
    return NULL;
}

void orr_data_set_reduction(struct orr_run *run, struct orr_data *data,
                            struct orr_kernel *kernel,
                            const struct orr_task_times *times)
{
    struct orr_task_times whole;
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = kernel};
    g_autofree char *wrong_size = NULL;
    const char *wrong;

    if (run->error || !orr_check_data(run, data, ORR_W))
        return;
    if (times && !orr_sized_read(ORR_SIZED(orr_task_times, ORR_TASK_TIMES_INIT),
                                 times, &whole, &wrong_size)) {
        orr_run_refuse(run, "the times of a reduction: %s", wrong_size);
        return;
    }
    spec.times = times ? &whole : NULL;
    wrong = wrong_reduction(run, data, kernel, spec.times);
    if (wrong) {
        orr_run_refuse(run, "%s", wrong);
        return;
    }
    if (!run->capture && !orr_kernel_with(&spec, true)) {
        orr_run_refuse(run, "no worker of the run can run a reduction in its "
                            "times");
        return;
    }
    orr_reduction_new(run, data, kernel, spec.times, orr_run_new_reduction);
}

static void prefetch(struct orr_run *run, struct orr_data *data, unsigned node,
                     bool idle)
{
    if (orr_run_ignores(run) || !orr_check_data(run, data, ORR_R) ||
        !orr_check_node(run, node) || run->capture || run->recording)
        return;
    if (run->app.collected) {
        orr_data_bring(&run->store, data, node, idle);
        return;
    }
    orr_guard_progress(run->app.guard);
    orr_job_prefetch(run, data, node, idle);
    orr_run_until_idle(run, &run->main);
    orr_guard_restore_stack(run->policy.guard);
}

void orr_data_prefetch(struct orr_run *run, struct orr_data *data,
                       unsigned node)
{
    prefetch(run, data, node, false);
}

void orr_data_idle_prefetch(struct orr_run *run, struct orr_data *data,
                            unsigned node)
{
    prefetch(run, data, node, true);
}

/* Whether the application may wait until it can access @data. If it has
 * acquired @data already, in a conflicting mode, it would wait for itself. */
static bool may_wait(struct orr_run *run, struct orr_data *data,
                     enum orr_access_mode mode, bool unregisters)
{
    const struct orr_acquisition *own;

    if (orr_run_ignores(run) ||
        !orr_check_data(run, data, unregisters ? ORR_W : mode) ||
        !orr_run_may_wait(run))
        return false;
    if (mode != ORR_R && mode != ORR_W && mode != ORR_RW)
        return orr_run_refuse(run,
                              "the application acquires a datum with the mode "
                              "%d: expected ORR_R, ORR_W or ORR_RW",
                              (int)mode);
    own =
        run->app.acquired ? g_hash_table_lookup(run->app.acquired, data) : NULL;
    return !own || !((own->mode | mode) & ORR_W) ||
           orr_run_refuse(run, "the application acquires a datum that it has "
                               "not released");
}

/* The application waits until it has @data in RAM. */
static bool acquire(struct orr_run *run, struct orr_data *data,
                    enum orr_access_mode mode, bool unregisters, GError **error)
{
    struct orr_access access = {.data = data, .mode = mode};
    struct orr_acquisition *acquisition;
    struct orr_job *job;

    if (!may_wait(run, data, mode, unregisters)) /* or the recording is full */
        return (run->recording && !run->error) || orr_run_wait(run, error);
    if (mode & ORR_W)
        data->empty = false;
    if (run->capture) {
        run->capture->waits(run->capture, data);
        return true;
    }
    job = orr_job_new(&run->graph, ORR_JOB_ACQUIRE, &access, 1);
    if (run->recording) {
        orr_run_submit(run, job);
        return true;
    }
    acquisition = orr_acquisition_begin(run, job, unregisters);
    orr_run_submit(run, job);
    if (orr_actor_idle(&run->main))
        orr_acquisition_act(run);
    orr_run_until_idle(run, &run->main);
    orr_guard_restore_stack(run->policy.guard);
    if (!acquisition->complete)
        return orr_run_wait(run, error);
    orr_acquisition_list(run);
    return true;
}

/* Ends an acquisition of @data; returns false if there is none. */
static bool release(struct orr_run *run, struct orr_data *data)
{
    struct orr_acquisition *acquisition = orr_acquisition_take(run, data);

    if (!acquisition)
        return false;
    orr_guard_progress(run->app.guard);
    orr_acquisition_release(run, acquisition);
    orr_run_until_idle(run, &run->main);
    orr_guard_restore_stack(run->policy.guard);
    return true;
}

bool orr_data_acquire(struct orr_run *run, struct orr_data *data,
                      enum orr_access_mode mode, GError **error)
{
    return acquire(run, data, mode, false, error);
}

void orr_data_release(struct orr_run *run, struct orr_data *data)
{
    if (orr_run_ignores(run) || !orr_check_registered(run, data) ||
        !orr_run_may_wait(run) || run->capture || run->recording)
        return;
    if (!release(run, data))
        orr_refuse_data(run, data,
                        "is released, but the application has not acquired it");
}

bool orr_data_unregister(struct orr_run *run, struct orr_data *data,
                         GError **error)
{
    if (run->app.partitions && !run->error && orr_data_is_part(run, data))
        orr_refuse_data(run, data, "is a part, and cannot be unregistered");
    if (!acquire(run, data, ORR_RW, true, error))
        return false;
    release(run, data);
    return true;
}

/* Whether @sizes, if they are listed, are @count sizes of parts of @total. */
static bool are_sizes(const uint64_t *sizes, unsigned count, uint64_t total)
{
    for (unsigned i = 0; sizes && i < count; i++) {
        if (sizes[i] == 0 || sizes[i] > total)
            return false;
        total -= sizes[i];
    }
    return !sizes || total == 0;
}

/* The reason why @data cannot be split at all, or NULL. */
static const char *cannot_split(const struct orr_data *data)
{
    return data->unordered || data->redux
               ? "is unordered or has a reduction, so it is not split"
               : NULL;
}

/* The error in @grid for @data, or NULL. */
static const char *wrong_grid(const struct orr_data *data,
                              const struct orr_grid *grid)
{
    if (cannot_split(data))
        return cannot_split(data);
    if (grid->element_bytes == 0 || grid->rows == 0 || grid->columns == 0 ||
        data->bytes % grid->element_bytes != 0 ||
        data->bytes / grid->element_bytes % grid->rows != 0 ||
        data->bytes / grid->element_bytes / grid->rows != grid->columns)
        return "has not the bytes of rows x columns elements of its partition";
    if (grid->row_parts == 0 || grid->row_parts > grid->rows ||
        grid->column_parts == 0 || grid->column_parts > grid->columns)
        return "is split into no parts, or into more than there are rows or "
               "columns";
    if (grid->row_parts >= ORR_MAX_ACCESSES / grid->column_parts)
        return "is split into too many parts";
    if (!are_sizes(grid->row_sizes, grid->row_parts, grid->rows))
        return "is split by row_sizes that are not above 0, or not together "
               "its rows";
    if (!are_sizes(grid->column_sizes, grid->column_parts, grid->columns))
        return "is split by column_sizes that are not above 0, or not "
               "together its columns";
    return NULL;
}

/* The size of part @i of @count, of @total: as in @sizes, or NULL. */
static uint64_t share(const uint64_t *sizes, uint64_t total, unsigned count,
                      unsigned i)
{
    return sizes ? sizes[i] : total / count + (i < total % count);
}

static struct orr_data *make_part(struct orr_run *run,
                                  const struct orr_data *data,
                                  const struct orr_part *part, unsigned row,
                                  unsigned column)
{
    struct orr_data *made =
        data->temporary
            ? orr_data_register_temporary(run,
                                          part->column_bytes * part->columns)
            : orr_data_register_matrix(run, part->column_bytes, part->columns,
                                       part->pitch_bytes);

    if (!made)
        return NULL;
    orr_data_set_coordinates(made, row, column);
    orr_data_set_name(made, data->name);
    made->root = data->root;
    return made;
}

/* Whether a matrix in memory has the pitch that @grid implies. */
static bool fits_pitch(const struct orr_data *data, const struct orr_grid *grid)
{
    uint64_t column = grid->rows * grid->element_bytes;

    return !data->pitch_bytes ||
           (column <= data->pitch_bytes &&
            data->pitch_bytes * grid->columns == data->span_bytes);
}

/* Whether @run has a place for partitions. */
static bool may_plan(struct orr_run *run)
{
    return !run->capture ||
           orr_run_refuse(run, "files of graphs have no place for partitions");
}

/* Whether @data can be split by @grid. */
static bool check_grid(struct orr_run *run, const struct orr_data *data,
                       const struct orr_grid *grid)
{
    const char *wrong = wrong_grid(data, grid);

    if (!may_plan(run))
        return false;
    if (!wrong && !fits_pitch(data, grid))
        wrong = "is split by columns that are not those of its matrix";
    return !wrong || orr_refuse_data(run, data, wrong);
}

/* Plans to split @data into rows x columns @parts that were checked, which are
 * ordered by columns; fails if there are too many data. */
static struct orr_partition *plan(struct orr_run *run, struct orr_data *data,
                                  const struct orr_part *parts, unsigned rows,
                                  unsigned columns)
{
    unsigned count = rows * columns;
    struct orr_partition *partition =
        g_malloc0(sizeof(*partition) + count * sizeof(struct orr_data *));
    partition->run = run;
    partition->data = data;
    partition->row_parts = rows;
    partition->column_parts = columns;
    partition->count = count;
    orr_parted_add(run, data);
    g_ptr_array_add(run->app.partitions->all, partition);
    for (unsigned i = 0; i < count; i++) {
        struct orr_data *part =
            make_part(run, data, &parts[i], i % rows, i / rows);

        if (!part)
            return NULL;
        partition->parts[i] = part;
        orr_parted_add(run, part)->of = partition;
    }
    return partition;
}

/* Part @i of @grid, by columns. */
static struct orr_part find_part(const struct orr_data *data,
                                 const struct orr_grid *grid, unsigned i)
{
    uint64_t rows = share(grid->row_sizes, grid->rows, grid->row_parts,
                          i % grid->row_parts);

    return (struct orr_part){
        .column_bytes = rows * grid->element_bytes,
        .columns = share(grid->column_sizes, grid->columns, grid->column_parts,
                         i / grid->row_parts),
        .pitch_bytes = data->pitch_bytes ? data->pitch_bytes
                                         : grid->rows * grid->element_bytes,
    };
}

struct orr_partition *orr_partition_new(struct orr_run *run,
                                        struct orr_data *data,
                                        const struct orr_grid *grid)
{
    struct orr_grid whole;
    g_autofree char *why = NULL;
    g_autofree struct orr_part *parts = NULL;

    if (run->error || !orr_check_registered(run, data))
        return NULL;
    if (!orr_sized_read(ORR_SIZED(orr_grid, ORR_GRID_INIT), grid, &whole,
                        &why)) {
        orr_run_refuse(run, "%s", why);
        return NULL;
    }
    if (!check_grid(run, data, &whole))
        return NULL;
    parts = g_new(struct orr_part, whole.row_parts * whole.column_parts);
    for (unsigned i = 0; i < whole.row_parts * whole.column_parts; i++)
        parts[i] = find_part(data, &whole, i);
    return plan(run, data, parts, whole.row_parts, whole.column_parts);
}

/* The error in the @count @parts for @data, or NULL; orr_data_register_matrix()
 * sees the others. */
static const char *wrong_parts(const struct orr_data *data,
                               const struct orr_part *parts, unsigned count)
{
    if (cannot_split(data))
        return cannot_split(data);
    if (count == 0 || count >= ORR_MAX_ACCESSES)
        return "is split into no parts, or into too many";
    for (unsigned i = 0; i < count; i++) {
        if (parts[i].column_bytes > 0 &&
            parts[i].columns > data->bytes / parts[i].column_bytes)
            return "is split into parts of which one is larger";
    }
    return NULL;
}

struct orr_partition *orr_partition_new_parts(struct orr_run *run,
                                              struct orr_data *data,
                                              const struct orr_part *parts,
                                              unsigned count)
{
    const char *wrong;

    if (run->error || !orr_check_registered(run, data) || !may_plan(run))
        return NULL;
    wrong = wrong_parts(data, parts, count);
    if (wrong) {
        orr_refuse_data(run, data, wrong);
        return NULL;
    }
    return plan(run, data, parts, count, 1);
}

struct orr_data *orr_partition_part(const struct orr_partition *partition,
                                    unsigned row, unsigned column)
{
    return partition && row < partition->row_parts &&
                   column < partition->column_parts
               ? partition->parts[column * partition->row_parts + row]
               : NULL;
}

/*
 * Submits the job that moves the content between the datum and its parts,
 * which it accesses in these modes; it reads no part without content. The side
 * with ORR_RW has no content afterwards.
 */
static void submit_change(struct orr_partition *partition,
                          enum orr_access_mode whole,
                          enum orr_access_mode parts)
{
    struct orr_run *run = partition->run;
    struct orr_access *accesses =
        g_new(struct orr_access, partition->count + 1);
    unsigned count = 0;
    struct orr_job *job;

    accesses[count++] = (struct orr_access){partition->data, whole};
    for (unsigned i = 0; i < partition->count; i++) {
        struct orr_data *part = partition->parts[i];

        if (!part->empty || !(parts & ORR_R))
            accesses[count++] = (struct orr_access){part, parts};
    }
    job = orr_job_new(&run->graph, ORR_JOB_GATHER, accesses, count);
    g_free(accesses);
    if (!run->recording)
        orr_gathering_new(run, job,
                          whole == ORR_RW ? &partition->data : partition->parts,
                          whole == ORR_RW   ? 1
                          : parts == ORR_RW ? partition->count
                                            : 0);
    orr_run_submit(run, job);
}

static void set_empty(struct orr_partition *partition, bool empty)
{
    for (unsigned i = 0; i < partition->count; i++)
        partition->parts[i]->empty = empty;
}

void orr_partition_split(struct orr_partition *partition)
{
    struct orr_run *run = partition ? partition->run : NULL;

    if (!run || orr_run_ignores(run) ||
        !orr_check_data(run, partition->data, ORR_W))
        return;
    orr_parted_find(run, partition->data)->split = partition;
    set_empty(partition, partition->data->empty);
    if (!partition->data->empty)
        submit_change(partition, ORR_RW, ORR_W);
}

void orr_partition_split_readonly(struct orr_partition *partition)
{
    struct orr_run *run = partition ? partition->run : NULL;

    if (!run || orr_run_ignores(run) ||
        !orr_check_data(run, partition->data, ORR_R))
        return;
    if (partition->read_only) {
        orr_refuse_data(run, partition->data,
                        "is split into these parts already");
        return;
    }
    partition->read_only = true;
    orr_parted_find(run, partition->data)->read_only++;
    set_empty(partition, false);
    submit_change(partition, ORR_R, ORR_W);
}

/* Whether the parts of @partition can be joined: it is active, and none of them
 * is split. */
static bool check_join(const struct orr_partition *partition)
{
    struct orr_run *run = partition->run;

    if (!orr_partition_is_active(partition))
        return orr_refuse_data(run, partition->data,
                               "is joined, but not split into these parts");
    for (unsigned i = 0; i < partition->count; i++) {
        if (orr_data_is_split(run, partition->parts[i]))
            return orr_refuse_data(run, partition->parts[i],
                                   "is split into parts");
    }
    return true;
}

void orr_partition_join(struct orr_partition *partition)
{
    struct orr_run *run = partition ? partition->run : NULL;
    struct orr_parted *parted;

    if (!run || orr_run_ignores(run) || !check_join(partition))
        return;
    parted = orr_parted_find(run, partition->data);
    parted->split = NULL;
    parted->read_only -= partition->read_only;
    partition->read_only = false;
    submit_change(partition, ORR_W, ORR_RW);
    partition->data->empty = false;
}

void orr_partition_join_readonly(struct orr_partition *partition)
{
    struct orr_run *run = partition ? partition->run : NULL;
    struct orr_parted *parted;

    if (!run || orr_run_ignores(run) || !check_join(partition))
        return;
    if (partition->read_only) {
        orr_refuse_data(run, partition->data,
                        "is split to be read only already");
        return;
    }
    parted = orr_parted_find(run, partition->data);
    parted->split = NULL;
    parted->read_only++;
    partition->read_only = true;
    submit_change(partition, ORR_W, ORR_R);
    partition->data->empty = false;
}
