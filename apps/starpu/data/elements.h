/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ELEMENTS_H
#define ORR_ELEMENTS_H

#include <starpu_data_interfaces.h>
#include <stdbool.h>

/*
 * One shape for variables, vectors, matrices, blocks, tensors and arrays of any
 * number of dimensions: elements at regular distances. Filters, copies and
 * footprints work on it.
 */

#define SP_MAX_DIMENSIONS 32

struct sp_dense {
    enum starpu_data_interface_id id; /* the kind of interface */
    unsigned dimensions;
    size_t counts[SP_MAX_DIMENSIONS]; /* of elements */
    size_t
        steps[SP_MAX_DIMENSIONS]; /* from one element to the next, elements */
    size_t element_bytes;
    uintptr_t address, device; /* 0: no memory here */
    size_t offset;             /* bytes */
};

/* The shape of @interface; of no dimension that StarPU knows if it is not
 * dense: false. */
bool sp_dense_read(const void *interface, struct sp_dense *dense);

/* Fills @interface, of the kind @dense->id. */
void sp_dense_write(void *interface, const struct sp_dense *dense);

/* The number of dimensions of kind @id; -1: any number. */
int sp_dense_dimensions(enum starpu_data_interface_id id);

/* The number of elements. */
size_t sp_dense_elements(const struct sp_dense *dense);

/* Lets elements follow each other without gaps. */
void sp_dense_compact(struct sp_dense *dense);

/* Copies all elements of @dense to the row of bytes @row, or back. */
void sp_dense_pack(const struct sp_dense *dense, char *row);
void sp_dense_unpack(const struct sp_dense *dense, const char *row);

#endif
