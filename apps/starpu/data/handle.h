/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HANDLE_H
#define ORR_HANDLE_H

#include <starpu_data.h>

#include <orrery.h>

/* The datum of @handle in the run of the session. Ends the program, naming
 * @call, if @handle is NULL, or is split at once into parts. */
struct orr_data *sp_handle_data(starpu_data_handle_t handle, const char *call);

/* To be called before a task or the program accesses @handle in @mode: submits
 * the splits and joins that make it accessible, if partitions are planned. */
void sp_handle_prepare(starpu_data_handle_t handle,
                       enum starpu_data_access_mode mode, const char *call);

/* The bytes of @handle, and StarPU's hash of its shape, which finds
 * its calibrations. */
uint64_t sp_handle_size(starpu_data_handle_t handle);
uint32_t sp_handle_footprint(starpu_data_handle_t handle);

/* The name of @handle in messages; borrowed until the next call. */
const char *sp_handle_name(starpu_data_handle_t handle);

/* The interface of @handle in RAM, which kernels get in their buffers[]. */
void *sp_handle_interface(starpu_data_handle_t handle);

/* A copy of the interface of @handle, with new memory in RAM; NULL: its
 * kind allocates none. Free with sp_handle_copy_free(). */
void *sp_handle_copy_new(starpu_data_handle_t handle);
void sp_handle_copy_free(starpu_data_handle_t handle, void *copy);

/* Copies the content of interface @from in RAM to @to, by a method of their
 * kind @ops. */
void sp_interface_copy(const struct starpu_data_interface_ops *ops, void *from,
                       void *to);

/* @handle has no order implied by accesses
 * (starpu_data_set_sequential_consistency_flag(handle, 0)). */
bool sp_handle_is_unordered(starpu_data_handle_t handle);

/* The codelets that reduce @handle and initialise a contribution to it, and
 * their arguments; NULL: none. Their times are known further to the left. */
struct starpu_codelet *sp_handle_reduction(starpu_data_handle_t handle,
                                           void **argument);
struct starpu_codelet *sp_handle_initializer(starpu_data_handle_t handle,
                                             void **argument);

/* The buffer that the codelet of the reduction needs; NULL: none is set. */
starpu_data_handle_t sp_handle_reduction_scratch(starpu_data_handle_t handle);

/* A task that is submitted writes @handle: it has content from now on. */
void sp_handle_written(starpu_data_handle_t handle);

/* Whether @handle has content, or had none to begin with and no task writes it
 * yet. */
bool sp_handle_has_content(starpu_data_handle_t handle);

/* When the session ends: complains of handles that are still registered, as
 * StarPU does, and frees what belongs to the session. */
void sp_handles_end(void);

#endif
