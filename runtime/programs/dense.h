/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DENSE_H
#define ORR_DENSE_H

#include "runtime/orrery_app.h"
#include "runtime/programs/tiles.h"

/*
 * Common parts of applications on a square matrix of square tiles: options, and
 * names and order of tasks. Like programs outside the project, these
 * applications use only the public headers.
 */
#define ORR_DENSE_MAX_KERNELS 8

/* Limits of options: more than can be simulated, and far from an overflow. */
#define ORR_DENSE_MAX_SIZE 1e15
#define ORR_DENSE_MAX_TILES 1e9
#define ORR_DENSE_MAX_TILE 1e6

/* Choices of options, by enum orr_kernel_precision and enum orr_layout. */
extern const char *const orr_dense_precisions[];
extern const char *const orr_dense_layouts[];

/* A kernel of a dense application, and the names of its tasks in traces. */
struct orr_dense_kernel {
    const char *name;    /* name in platform files: "gemm" */
    bool synchronous;    /* see orr_kernel_set_synchronous() */
    const char *task;    /* name of tasks in single precision */
    const char *task_dp; /* name of tasks in double precision */
};

/* The kernels of an application, all of one family; unused entries have no
 * name. */
struct orr_dense_family {
    const char *name;
    struct orr_dense_kernel kernels[ORR_DENSE_MAX_KERNELS];
};

/* A dense application at one size in one run. */
struct orr_dense {
    struct orr_run *run;
    unsigned tiles; /* in each column */
    unsigned tile;  /* elements in each row and column of a tile */
    enum orr_kernel_precision precision;
    enum orr_layout layout;
    const struct orr_dense_family *family;             /* borrowed */
    struct orr_kernel *kernels[ORR_DENSE_MAX_KERNELS]; /* NULL: not needed */
};

/* Members of struct orr_app: options tiles, size, tile, precision and layout;
 * completes the size from the tiles, or the tiles from the size. */
extern const struct orr_app_option orr_dense_options[];

/* Returns whether @size is a multiple of @tile; if not, the error names the
 * nearest ones. */
bool orr_dense_check_size(uint64_t size, uint64_t tile, GError **error);

bool orr_dense_complete(struct orr_app_values *values, GError **error);

/*
 * Sets @dense from @values, and finds kernel i of @family if bit i is set in
 * @needed. Checks that the data of a task fit into the memory
 * of each GPU. Fails as orr_kernel_find() does, or with ORR_ERROR_VALUE.
 */
#define ORR_DENSE_ALL_KERNELS UINT32_MAX

bool orr_dense_init(struct orr_dense *dense, struct orr_run *run,
                    const struct orr_app_values *values,
                    const struct orr_dense_family *family, uint32_t needed,
                    GError **error);

/* Whether @bytes fit into the memory of each GPU of @run; otherwise fails with
 * ORR_ERROR_VALUE. @what: description of the bytes in the message. */
bool orr_dense_check_fits(struct orr_run *run, uint64_t bytes, const char *what,
                          GError **error);

uint64_t orr_dense_tile_bytes(const struct orr_dense *dense);

/* Returns the shape of a tile in host memory, which the layout decides. */
struct orr_tile_shape orr_dense_tile_shape(const struct orr_dense *dense);

/* The data that a task of orr_dense_submit_tile() accesses. */
struct orr_tile_access {
    struct orr_data *reads[2]; /* in the order declared; NULL: none */
    struct orr_data *updates;  /* read and written, declared last */
};

/* Submits a task of kernel @kernel, an index of dense->kernels. @priority: see
 * struct orr_task_spec. */
void orr_dense_submit(const struct orr_dense *dense, unsigned kernel,
                      int priority, const struct orr_access *accesses,
                      unsigned count);

/* Submits a task that updates one tile, with @priority as in
 * orr_dense_submit(). */
void orr_dense_submit_tile(const struct orr_dense *dense, unsigned kernel,
                           int priority, struct orr_tile_access access);

/* Submits a task that updates one tile, and says whether it is @critical
 * (struct orr_task_spec). */
void orr_dense_submit_critical(const struct orr_dense *dense, unsigned kernel,
                               int priority, bool critical,
                               struct orr_tile_access access);

#endif
