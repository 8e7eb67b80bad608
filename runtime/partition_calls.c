/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The functions of orrery_data.h about partitions. */
#include "models/base/sized.h"
#include "runtime/app_data.h"
#include "runtime/application/gather.h"
#include "runtime/application/partition.h"
#include "runtime/arguments.h"
#include "runtime/run.h"

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
    struct orr_partition *partition;
    struct orr_part *parts;
    size_t count;

    if (run->error || !orr_check_registered(run, data))
        return NULL;
    if (!orr_sized_read(ORR_SIZED(orr_grid, ORR_GRID_INIT), grid, &whole,
                        &why)) {
        orr_run_refuse(run, "%s", why);
        return NULL;
    }
    if (!check_grid(run, data, &whole))
        return NULL;
    count = (size_t)whole.row_parts * whole.column_parts;
    parts = g_new(struct orr_part, count);
    for (size_t i = 0; i < count; i++)
        parts[i] = find_part(data, &whole, (unsigned)i);
    partition = plan(run, data, parts, whole.row_parts, whole.column_parts);
    g_free(parts);
    return partition;
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

void orr_partition_gather_on(struct orr_partition *partition, unsigned node)
{
    if (partition && !orr_run_ignores(partition->run) &&
        orr_check_node(partition->run, node))
        partition->node = node;
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
 * with ORR_RW is invalidated afterwards, as in the reference (StarPU,
 * filters.c: starpu_data_unpartition_submit()).
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
        orr_gathering_new(run, job, partition->node);
    orr_run_submit(run, job);
    if (whole == ORR_RW)
        orr_app_invalidate_later(run, partition->data);
    for (unsigned i = 0; parts == ORR_RW && i < partition->count; i++)
        orr_app_invalidate_later(run, partition->parts[i]);
}

static void set_empty(struct orr_partition *partition, bool empty)
{
    for (unsigned i = 0; i < partition->count; i++)
        partition->parts[i]->empty = empty;
}

/* Parts that can be read become parts that can be written: if no other
 * partition is split to be read. */
static void upgrade(struct orr_partition *partition)
{
    struct orr_parted *parted =
        orr_parted_find(partition->run, partition->data);

    if (!partition->read_only || parted->read_only > 1)
        return;
    partition->read_only = false;
    parted->read_only = 0;
}

void orr_partition_split(struct orr_partition *partition)
{
    struct orr_run *run = partition ? partition->run : NULL;

    if (!run || orr_run_ignores(run))
        return;
    upgrade(partition);
    if (!orr_check_data(run, partition->data, ORR_W))
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

void orr_partition_remove(struct orr_partition *partition)
{
    struct orr_run *run = partition ? partition->run : NULL;

    if (!run || orr_run_ignores(run))
        return;
    if (orr_partition_is_active(partition)) {
        orr_refuse_data(run, partition->data,
                        "is split into parts that are removed");
        return;
    }
    for (unsigned i = 0; i < partition->count; i++) {
        if (!orr_check_registered(run, partition->parts[i]))
            return;
        orr_app_unregister_later(run, partition->parts[i]);
    }
}
