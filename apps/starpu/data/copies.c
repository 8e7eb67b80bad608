/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <glib.h>
#include <starpu_data_interfaces.h>
#include <string.h>

/*
 * Functions for the copy methods of a program's own kinds. The run counts the
 * time of copies by itself; bytes are copied in RAM only.
 */

int starpu_interface_copynd(uintptr_t src, size_t src_offset, unsigned src_node,
                            uintptr_t dst, size_t dst_offset, unsigned dst_node,
                            size_t elemsize, size_t ndim, size_t *nn,
                            size_t *ldn_src, size_t *ldn_dst, void *async_data)
{
    size_t count = ndim > 0 ? nn[ndim - 1] : 1;
    size_t from = ndim > 0 ? ldn_src[ndim - 1] * elemsize : 0;
    size_t to = ndim > 0 ? ldn_dst[ndim - 1] * elemsize : 0;

    if (src_node != 0 || dst_node != 0)
        return 0;
    if (ndim == 0)
        memcpy((char *)dst + dst_offset, (char *)src + src_offset, elemsize);
    for (size_t i = 0; ndim > 0 && i < count; i++)
        starpu_interface_copynd(src, src_offset + i * from, src_node, dst,
                                dst_offset + i * to, dst_node, elemsize,
                                ndim - 1, nn, ldn_src, ldn_dst, async_data);
    return 0;
}

int starpu_interface_copy(uintptr_t src, size_t src_offset, unsigned src_node,
                          uintptr_t dst, size_t dst_offset, unsigned dst_node,
                          size_t size, void *async_data)
{
    return starpu_interface_copynd(src, src_offset, src_node, dst, dst_offset,
                                   dst_node, size, 0, NULL, NULL, NULL,
                                   async_data);
}

/* Copies blocks of @blocksize bytes; distances are in bytes. */
static int copy_blocks(uintptr_t src, uintptr_t dst, unsigned src_node,
                       unsigned dst_node, size_t blocksize, size_t dimensions,
                       const size_t *counts, const size_t *from,
                       const size_t *to)
{
    size_t last = dimensions - 1;

    if (src_node != 0 || dst_node != 0)
        return 0;
    for (size_t i = 0; i < counts[last]; i++) {
        if (dimensions == 1)
            memcpy((char *)dst + i * to[0], (char *)src + i * from[0],
                   blocksize);
        else
            copy_blocks(src + i * from[last], dst + i * to[last], src_node,
                        dst_node, blocksize, last, counts, from, to);
    }
    return 0;
}

int starpu_interface_copy2d(uintptr_t src, size_t src_offset, unsigned src_node,
                            uintptr_t dst, size_t dst_offset, unsigned dst_node,
                            size_t blocksize, size_t numblocks, size_t ld_src,
                            size_t ld_dst, void *async_data)
{
    (void)async_data;
    return copy_blocks(src + src_offset, dst + dst_offset, src_node, dst_node,
                       blocksize, 1, &numblocks, &ld_src, &ld_dst);
}

int starpu_interface_copy3d(uintptr_t src, size_t src_offset, unsigned src_node,
                            uintptr_t dst, size_t dst_offset, unsigned dst_node,
                            size_t blocksize, size_t numblocks1, size_t ld1_src,
                            size_t ld1_dst, size_t numblocks2, size_t ld2_src,
                            size_t ld2_dst, void *async_data)
{
    const size_t counts[] = {numblocks1, numblocks2};
    const size_t from[] = {ld1_src, ld2_src}, to[] = {ld1_dst, ld2_dst};

    (void)async_data;
    return copy_blocks(src + src_offset, dst + dst_offset, src_node, dst_node,
                       blocksize, 2, counts, from, to);
}

int starpu_interface_copy4d(uintptr_t src, size_t src_offset, unsigned src_node,
                            uintptr_t dst, size_t dst_offset, unsigned dst_node,
                            size_t blocksize, size_t numblocks1, size_t ld1_src,
                            size_t ld1_dst, size_t numblocks2, size_t ld2_src,
                            size_t ld2_dst, size_t numblocks3, size_t ld3_src,
                            size_t ld3_dst, void *async_data)
{
    const size_t counts[] = {numblocks1, numblocks2, numblocks3};
    const size_t from[] = {ld1_src, ld2_src, ld3_src};
    const size_t to[] = {ld1_dst, ld2_dst, ld3_dst};

    (void)async_data;
    return copy_blocks(src + src_offset, dst + dst_offset, src_node, dst_node,
                       blocksize, 3, counts, from, to);
}

void starpu_interface_data_copy(unsigned src_node, unsigned dst_node,
                                size_t size)
{
    (void)src_node;
    (void)dst_node;
    (void)size;
}

void starpu_interface_start_driver_copy_async(unsigned src_node,
                                              unsigned dst_node, double *start)
{
    (void)src_node;
    (void)dst_node;
    *start = 0;
}

void starpu_interface_end_driver_copy_async(unsigned src_node,
                                            unsigned dst_node, double start)
{
    (void)src_node;
    (void)dst_node;
    (void)start;
}

void starpu_interface_start_driver_copy_async_devid(
    int src_dev, enum starpu_node_kind src_kind, int dst_dev,
    enum starpu_node_kind dst_kind, double *start)
{
    (void)src_dev;
    (void)src_kind;
    (void)dst_dev;
    (void)dst_kind;
    *start = 0;
}

void starpu_interface_end_driver_copy_async_devid(
    int src_dev, enum starpu_node_kind src_kind, int dst_dev,
    enum starpu_node_kind dst_kind, double start)
{
    (void)src_dev;
    (void)src_kind;
    (void)dst_dev;
    (void)dst_kind;
    (void)start;
}

/* Nothing is mapped from one memory to another. */
uintptr_t starpu_interface_map(uintptr_t src, size_t src_offset,
                               unsigned src_node, unsigned dst_node,
                               size_t size, int *ret)
{
    (void)src;
    (void)src_offset;
    (void)src_node;
    (void)dst_node;
    (void)size;
    *ret = -ENOTSUP;
    return 0;
}

int starpu_interface_unmap(uintptr_t src, size_t src_offset, unsigned src_node,
                           uintptr_t dst, unsigned dst_node, size_t size)
{
    (void)src;
    (void)src_offset;
    (void)src_node;
    (void)dst;
    (void)dst_node;
    (void)size;
    return -ENOTSUP;
}

int starpu_interface_update_map(uintptr_t src, size_t src_offset,
                                unsigned src_node, uintptr_t dst,
                                size_t dst_offset, unsigned dst_node,
                                size_t size)
{
    (void)src;
    (void)src_offset;
    (void)src_node;
    (void)dst;
    (void)dst_offset;
    (void)dst_node;
    (void)size;
    return -ENOTSUP;
}
