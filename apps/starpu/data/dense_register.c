/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/data/elements.h"
#include "apps/starpu/data/handle_state.h"

/* Registration of dense data, and their members. */

/* Complains if the number of bytes does not fit into a size_t. */
static void check_size(const struct sp_dense *dense, const char *call)
{
    size_t bytes = dense->element_bytes;

    for (unsigned i = 0; i < dense->dimensions; i++) {
        size_t before = bytes;

        if (!g_size_checked_mul(&bytes, before, dense->counts[i]))
            sp_fail(call,
                    "%zu elements of dimension %u, each of %zu bytes: their "
                    "size overflows",
                    dense->counts[i], i, before);
    }
}

/* Complains if elements of dimension @i would lie on each other. */
static void check_steps(const struct sp_dense *dense, const char *call)
{
    size_t room = 1;

    check_size(dense, call);
    for (unsigned i = 0; dense->address && i < dense->dimensions; i++) {
        if (dense->steps[i] < room && dense->counts[i] > 1)
            sp_fail(call,
                    "elements of dimension %u are %zu apart, but take %zu", i,
                    dense->steps[i], room);
        room = dense->steps[i] * dense->counts[i];
    }
}

static void register_dense(starpu_data_handle_t *handle, int home_node,
                           struct sp_dense *dense, size_t allocsize,
                           struct starpu_data_interface_ops *ops)
{
    union {
        struct starpu_variable_interface variable;
        struct starpu_vector_interface vector;
        struct starpu_matrix_interface matrix;
        struct starpu_block_interface block;
        struct starpu_tensor_interface tensor;
        struct starpu_ndim_interface array;
    } interface = {.array = {.id = ops->interfaceid}};

    dense->id = ops->interfaceid;
    dense->device = dense->address;
    sp_dense_write(&interface, dense);
    if (dense->id == STARPU_VECTOR_INTERFACE_ID)
        interface.vector.allocsize = allocsize;
    if (dense->id == STARPU_MATRIX_INTERFACE_ID)
        interface.matrix.allocsize = allocsize;
    if (dense->id == STARPU_NDIM_INTERFACE_ID)
        interface.array.allocsize = allocsize;
    starpu_data_register(handle, home_node, &interface, ops);
    if (dense->id == STARPU_NDIM_INTERFACE_ID) {
        g_free(interface.array.nn);
        g_free(interface.array.ldn);
    }
}

void starpu_variable_data_register(starpu_data_handle_t *handle, int home_node,
                                   uintptr_t ptr, size_t size)
{
    struct sp_dense dense = {.element_bytes = size, .address = ptr};

    register_dense(handle, home_node, &dense, size,
                   &starpu_interface_variable_ops);
}

void starpu_vector_data_register_allocsize(starpu_data_handle_t *handle,
                                           int home_node, uintptr_t ptr,
                                           size_t nx, size_t elemsize,
                                           size_t allocsize)
{
    struct sp_dense dense = {.dimensions = 1,
                             .counts = {nx},
                             .steps = {1},
                             .element_bytes = elemsize,
                             .address = ptr};

    check_size(&dense, "starpu_vector_data_register()");
    register_dense(handle, home_node, &dense, allocsize,
                   &starpu_interface_vector_ops);
}

void starpu_vector_data_register(starpu_data_handle_t *handle, int home_node,
                                 uintptr_t ptr, size_t nx, size_t elemsize)
{
    starpu_vector_data_register_allocsize(handle, home_node, ptr, nx, elemsize,
                                          nx * elemsize);
}

void starpu_matrix_data_register_allocsize(starpu_data_handle_t *handle,
                                           int home_node, uintptr_t ptr,
                                           size_t ld, size_t nx, size_t ny,
                                           size_t elemsize, size_t allocsize)
{
    struct sp_dense dense = {.dimensions = 2,
                             .counts = {nx, ny},
                             .steps = {1, ld},
                             .element_bytes = elemsize,
                             .address = ptr};

    check_steps(&dense, "starpu_matrix_data_register()");
    register_dense(handle, home_node, &dense, allocsize,
                   &starpu_interface_matrix_ops);
}

void starpu_matrix_data_register(starpu_data_handle_t *handle, int home_node,
                                 uintptr_t ptr, size_t ld, size_t nx, size_t ny,
                                 size_t elemsize)
{
    starpu_matrix_data_register_allocsize(handle, home_node, ptr, ld, nx, ny,
                                          elemsize, nx * ny * elemsize);
}

void starpu_block_data_register(starpu_data_handle_t *handle, int home_node,
                                uintptr_t ptr, size_t ldy, size_t ldz,
                                size_t nx, size_t ny, size_t nz,
                                size_t elemsize)
{
    struct sp_dense dense = {.dimensions = 3,
                             .counts = {nx, ny, nz},
                             .steps = {1, ldy, ldz},
                             .element_bytes = elemsize,
                             .address = ptr};

    check_steps(&dense, "starpu_block_data_register()");
    register_dense(handle, home_node, &dense, 0, &starpu_interface_block_ops);
}

void starpu_tensor_data_register(starpu_data_handle_t *handle, int home_node,
                                 uintptr_t ptr, size_t ldy, size_t ldz,
                                 size_t ldt, size_t nx, size_t ny, size_t nz,
                                 size_t nt, size_t elemsize)
{
    struct sp_dense dense = {.dimensions = 4,
                             .counts = {nx, ny, nz, nt},
                             .steps = {1, ldy, ldz, ldt},
                             .element_bytes = elemsize,
                             .address = ptr};

    check_steps(&dense, "starpu_tensor_data_register()");
    register_dense(handle, home_node, &dense, 0, &starpu_interface_tensor_ops);
}

void starpu_ndim_data_register(starpu_data_handle_t *handleptr, int home_node,
                               uintptr_t ptr, size_t *ldn, size_t *nn,
                               size_t ndim, size_t elemsize)
{
    const char *call = "starpu_ndim_data_register()";
    struct sp_dense dense = {.element_bytes = elemsize, .address = ptr};

    if (ndim > SP_MAX_DIMENSIONS)
        sp_fail(call, "%zu dimensions: expected at most %d", ndim,
                SP_MAX_DIMENSIONS);
    if (ndim > 0 && !nn)
        sp_fail(call, "the numbers of elements are NULL");
    dense.dimensions = (unsigned)ndim;
    for (unsigned i = 0; i < ndim; i++) {
        dense.counts[i] = nn[i];
        dense.steps[i] = ldn ? ldn[i] : 0;
    }
    check_steps(&dense, call);
    register_dense(handleptr, home_node, &dense,
                   sp_dense_elements(&dense) * elemsize,
                   &starpu_interface_ndim_ops);
}

/* Sets the place of @handle on @node: an interface of its own. */
#define PLACE(kind, handle, node, pointer, device, start)                      \
    do {                                                                       \
        struct starpu_##kind##_interface *place =                              \
            starpu_data_get_interface_on_node(handle, node);                   \
                                                                               \
        place->ptr = pointer;                                                  \
        place->dev_handle = device;                                            \
        place->offset = start;                                                 \
        starpu_data_ptr_register(handle, node);                                \
    } while (0)

void starpu_variable_ptr_register(starpu_data_handle_t handle, unsigned node,
                                  uintptr_t ptr, uintptr_t dev_handle,
                                  size_t offset)
{
    SP_KNOWN(handle);
    PLACE(variable, handle, node, ptr, dev_handle, offset);
}

void starpu_vector_ptr_register(starpu_data_handle_t handle, unsigned node,
                                uintptr_t ptr, uintptr_t dev_handle,
                                size_t offset)
{
    SP_KNOWN(handle);
    PLACE(vector, handle, node, ptr, dev_handle, offset);
}

void starpu_matrix_ptr_register(starpu_data_handle_t handle, unsigned node,
                                uintptr_t ptr, uintptr_t dev_handle,
                                size_t offset, size_t ld)
{
    SP_KNOWN(handle);
    struct starpu_matrix_interface *matrix =
        starpu_data_get_interface_on_node(handle, node);

    PLACE(matrix, handle, node, ptr, dev_handle, offset);
    matrix->ld = ld;
}

void starpu_submatrix_ptr_register(starpu_data_handle_t handle, unsigned node,
                                   uintptr_t ptr, uintptr_t dev_handle,
                                   size_t offset, size_t ld)
{
    SP_KNOWN(handle);
    starpu_subdata_ptr_register(handle, node);
    starpu_matrix_ptr_register(handle, node, ptr, dev_handle, offset, ld);
}

void starpu_block_ptr_register(starpu_data_handle_t handle, unsigned node,
                               uintptr_t ptr, uintptr_t dev_handle,
                               size_t offset, size_t ldy, size_t ldz)
{
    SP_KNOWN(handle);
    struct starpu_block_interface *block =
        starpu_data_get_interface_on_node(handle, node);

    PLACE(block, handle, node, ptr, dev_handle, offset);
    block->ldy = ldy;
    block->ldz = ldz;
}

void starpu_tensor_ptr_register(starpu_data_handle_t handle, unsigned node,
                                uintptr_t ptr, uintptr_t dev_handle,
                                size_t offset, size_t ldy, size_t ldz,
                                size_t ldt)
{
    SP_KNOWN(handle);
    struct starpu_tensor_interface *tensor =
        starpu_data_get_interface_on_node(handle, node);

    PLACE(tensor, handle, node, ptr, dev_handle, offset);
    tensor->ldy = ldy;
    tensor->ldz = ldz;
    tensor->ldt = ldt;
}

void starpu_ndim_ptr_register(starpu_data_handle_t handle, unsigned node,
                              uintptr_t ptr, uintptr_t dev_handle,
                              size_t offset, size_t *ldn)
{
    SP_KNOWN(handle);
    struct starpu_ndim_interface *array =
        starpu_data_get_interface_on_node(handle, node);

    PLACE(ndim, handle, node, ptr, dev_handle, offset);
    for (unsigned i = 0; i < array->ndim; i++)
        array->ldn[i] = ldn[i];
}

/* Members of the interface in RAM. */
#define MEMBER(type, kind, KIND, name, member)                                 \
    type starpu_##kind##_get_##name(starpu_data_handle_t handle)               \
    {                                                                          \
        const struct starpu_##kind##_interface *interface =                    \
            sp_handle_expect(handle, STARPU_##KIND##_INTERFACE_ID,             \
                             "starpu_" #kind "_get_" #name "()");              \
                                                                               \
        return interface->member;                                              \
    }

MEMBER(size_t, variable, VARIABLE, elemsize, elemsize)
MEMBER(uintptr_t, variable, VARIABLE, local_ptr, ptr)
MEMBER(size_t, vector, VECTOR, nx, nx)
MEMBER(size_t, vector, VECTOR, elemsize, elemsize)
MEMBER(size_t, vector, VECTOR, allocsize, allocsize)
MEMBER(uintptr_t, vector, VECTOR, local_ptr, ptr)
MEMBER(size_t, matrix, MATRIX, nx, nx)
MEMBER(size_t, matrix, MATRIX, ny, ny)
MEMBER(size_t, matrix, MATRIX, local_ld, ld)
MEMBER(size_t, matrix, MATRIX, elemsize, elemsize)
MEMBER(size_t, matrix, MATRIX, allocsize, allocsize)
MEMBER(uintptr_t, matrix, MATRIX, local_ptr, ptr)
MEMBER(size_t, block, BLOCK, nx, nx)
MEMBER(size_t, block, BLOCK, ny, ny)
MEMBER(size_t, block, BLOCK, nz, nz)
MEMBER(size_t, block, BLOCK, local_ldy, ldy)
MEMBER(size_t, block, BLOCK, local_ldz, ldz)
MEMBER(size_t, block, BLOCK, elemsize, elemsize)
MEMBER(uintptr_t, block, BLOCK, local_ptr, ptr)
MEMBER(size_t, tensor, TENSOR, nx, nx)
MEMBER(size_t, tensor, TENSOR, ny, ny)
MEMBER(size_t, tensor, TENSOR, nz, nz)
MEMBER(size_t, tensor, TENSOR, nt, nt)
MEMBER(size_t, tensor, TENSOR, local_ldy, ldy)
MEMBER(size_t, tensor, TENSOR, local_ldz, ldz)
MEMBER(size_t, tensor, TENSOR, local_ldt, ldt)
MEMBER(size_t, tensor, TENSOR, elemsize, elemsize)
MEMBER(uintptr_t, tensor, TENSOR, local_ptr, ptr)
MEMBER(size_t *, ndim, NDIM, nn, nn)
MEMBER(size_t *, ndim, NDIM, local_ldn, ldn)
MEMBER(size_t, ndim, NDIM, ndim, ndim)
MEMBER(size_t, ndim, NDIM, elemsize, elemsize)
MEMBER(uintptr_t, ndim, NDIM, local_ptr, ptr)

size_t starpu_ndim_get_ni(starpu_data_handle_t handle, size_t i)
{
    return starpu_ndim_get_nn(handle)[i];
}

size_t starpu_ndim_get_local_ldi(starpu_data_handle_t handle, size_t i)
{
    return starpu_ndim_get_local_ldn(handle)[i];
}
