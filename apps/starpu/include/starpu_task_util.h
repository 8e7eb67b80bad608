/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_TASK_UTIL_H
#define ORR_STARPU_TASK_UTIL_H

#include <starpu_task.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Keys of starpu_task_insert() and its like: each has its arguments behind it,
 * and 0 ends the list. Smaller numbers are modes of data, each with a handle.
 */
#define STARPU_MODE_SHIFT 17
#define STARPU_KEY_(number) ((number) << STARPU_MODE_SHIFT)

/* A size in bytes follows its address: STARPU_VALUE, &n, sizeof(n). */
#define STARPU_VALUE STARPU_KEY_(1)
#define STARPU_CL_ARGS STARPU_KEY_(26)
#define STARPU_CL_ARGS_NFREE STARPU_KEY_(27)

/* Data: arrays with their number of elements. */
#define STARPU_DATA_ARRAY STARPU_KEY_(8)
#define STARPU_DATA_MODE_ARRAY STARPU_KEY_(9)
#define STARPU_NODE_ARRAY STARPU_KEY_(10)
#define STARPU_HANDLES_SEQUENTIAL_CONSISTENCY STARPU_KEY_(30)
#define STARPU_SEQUENTIAL_CONSISTENCY STARPU_KEY_(35)

/* Dependencies. */
#define STARPU_TAG STARPU_KEY_(11)
#define STARPU_TAG_ONLY STARPU_KEY_(21)
#define STARPU_TASK_DEPS_ARRAY STARPU_KEY_(28)
#define STARPU_TASK_END_DEPS_ARRAY STARPU_KEY_(32)
#define STARPU_TASK_END_DEP STARPU_KEY_(33)
#define STARPU_TASK_SYNCHRONOUS STARPU_KEY_(31)

/* Where, and when. */
#define STARPU_PRIORITY STARPU_KEY_(5)
#define STARPU_EXECUTE_ON_NODE STARPU_KEY_(6)
#define STARPU_EXECUTE_ON_DATA STARPU_KEY_(7)
#define STARPU_EXECUTE_ON_WORKER STARPU_KEY_(19)
#define STARPU_EXECUTE_WHERE STARPU_KEY_(20)
#define STARPU_TASK_WORKERIDS STARPU_KEY_(34)
#define STARPU_WORKER_ORDER STARPU_KEY_(23)
#define STARPU_NODE_SELECTION_POLICY STARPU_KEY_(24)
#define STARPU_POSSIBLY_PARALLEL STARPU_KEY_(22)
#define STARPU_TASK_NO_SUBMITORDER STARPU_KEY_(37)
#define STARPU_SCHED_CTX STARPU_KEY_(14)
#define STARPU_TASK_SCHED_DATA STARPU_KEY_(42)
#define STARPU_HYPERVISOR_TAG STARPU_KEY_(12)

/* Callbacks. An argument is freed with the task, but for _NFREE. */
#define STARPU_CALLBACK STARPU_KEY_(2)
#define STARPU_CALLBACK_ARG STARPU_KEY_(4)
#define STARPU_CALLBACK_ARG_NFREE STARPU_KEY_(38)
#define STARPU_CALLBACK_WITH_ARG STARPU_KEY_(3)
#define STARPU_CALLBACK_WITH_ARG_NFREE STARPU_KEY_(39)
#define STARPU_EPILOGUE_CALLBACK STARPU_KEY_(46)
#define STARPU_EPILOGUE_CALLBACK_ARG STARPU_KEY_(47)
#define STARPU_PROLOGUE_CALLBACK STARPU_KEY_(15)
#define STARPU_PROLOGUE_CALLBACK_ARG STARPU_KEY_(16)
#define STARPU_PROLOGUE_CALLBACK_ARG_NFREE STARPU_KEY_(40)
#define STARPU_PROLOGUE_CALLBACK_POP STARPU_KEY_(17)
#define STARPU_PROLOGUE_CALLBACK_POP_ARG STARPU_KEY_(18)
#define STARPU_PROLOGUE_CALLBACK_POP_ARG_NFREE STARPU_KEY_(41)
#define STARPU_SOON_CALLBACK STARPU_KEY_(54)
#define STARPU_SOON_CALLBACK_ARG STARPU_KEY_(55)
#define STARPU_SOON_CALLBACK_ARG_NFREE STARPU_KEY_(56)

/* Facts. */
#define STARPU_NAME STARPU_KEY_(25)
#define STARPU_FLOPS STARPU_KEY_(13)
#define STARPU_TASK_COLOR STARPU_KEY_(29)
#define STARPU_TASK_FILE STARPU_KEY_(44)
#define STARPU_TASK_LINE STARPU_KEY_(45)
#define STARPU_TASK_PROFILING_INFO STARPU_KEY_(36)

/* Recursive tasks, transactions. */
#define STARPU_RECURSIVE_TASK_FUNC STARPU_KEY_(48)
#define STARPU_RECURSIVE_TASK_FUNC_ARG STARPU_KEY_(49)
#define STARPU_RECURSIVE_TASK_GEN_DAG_FUNC STARPU_KEY_(50)
#define STARPU_RECURSIVE_TASK_GEN_DAG_FUNC_ARG STARPU_KEY_(51)
#define STARPU_RECURSIVE_TASK_PARENT STARPU_KEY_(52)
#define STARPU_RECURSIVE_TASK_NO_PRUNE STARPU_KEY_(53)
#define STARPU_TRANSACTION STARPU_KEY_(43)

#define STARPU_BUBBLE_FUNC STARPU_RECURSIVE_TASK_FUNC
#define STARPU_BUBBLE_FUNC_ARG STARPU_RECURSIVE_TASK_FUNC_ARG
#define STARPU_BUBBLE_GEN_DAG_FUNC STARPU_RECURSIVE_TASK_GEN_DAG_FUNC
#define STARPU_BUBBLE_GEN_DAG_FUNC_ARG STARPU_RECURSIVE_TASK_GEN_DAG_FUNC_ARG
#define STARPU_BUBBLE_PARENT STARPU_RECURSIVE_TASK_PARENT
#define STARPU_SHIFTED_MODE_MAX STARPU_KEY_(57)

int starpu_task_insert(struct starpu_codelet *cl, ...);
int starpu_insert_task(struct starpu_codelet *cl, ...);
struct starpu_task *starpu_task_build(struct starpu_codelet *cl, ...);
int starpu_task_set(struct starpu_task *task, struct starpu_codelet *cl, ...);

/* The steps of starpu_task_insert(), for interfaces of other languages. */
void starpu_task_insert_data_make_room(struct starpu_codelet *cl,
                                       struct starpu_task *task,
                                       int *allocated_buffers,
                                       int current_buffer, int room);
void starpu_task_insert_data_process_arg(struct starpu_codelet *cl,
                                         struct starpu_task *task,
                                         int *allocated_buffers,
                                         int *current_buffer, int arg_type,
                                         starpu_data_handle_t handle);
void starpu_task_insert_data_process_array_arg(
    struct starpu_codelet *cl, struct starpu_task *task, int *allocated_buffers,
    int *current_buffer, int nb_handles, starpu_data_handle_t *handles);
void starpu_task_insert_data_process_mode_array_arg(
    struct starpu_codelet *cl, struct starpu_task *task, int *allocated_buffers,
    int *current_buffer, int nb_descrs, struct starpu_data_descr *descrs);
void starpu_task_insert_data_make_node_room(struct starpu_codelet *cl,
                                            struct starpu_task *task,
                                            int *allocated_nodes,
                                            int current_node, int room);
void starpu_task_insert_process_node_array_arg(struct starpu_codelet *cl,
                                               struct starpu_task *task,
                                               int *allocated_nodes,
                                               int *current_node, int nb_nodes,
                                               int *node_array);

/* Arguments packed into cl_arg. */

struct starpu_codelet_pack_arg_data {
    char *arg_buffer;
    size_t arg_buffer_size, arg_buffer_used; /* bytes */
    size_t current_offset;
    int nargs;
};

/* The dots: STARPU_VALUE, address, size, ..., 0. */
void starpu_codelet_pack_args(void **arg_buffer, size_t *arg_buffer_size, ...);
void starpu_codelet_pack_arg_init(struct starpu_codelet_pack_arg_data *state);
void starpu_codelet_pack_arg(struct starpu_codelet_pack_arg_data *state,
                             const void *ptr, size_t ptr_size);
void starpu_codelet_pack_arg_fini(struct starpu_codelet_pack_arg_data *state,
                                  void **cl_arg, size_t *cl_arg_size);

/* The dots: addresses of variables, NULL at the end or when all are read. */
void starpu_codelet_unpack_args(void *cl_arg, ...);
void starpu_codelet_unpack_args_and_copyleft(void *cl_arg, void *buffer,
                                             size_t buffer_size, ...);
void starpu_codelet_unpack_arg_init(struct starpu_codelet_pack_arg_data *state,
                                    void *cl_arg, size_t cl_arg_size);
void starpu_codelet_unpack_arg(struct starpu_codelet_pack_arg_data *state,
                               void *ptr, size_t size);
void starpu_codelet_dup_arg(struct starpu_codelet_pack_arg_data *state,
                            void **ptr, size_t *size);
void starpu_codelet_pick_arg(struct starpu_codelet_pack_arg_data *state,
                             void **ptr, size_t *size);
void starpu_codelet_unpack_discard_arg(
    struct starpu_codelet_pack_arg_data *state);
void starpu_codelet_unpack_arg_fini(struct starpu_codelet_pack_arg_data *state);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
