/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_OPENCL_H
#define ORR_STARPU_OPENCL_H

#include <stddef.h>
#include <stdint.h>

#include <starpu_config.h>
#include <starpu_data_interfaces.h>
#include <starpu_worker.h>

#if defined STARPU_USE_OPENCL && defined __has_include
#if __has_include(<CL/cl.h>)
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 100
#endif
#include <CL/cl.h>
#define STARPU_OPENCL_HEADERS 1
#endif
#endif
#if !defined STARPU_OPENCL_HEADERS && !defined __OPENCL_CL_H
typedef int32_t cl_int;
typedef uint64_t cl_mem_flags;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_event *cl_event;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct starpu_opencl_program {
    cl_program programs[STARPU_MAXOPENCLDEVS];
};

void starpu_opencl_get_context(int device, cl_context *context);
void starpu_opencl_get_device(int device, cl_device_id *id);
void starpu_opencl_get_queue(int device, cl_command_queue *queue);
void starpu_opencl_get_current_context(cl_context *context);
void starpu_opencl_get_current_queue(cl_command_queue *queue);

/* The arguments are pairs of a size and a pointer; 0 ends them. */
int starpu_opencl_set_kernel_args(cl_int *error, cl_kernel *kernel, ...);

/* Programs from source text or files. 0 on success. */
void starpu_opencl_load_program_source(const char *file, char *found_file,
                                       char *found_folder, char *source);
void starpu_opencl_load_program_source_malloc(const char *file,
                                              char **found_file,
                                              char **found_folder,
                                              char **source);
int starpu_opencl_compile_opencl_from_file(const char *file,
                                           const char *options);
int starpu_opencl_compile_opencl_from_string(const char *source,
                                             const char *file,
                                             const char *options);
int starpu_opencl_load_binary_opencl(const char *kernel,
                                     struct starpu_opencl_program *program);
int starpu_opencl_load_opencl_from_file(const char *file,
                                        struct starpu_opencl_program *program,
                                        const char *options);
int starpu_opencl_load_opencl_from_string(const char *source,
                                          struct starpu_opencl_program *program,
                                          const char *options);
int starpu_opencl_unload_opencl(struct starpu_opencl_program *program);
int starpu_opencl_load_kernel(cl_kernel *kernel, cl_command_queue *queue,
                              struct starpu_opencl_program *program,
                              const char *name, int device);
int starpu_opencl_release_kernel(cl_kernel kernel);
int starpu_opencl_collect_stats(cl_event event);

/* Memory of the device, and copies. *result is 0 or -EAGAIN. */
cl_int starpu_opencl_allocate_memory(int device, cl_mem *memory, size_t bytes,
                                     cl_mem_flags flags);
cl_int starpu_opencl_copy_ram_to_opencl(void *from, unsigned from_node,
                                        cl_mem to, unsigned to_node,
                                        size_t bytes, size_t offset,
                                        cl_event *event, int *result);
cl_int starpu_opencl_copy_ram_to_opencl_devid(void *from, int from_device,
                                              cl_mem to, int to_device,
                                              size_t bytes, size_t offset,
                                              cl_event *event, int *result);
cl_int starpu_opencl_copy_opencl_to_ram(cl_mem from, unsigned from_node,
                                        void *to, unsigned to_node,
                                        size_t bytes, size_t offset,
                                        cl_event *event, int *result);
cl_int starpu_opencl_copy_opencl_to_ram_devid(cl_mem from, int from_device,
                                              void *to, int to_device,
                                              size_t bytes, size_t offset,
                                              cl_event *event, int *result);
cl_int starpu_opencl_copy_opencl_to_opencl(cl_mem from, unsigned from_node,
                                           size_t from_offset, cl_mem to,
                                           unsigned to_node, size_t to_offset,
                                           size_t bytes, cl_event *event,
                                           int *result);
cl_int starpu_opencl_copy_opencl_to_opencl_devid(cl_mem from, int from_device,
                                                 size_t from_offset, cl_mem to,
                                                 int to_device,
                                                 size_t to_offset, size_t bytes,
                                                 cl_event *event, int *result);
cl_int starpu_opencl_copy_async_sync(uintptr_t from, size_t from_offset,
                                     unsigned from_node, uintptr_t to,
                                     size_t to_offset, unsigned to_node,
                                     size_t bytes, cl_event *event);
cl_int starpu_opencl_copy_async_sync_devid(uintptr_t from, size_t from_offset,
                                           int from_device,
                                           enum starpu_node_kind from_kind,
                                           uintptr_t to, size_t to_offset,
                                           int to_device,
                                           enum starpu_node_kind to_kind,
                                           size_t bytes, cl_event *event);

const char *starpu_opencl_error_string(cl_int status);
void starpu_opencl_display_error(const char *function, const char *file,
                                 int line, const char *message, cl_int status);
/* Ends the program, too. */
void starpu_opencl_report_error(const char *function, const char *file,
                                int line, const char *message, cl_int status);
#define STARPU_OPENCL_DISPLAY_ERROR(status)                                    \
    starpu_opencl_display_error(__func__, __FILE__, __LINE__, NULL, (status))
#define STARPU_OPENCL_REPORT_ERROR(status)                                     \
    starpu_opencl_report_error(__func__, __FILE__, __LINE__, NULL, (status))
#define STARPU_OPENCL_REPORT_ERROR_WITH_MSG(message, status)                   \
    starpu_opencl_report_error(__func__, __FILE__, __LINE__, (message),        \
                               (status))

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
