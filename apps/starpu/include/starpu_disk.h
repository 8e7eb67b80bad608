/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_DISK_H
#define ORR_STARPU_DISK_H

#include <starpu_config.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Disks are not simulated: starpu_disk_register() ends the program. */

struct starpu_disk_ops {
    void *(*plug)(void *parameter, starpu_ssize_t size);
    void (*unplug)(void *base);
    int (*bandwidth)(unsigned node, void *base);

    /* Objects on the disk. */
    void *(*alloc)(void *base, size_t size);
    void (*free)(void *base, void *obj, size_t size);
    void *(*open)(void *base, void *pos, size_t size);
    void (*close)(void *base, void *obj, size_t size);

    /* Parts of them, and all of them. */
    int (*read)(void *base, void *obj, void *buf, off_t offset, size_t size);
    int (*write)(void *base, void *obj, const void *buf, off_t offset,
                 size_t size);
    int (*full_read)(void *base, void *obj, void **ptr, size_t *size,
                     unsigned dst_node);
    int (*full_write)(void *base, void *obj, void *ptr, size_t size);

    /* The same, in the background. */
    void *(*async_write)(void *base, void *obj, void *buf, off_t offset,
                         size_t size);
    void *(*async_read)(void *base, void *obj, void *buf, off_t offset,
                        size_t size);
    void *(*async_full_read)(void *base, void *obj, void **ptr, size_t *size,
                             unsigned dst_node);
    void *(*async_full_write)(void *base, void *obj, void *ptr, size_t size);
    void *(*copy)(void *base_src, void *obj_src, off_t offset_src,
                  void *base_dst, void *obj_dst, off_t offset_dst, size_t size);
    void (*wait_request)(void *async_channel);
    int (*test_request)(void *async_channel);
    void (*free_request)(void *async_channel);
};

extern struct starpu_disk_ops starpu_disk_hdf5_ops, starpu_disk_leveldb_ops,
    starpu_disk_stdio_ops, starpu_disk_unistd_o_direct_ops,
    starpu_disk_unistd_ops;
extern int starpu_disk_swap_node; /* -1: none */

#define STARPU_DISK_SIZE_MIN (16 << 20)

void starpu_disk_close(unsigned node, void *obj, size_t size);
void *starpu_disk_open(unsigned node, void *pos, size_t size);
int starpu_disk_register(struct starpu_disk_ops *func, void *parameter,
                         starpu_ssize_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
