/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORRERY_DATA_H
#define ORRERY_DATA_H

#include <glib.h>
#include <models/api.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

/*
 * The part of orrery.h about data: registration, hints, and use by the
 * application. Included by orrery.h.
 */

struct orr_run;
struct orr_data;
struct orr_kernel;
struct orr_task_times; /* orrery.h */

/* A function of the application: called with the run and @data; NULL: none. An
 * element of structs, so it has no size, and stays as it is. */
struct orr_call {
    void (*function)(struct orr_run *run, void *data);
    void *data;
};

/* Registers @bytes (1 to 2^50) of data whose only valid copy is in host memory.
 * With another number, returns NULL, and orr_run_wait() fails. */
ORR_API struct orr_data *orr_data_register(struct orr_run *run, uint64_t bytes);

/*
 * Registers a block of a larger matrix in host memory: @count (> 0) columns of
 * @column_bytes (> 0) each, whose starts are @pitch_bytes (>= @column_bytes)
 * apart; rows, if the matrix is stored by rows. In the memories of GPUs the
 * block is contiguous, so copies from and to the host are 2D; their cost
 * follows from the segments of the platform (docs/MODELS.md). A GPU reuses the
 * buffer of a block for another one if both have equal @column_bytes x @count
 * and equal @pitch_bytes x @count. A buffer that is freed to make room counts
 * as @pitch_bytes x @count bytes (as StarPU's allocsize does). Otherwise the
 * block behaves as @column_bytes x @count (<= 2^50) bytes of contiguous data.
 * Fails as orr_data_register().
 */
ORR_API struct orr_data *orr_data_register_matrix(struct orr_run *run,
                                                  uint64_t column_bytes,
                                                  uint64_t count,
                                                  uint64_t pitch_bytes);

/*
 * Registers @bytes of data without a content: no memory has a copy until a task
 * or the application writes them (StarPU's home node -1). To read them before,
 * in the order of submission, is an error. They are not copied home when they
 * are unregistered. If they come to host memory, by a task on a CPU, a copy or
 * an eviction, room for them is allocated there, which takes the time of
 * buffers of workers (orr_task_spec.scratch). Then they are contiguous. A
 * program that accesses them unordered sees to it that they are written first.
 * They have no reduction. Fails as orr_data_register(), and where tasks go to
 * files of graphs, which have no place for such data.
 */
ORR_API struct orr_data *orr_data_register_temporary(struct orr_run *run,
                                                     uint64_t bytes);

/* Says that @data is tile (@row, @column) of a matrix. The simulation does not
 * depend on it, but lower bounds on the copied bytes do. NULL is ignored. */
ORR_API void orr_data_set_coordinates(struct orr_data *data, unsigned row,
                                      unsigned column);

/*
 * Calls @data @name, which is copied, in traces and diagnoses; NULL or empty:
 * by its coordinates or its number. For a datum with coordinates, @name is the
 * name of its matrix: tile (2, 1) of "B" is B(2,1).
 *
 * Data with one name are parts of one whole: in StarPU, of the handle of a
 * partitioned matrix. A task fetches its data in order of registration. Parts
 * of one whole come together, at the place of the first part: first data that
 * the task reads and writes, then data that it only writes, then data that it
 * only reads (StarPU, sort_data_handles.c). To be called before tasks that
 * access @data are submitted. NULL for @data is ignored.
 */
ORR_API void orr_data_set_name(struct orr_data *data, const char *name);

/* A hint that no further task will use @data for a while: they are written back
 * to the host when the links are idle, and evicted first. If @data is NULL or
 * of another run, orr_run_wait() fails. */
ORR_API void orr_data_wont_use(struct orr_run *run, struct orr_data *data);

/*
 * Accesses to @data by tasks that are submitted from now on imply no
 * dependencies (starpu_data_set_sequential_consistency_flag()), or, if
 * @unordered is false, imply them again, also on earlier ordered tasks. Only
 * tags order unordered accesses. Still, two such accesses are never under way
 * at once if one of them writes: a ready task waits until the conflicting tasks
 * have ended, and the most urgent waiting task is next. To be called before
 * tasks that access several data are submitted: such tasks acquire their data
 * in another order, and could wait for each other. If @data is NULL or of
 * another run, orr_run_wait() fails.
 */
ORR_API void orr_data_set_unordered(struct orr_run *run, struct orr_data *data,
                                    bool unordered);

/*
 * Tasks that access several data of one @arbiter, a number above 0, by
 * ORR_RW | ORR_COMMUTE acquire all of them at once when all are free, and hold
 * none of them before (StarPU's starpu_data_assign_arbiter()). Otherwise, and
 * for 0, they acquire one after the other. To be called before tasks access
 * @data. If @data is NULL, of another run or has a reduction, orr_run_wait()
 * fails.
 */
ORR_API void orr_data_set_arbiter(struct orr_run *run, struct orr_data *data,
                                  uint32_t arbiter);

/*
 * Asks for a copy of @data on the memory @node, as
 * starpu_data_prefetch_on_node() does: 0 is RAM, g + 1 the memory of GPU g. It
 * takes no time of the application, and does not wait for submitted tasks; only
 * data that a task is writing are copied when that task has ended.
 * orr_data_idle_prefetch() waits until links are idle
 * (starpu_data_idle_prefetch_on_node()). If there is no such node, or @data is
 * NULL or of another run, orr_run_wait() fails.
 */
ORR_API void orr_data_prefetch(struct orr_run *run, struct orr_data *data,
                               unsigned node);
ORR_API void orr_data_idle_prefetch(struct orr_run *run, struct orr_data *data,
                                    unsigned node);

/*
 * Evicts @data from the memory @node of a GPU, as if room were needed there
 * (starpu_data_evict_from_node()). If no other memory has its content, the
 * application acquires it in RAM first, and waits. Returns false and changes
 * nothing if there is no copy, if one is in use, for RAM, in callbacks, and
 * where tasks are not simulated. Fails as orr_data_prefetch().
 */
ORR_API bool orr_data_evict(struct orr_run *run, struct orr_data *data,
                            unsigned node);

/* The datum with @number, in the order of registration from 0, as in struct
 * orr_task_access of sched/sched.h; NULL: none, or it was unregistered. */
ORR_API struct orr_data *orr_run_datum(struct orr_run *run, uint64_t number);

/* Its size in bytes. */
ORR_API uint64_t orr_data_bytes(const struct orr_data *data);

/*
 * The time, in ns, that policies expect a copy of @data to the memory @node to
 * take at this moment; 0: it is valid there (StarPU's
 * starpu_data_expected_transfer_time()). See orr_task_expected_transfer_ns().
 */
ORR_API int64_t orr_data_expected_transfer_ns(struct orr_run *run,
                                              const struct orr_data *data,
                                              unsigned node);

/* What a memory node has of a datum. */
enum orr_data_state {
    ORR_DATA_VALID = 1,     /* its content */
    ORR_DATA_ALLOCATED = 2, /* a buffer, with or without the content */
    ORR_DATA_REQUESTED = 4, /* a request for its content, which is not there */
    ORR_DATA_LOADING = 8    /* that a driver has taken to perform it */
};

/* The state of @data on the memory @node at this moment: bits of enum
 * orr_data_state; 0: nothing is there, or no machine is simulated. Fails as
 * orr_data_prefetch(). */
ORR_API unsigned orr_data_state(struct orr_run *run,
                                const struct orr_data *data, unsigned node);

/*
 * ORR_COMMUTE is only valid with ORR_RW. Tasks submitted in a row that access a
 * datum so update it one at a time, in any order: the first ready task begins,
 * then the waiting task of the highest priority. A task that lists a datum
 * twice commutes if both accesses do. A task that accesses a datum by ORR_W
 * alone does not get its former content.
 */
enum orr_access_mode {
    ORR_R = 1,
    ORR_W = 2,
    ORR_RW = 3,
    ORR_COMMUTE = 4,
    ORR_REDUX = 8 /* alone: see orr_data_set_reduction() */
};

/* "R", "W", "RW", "RWC" for ORR_RW | ORR_COMMUTE, "X" for ORR_REDUX; NULL: no
 * mode of an access. */
ORR_API const char *orr_access_mode_name(enum orr_access_mode mode);

#ifdef __cplusplus
extern "C++" constexpr orr_access_mode operator|(orr_access_mode a,
                                                 orr_access_mode b)
{
    return static_cast<orr_access_mode>(static_cast<int>(a) |
                                        static_cast<int>(b));
}
#endif

/* An element of an array, which stays as it is: it has no size. */
struct orr_access {
    struct orr_data *data;
    enum orr_access_mode mode;
};

#define ORR_MAX_ACCESSES 4000

/*
 * Says how contributions to @data are reduced
 * (starpu_data_set_reduction_methods()). Tasks submitted in a row that access
 * @data by ORR_REDUX do not wait for each other: each adds to a private copy of
 * its worker. When all of them have ended, and another access of a task or of
 * the application is next, the runtime submits tasks that reduce @data and the
 * copies of the workers that took part, two by two, in a tree (StarPU,
 * reduction.c). That access, and later ones, wait until @data hold the result.
 * As in StarPU, it takes 1 us to submit each of these tasks; the actor that
 * makes the access submits them. They have the priority of the task that waits
 * first.
 *
 * @kernel: the kernel of these tasks, which update one datum and read another.
 * @times: their times, as in orr_task_spec; copied. NULL: the times of @kernel.
 *
 * Until they are reduced, the copies are not evicted, and prefetches of @data
 * wait. The first task of a worker initialises its copy, which takes no time,
 * as in StarPU over SimGrid; a copy keeps its buffer for the next time. A task
 * lists a datum that it accesses by ORR_REDUX once, and the order of its
 * accesses is implied: they are not unordered.
 *
 * To be called once, before tasks access @data by ORR_REDUX. If not, if @data
 * or @kernel is NULL or of another run, or if no worker can run @kernel in
 * these times, orr_run_wait() fails.
 */
ORR_API void orr_data_set_reduction(struct orr_run *run, struct orr_data *data,
                                    struct orr_kernel *kernel,
                                    const struct orr_task_times *times);

/*
 * The application waits until it may access @data (starpu_data_acquire()):
 * earlier tasks with conflicting accesses have ended, and the content of @data
 * is in host memory, unless @mode is ORR_W. Tasks that are submitted afterwards
 * and conflict with @mode (ORR_R, ORR_W, ORR_RW) wait until the application has
 * released @data. Meanwhile the simulation runs.
 *
 * As in StarPU this takes: 1 us to submit if it has to wait for tasks, and 1 us
 * until it is notified of their end; the time of the copy, if one is needed;
 * and 2 us to release data that imply dependencies.
 *
 * Fails as orr_run_wait(), also if the application has acquired @data already
 * and one of the two accesses writes, if @data is NULL or of another run, or if
 * @mode is none of the three; afterwards submissions are ignored and
 * orr_run_wait() fails with the same error. If @data are released that were not
 * acquired, orr_run_wait() fails.
 */
ORR_API bool orr_data_acquire(struct orr_run *run, struct orr_data *data,
                              enum orr_access_mode mode, GError **error);
ORR_API void orr_data_release(struct orr_run *run, struct orr_data *data);

/* Beside a number of a node, 0 for RAM, g + 1 for the memory of GPU g. */
enum {
    ORR_NO_NODE = -1,  /* the content of the datum is not brought anywhere */
    ORR_ALL_NODES = -2 /* nor is it, and its copies are not evicted meanwhile */
};

/* Begins each struct orr_acquire. */
#define ORR_ACQUIRE_INIT ORR_SIZE_OF(struct orr_acquire)

/* How the application acquires a datum: {ORR_ACQUIRE_INIT, .mode = ORR_R}. */
struct orr_acquire {
    size_t size;               /* of this struct: ORR_ACQUIRE_INIT */
    enum orr_access_mode mode; /* ORR_R, ORR_W or ORR_RW */
    int node;       /* where the content comes; or ORR_NO_NODE, ORR_ALL_NODES */
    bool unordered; /* it awaits no tasks but such that use the datum at the
                       moment, and no later task awaits it
                       (starpu_data_acquire_cb_sequential_consistency()) */
    struct orr_call callback; /* of orr_data_acquire_later() alone */
};

/*
 * orr_data_acquire() on any node: starpu_data_acquire_on_node(). If @how is
 * wrong, fails as orr_data_acquire() does.
 */
ORR_API bool orr_data_acquire_as(struct orr_run *run, struct orr_data *data,
                                 const struct orr_acquire *how, GError **error);

/*
 * Acquires @data without waiting (starpu_data_acquire_cb() and its like): calls
 * how->callback when the application has the datum, which it releases then or
 * later. A callback may register, acquire so, release, invalidate and
 * unregister data without waiting, and submit tasks. The worker that ends the
 * last earlier task, or has brought the content, calls it, and all of this
 * takes its time; if there is nothing to await, it is called at once.
 * orr_run_wait() waits for it, but not for the release. It is not called where
 * tasks are not simulated, as for bounds. An error in @how is reported by
 * orr_run_wait().
 */
ORR_API void orr_data_acquire_later(struct orr_run *run, struct orr_data *data,
                                    const struct orr_acquire *how);

/* orr_data_release() for data that the application has acquired more than once:
 * on @node, as in orr_acquire. */
ORR_API void orr_data_release_on(struct orr_run *run, struct orr_data *data,
                                 int node);

/*
 * When earlier tasks that access @data have ended, @data have no content any
 * more (starpu_data_invalidate()), and GPUs keep their buffers as when data are
 * unregistered. orr_data_deinitialize() leaves the buffers to @data.
 * Then @data are as temporary data are at first. The application waits, or,
 * with _submit(), continues, and may be in a callback. This takes the time to
 * acquire and to release @data.
 *
 * Fails as orr_data_acquire() with ORR_W, also where tasks go to files of
 * graphs; _submit() leaves the error to orr_run_wait().
 */
ORR_API bool orr_data_invalidate(struct orr_run *run, struct orr_data *data,
                                 GError **error);
ORR_API void orr_data_invalidate_submit(struct orr_run *run,
                                        struct orr_data *data);
ORR_API bool orr_data_deinitialize(struct orr_run *run, struct orr_data *data,
                                   GError **error);
ORR_API void orr_data_deinitialize_submit(struct orr_run *run,
                                          struct orr_data *data);

/*
 * A partition: a plan to split a datum into parts, which are data of their own
 * (StarPU: starpu_data_partition_plan()). Owned by the run.
 *
 * A datum is a matrix of @rows x @columns elements of @element_bytes each,
 * stored by columns; a vector has one column. It is split into @row_parts x
 * @column_parts tiles. Their sizes are equal; where a number does not divide,
 * the first parts have one row or column more than the last ones, as with
 * StarPU's block filters. Or they are listed:
 *
 *     vector, starpu_vector_filter_block():                columns = 1
 *     vector, starpu_vector_filter_list():      columns = 1, and row_sizes
 *     blocks of columns, starpu_matrix_filter_vertical_block(): row_parts = 1
 *     blocks of rows, starpu_matrix_filter_block():        column_parts = 1
 *     tiles: both at once; in StarPU one filter after the other, a partition
 *     of each part
 *
 * Begin it with its size: {ORR_GRID_INIT, .element_bytes = 4, ...}.
 */
struct orr_grid {
    size_t size;                           /* of this struct: ORR_GRID_INIT */
    uint64_t element_bytes, rows, columns; /* together the bytes of the datum */
    unsigned row_parts, column_parts; /* 1 to rows, 1 to columns; their product
                                         is below ORR_MAX_ACCESSES */
    /* How many rows the parts have, @row_parts numbers above 0 with the sum
     * @rows, and how many columns; borrowed for the call. NULL: equal. */
    const uint64_t *row_sizes, *column_sizes;
};

/* Begins each struct orr_grid. */
#define ORR_GRID_INIT ORR_SIZE_OF(struct orr_grid)

struct orr_partition;

/*
 * Plans to split @data, whose order is implied by accesses, and which has no
 * reduction. It takes no time, and may be done whether @data are split or not.
 * A datum may have several partitions, of which one at a time splits it, but
 * for orr_partition_split_readonly(). A part may be partitioned, too, to any
 * depth, before its datum is split or after. Fails, with NULL, and
 * orr_run_wait() with it, if @grid is not as above, or @data is NULL or of
 * another run.
 */
ORR_API struct orr_partition *orr_partition_new(struct orr_run *run,
                                                struct orr_data *data,
                                                const struct orr_grid *grid);

/* The place of a part in host memory: @columns columns of @column_bytes each,
 * with starts @pitch_bytes (>= @column_bytes) apart. An element of an
 * array, which stays as it is: it has no size. */
struct orr_part {
    uint64_t column_bytes, columns, pitch_bytes;
};

/*
 * As orr_partition_new(), with 1 to ORR_MAX_ACCESSES - 1 parts of any size up
 * to the one of @data. They may overlap, as StarPU's filters with shadows make
 * them, and may leave gaps. Parts that overlap are data of their own: the
 * program sees to it that none is written while another is read. @parts:
 * borrowed for the call. Part i is orr_partition_part(partition, i, 0).
 */
ORR_API struct orr_partition *
orr_partition_new_parts(struct orr_run *run, struct orr_data *data,
                        const struct orr_part *parts, unsigned count);

/* Part (@row, @column) of the grid, as orr_data_register() returns it; NULL
 * outside. Its coordinates are these. It can be accessed only between split and
 * join. */
ORR_API struct orr_data *
orr_partition_part(const struct orr_partition *partition, unsigned row,
                   unsigned column);

/*
 * Submit the change from the datum to its parts, and back
 * (starpu_data_partition_submit(), starpu_data_unpartition_submit()). Neither
 * waits. When earlier tasks have ended, an internal task, which no worker runs,
 * brings the content to RAM, where it becomes the only copy; later tasks wait
 * for it. In the order of submission, from this call on the program may access
 * the parts and not the datum, or the datum and not the parts.
 *
 * To split a datum without content (orr_data_register_temporary()) takes no
 * task, and its parts have no content either, nor a home. A join leaves out
 * parts without content.
 *
 * Errors, which orr_run_wait() reports: to split a datum that is split, or a
 * part of a datum that is not split; to join a datum that is not split, or of
 * which a part is split; to access, acquire, unregister or give hints about
 * data in the wrong state. A part cannot be unregistered by itself. NULL is
 * ignored.
 */
ORR_API void orr_partition_split(struct orr_partition *partition);
ORR_API void orr_partition_join(struct orr_partition *partition);

/*
 * Splits and joins of @partition bring the data to the memory @node from now
 * on: 0 is RAM, where they do otherwise, g + 1 the memory of GPU g
 * (starpu_data_set_gathering_node()). If there is no such node, orr_run_wait()
 * fails. NULL is ignored.
 */
ORR_API void orr_partition_gather_on(struct orr_partition *partition,
                                     unsigned node);

/*
 * The parts of @partition, which must not be split, are unregistered once
 * earlier tasks that access them have ended, as by orr_data_unregister_submit()
 * (starpu_data_partition_clean()). Then it cannot be used any more.
 */
ORR_API void orr_partition_remove(struct orr_partition *partition);

/*
 * The changes after which both the datum and the parts can be read, and neither
 * can be written: from the datum (starpu_data_partition_readonly_submit()), by
 * several partitions at once; and from the parts, after orr_partition_split()
 * (starpu_data_unpartition_readonly_submit()). orr_partition_join() ends it for
 * one partition; the datum can be written when it has ended for all. So does
 * orr_partition_split(), if it is the only one: then the parts can be written
 * (starpu_data_partition_readwrite_upgrade_submit()). An
 * internal task brings to RAM what has the content. Copies of it on GPUs stay
 * valid.
 *
 * Errors, beside those above: to write what can only be read, to split by a
 * partition that is active already.
 */
ORR_API void orr_partition_split_readonly(struct orr_partition *partition);
ORR_API void orr_partition_join_readonly(struct orr_partition *partition);

/*
 * Ends the life of @data (starpu_data_unregister()): waits until all earlier
 * tasks that access them, or need buffers for them (orr_task_spec.scratch),
 * have ended, and their content is in host memory, and frees all copies and
 * these buffers. GPUs keep the buffers for data of the same size, which then
 * need no allocation; they are freed before anything is evicted. Afterwards
 * @data are data of no run. About 200 bytes stay until the run is freed.
 *
 * Fails as orr_data_acquire() with ORR_RW.
 */
ORR_API bool orr_data_unregister(struct orr_run *run, struct orr_data *data,
                                 GError **error);

/*
 * orr_data_unregister() without a copy to host memory
 * (starpu_data_unregister_no_coherency()). orr_data_unregister_submit() does
 * not wait (starpu_data_unregister_submit()): all of it follows when earlier
 * tasks have ended, and from this call on @data must not be used. It may be
 * called in a callback, and copies nothing either. It fails as
 * orr_data_acquire_later().
 */
ORR_API bool orr_data_unregister_no_coherency(struct orr_run *run,
                                              struct orr_data *data,
                                              GError **error);
ORR_API void orr_data_unregister_submit(struct orr_run *run,
                                        struct orr_data *data);

G_END_DECLS

#endif
