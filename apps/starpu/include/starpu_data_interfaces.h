/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_DATA_INTERFACES_H
#define ORR_STARPU_DATA_INTERFACES_H

#include <starpu_data.h>
#include <stdint.h>
#include <stdio.h>

#ifdef STARPU_USE_CUDA
#include <starpu_cuda_types.h>
typedef cudaStream_t starpu_cudaStream_t;
#endif
#ifdef STARPU_USE_HIP
#include <hip/hip_runtime.h>
typedef hipStream_t starpu_hipStream_t;
#endif
#if defined(STARPU_USE_OPENCL) && !defined(__CUDACC__) && !defined(__HIPCC__)
#include <CL/cl.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum starpu_node_kind {
    STARPU_UNUSED,
    STARPU_CPU_RAM,
    STARPU_CUDA_RAM,
    STARPU_OPENCL_RAM,
    STARPU_MAX_FPGA_RAM,
    STARPU_DISK_RAM,
    STARPU_MPI_SC_RAM,
    STARPU_TCPIP_SC_RAM,
    STARPU_HIP_RAM,
    STARPU_SYCL_RAM,
    STARPU_MAX_RAM = STARPU_SYCL_RAM,
    STARPU_NRAM
};

/* Copies of data between two kinds of memory; NULL: by any_to_any. */
#define STARPU_COPY_(name)                                                     \
    int (*name)(void *src_interface, unsigned src_node, void *dst_interface,   \
                unsigned dst_node)
#ifdef STARPU_USE_CUDA
#define STARPU_CUDA_COPY_(name)                                                \
    int (*name)(void *src_interface, unsigned src_node, void *dst_interface,   \
                unsigned dst_node, starpu_cudaStream_t stream)
#else
#define STARPU_CUDA_COPY_(name) int (*name)(void)
#endif
#ifdef STARPU_USE_HIP
#define STARPU_HIP_COPY_(name)                                                 \
    int (*name)(void *src_interface, unsigned src_node, void *dst_interface,   \
                unsigned dst_node, starpu_hipStream_t stream)
#else
#define STARPU_HIP_COPY_(name) int (*name)(void)
#endif
#ifdef STARPU_USE_SYCL
#define STARPU_SYCL_COPY_(name)                                                \
    int (*name)(void *src_interface, unsigned src_node, void *dst_interface,   \
                unsigned dst_node)
#else
#define STARPU_SYCL_COPY_(name) int (*name)(void)
#endif
#if defined(STARPU_USE_OPENCL) && !defined(__CUDACC__) && !defined(__HIPCC__)
#define STARPU_OPENCL_COPY_(name)                                              \
    int (*name)(void *src_interface, unsigned src_node, void *dst_interface,   \
                unsigned dst_node, cl_event *event)
#else
#define STARPU_OPENCL_COPY_(name) int (*name)(void)
#endif

struct starpu_data_copy_methods {
    int (*can_copy)(void *src_interface, unsigned src_node, void *dst_interface,
                    unsigned dst_node, unsigned handling_node);

    STARPU_COPY_(ram_to_ram);
    STARPU_COPY_(ram_to_cuda);
    STARPU_COPY_(ram_to_hip);
    STARPU_COPY_(ram_to_sycl);
    STARPU_COPY_(ram_to_opencl);
    STARPU_COPY_(ram_to_max_fpga);
    STARPU_COPY_(cuda_to_ram);
    STARPU_COPY_(cuda_to_cuda);
    STARPU_COPY_(hip_to_ram);
    STARPU_COPY_(hip_to_hip);
    STARPU_COPY_(sycl_to_ram);
    STARPU_COPY_(sycl_to_sycl);
    STARPU_COPY_(opencl_to_ram);
    STARPU_COPY_(opencl_to_opencl);
    STARPU_COPY_(max_fpga_to_ram);

    STARPU_CUDA_COPY_(ram_to_cuda_async);
    STARPU_CUDA_COPY_(cuda_to_ram_async);
    STARPU_CUDA_COPY_(cuda_to_cuda_async);
    STARPU_HIP_COPY_(ram_to_hip_async);
    STARPU_HIP_COPY_(hip_to_ram_async);
    STARPU_HIP_COPY_(hip_to_hip_async);
    STARPU_SYCL_COPY_(ram_to_sycl_async);
    STARPU_SYCL_COPY_(sycl_to_ram_async);
    STARPU_SYCL_COPY_(sycl_to_sycl_async);
    STARPU_OPENCL_COPY_(ram_to_opencl_async);
    STARPU_OPENCL_COPY_(opencl_to_ram_async);
    STARPU_OPENCL_COPY_(opencl_to_opencl_async);
    STARPU_COPY_(ram_to_max_fpga_async);
    STARPU_COPY_(max_fpga_to_ram_async);

    int (*any_to_any)(void *src_interface, unsigned src_node,
                      void *dst_interface, unsigned dst_node, void *async_data);
};

enum starpu_data_interface_id {
    STARPU_UNKNOWN_INTERFACE_ID = -1,
    STARPU_MATRIX_INTERFACE_ID,
    STARPU_BLOCK_INTERFACE_ID,
    STARPU_VECTOR_INTERFACE_ID,
    STARPU_CSR_INTERFACE_ID,
    STARPU_BCSR_INTERFACE_ID,
    STARPU_VARIABLE_INTERFACE_ID,
    STARPU_VOID_INTERFACE_ID,
    STARPU_MULTIFORMAT_INTERFACE_ID,
    STARPU_COO_INTERFACE_ID,
    STARPU_TENSOR_INTERFACE_ID,
    STARPU_NDIM_INTERFACE_ID,
    STARPU_MAX_INTERFACE_ID /* the first number of the program's own */
};

/* A kind of data. */
struct starpu_data_interface_ops {
    /* Registration, and memory for copies. */
    void (*register_data_handle)(starpu_data_handle_t handle, int home_node,
                                 void *data_interface);
    void (*unregister_data_handle)(starpu_data_handle_t handle);
    starpu_ssize_t (*allocate_data_on_node)(void *data_interface,
                                            unsigned node);
    void (*free_data_on_node)(void *data_interface, unsigned node);
    void (*cache_data_on_node)(void *cached_interface, void *src_interface,
                               unsigned node);
    void (*reuse_data_on_node)(void *dst_data_interface,
                               const void *cached_interface, unsigned node);
    int (*map_data)(void *src_interface, unsigned src_node, void *dst_interface,
                    unsigned dst_node);
    int (*unmap_data)(void *src_interface, unsigned src_node,
                      void *dst_interface, unsigned dst_node);
    int (*update_map)(void *src_interface, unsigned src_node,
                      void *dst_interface, unsigned dst_node);
    void (*init)(void *data_interface);
    const struct starpu_data_copy_methods *copy_methods;

    /* Facts about data. */
    void *(*handle_to_pointer)(starpu_data_handle_t handle, unsigned node);
    void *(*to_pointer)(void *data_interface, unsigned node);
    int (*pointer_is_inside)(void *data_interface, unsigned node, void *ptr);
    size_t (*get_size)(starpu_data_handle_t handle);
    size_t (*get_alloc_size)(starpu_data_handle_t handle);
    size_t (*get_max_size)(starpu_data_handle_t handle);
    uint32_t (*footprint)(starpu_data_handle_t handle);
    uint32_t (*alloc_footprint)(starpu_data_handle_t handle);
    int (*compare)(void *data_interface_a, void *data_interface_b);
    int (*alloc_compare)(void *data_interface_a, void *data_interface_b);
    void (*display)(starpu_data_handle_t handle, FILE *f);
    starpu_ssize_t (*describe)(void *data_interface, char *buf, size_t size);

    enum starpu_data_interface_id interfaceid;
    size_t interface_size;
    char is_multiformat;
    char dontcache;
    struct starpu_multiformat_data_interface_ops *(*get_mf_ops)(
        void *data_interface);

    /* Content in a row of bytes. */
    int (*pack_data)(starpu_data_handle_t handle, unsigned node, void **ptr,
                     starpu_ssize_t *count);
    int (*peek_data)(starpu_data_handle_t handle, unsigned node, void *ptr,
                     size_t count);
    int (*unpack_data)(starpu_data_handle_t handle, unsigned node, void *ptr,
                       size_t count);
    int (*pack_meta)(void *data_interface, void **ptr, starpu_ssize_t *count);
    int (*unpack_meta)(void **data_interface, void *ptr, starpu_ssize_t *count);
    int (*free_meta)(void *data_interface);
    char *name;
};

void starpu_data_register(starpu_data_handle_t *handleptr, int home_node,
                          void *data_interface,
                          struct starpu_data_interface_ops *ops);
void starpu_data_register_ops(struct starpu_data_interface_ops *ops);
void starpu_data_register_same(starpu_data_handle_t *handledst,
                               starpu_data_handle_t handlesrc);
void starpu_data_ptr_register(starpu_data_handle_t handle, unsigned node);
void starpu_subdata_ptr_register(starpu_data_handle_t handle, unsigned node);

void *starpu_data_handle_to_pointer(starpu_data_handle_t handle, unsigned node);
void *starpu_data_handle_to_pointer_ref(starpu_data_handle_t handle,
                                        unsigned node);
void starpu_data_handle_to_pointer_unref(starpu_data_handle_t handle,
                                         unsigned node);
void *starpu_data_get_local_ptr(starpu_data_handle_t handle);
void *starpu_data_get_interface_on_node(starpu_data_handle_t handle,
                                        unsigned memory_node);
enum starpu_data_interface_id
starpu_data_get_interface_id(starpu_data_handle_t handle);
starpu_data_handle_t starpu_data_lookup(const void *ptr);
int starpu_data_pointer_is_inside(starpu_data_handle_t handle, unsigned node,
                                  void *ptr);

int starpu_data_pack_node(starpu_data_handle_t handle, unsigned node,
                          void **ptr, starpu_ssize_t *count);
int starpu_data_pack(starpu_data_handle_t handle, void **ptr,
                     starpu_ssize_t *count);
int starpu_data_peek_node(starpu_data_handle_t handle, unsigned node, void *ptr,
                          size_t count);
int starpu_data_peek(starpu_data_handle_t handle, void *ptr, size_t count);
int starpu_data_unpack_node(starpu_data_handle_t handle, unsigned node,
                            void *ptr, size_t count);
int starpu_data_unpack(starpu_data_handle_t handle, void *ptr, size_t count);

/* Bytes. */
size_t starpu_data_get_size(starpu_data_handle_t handle);
size_t starpu_data_get_alloc_size(starpu_data_handle_t handle);
starpu_ssize_t starpu_data_get_max_size(starpu_data_handle_t handle);

int starpu_data_get_home_node(starpu_data_handle_t handle);
void starpu_data_print(starpu_data_handle_t handle, unsigned node,
                       FILE *stream);
int starpu_data_interface_get_next_id(void);

/* For copy methods of the program's own kinds: copies of bytes, of rows @ld
 * bytes apart, and so on to any number of dimensions. */
int starpu_interface_copy(uintptr_t src, size_t src_offset, unsigned src_node,
                          uintptr_t dst, size_t dst_offset, unsigned dst_node,
                          size_t size, void *async_data);
int starpu_interface_copy2d(uintptr_t src, size_t src_offset, unsigned src_node,
                            uintptr_t dst, size_t dst_offset, unsigned dst_node,
                            size_t blocksize, size_t numblocks, size_t ld_src,
                            size_t ld_dst, void *async_data);
int starpu_interface_copy3d(uintptr_t src, size_t src_offset, unsigned src_node,
                            uintptr_t dst, size_t dst_offset, unsigned dst_node,
                            size_t blocksize, size_t numblocks1, size_t ld1_src,
                            size_t ld1_dst, size_t numblocks2, size_t ld2_src,
                            size_t ld2_dst, void *async_data);
int starpu_interface_copy4d(uintptr_t src, size_t src_offset, unsigned src_node,
                            uintptr_t dst, size_t dst_offset, unsigned dst_node,
                            size_t blocksize, size_t numblocks1, size_t ld1_src,
                            size_t ld1_dst, size_t numblocks2, size_t ld2_src,
                            size_t ld2_dst, size_t numblocks3, size_t ld3_src,
                            size_t ld3_dst, void *async_data);
int starpu_interface_copynd(uintptr_t src, size_t src_offset, unsigned src_node,
                            uintptr_t dst, size_t dst_offset, unsigned dst_node,
                            size_t elemsize, size_t ndim, size_t *nn,
                            size_t *ldn_src, size_t *ldn_dst, void *async_data);

void starpu_interface_start_driver_copy_async(unsigned src_node,
                                              unsigned dst_node, double *start);
void starpu_interface_start_driver_copy_async_devid(
    int src_dev, enum starpu_node_kind src_kind, int dst_dev,
    enum starpu_node_kind dst_kind, double *start);
void starpu_interface_end_driver_copy_async(unsigned src_node,
                                            unsigned dst_node, double start);
void starpu_interface_end_driver_copy_async_devid(
    int src_dev, enum starpu_node_kind src_kind, int dst_dev,
    enum starpu_node_kind dst_kind, double start);
void starpu_interface_data_copy(unsigned src_node, unsigned dst_node,
                                size_t size);

/* For the memory of copies. */
uintptr_t starpu_malloc_on_node_flags(unsigned dst_node, size_t size,
                                      int flags);
uintptr_t starpu_malloc_on_node(unsigned dst_node, size_t size);
void starpu_malloc_on_node_set_default_flags(unsigned node, int flags);
void starpu_free_on_node_flags(unsigned dst_node, uintptr_t addr, size_t size,
                               int flags);
void starpu_free_on_node(unsigned dst_node, uintptr_t addr, size_t size);
void starpu_check_on_node(unsigned node, uintptr_t addr, size_t size);
uintptr_t starpu_interface_map(uintptr_t src, size_t src_offset,
                               unsigned src_node, unsigned dst_node,
                               size_t size, int *ret);
int starpu_interface_unmap(uintptr_t src, size_t src_offset, unsigned src_node,
                           uintptr_t dst, unsigned dst_node, size_t size);
int starpu_interface_update_map(uintptr_t src, size_t src_offset,
                                unsigned src_node, uintptr_t dst,
                                size_t dst_offset, unsigned dst_node,
                                size_t size);

/* Member @member of the struct at the void pointer @interface. */
#define STARPU_MEMBER_(kind, interface, member)                                \
    (((struct starpu_##kind##_interface *)(interface))->member)

/* Matrices: @ny columns of @nx elements, @ld elements apart. */
extern struct starpu_data_interface_ops starpu_interface_matrix_ops;

struct starpu_matrix_interface {
    enum starpu_data_interface_id id;
    uintptr_t ptr, dev_handle;
    size_t offset, nx, ny, ld, elemsize, allocsize;
};

void starpu_matrix_data_register(starpu_data_handle_t *handle, int home_node,
                                 uintptr_t ptr, size_t ld, size_t nx, size_t ny,
                                 size_t elemsize);
void starpu_matrix_data_register_allocsize(starpu_data_handle_t *handle,
                                           int home_node, uintptr_t ptr,
                                           size_t ld, size_t nx, size_t ny,
                                           size_t elemsize, size_t allocsize);
void starpu_matrix_ptr_register(starpu_data_handle_t handle, unsigned node,
                                uintptr_t ptr, uintptr_t dev_handle,
                                size_t offset, size_t ld);
void starpu_submatrix_ptr_register(starpu_data_handle_t handle, unsigned node,
                                   uintptr_t ptr, uintptr_t dev_handle,
                                   size_t offset, size_t ld);
size_t starpu_matrix_get_nx(starpu_data_handle_t handle);
size_t starpu_matrix_get_ny(starpu_data_handle_t handle);
size_t starpu_matrix_get_local_ld(starpu_data_handle_t handle);
uintptr_t starpu_matrix_get_local_ptr(starpu_data_handle_t handle);
size_t starpu_matrix_get_elemsize(starpu_data_handle_t handle);
size_t starpu_matrix_get_allocsize(starpu_data_handle_t handle);

#define STARPU_MATRIX_GET_PTR(interface) STARPU_MEMBER_(matrix, interface, ptr)
#define STARPU_MATRIX_GET_DEV_HANDLE(interface)                                \
    STARPU_MEMBER_(matrix, interface, dev_handle)
#define STARPU_MATRIX_GET_OFFSET(interface)                                    \
    STARPU_MEMBER_(matrix, interface, offset)
#define STARPU_MATRIX_GET_NX(interface) STARPU_MEMBER_(matrix, interface, nx)
#define STARPU_MATRIX_GET_NY(interface) STARPU_MEMBER_(matrix, interface, ny)
#define STARPU_MATRIX_GET_LD(interface) STARPU_MEMBER_(matrix, interface, ld)
#define STARPU_MATRIX_GET_ELEMSIZE(interface)                                  \
    STARPU_MEMBER_(matrix, interface, elemsize)
#define STARPU_MATRIX_GET_ALLOCSIZE(interface)                                 \
    STARPU_MEMBER_(matrix, interface, allocsize)
#define STARPU_MATRIX_SET_NX(interface, value)                                 \
    (STARPU_MEMBER_(matrix, interface, nx) = (value))
#define STARPU_MATRIX_SET_NY(interface, value)                                 \
    (STARPU_MEMBER_(matrix, interface, ny) = (value))
#define STARPU_MATRIX_SET_LD(interface, value)                                 \
    (STARPU_MEMBER_(matrix, interface, ld) = (value))

/* Sparse matrices by coordinates. */
extern struct starpu_data_interface_ops starpu_interface_coo_ops;

struct starpu_coo_interface {
    enum starpu_data_interface_id id;
    uint32_t *columns, *rows;
    uintptr_t values;
    uint32_t nx, ny, n_values;
    size_t elemsize;
};

void starpu_coo_data_register(starpu_data_handle_t *handleptr, int home_node,
                              uint32_t nx, uint32_t ny, uint32_t n_values,
                              uint32_t *columns, uint32_t *rows,
                              uintptr_t values, size_t elemsize);

#define STARPU_COO_GET_COLUMNS(interface)                                      \
    STARPU_MEMBER_(coo, interface, columns)
#define STARPU_COO_GET_COLUMNS_DEV_HANDLE(interface)                           \
    STARPU_MEMBER_(coo, interface, columns)
#define STARPU_COO_GET_ROWS(interface) STARPU_MEMBER_(coo, interface, rows)
#define STARPU_COO_GET_ROWS_DEV_HANDLE(interface)                              \
    STARPU_MEMBER_(coo, interface, rows)
#define STARPU_COO_GET_VALUES(interface) STARPU_MEMBER_(coo, interface, values)
#define STARPU_COO_GET_VALUES_DEV_HANDLE(interface)                            \
    STARPU_MEMBER_(coo, interface, values)
#define STARPU_COO_GET_NX(interface) STARPU_MEMBER_(coo, interface, nx)
#define STARPU_COO_GET_NY(interface) STARPU_MEMBER_(coo, interface, ny)
#define STARPU_COO_GET_NVALUES(interface)                                      \
    STARPU_MEMBER_(coo, interface, n_values)
#define STARPU_COO_GET_ELEMSIZE(interface)                                     \
    STARPU_MEMBER_(coo, interface, elemsize)
#define STARPU_COO_GET_OFFSET 0

/* Three dimensions. */
extern struct starpu_data_interface_ops starpu_interface_block_ops;

struct starpu_block_interface {
    enum starpu_data_interface_id id;
    uintptr_t ptr, dev_handle;
    size_t offset, nx, ny, nz, ldy, ldz, elemsize;
};

void starpu_block_data_register(starpu_data_handle_t *handle, int home_node,
                                uintptr_t ptr, size_t ldy, size_t ldz,
                                size_t nx, size_t ny, size_t nz,
                                size_t elemsize);
void starpu_block_ptr_register(starpu_data_handle_t handle, unsigned node,
                               uintptr_t ptr, uintptr_t dev_handle,
                               size_t offset, size_t ldy, size_t ldz);
size_t starpu_block_get_nx(starpu_data_handle_t handle);
size_t starpu_block_get_ny(starpu_data_handle_t handle);
size_t starpu_block_get_nz(starpu_data_handle_t handle);
size_t starpu_block_get_local_ldy(starpu_data_handle_t handle);
size_t starpu_block_get_local_ldz(starpu_data_handle_t handle);
uintptr_t starpu_block_get_local_ptr(starpu_data_handle_t handle);
size_t starpu_block_get_elemsize(starpu_data_handle_t handle);

#define STARPU_BLOCK_GET_PTR(interface) STARPU_MEMBER_(block, interface, ptr)
#define STARPU_BLOCK_GET_DEV_HANDLE(interface)                                 \
    STARPU_MEMBER_(block, interface, dev_handle)
#define STARPU_BLOCK_GET_OFFSET(interface)                                     \
    STARPU_MEMBER_(block, interface, offset)
#define STARPU_BLOCK_GET_NX(interface) STARPU_MEMBER_(block, interface, nx)
#define STARPU_BLOCK_GET_NY(interface) STARPU_MEMBER_(block, interface, ny)
#define STARPU_BLOCK_GET_NZ(interface) STARPU_MEMBER_(block, interface, nz)
#define STARPU_BLOCK_GET_LDY(interface) STARPU_MEMBER_(block, interface, ldy)
#define STARPU_BLOCK_GET_LDZ(interface) STARPU_MEMBER_(block, interface, ldz)
#define STARPU_BLOCK_GET_ELEMSIZE(interface)                                   \
    STARPU_MEMBER_(block, interface, elemsize)

/* Four dimensions. */
extern struct starpu_data_interface_ops starpu_interface_tensor_ops;

struct starpu_tensor_interface {
    enum starpu_data_interface_id id;
    uintptr_t ptr, dev_handle;
    size_t offset, nx, ny, nz, nt, ldy, ldz, ldt, elemsize;
};

void starpu_tensor_data_register(starpu_data_handle_t *handle, int home_node,
                                 uintptr_t ptr, size_t ldy, size_t ldz,
                                 size_t ldt, size_t nx, size_t ny, size_t nz,
                                 size_t nt, size_t elemsize);
void starpu_tensor_ptr_register(starpu_data_handle_t handle, unsigned node,
                                uintptr_t ptr, uintptr_t dev_handle,
                                size_t offset, size_t ldy, size_t ldz,
                                size_t ldt);
size_t starpu_tensor_get_nx(starpu_data_handle_t handle);
size_t starpu_tensor_get_ny(starpu_data_handle_t handle);
size_t starpu_tensor_get_nz(starpu_data_handle_t handle);
size_t starpu_tensor_get_nt(starpu_data_handle_t handle);
size_t starpu_tensor_get_local_ldy(starpu_data_handle_t handle);
size_t starpu_tensor_get_local_ldz(starpu_data_handle_t handle);
size_t starpu_tensor_get_local_ldt(starpu_data_handle_t handle);
uintptr_t starpu_tensor_get_local_ptr(starpu_data_handle_t handle);
size_t starpu_tensor_get_elemsize(starpu_data_handle_t handle);

#define STARPU_TENSOR_GET_PTR(interface) STARPU_MEMBER_(tensor, interface, ptr)
#define STARPU_TENSOR_GET_DEV_HANDLE(interface)                                \
    STARPU_MEMBER_(tensor, interface, dev_handle)
#define STARPU_TENSOR_GET_OFFSET(interface)                                    \
    STARPU_MEMBER_(tensor, interface, offset)
#define STARPU_TENSOR_GET_NX(interface) STARPU_MEMBER_(tensor, interface, nx)
#define STARPU_TENSOR_GET_NY(interface) STARPU_MEMBER_(tensor, interface, ny)
#define STARPU_TENSOR_GET_NZ(interface) STARPU_MEMBER_(tensor, interface, nz)
#define STARPU_TENSOR_GET_NT(interface) STARPU_MEMBER_(tensor, interface, nt)
#define STARPU_TENSOR_GET_LDY(interface) STARPU_MEMBER_(tensor, interface, ldy)
#define STARPU_TENSOR_GET_LDZ(interface) STARPU_MEMBER_(tensor, interface, ldz)
#define STARPU_TENSOR_GET_LDT(interface) STARPU_MEMBER_(tensor, interface, ldt)
#define STARPU_TENSOR_GET_ELEMSIZE(interface)                                  \
    STARPU_MEMBER_(tensor, interface, elemsize)

/* Any number of dimensions. */
extern struct starpu_data_interface_ops starpu_interface_ndim_ops;

struct starpu_ndim_interface {
    enum starpu_data_interface_id id;
    uintptr_t ptr, dev_handle;
    size_t offset, allocsize, *nn, *ldn, ndim, elemsize;
};

void starpu_ndim_data_register(starpu_data_handle_t *handleptr, int home_node,
                               uintptr_t ptr, size_t *ldn, size_t *nn,
                               size_t ndim, size_t elemsize);
void starpu_ndim_ptr_register(starpu_data_handle_t handle, unsigned node,
                              uintptr_t ptr, uintptr_t dev_handle,
                              size_t offset, size_t *ldn);
size_t *starpu_ndim_get_nn(starpu_data_handle_t handle);
size_t starpu_ndim_get_ni(starpu_data_handle_t handle, size_t i);
size_t *starpu_ndim_get_local_ldn(starpu_data_handle_t handle);
size_t starpu_ndim_get_local_ldi(starpu_data_handle_t handle, size_t i);
uintptr_t starpu_ndim_get_local_ptr(starpu_data_handle_t handle);
size_t starpu_ndim_get_ndim(starpu_data_handle_t handle);
size_t starpu_ndim_get_elemsize(starpu_data_handle_t handle);

#define STARPU_NDIM_GET_PTR(interface) STARPU_MEMBER_(ndim, interface, ptr)
#define STARPU_NDIM_GET_DEV_HANDLE(interface)                                  \
    STARPU_MEMBER_(ndim, interface, dev_handle)
#define STARPU_NDIM_GET_OFFSET(interface)                                      \
    STARPU_MEMBER_(ndim, interface, offset)
#define STARPU_NDIM_GET_NN(interface) STARPU_MEMBER_(ndim, interface, nn)
#define STARPU_NDIM_GET_LDN(interface) STARPU_MEMBER_(ndim, interface, ldn)
#define STARPU_NDIM_GET_NDIM(interface) STARPU_MEMBER_(ndim, interface, ndim)
#define STARPU_NDIM_GET_ELEMSIZE(interface)                                    \
    STARPU_MEMBER_(ndim, interface, elemsize)

/* Vectors. */
extern struct starpu_data_interface_ops starpu_interface_vector_ops;

struct starpu_vector_interface {
    enum starpu_data_interface_id id;
    uintptr_t ptr, dev_handle;
    size_t offset, nx, elemsize;
    size_t slice_base; /* of the first element in the whole vector */
    size_t allocsize;
};

void starpu_vector_data_register(starpu_data_handle_t *handle, int home_node,
                                 uintptr_t ptr, size_t nx, size_t elemsize);
void starpu_vector_data_register_allocsize(starpu_data_handle_t *handle,
                                           int home_node, uintptr_t ptr,
                                           size_t nx, size_t elemsize,
                                           size_t allocsize);
void starpu_vector_ptr_register(starpu_data_handle_t handle, unsigned node,
                                uintptr_t ptr, uintptr_t dev_handle,
                                size_t offset);
size_t starpu_vector_get_nx(starpu_data_handle_t handle);
size_t starpu_vector_get_elemsize(starpu_data_handle_t handle);
size_t starpu_vector_get_allocsize(starpu_data_handle_t handle);
uintptr_t starpu_vector_get_local_ptr(starpu_data_handle_t handle);

#define STARPU_VECTOR_GET_PTR(interface) STARPU_MEMBER_(vector, interface, ptr)
#define STARPU_VECTOR_GET_DEV_HANDLE(interface)                                \
    STARPU_MEMBER_(vector, interface, dev_handle)
#define STARPU_VECTOR_GET_OFFSET(interface)                                    \
    STARPU_MEMBER_(vector, interface, offset)
#define STARPU_VECTOR_GET_NX(interface) STARPU_MEMBER_(vector, interface, nx)
#define STARPU_VECTOR_GET_ELEMSIZE(interface)                                  \
    STARPU_MEMBER_(vector, interface, elemsize)
#define STARPU_VECTOR_GET_ALLOCSIZE(interface)                                 \
    STARPU_MEMBER_(vector, interface, allocsize)
#define STARPU_VECTOR_GET_SLICE_BASE(interface)                                \
    STARPU_MEMBER_(vector, interface, slice_base)
#define STARPU_VECTOR_SET_NX(interface, value)                                 \
    (STARPU_MEMBER_(vector, interface, nx) = (value))

/* One element. */
extern struct starpu_data_interface_ops starpu_interface_variable_ops;

struct starpu_variable_interface {
    enum starpu_data_interface_id id;
    uintptr_t ptr, dev_handle;
    size_t offset, elemsize;
};

void starpu_variable_data_register(starpu_data_handle_t *handle, int home_node,
                                   uintptr_t ptr, size_t size);
void starpu_variable_ptr_register(starpu_data_handle_t handle, unsigned node,
                                  uintptr_t ptr, uintptr_t dev_handle,
                                  size_t offset);
size_t starpu_variable_get_elemsize(starpu_data_handle_t handle);
uintptr_t starpu_variable_get_local_ptr(starpu_data_handle_t handle);

#define STARPU_VARIABLE_GET_PTR(interface)                                     \
    STARPU_MEMBER_(variable, interface, ptr)
#define STARPU_VARIABLE_GET_DEV_HANDLE(interface)                              \
    STARPU_MEMBER_(variable, interface, ptr)
#define STARPU_VARIABLE_GET_OFFSET(interface)                                  \
    STARPU_MEMBER_(variable, interface, offset)
#define STARPU_VARIABLE_GET_ELEMSIZE(interface)                                \
    STARPU_MEMBER_(variable, interface, elemsize)

/* No content: only the order of accesses. */
extern struct starpu_data_interface_ops starpu_interface_void_ops;

void starpu_void_data_register(starpu_data_handle_t *handle);

/* Sparse matrices by compressed rows. */
extern struct starpu_data_interface_ops starpu_interface_csr_ops;

struct starpu_csr_interface {
    enum starpu_data_interface_id id;
    uint32_t nnz, nrow;
    uintptr_t nzval;
    uint32_t *colind, *rowptr;
    uint32_t *ram_colind, *ram_rowptr;
    uint32_t firstentry;
    size_t elemsize;
};

void starpu_csr_data_register(starpu_data_handle_t *handle, int home_node,
                              uint32_t nnz, uint32_t nrow, uintptr_t nzval,
                              uint32_t *colind, uint32_t *rowptr,
                              uint32_t firstentry, size_t elemsize);
uint32_t starpu_csr_get_nnz(starpu_data_handle_t handle);
uint32_t starpu_csr_get_nrow(starpu_data_handle_t handle);
uint32_t starpu_csr_get_firstentry(starpu_data_handle_t handle);
uintptr_t starpu_csr_get_local_nzval(starpu_data_handle_t handle);
uint32_t *starpu_csr_get_local_colind(starpu_data_handle_t handle);
uint32_t *starpu_csr_get_local_rowptr(starpu_data_handle_t handle);
size_t starpu_csr_get_elemsize(starpu_data_handle_t handle);

#define STARPU_CSR_GET_NNZ(interface) STARPU_MEMBER_(csr, interface, nnz)
#define STARPU_CSR_GET_NROW(interface) STARPU_MEMBER_(csr, interface, nrow)
#define STARPU_CSR_GET_NZVAL(interface) STARPU_MEMBER_(csr, interface, nzval)
#define STARPU_CSR_GET_NZVAL_DEV_HANDLE(interface)                             \
    STARPU_MEMBER_(csr, interface, nnz)
#define STARPU_CSR_GET_COLIND(interface) STARPU_MEMBER_(csr, interface, colind)
#define STARPU_CSR_GET_RAM_COLIND(interface)                                   \
    STARPU_MEMBER_(csr, interface, ram_colind)
#define STARPU_CSR_GET_COLIND_DEV_HANDLE(interface)                            \
    STARPU_MEMBER_(csr, interface, colind)
#define STARPU_CSR_GET_ROWPTR(interface) STARPU_MEMBER_(csr, interface, rowptr)
#define STARPU_CSR_GET_RAM_ROWPTR(interface)                                   \
    STARPU_MEMBER_(csr, interface, ram_rowptr)
#define STARPU_CSR_GET_ROWPTR_DEV_HANDLE(interface)                            \
    STARPU_MEMBER_(csr, interface, rowptr)
#define STARPU_CSR_GET_FIRSTENTRY(interface)                                   \
    STARPU_MEMBER_(csr, interface, firstentry)
#define STARPU_CSR_GET_ELEMSIZE(interface)                                     \
    STARPU_MEMBER_(csr, interface, elemsize)
#define STARPU_CSR_GET_OFFSET 0

/* The same of dense blocks of @r x @c elements. */
extern struct starpu_data_interface_ops starpu_interface_bcsr_ops;

struct starpu_bcsr_interface {
    enum starpu_data_interface_id id;
    uint32_t nnz, nrow;
    uintptr_t nzval;
    uint32_t *colind, *rowptr;
    uint32_t *ram_colind, *ram_rowptr;
    uint32_t firstentry, r, c;
    size_t elemsize;
};

void starpu_bcsr_data_register(starpu_data_handle_t *handle, int home_node,
                               uint32_t nnz, uint32_t nrow, uintptr_t nzval,
                               uint32_t *colind, uint32_t *rowptr,
                               uint32_t firstentry, uint32_t r, uint32_t c,
                               size_t elemsize);
uint32_t starpu_bcsr_get_nnz(starpu_data_handle_t handle);
uint32_t starpu_bcsr_get_nrow(starpu_data_handle_t handle);
uint32_t starpu_bcsr_get_firstentry(starpu_data_handle_t handle);
uintptr_t starpu_bcsr_get_local_nzval(starpu_data_handle_t handle);
uint32_t *starpu_bcsr_get_local_colind(starpu_data_handle_t handle);
uint32_t *starpu_bcsr_get_local_rowptr(starpu_data_handle_t handle);
uint32_t starpu_bcsr_get_r(starpu_data_handle_t handle);
uint32_t starpu_bcsr_get_c(starpu_data_handle_t handle);
size_t starpu_bcsr_get_elemsize(starpu_data_handle_t handle);

#define STARPU_BCSR_GET_NNZ(interface) STARPU_MEMBER_(bcsr, interface, nnz)
#define STARPU_BCSR_GET_NROW(interface) STARPU_MEMBER_(bcsr, interface, nrow)
#define STARPU_BCSR_GET_NZVAL(interface) STARPU_MEMBER_(bcsr, interface, nzval)
#define STARPU_BCSR_GET_NZVAL_DEV_HANDLE(interface)                            \
    STARPU_MEMBER_(bcsr, interface, nnz)
#define STARPU_BCSR_GET_COLIND(interface)                                      \
    STARPU_MEMBER_(bcsr, interface, colind)
#define STARPU_BCSR_GET_RAM_COLIND(interface)                                  \
    STARPU_MEMBER_(bcsr, interface, ram_colind)
#define STARPU_BCSR_GET_COLIND_DEV_HANDLE(interface)                           \
    STARPU_MEMBER_(bcsr, interface, colind)
#define STARPU_BCSR_GET_ROWPTR(interface)                                      \
    STARPU_MEMBER_(bcsr, interface, rowptr)
#define STARPU_BCSR_GET_RAM_ROWPTR(interface)                                  \
    STARPU_MEMBER_(bcsr, interface, ram_rowptr)
#define STARPU_BCSR_GET_ROWPTR_DEV_HANDLE(interface)                           \
    STARPU_MEMBER_(bcsr, interface, rowptr)
#define STARPU_BCSR_GET_FIRSTENTRY(interface)                                  \
    STARPU_MEMBER_(bcsr, interface, firstentry)
#define STARPU_BCSR_GET_R(interface) STARPU_MEMBER_(bcsr, interface, r)
#define STARPU_BCSR_GET_C(interface) STARPU_MEMBER_(bcsr, interface, c)
#define STARPU_BCSR_GET_ELEMSIZE(interface)                                    \
    STARPU_MEMBER_(bcsr, interface, elemsize)
#define STARPU_BCSR_GET_OFFSET 0

/* Vectors of another layout on each kind of memory. */
struct starpu_multiformat_data_interface_ops {
    size_t cpu_elemsize, opencl_elemsize;
    struct starpu_codelet *cpu_to_opencl_cl, *opencl_to_cpu_cl;
    size_t cuda_elemsize;
    struct starpu_codelet *cpu_to_cuda_cl, *cuda_to_cpu_cl;
};

struct starpu_multiformat_interface {
    enum starpu_data_interface_id id;
    void *cpu_ptr, *cuda_ptr, *hip_ptr, *opencl_ptr;
    size_t nx;
    struct starpu_multiformat_data_interface_ops *ops;
};

void starpu_multiformat_data_register(
    starpu_data_handle_t *handle, int home_node, void *ptr, size_t nx,
    struct starpu_multiformat_data_interface_ops *format_ops);

#define STARPU_MULTIFORMAT_GET_CPU_PTR(interface)                              \
    STARPU_MEMBER_(multiformat, interface, cpu_ptr)
#define STARPU_MULTIFORMAT_GET_CUDA_PTR(interface)                             \
    STARPU_MEMBER_(multiformat, interface, cuda_ptr)
#define STARPU_MULTIFORMAT_GET_HIP_PTR(interface)                              \
    STARPU_MEMBER_(multiformat, interface, hip_ptr)
#define STARPU_MULTIFORMAT_GET_OPENCL_PTR(interface)                           \
    STARPU_MEMBER_(multiformat, interface, opencl_ptr)
#define STARPU_MULTIFORMAT_GET_NX(interface)                                   \
    STARPU_MEMBER_(multiformat, interface, nx)

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
