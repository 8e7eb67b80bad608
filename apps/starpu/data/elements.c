/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/data/elements.h"

#include "apps/starpu/base/error.h"

#include <string.h>

int sp_dense_dimensions(enum starpu_data_interface_id id)
{
    switch (id) {
    case STARPU_VARIABLE_INTERFACE_ID:
        return 0;
    case STARPU_VECTOR_INTERFACE_ID:
        return 1;
    case STARPU_MATRIX_INTERFACE_ID:
        return 2;
    case STARPU_BLOCK_INTERFACE_ID:
        return 3;
    case STARPU_TENSOR_INTERFACE_ID:
        return 4;
    default:
        return -1;
    }
}

/* Sets what all kinds have: the address of elements and their size. */
#define READ_COMMON(dense, from)                                               \
    ((dense)->address = (from)->ptr, (dense)->device = (from)->dev_handle,     \
     (dense)->offset = (from)->offset,                                         \
     (dense)->element_bytes = (from)->elemsize)

#define WRITE_COMMON(dense, to)                                                \
    ((to)->id = (dense)->id, (to)->ptr = (dense)->address,                     \
     (to)->dev_handle = (dense)->device, (to)->offset = (dense)->offset,       \
     (to)->elemsize = (dense)->element_bytes)

static void set_dimension(struct sp_dense *dense, size_t count, size_t step)
{
    dense->counts[dense->dimensions] = count;
    dense->steps[dense->dimensions] = step;
    dense->dimensions++;
}

static void read_array(const struct starpu_ndim_interface *from,
                       struct sp_dense *dense)
{
    if (from->ndim > SP_MAX_DIMENSIONS)
        sp_fail("starpu_ndim_data_register()",
                "%zu dimensions: expected at most %d", from->ndim,
                SP_MAX_DIMENSIONS);
    for (unsigned i = 0; i < from->ndim; i++)
        set_dimension(dense, from->nn[i], from->ldn[i]);
    READ_COMMON(dense, from);
}

bool sp_dense_read(const void *interface, struct sp_dense *dense)
{
    const enum starpu_data_interface_id *id = interface;
    const struct starpu_vector_interface *vector = interface;
    const struct starpu_matrix_interface *matrix = interface;
    const struct starpu_block_interface *block = interface;
    const struct starpu_tensor_interface *tensor = interface;

    memset(dense, 0, sizeof(*dense));
    dense->id = *id;
    switch (*id) {
    case STARPU_VARIABLE_INTERFACE_ID:
        READ_COMMON(dense, (const struct starpu_variable_interface *)interface);
        return true;
    case STARPU_VECTOR_INTERFACE_ID:
        set_dimension(dense, vector->nx, 1);
        READ_COMMON(dense, vector);
        return true;
    case STARPU_MATRIX_INTERFACE_ID:
        set_dimension(dense, matrix->nx, 1);
        set_dimension(dense, matrix->ny, matrix->ld);
        READ_COMMON(dense, matrix);
        return true;
    case STARPU_BLOCK_INTERFACE_ID:
        set_dimension(dense, block->nx, 1);
        set_dimension(dense, block->ny, block->ldy);
        set_dimension(dense, block->nz, block->ldz);
        READ_COMMON(dense, block);
        return true;
    case STARPU_TENSOR_INTERFACE_ID:
        set_dimension(dense, tensor->nx, 1);
        set_dimension(dense, tensor->ny, tensor->ldy);
        set_dimension(dense, tensor->nz, tensor->ldz);
        set_dimension(dense, tensor->nt, tensor->ldt);
        READ_COMMON(dense, tensor);
        return true;
    case STARPU_NDIM_INTERFACE_ID:
        read_array(interface, dense);
        return true;
    default:
        return false;
    }
}

/* StarPU counts the gaps between columns of a part in the memory of its matrix,
 * up to the last column. */
static size_t span_bytes(const struct sp_dense *dense)
{
    unsigned last = dense->dimensions - 1;

    if (dense->dimensions < 2 || !dense->device)
        return sp_dense_elements(dense) * dense->element_bytes;
    return dense->steps[last] * dense->counts[last] * dense->element_bytes;
}

static void write_array(struct starpu_ndim_interface *to,
                        const struct sp_dense *dense)
{
    size_t bytes = dense->dimensions * sizeof(size_t);

    to->ndim = dense->dimensions;
    to->nn = g_realloc(to->nn, MAX(bytes, 1));
    to->ldn = g_realloc(to->ldn, MAX(bytes, 1));
    memcpy(to->nn, dense->counts, bytes);
    memcpy(to->ldn, dense->steps, bytes);
    to->allocsize = span_bytes(dense);
    WRITE_COMMON(dense, to);
}

void sp_dense_write(void *interface, const struct sp_dense *dense)
{
    struct starpu_variable_interface *variable = interface;
    struct starpu_vector_interface *vector = interface;
    struct starpu_matrix_interface *matrix = interface;
    struct starpu_block_interface *block = interface;
    struct starpu_tensor_interface *tensor = interface;
    const size_t *counts = dense->counts, *steps = dense->steps;

    switch (dense->id) {
    case STARPU_VARIABLE_INTERFACE_ID:
        WRITE_COMMON(dense, variable);
        break;
    case STARPU_VECTOR_INTERFACE_ID:
        WRITE_COMMON(dense, vector);
        vector->nx = counts[0];
        vector->allocsize = span_bytes(dense);
        break;
    case STARPU_MATRIX_INTERFACE_ID:
        WRITE_COMMON(dense, matrix);
        matrix->nx = counts[0], matrix->ny = counts[1];
        matrix->ld = steps[1];
        matrix->allocsize = span_bytes(dense);
        break;
    case STARPU_BLOCK_INTERFACE_ID:
        WRITE_COMMON(dense, block);
        block->nx = counts[0], block->ny = counts[1], block->nz = counts[2];
        block->ldy = steps[1], block->ldz = steps[2];
        break;
    case STARPU_TENSOR_INTERFACE_ID:
        WRITE_COMMON(dense, tensor);
        tensor->nx = counts[0], tensor->ny = counts[1];
        tensor->nz = counts[2], tensor->nt = counts[3];
        tensor->ldy = steps[1], tensor->ldz = steps[2], tensor->ldt = steps[3];
        break;
    default:
        write_array(interface, dense);
    }
}

size_t sp_dense_elements(const struct sp_dense *dense)
{
    size_t elements = 1;

    for (unsigned i = 0; i < dense->dimensions; i++)
        elements *= dense->counts[i];
    return elements;
}

void sp_dense_compact(struct sp_dense *dense)
{
    size_t step = 1;

    for (unsigned i = 0; i < dense->dimensions; i++) {
        dense->steps[i] = step;
        step *= dense->counts[i];
    }
}

/* Copies the elements of dimensions 0 to @dimension - 1 from or to @row, and
 * returns its place after them. */
static char *move(const struct sp_dense *dense, unsigned dimension,
                  char *element, char *row, bool out)
{
    if (dimension == 0 || (dimension == 1 && dense->steps[0] == 1)) {
        size_t bytes =
            dense->element_bytes * (dimension == 0 ? 1 : dense->counts[0]);

        memcpy(out ? row : element, out ? element : row, bytes);
        return row + bytes;
    }
    dimension--;
    for (size_t i = 0; i < dense->counts[dimension]; i++)
        row = move(dense, dimension,
                   element + i * dense->steps[dimension] * dense->element_bytes,
                   row, out);
    return row;
}

void sp_dense_pack(const struct sp_dense *dense, char *row)
{
    move(dense, dense->dimensions, (char *)dense->address, row, true);
}

void sp_dense_unpack(const struct sp_dense *dense, const char *row)
{
    move(dense, dense->dimensions, (char *)dense->address, (char *)row, false);
}
