/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/data/elements.h"

#include <starpu_data_filters.h>

/*
 * StarPU's filters of dense data. Each takes parts of one dimension, or picks
 * one place of a dimension, which then goes, or one element.
 */

void starpu_filter_nparts_compute_chunk_size_and_offset(
    unsigned n, unsigned nparts, size_t elemsize, unsigned id, size_t blocksize,
    size_t *chunk_size, size_t *offset)
{
    unsigned share = n / nparts, longer = n % nparts;

    *chunk_size = share + (id < longer);
    if (offset)
        *offset = ((size_t)share * id + MIN(id, longer)) * blocksize * elemsize;
}

/* Reads the shape of @interface, which must be of kind @id. */
static void read_parent(const void *interface, enum starpu_data_interface_id id,
                        struct sp_dense *dense, const char *call)
{
    if (*(const enum starpu_data_interface_id *)interface != id ||
        !sp_dense_read(interface, dense))
        sp_fail(call, "the filter is for data of another kind");
}

/* Moves the first element of @dense, if it is in this memory. */
static void move_by(struct sp_dense *dense, size_t bytes)
{
    if (!dense->device)
        return;
    if (dense->address)
        dense->address += bytes;
    dense->offset += bytes;
}

/* Part @id of @parts of dimension @dimension, with @shadow more elements on
 * both sides. */
static void take_part(struct sp_dense *dense, unsigned dimension, unsigned id,
                      unsigned parts, size_t shadow, const char *call)
{
    size_t count, offset;

    if (dimension >= dense->dimensions)
        sp_fail(call, "dimension %u: expected less than %u", dimension,
                dense->dimensions);
    if (dense->counts[dimension] < 2 * shadow + parts)
        sp_fail(call, "%zu elements with a shadow of %zu: expected at least %u",
                dense->counts[dimension], shadow, parts);
    starpu_filter_nparts_compute_chunk_size_and_offset(
        (unsigned)(dense->counts[dimension] - 2 * shadow), parts,
        dense->element_bytes, id, dense->steps[dimension], &count, &offset);
    dense->counts[dimension] = count + 2 * shadow;
    move_by(dense, offset);
}

/* Element @place of dimension @dimension, without that dimension. */
static void pick(struct sp_dense *dense, unsigned dimension, size_t place,
                 const char *call)
{
    if (dimension >= dense->dimensions)
        sp_fail(call, "dimension %u: expected less than %u", dimension,
                dense->dimensions);
    if (place >= dense->counts[dimension])
        sp_fail(call, "element %zu: expected less than %zu", place,
                dense->counts[dimension]);
    move_by(dense, place * dense->steps[dimension] * dense->element_bytes);
    dense->dimensions--;
    for (unsigned i = dimension; i < dense->dimensions; i++) {
        dense->counts[i] = dense->counts[i + 1];
        dense->steps[i] = dense->steps[i + 1];
    }
}

#define FILTER(name)                                                           \
    void name(void *parent_interface, void *child_interface,                   \
              struct starpu_data_filter *f, unsigned id, unsigned nparts)

/* Blocks of a dimension, without and with a shadow. */
#define BLOCKS(kind, KIND, name, dimension)                                    \
    FILTER(starpu_##kind##_filter_##name)                                      \
    {                                                                          \
        const char *call = "starpu_" #kind "_filter_" #name "()";              \
        struct sp_dense dense;                                                 \
                                                                               \
        (void)f;                                                               \
        read_parent(parent_interface, STARPU_##KIND##_INTERFACE_ID, &dense,    \
                    call);                                                     \
        take_part(&dense, dimension, id, nparts, 0, call);                     \
        sp_dense_write(child_interface, &dense);                               \
    }                                                                          \
                                                                               \
    FILTER(starpu_##kind##_filter_##name##_shadow)                             \
    {                                                                          \
        const char *call = "starpu_" #kind "_filter_" #name "_shadow()";       \
        struct sp_dense dense;                                                 \
                                                                               \
        read_parent(parent_interface, STARPU_##KIND##_INTERFACE_ID, &dense,    \
                    call);                                                     \
        take_part(&dense, dimension, id, nparts, (size_t)f->filter_arg_ptr,    \
                  call);                                                       \
        sp_dense_write(child_interface, &dense);                               \
    }

BLOCKS(vector, VECTOR, block, 0)
BLOCKS(matrix, MATRIX, block, 0)
BLOCKS(matrix, MATRIX, vertical_block, 1)
BLOCKS(block, BLOCK, block, 0)
BLOCKS(block, BLOCK, vertical_block, 1)
BLOCKS(block, BLOCK, depth_block, 2)
BLOCKS(tensor, TENSOR, block, 0)
BLOCKS(tensor, TENSOR, vertical_block, 1)
BLOCKS(tensor, TENSOR, depth_block, 2)
BLOCKS(tensor, TENSOR, time_block, 3)
BLOCKS(ndim, NDIM, block, dense.dimensions > 1 ? (unsigned)f->filter_arg : 0)

/* Child @id is at place filter_arg_ptr + @id of a dimension. */
#define PICK(kind, KIND, name, dimension, CHILD)                               \
    FILTER(starpu_##kind##_filter_##name)                                      \
    {                                                                          \
        const char *call = "starpu_" #kind "_filter_" #name "()";              \
        struct sp_dense dense;                                                 \
                                                                               \
        (void)nparts;                                                          \
        read_parent(parent_interface, STARPU_##KIND##_INTERFACE_ID, &dense,    \
                    call);                                                     \
        pick(&dense, dimension, (size_t)f->filter_arg_ptr + id, call);         \
        dense.id = STARPU_##CHILD##_INTERFACE_ID;                              \
        sp_dense_write(child_interface, &dense);                               \
    }

PICK(vector, VECTOR, pick_variable, 0, VARIABLE)
PICK(matrix, MATRIX, pick_vector_y, 1, VECTOR)
PICK(block, BLOCK, pick_matrix_z, 2, MATRIX)
PICK(block, BLOCK, pick_matrix_y, 1, MATRIX)
PICK(tensor, TENSOR, pick_block_t, 3, BLOCK)
PICK(tensor, TENSOR, pick_block_z, 2, BLOCK)
PICK(tensor, TENSOR, pick_block_y, 1, BLOCK)
PICK(ndim, NDIM, pick_ndim, dense.dimensions > 1 ? (unsigned)f->filter_arg : 0,
     NDIM)

/* Arrays become data of another kind, of as many dimensions. */
static void become(struct sp_dense *dense, enum starpu_data_interface_id id,
                   const char *call)
{
    if ((int)dense->dimensions != sp_dense_dimensions(id))
        sp_fail(call, "the parts have %u dimensions: expected %d",
                dense->dimensions, sp_dense_dimensions(id));
    if (dense->device && dense->dimensions > 0 && dense->steps[0] != 1)
        sp_fail(call,
                "elements of the first dimension are %zu apart: "
                "expected 1",
                dense->steps[0]);
    dense->id = id;
}

#define ARRAY_PART(name, KIND, change)                                         \
    FILTER(starpu_ndim_filter_##name)                                          \
    {                                                                          \
        const char *call = "starpu_ndim_filter_" #name "()";                   \
        struct sp_dense dense;                                                 \
        unsigned dimension;                                                    \
                                                                               \
        read_parent(parent_interface, STARPU_NDIM_INTERFACE_ID, &dense, call); \
        dimension = dense.dimensions > 1 ? (unsigned)f->filter_arg : 0;        \
        change;                                                                \
        (void)nparts;                                                          \
        become(&dense, STARPU_##KIND##_INTERFACE_ID, call);                    \
        sp_dense_write(child_interface, &dense);                               \
    }

#define SPLIT_ARRAY take_part(&dense, dimension, id, nparts, 0, call)
#define PICK_ARRAY pick(&dense, dimension, (size_t)f->filter_arg_ptr + id, call)

ARRAY_PART(to_tensor, TENSOR, SPLIT_ARRAY)
ARRAY_PART(to_block, BLOCK, SPLIT_ARRAY)
ARRAY_PART(to_matrix, MATRIX, SPLIT_ARRAY)
ARRAY_PART(to_vector, VECTOR, SPLIT_ARRAY)
ARRAY_PART(5d_pick_tensor, TENSOR, PICK_ARRAY)
ARRAY_PART(4d_pick_block, BLOCK, PICK_ARRAY)
ARRAY_PART(3d_pick_matrix, MATRIX, PICK_ARRAY)
ARRAY_PART(2d_pick_vector, VECTOR, PICK_ARRAY)
ARRAY_PART(1d_pick_variable, VARIABLE, PICK_ARRAY)

FILTER(starpu_ndim_filter_to_variable)
{
    const char *call = "starpu_ndim_filter_to_variable()";
    struct sp_dense dense;

    (void)f;
    read_parent(parent_interface, STARPU_NDIM_INTERFACE_ID, &dense, call);
    if (id != 0 || nparts != 1)
        sp_fail(call, "%u parts: expected 1", nparts);
    become(&dense, STARPU_VARIABLE_INTERFACE_ID, call);
    sp_dense_write(child_interface, &dense);
}

/* One element; its place is an array of @type. */
#define PICK_ELEMENT(kind, KIND, type)                                         \
    FILTER(starpu_##kind##_filter_pick_variable)                               \
    {                                                                          \
        const char *call = "starpu_" #kind "_filter_pick_variable()";          \
        const type *place = f->filter_arg_ptr;                                 \
        struct sp_dense dense;                                                 \
                                                                               \
        (void)id;                                                              \
        (void)nparts;                                                          \
        read_parent(parent_interface, STARPU_##KIND##_INTERFACE_ID, &dense,    \
                    call);                                                     \
        while (dense.dimensions > 0)                                           \
            pick(&dense, dense.dimensions - 1, place[dense.dimensions - 1],    \
                 call);                                                        \
        dense.id = STARPU_VARIABLE_INTERFACE_ID;                               \
        sp_dense_write(child_interface, &dense);                               \
    }

PICK_ELEMENT(matrix, MATRIX, uint32_t)
PICK_ELEMENT(block, BLOCK, uint32_t)
PICK_ELEMENT(tensor, TENSOR, uint32_t)
PICK_ELEMENT(ndim, NDIM, size_t)

/* @count elements of a vector from element @first on. */
static void take_range(void *parent_interface, void *child_interface,
                       size_t first, size_t count, const char *call)
{
    struct sp_dense dense;

    read_parent(parent_interface, STARPU_VECTOR_INTERFACE_ID, &dense, call);
    if (first > dense.counts[0] || count > dense.counts[0] - first)
        sp_fail(call, "elements %zu to %zu: expected less than %zu", first,
                first + count - 1, dense.counts[0]);
    dense.counts[0] = count;
    move_by(&dense, first * dense.element_bytes);
    sp_dense_write(child_interface, &dense);
}

FILTER(starpu_vector_filter_divide_in_2)
{
    const struct starpu_vector_interface *parent = parent_interface;
    size_t first = f->filter_arg;

    (void)nparts;
    take_range(parent_interface, child_interface, id == 0 ? 0 : first,
               id == 0 ? first : parent->nx - first,
               "starpu_vector_filter_divide_in_2()");
}

#define VECTOR_LIST(name, type)                                                \
    FILTER(starpu_vector_filter_##name)                                        \
    {                                                                          \
        const type *lengths = f->filter_arg_ptr;                               \
        size_t first = 0;                                                      \
                                                                               \
        (void)nparts;                                                          \
        if (!lengths)                                                          \
            sp_fail("starpu_vector_filter_" #name "()",                        \
                    "filter_arg_ptr is NULL: expected the lengths");           \
        for (unsigned i = 0; i < id; i++)                                      \
            first += (size_t)lengths[i];                                       \
        take_range(parent_interface, child_interface, first,                   \
                   (size_t)lengths[id], "starpu_vector_filter_" #name "()");   \
    }

VECTOR_LIST(list, uint32_t)
VECTOR_LIST(list_long, long)

#define CHILD_KIND(name, child_kind)                                           \
    struct starpu_data_interface_ops *name(struct starpu_data_filter *f,       \
                                           unsigned child)                     \
    {                                                                          \
        (void)f;                                                               \
        (void)child;                                                           \
        return &starpu_interface_##child_kind##_ops;                           \
    }

CHILD_KIND(starpu_vector_filter_pick_variable_child_ops, variable)
CHILD_KIND(starpu_matrix_filter_pick_vector_child_ops, vector)
CHILD_KIND(starpu_matrix_filter_pick_variable_child_ops, variable)
CHILD_KIND(starpu_block_filter_pick_matrix_child_ops, matrix)
CHILD_KIND(starpu_block_filter_pick_variable_child_ops, variable)
CHILD_KIND(starpu_tensor_filter_pick_block_child_ops, block)
CHILD_KIND(starpu_tensor_filter_pick_variable_child_ops, variable)
CHILD_KIND(starpu_ndim_filter_pick_tensor_child_ops, tensor)
CHILD_KIND(starpu_ndim_filter_pick_block_child_ops, block)
CHILD_KIND(starpu_ndim_filter_pick_matrix_child_ops, matrix)
CHILD_KIND(starpu_ndim_filter_pick_vector_child_ops, vector)
CHILD_KIND(starpu_ndim_filter_pick_variable_child_ops, variable)
CHILD_KIND(starpu_ndim_filter_to_tensor_child_ops, tensor)
CHILD_KIND(starpu_ndim_filter_to_block_child_ops, block)
CHILD_KIND(starpu_ndim_filter_to_matrix_child_ops, matrix)
CHILD_KIND(starpu_ndim_filter_to_vector_child_ops, vector)
CHILD_KIND(starpu_ndim_filter_to_variable_child_ops, variable)
CHILD_KIND(starpu_bcsr_filter_canonical_block_child_ops, matrix)

unsigned
starpu_bcsr_filter_canonical_block_get_nchildren(struct starpu_data_filter *f,
                                                 starpu_data_handle_t handle)
{
    (void)f;
    return starpu_bcsr_get_nnz(handle);
}

FILTER(starpu_bcsr_filter_canonical_block)
{
    const struct starpu_bcsr_interface *parent = parent_interface;
    size_t block = (size_t)parent->r * parent->c * parent->elemsize;
    struct sp_dense dense = {.id = STARPU_MATRIX_INTERFACE_ID,
                             .dimensions = 2,
                             .counts = {parent->c, parent->r},
                             .steps = {1, parent->c},
                             .element_bytes = parent->elemsize};

    (void)f;
    (void)nparts;
    if (parent->nzval)
        dense.address = dense.device =
            parent->nzval + parent->firstentry + block * id;
    sp_dense_write(child_interface, &dense);
}

/* The rows of part @id of compressed rows: the first one, and the first and the
 * last value. */
struct rows {
    size_t first, count;
    uint32_t begin, end;
};

static struct rows take_rows(const uint32_t *starts, uint32_t rows,
                             uint32_t firstentry, unsigned id, unsigned parts)
{
    struct rows part;

    starpu_filter_nparts_compute_chunk_size_and_offset(
        rows, parts, 1, id, 1, &part.count, &part.first);
    part.begin = starts[part.first] - firstentry;
    part.end = starts[part.first + part.count] - firstentry;
    return part;
}

#define ROWS_PART(kind, entry, value_bytes)                                    \
    FILTER(starpu_##kind##_filter_vertical_block)                              \
    {                                                                          \
        struct starpu_##kind##_interface *parent = parent_interface;           \
        struct starpu_##kind##_interface *child = child_interface;             \
        struct rows part = take_rows(parent->ram_rowptr, parent->nrow,         \
                                     parent->firstentry, id, nparts);          \
                                                                               \
        (void)f;                                                               \
        *child = *parent;                                                      \
        child->nnz = part.end - part.begin;                                    \
        child->nrow = (uint32_t)part.count;                                    \
        child->firstentry = entry;                                             \
        child->ram_colind = parent->ram_colind + part.begin;                   \
        child->ram_rowptr = parent->ram_rowptr + part.first;                   \
        if (parent->nzval) {                                                   \
            child->nzval = parent->nzval + part.begin * (value_bytes);         \
            child->colind = parent->colind + part.begin;                       \
            child->rowptr = parent->rowptr + part.first;                       \
        }                                                                      \
    }

ROWS_PART(csr, part.begin, parent->elemsize)
ROWS_PART(bcsr, parent->firstentry + part.begin,
          (size_t)parent->r * parent->c * parent->elemsize)
