/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/data/handle_state.h"

/* Registration of data that are not dense, and their members. */

/* Members that csr and bcsr have, from arguments of the same names. */
#define ROWS                                                                   \
    .nnz = nnz, .nrow = nrow, .nzval = nzval, .colind = colind,                \
    .rowptr = rowptr, .firstentry = firstentry, .elemsize = elemsize

void starpu_csr_data_register(starpu_data_handle_t *handle, int home_node,
                              uint32_t nnz, uint32_t nrow, uintptr_t nzval,
                              uint32_t *colind, uint32_t *rowptr,
                              uint32_t firstentry, size_t elemsize)
{
    struct starpu_csr_interface rows = {.id = STARPU_CSR_INTERFACE_ID, ROWS};

    starpu_data_register(handle, home_node, &rows, &starpu_interface_csr_ops);
}

void starpu_bcsr_data_register(starpu_data_handle_t *handle, int home_node,
                               uint32_t nnz, uint32_t nrow, uintptr_t nzval,
                               uint32_t *colind, uint32_t *rowptr,
                               uint32_t firstentry, uint32_t r, uint32_t c,
                               size_t elemsize)
{
    struct starpu_bcsr_interface rows = {
        .id = STARPU_BCSR_INTERFACE_ID, ROWS, .r = r, .c = c};

    starpu_data_register(handle, home_node, &rows, &starpu_interface_bcsr_ops);
}

void starpu_coo_data_register(starpu_data_handle_t *handleptr, int home_node,
                              uint32_t nx, uint32_t ny, uint32_t n_values,
                              uint32_t *columns, uint32_t *rows,
                              uintptr_t values, size_t elemsize)
{
    struct starpu_coo_interface matrix = {.id = STARPU_COO_INTERFACE_ID,
                                          .columns = columns,
                                          .rows = rows,
                                          .values = values,
                                          .nx = nx,
                                          .ny = ny,
                                          .n_values = n_values,
                                          .elemsize = elemsize};

    starpu_data_register(handleptr, home_node, &matrix,
                         &starpu_interface_coo_ops);
}

void starpu_void_data_register(starpu_data_handle_t *handle)
{
    starpu_data_register(handle, 0, NULL, &starpu_interface_void_ops);
}

void starpu_multiformat_data_register(
    starpu_data_handle_t *handle, int home_node, void *ptr, size_t nx,
    struct starpu_multiformat_data_interface_ops *format_ops)
{
    struct starpu_multiformat_interface vector = {
        .id = STARPU_MULTIFORMAT_INTERFACE_ID,
        .cpu_ptr = ptr,
        .nx = nx,
        .ops = format_ops};

    starpu_data_register(handle, home_node, &vector,
                         &starpu_interface_multiformat_ops);
}

#define MEMBER(type, kind, KIND, name, member)                                 \
    type starpu_##kind##_get_##name(starpu_data_handle_t handle)               \
    {                                                                          \
        const struct starpu_##kind##_interface *interface =                    \
            sp_handle_expect(handle, STARPU_##KIND##_INTERFACE_ID,             \
                             "starpu_" #kind "_get_" #name "()");              \
                                                                               \
        return interface->member;                                              \
    }

MEMBER(uint32_t, csr, CSR, nnz, nnz)
MEMBER(uint32_t, csr, CSR, nrow, nrow)
MEMBER(uint32_t, csr, CSR, firstentry, firstentry)
MEMBER(uintptr_t, csr, CSR, local_nzval, nzval)
MEMBER(uint32_t *, csr, CSR, local_colind, colind)
MEMBER(uint32_t *, csr, CSR, local_rowptr, rowptr)
MEMBER(size_t, csr, CSR, elemsize, elemsize)
MEMBER(uint32_t, bcsr, BCSR, nnz, nnz)
MEMBER(uint32_t, bcsr, BCSR, nrow, nrow)
MEMBER(uint32_t, bcsr, BCSR, firstentry, firstentry)
MEMBER(uintptr_t, bcsr, BCSR, local_nzval, nzval)
MEMBER(uint32_t *, bcsr, BCSR, local_colind, colind)
MEMBER(uint32_t *, bcsr, BCSR, local_rowptr, rowptr)
MEMBER(uint32_t, bcsr, BCSR, r, r)
MEMBER(uint32_t, bcsr, BCSR, c, c)
MEMBER(size_t, bcsr, BCSR, elemsize, elemsize)
