/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_DATA_H
#define ORR_STARPU_DATA_H

#include <starpu_util.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct _starpu_data_state;
typedef struct _starpu_data_state *starpu_data_handle_t;
struct starpu_codelet;
struct starpu_data_interface_ops;

/* How a task or the program accesses a datum. */
enum starpu_data_access_mode {
    STARPU_R = 1,
    STARPU_W = 2,
    STARPU_RW = STARPU_R | STARPU_W,
    STARPU_SCRATCH = 4,
    STARPU_REDUX = 8,
    STARPU_COMMUTE = 16,
    STARPU_SSEND = 32,
    STARPU_LOCALITY = 64,
    STARPU_MPI_REDUX = 128 | STARPU_RW | STARPU_COMMUTE,
    STARPU_NOPLAN = 256,
    STARPU_UNMAP = 512,
    STARPU_NOFOOTPRINT = 1024,
    STARPU_NONE = 2048,
    STARPU_RECURSIVE_TASK_STRONG = 4096,
    STARPU_MPI_SAME = 8192,
    STARPU_ACCESS_MODE_MAX = 16384
};

enum starpu_is_prefetch {
    STARPU_FETCH,
    STARPU_TASK_PREFETCH,
    STARPU_PREFETCH,
    STARPU_IDLEFETCH,
    STARPU_NFETCH
};

/* Names and places in a matrix, for traces. */
void starpu_data_set_name(starpu_data_handle_t handle, const char *name);
void starpu_data_set_coordinates_array(starpu_data_handle_t handle,
                                       unsigned dimensions, int dims[]);
void starpu_data_set_coordinates(starpu_data_handle_t handle,
                                 unsigned dimensions, ...);
unsigned starpu_data_get_coordinates_array(starpu_data_handle_t handle,
                                           unsigned dimensions, int dims[]);

/* The end of the life of data, or of their content. Functions named submit do
 * not wait for tasks. */
void starpu_data_unregister(starpu_data_handle_t handle);
void starpu_data_unregister_no_coherency(starpu_data_handle_t handle);
void starpu_data_unregister_submit(starpu_data_handle_t handle);
void starpu_data_deinitialize(starpu_data_handle_t handle);
void starpu_data_deinitialize_submit(starpu_data_handle_t handle);
void starpu_data_invalidate(starpu_data_handle_t handle);
void starpu_data_invalidate_submit(starpu_data_handle_t handle);
void starpu_data_advise_as_important(starpu_data_handle_t handle,
                                     unsigned is_important);

/* Nodes of an acquisition without a copy. */
#define STARPU_ACQUIRE_NO_NODE -1
#define STARPU_ACQUIRE_NO_NODE_LOCK_ALL -2

/* The program accesses data. */
int starpu_data_acquire(starpu_data_handle_t handle,
                        enum starpu_data_access_mode mode);
int starpu_data_acquire_on_node(starpu_data_handle_t handle, int node,
                                enum starpu_data_access_mode mode);
int starpu_data_acquire_cb(starpu_data_handle_t handle,
                           enum starpu_data_access_mode mode,
                           void (*callback)(void *), void *arg);
int starpu_data_acquire_on_node_cb(starpu_data_handle_t handle, int node,
                                   enum starpu_data_access_mode mode,
                                   void (*callback)(void *), void *arg);
int starpu_data_acquire_cb_sequential_consistency(
    starpu_data_handle_t handle, enum starpu_data_access_mode mode,
    void (*callback)(void *), void *arg, int sequential_consistency);
int starpu_data_acquire_on_node_cb_sequential_consistency(
    starpu_data_handle_t handle, int node, enum starpu_data_access_mode mode,
    void (*callback)(void *), void *arg, int sequential_consistency);
int starpu_data_acquire_on_node_cb_sequential_consistency_sync_jobids(
    starpu_data_handle_t handle, starpu_data_handle_t *real_handle, int node,
    enum starpu_data_access_mode mode,
    void (*callback_soon)(void *arg, double delay),
    void (*callback_acquired)(void *arg, int *node,
                              enum starpu_data_access_mode mode),
    void (*callback)(void *arg), void *arg, int sequential_consistency,
    int quick, long *pre_sync_jobid, long *post_sync_jobid, int prio);
int starpu_data_acquire_try(starpu_data_handle_t handle,
                            enum starpu_data_access_mode mode);
int starpu_data_acquire_on_node_try(starpu_data_handle_t handle, int node,
                                    enum starpu_data_access_mode mode);
int starpu_data_acquire_to_node(starpu_data_handle_t handle, unsigned node);
int starpu_data_get_on_node_cb_prio(starpu_data_handle_t handle, int node,
                                    enum starpu_data_access_mode mode,
                                    void (*callback)(void *), void *arg,
                                    enum starpu_is_prefetch prefetch, int prio);
int starpu_data_acquire_on_node_cb_sequential_consistency_quick(
    starpu_data_handle_t handle, int node, enum starpu_data_access_mode mode,
    void (*callback)(void *), void *arg, int sequential_consistency, int quick);
void starpu_data_release(starpu_data_handle_t handle);
void starpu_data_release_on_node(starpu_data_handle_t handle, int node);
void starpu_data_release_to(starpu_data_handle_t handle,
                            enum starpu_data_access_mode down_to_mode);
void starpu_data_release_to_on_node(starpu_data_handle_t handle,
                                    enum starpu_data_access_mode down_to_mode,
                                    int node);

/* Runs @code when @handle is acquired, and releases it. A function within a
 * function: gcc alone compiles it. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__cplusplus)
#define STARPU_DATA_ACQUIRE_CB(handle, mode, code)                             \
    do {                                                                       \
        __extension__ void acquired(void *arg_)                                \
        {                                                                      \
            (void)arg_;                                                        \
            code;                                                              \
            starpu_data_release(handle);                                       \
        }                                                                      \
        starpu_data_acquire_cb(handle, mode, acquired, (void *)0);             \
    } while (0)
#endif

/* One mutex for several data that tasks update in any order. */
typedef struct starpu_arbiter *starpu_arbiter_t;
starpu_arbiter_t starpu_arbiter_create(void) STARPU_ATTRIBUTE_MALLOC;
void starpu_arbiter_destroy(starpu_arbiter_t arbiter);
void starpu_data_assign_arbiter(starpu_data_handle_t handle,
                                starpu_arbiter_t arbiter);

/* Copies on memory nodes. */
int starpu_data_request_allocation(starpu_data_handle_t handle, unsigned node);
int starpu_data_fetch_on_node(starpu_data_handle_t handle, unsigned node,
                              unsigned async);
int starpu_data_prefetch_on_node(starpu_data_handle_t handle, unsigned node,
                                 unsigned async);
int starpu_data_prefetch_on_node_prio(starpu_data_handle_t handle,
                                      unsigned node, unsigned async, int prio);
int starpu_data_idle_prefetch_on_node(starpu_data_handle_t handle,
                                      unsigned node, unsigned async);
int starpu_data_idle_prefetch_on_node_prio(starpu_data_handle_t handle,
                                           unsigned node, unsigned async,
                                           int prio);
unsigned starpu_data_is_on_node(starpu_data_handle_t handle, unsigned node);
unsigned starpu_data_is_on_node_excluding_prefetch(starpu_data_handle_t handle,
                                                   unsigned node);
void starpu_data_wont_use(starpu_data_handle_t handle);
int starpu_data_evict_from_node(starpu_data_handle_t handle, unsigned node);
void starpu_data_set_wt_mask(starpu_data_handle_t handle, uint32_t wt_mask);
void starpu_data_set_gathering_node(starpu_data_handle_t handle, unsigned node);
void starpu_data_query_status2(starpu_data_handle_t handle, int memory_node,
                               int *is_allocated, int *is_valid,
                               int *is_loading, int *is_requested);
void starpu_data_query_status(starpu_data_handle_t handle, int memory_node,
                              int *is_allocated, int *is_valid,
                              int *is_requested);
unsigned starpu_data_test_if_allocated_on_node(starpu_data_handle_t handle,
                                               unsigned memory_node);
unsigned starpu_data_test_if_mapped_on_node(starpu_data_handle_t handle,
                                            unsigned memory_node);
void starpu_memchunk_tidy(unsigned memory_node);

/* The order that accesses imply. */
void starpu_data_set_sequential_consistency_flag(starpu_data_handle_t handle,
                                                 unsigned flag);
unsigned
starpu_data_get_sequential_consistency_flag(starpu_data_handle_t handle);
unsigned starpu_data_get_default_sequential_consistency_flag(void);
void starpu_data_set_default_sequential_consistency_flag(unsigned flag);

void starpu_data_set_ooc_flag(starpu_data_handle_t handle, unsigned flag);
unsigned starpu_data_get_ooc_flag(starpu_data_handle_t handle);

/* Contributions of workers, and how they are added up. */
void starpu_data_set_reduction_scratch(
    starpu_data_handle_t handle, starpu_data_handle_t redux_scratch_handle);
void starpu_data_set_reduction_methods(starpu_data_handle_t handle,
                                       struct starpu_codelet *redux_cl,
                                       struct starpu_codelet *init_cl);
void starpu_data_set_reduction_methods_with_args(
    starpu_data_handle_t handle, struct starpu_codelet *redux_cl,
    void *redux_cl_arg, struct starpu_codelet *init_cl, void *init_cl_arg);
unsigned starpu_data_has_reduction_methods(starpu_data_handle_t handle);

struct starpu_data_interface_ops *
starpu_data_get_interface_ops(starpu_data_handle_t handle);
void starpu_data_set_user_data(starpu_data_handle_t handle, void *user_data);
void *starpu_data_get_user_data(starpu_data_handle_t handle);
void starpu_data_set_sched_data(starpu_data_handle_t handle, void *sched_data);
void *starpu_data_get_sched_data(starpu_data_handle_t handle);

/* The choice of evicted data by policies. */
typedef starpu_data_handle_t
starpu_data_victim_selector(starpu_data_handle_t toload, unsigned node,
                            enum starpu_is_prefetch is_prefetch, void *data);
typedef void starpu_data_victim_eviction_failed(starpu_data_handle_t victim,
                                                unsigned node, void *data);
#define STARPU_DATA_NO_VICTIM ((starpu_data_handle_t)-1)
int starpu_data_can_evict(starpu_data_handle_t handle, unsigned node,
                          enum starpu_is_prefetch is_prefetch);
void starpu_data_register_victim_selector(
    starpu_data_victim_selector selector,
    starpu_data_victim_eviction_failed evicted, void *data);
void starpu_data_get_node_data(unsigned node, starpu_data_handle_t **handles,
                               int **valid, unsigned *n);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
