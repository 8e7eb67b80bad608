/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_CUDA_TYPES_H
#define ORR_STARPU_CUDA_TYPES_H

/* Programs need no CUDA to be simulated: without its headers, its types are
 * declared here. */
#if defined STARPU_USE_CUDA && defined __has_include
#if __has_include(<cuda_runtime.h>)
#include <cuda.h>
#include <cuda_runtime.h>
#define STARPU_CUDA_HEADERS 1
#endif
#endif
#if !defined STARPU_CUDA_HEADERS && !defined __DRIVER_TYPES_H__
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef int cudaError_t;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};
#endif

#endif
