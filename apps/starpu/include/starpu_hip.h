/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_HIP_H
#define ORR_STARPU_HIP_H

#include <stddef.h>

#include <starpu_config.h>
#include <starpu_data_interfaces.h>
#include <starpu_worker.h>

#if defined STARPU_USE_HIP && defined __has_include
#if __has_include(<hip/hip_runtime.h>)
#include <hip/hip_runtime.h>
#define STARPU_HIP_HEADERS 1
#endif
#endif
#ifndef STARPU_HIP_HEADERS
typedef struct ihipStream_t *hipStream_t;
typedef int hipError_t;
typedef enum hipMemcpyKind {
    hipMemcpyHostToHost = 0,
    hipMemcpyHostToDevice = 1,
    hipMemcpyDeviceToHost = 2,
    hipMemcpyDeviceToDevice = 3,
    hipMemcpyDefault = 4
} hipMemcpyKind;
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct hipDeviceProp_t;

void starpu_hip_set_device(int device);
hipStream_t starpu_hip_get_local_stream(void);
const struct hipDeviceProp_t *starpu_hip_get_device_properties(unsigned worker);

/* As the copies in starpu_cuda.h. */
int starpu_hip_copy_async_sync(void *from, unsigned from_node, void *to,
                               unsigned to_node, size_t bytes,
                               hipStream_t stream, hipMemcpyKind kind);
int starpu_hip_copy2d_async_sync(void *from, unsigned from_node, void *to,
                                 unsigned to_node, size_t bytes, size_t count,
                                 size_t from_ld, size_t to_ld,
                                 hipStream_t stream, hipMemcpyKind kind);
int starpu_hip_copy3d_async_sync(void *from, unsigned from_node, void *to,
                                 unsigned to_node, size_t bytes, size_t count,
                                 size_t from_ld, size_t to_ld, size_t count_2,
                                 size_t from_ld_2, size_t to_ld_2,
                                 hipStream_t stream, hipMemcpyKind kind);
int starpu_hip_copy_async_sync_devid(void *from, int from_device,
                                     enum starpu_node_kind from_kind, void *to,
                                     int to_device,
                                     enum starpu_node_kind to_kind,
                                     size_t bytes, hipStream_t stream,
                                     hipMemcpyKind kind);
int starpu_hip_copy2d_async_sync_devid(
    void *from, int from_device, enum starpu_node_kind from_kind, void *to,
    int to_device, enum starpu_node_kind to_kind, size_t bytes, size_t count,
    size_t from_ld, size_t to_ld, hipStream_t stream, hipMemcpyKind kind);
int starpu_hip_copy3d_async_sync_devid(
    void *from, int from_device, enum starpu_node_kind from_kind, void *to,
    int to_device, enum starpu_node_kind to_kind, size_t bytes, size_t count,
    size_t from_ld, size_t to_ld, size_t count_2, size_t from_ld_2,
    size_t to_ld_2, hipStream_t stream, hipMemcpyKind kind);

void starpu_hip_report_error(const char *function, const char *file, int line,
                             hipError_t error);
#define STARPU_HIP_REPORT_ERROR(error)                                         \
    starpu_hip_report_error(__func__, __FILE__, __LINE__, (error))

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
