/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_CUDA_H
#define ORR_STARPU_CUDA_H

#include <stddef.h>

#include <starpu_config.h>
#include <starpu_cuda_types.h>
#include <starpu_data_interfaces.h>
#include <starpu_worker.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct cudaDeviceProp;
struct nvmlDevice_st;

void starpu_cuda_set_device(int device);
cudaStream_t starpu_cuda_get_local_stream(void);
const struct cudaDeviceProp *starpu_cuda_get_device_properties(unsigned worker);
struct nvmlDevice_st *starpu_cuda_get_nvmldev(unsigned device);

/* Copies of @bytes; of @count blocks of @bytes, with strides from_ld and
 * to_ld; and of @count_2 times as many. 0 on success. */
int starpu_cuda_copy_async_sync(void *from, unsigned from_node, void *to,
                                unsigned to_node, size_t bytes,
                                cudaStream_t stream, enum cudaMemcpyKind kind);
int starpu_cuda_copy2d_async_sync(void *from, unsigned from_node, void *to,
                                  unsigned to_node, size_t bytes, size_t count,
                                  size_t from_ld, size_t to_ld,
                                  cudaStream_t stream,
                                  enum cudaMemcpyKind kind);
int starpu_cuda_copy3d_async_sync(void *from, unsigned from_node, void *to,
                                  unsigned to_node, size_t bytes, size_t count,
                                  size_t from_ld, size_t to_ld, size_t count_2,
                                  size_t from_ld_2, size_t to_ld_2,
                                  cudaStream_t stream,
                                  enum cudaMemcpyKind kind);
int starpu_cuda_copy_async_sync_devid(void *from, int from_device,
                                      enum starpu_node_kind from_kind, void *to,
                                      int to_device,
                                      enum starpu_node_kind to_kind,
                                      size_t bytes, cudaStream_t stream,
                                      enum cudaMemcpyKind kind);
int starpu_cuda_copy2d_async_sync_devid(
    void *from, int from_device, enum starpu_node_kind from_kind, void *to,
    int to_device, enum starpu_node_kind to_kind, size_t bytes, size_t count,
    size_t from_ld, size_t to_ld, cudaStream_t stream,
    enum cudaMemcpyKind kind);
int starpu_cuda_copy3d_async_sync_devid(
    void *from, int from_device, enum starpu_node_kind from_kind, void *to,
    int to_device, enum starpu_node_kind to_kind, size_t bytes, size_t count,
    size_t from_ld, size_t to_ld, size_t count_2, size_t from_ld_2,
    size_t to_ld_2, cudaStream_t stream, enum cudaMemcpyKind kind);

/* These end the program with the place of the error. */
void starpu_cuda_report_error(const char *function, const char *file, int line,
                              cudaError_t status);
void starpu_cublas_report_error(const char *function, const char *file,
                                int line, int status);
#define STARPU_CUDA_REPORT_ERROR(status)                                       \
    starpu_cuda_report_error(__func__, __FILE__, __LINE__, (status))
#define STARPU_CUBLAS_REPORT_ERROR(status)                                     \
    starpu_cublas_report_error(__func__, __FILE__, __LINE__, (status))

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
