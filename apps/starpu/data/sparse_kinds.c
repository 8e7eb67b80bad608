/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/data/handle_state.h"

#include <starpu_hash.h>
#include <starpu_stdlib.h>
#include <string.h>

/* Kinds of data that are not dense: sparse matrices, data without content, and
 * vectors of several formats. */

/* Sets both interfaces of @handle to @data_interface of @bytes. Those elsewhere
 * have no addresses; and nor has that in RAM, without a home. */
static void set_both(starpu_data_handle_t handle, int home_node,
                     const void *data_interface, size_t bytes,
                     void (*forget)(void *interface))
{
    memcpy(handle->ram, data_interface, bytes);
    memcpy(handle->elsewhere, data_interface, bytes);
    forget(handle->elsewhere);
    if (home_node != 0)
        forget(handle->ram);
}

/* The index arrays of compressed rows. */
static size_t index_bytes(uint32_t values, uint32_t rows)
{
    return ((size_t)values + rows + 1) * sizeof(uint32_t);
}

/* Memory for the three arrays of compressed rows, at once. */
static bool allocate_rows(unsigned node, size_t value_bytes, uint32_t values,
                          uintptr_t *nzval, uint32_t **colind,
                          uint32_t **rowptr, uint32_t rows)
{
    *nzval =
        starpu_malloc_on_node(node, value_bytes + index_bytes(values, rows));
    if (!*nzval)
        return false;
    *colind = (uint32_t *)(*nzval + value_bytes);
    *rowptr = *colind + values;
    return true;
}

/* Complete functions of compressed rows with values of value_bytes(). */
#define ROWS_KIND(kind, KIND)                                                  \
    static void kind##_forget(void *interface)                                 \
    {                                                                          \
        struct starpu_##kind##_interface *rows = interface;                    \
                                                                               \
        rows->nzval = 0;                                                       \
        rows->colind = rows->rowptr = NULL;                                    \
    }                                                                          \
                                                                               \
    static void kind##_register(starpu_data_handle_t handle, int home_node,    \
                                void *data_interface)                          \
    {                                                                          \
        struct starpu_##kind##_interface *rows = data_interface;               \
                                                                               \
        if (home_node == 0) {                                                  \
            rows->ram_colind = rows->colind;                                   \
            rows->ram_rowptr = rows->rowptr;                                   \
        }                                                                      \
        set_both(handle, home_node, rows, sizeof(*rows), kind##_forget);       \
    }                                                                          \
                                                                               \
    static size_t kind##_size(starpu_data_handle_t handle)                     \
    {                                                                          \
        const struct starpu_##kind##_interface *rows = handle->ram;            \
                                                                               \
        return kind##_value_bytes(rows) + index_bytes(rows->nnz, rows->nrow);  \
    }                                                                          \
                                                                               \
    static starpu_ssize_t kind##_allocate(void *interface, unsigned node)      \
    {                                                                          \
        struct starpu_##kind##_interface *rows = interface;                    \
        size_t bytes = kind##_value_bytes(rows);                               \
                                                                               \
        if (!allocate_rows(node, bytes, rows->nnz, &rows->nzval,               \
                           &rows->colind, &rows->rowptr, rows->nrow))          \
            return -ENOMEM;                                                    \
        return (starpu_ssize_t)(bytes + index_bytes(rows->nnz, rows->nrow));   \
    }                                                                          \
                                                                               \
    static void kind##_free(void *interface, unsigned node)                    \
    {                                                                          \
        struct starpu_##kind##_interface *rows = interface;                    \
                                                                               \
        starpu_free_on_node(node, rows->nzval,                                 \
                            kind##_value_bytes(rows) +                         \
                                index_bytes(rows->nnz, rows->nrow));           \
    }                                                                          \
                                                                               \
    static void *kind##_pointer(void *interface, unsigned node)                \
    {                                                                          \
        (void)node;                                                            \
        return (void *)((struct starpu_##kind##_interface *)interface)->nzval; \
    }                                                                          \
                                                                               \
    struct starpu_data_interface_ops starpu_interface_##kind##_ops = {         \
        .register_data_handle = kind##_register,                               \
        .allocate_data_on_node = kind##_allocate,                              \
        .free_data_on_node = kind##_free,                                      \
        .to_pointer = kind##_pointer,                                          \
        .get_size = kind##_size,                                               \
        .footprint = kind##_hash,                                              \
        .compare = kind##_compare,                                             \
        .describe = kind##_describe,                                           \
        .interfaceid = STARPU_##KIND##_INTERFACE_ID,                           \
        .interface_size = sizeof(struct starpu_##kind##_interface),            \
        .name = (char *)"STARPU_" #KIND "_INTERFACE"}

static size_t csr_value_bytes(const struct starpu_csr_interface *rows)
{
    return rows->nnz * rows->elemsize;
}

static uint32_t csr_hash(starpu_data_handle_t handle)
{
    const struct starpu_csr_interface *rows = handle->ram;

    return starpu_hash_crc32c_be(rows->nnz, 0);
}

static int csr_compare(void *a, void *b)
{
    const struct starpu_csr_interface *first = a, *second = b;

    return first->nnz == second->nnz && first->nrow == second->nrow &&
           first->elemsize == second->elemsize;
}

static starpu_ssize_t csr_describe(void *interface, char *buf, size_t size)
{
    const struct starpu_csr_interface *rows = interface;

    return g_snprintf(buf, size, "C%ux%ux%zu", rows->nnz, rows->nrow,
                      rows->elemsize);
}

ROWS_KIND(csr, CSR);

static size_t bcsr_value_bytes(const struct starpu_bcsr_interface *rows)
{
    return (size_t)rows->nnz * rows->r * rows->c * rows->elemsize;
}

static uint32_t bcsr_hash(starpu_data_handle_t handle)
{
    const struct starpu_bcsr_interface *rows = handle->ram;
    uint32_t hash = starpu_hash_crc32c_be(rows->nnz, 0);

    return starpu_hash_crc32c_be(rows->r, starpu_hash_crc32c_be(rows->c, hash));
}

static int bcsr_compare(void *a, void *b)
{
    const struct starpu_bcsr_interface *first = a, *second = b;

    return first->nnz == second->nnz && first->nrow == second->nrow &&
           first->r == second->r && first->c == second->c &&
           first->elemsize == second->elemsize;
}

static starpu_ssize_t bcsr_describe(void *interface, char *buf, size_t size)
{
    const struct starpu_bcsr_interface *rows = interface;

    return g_snprintf(buf, size, "b%ux%ux%ux%ux%zu", rows->nnz, rows->nrow,
                      rows->r, rows->c, rows->elemsize);
}

ROWS_KIND(bcsr, BCSR);

static void coo_forget(void *interface)
{
    struct starpu_coo_interface *matrix = interface;

    matrix->columns = matrix->rows = NULL;
    matrix->values = 0;
}

static void coo_register(starpu_data_handle_t handle, int home_node,
                         void *data_interface)
{
    set_both(handle, home_node, data_interface,
             sizeof(struct starpu_coo_interface), coo_forget);
}

static size_t coo_size(starpu_data_handle_t handle)
{
    const struct starpu_coo_interface *matrix = handle->ram;

    return (size_t)matrix->nx * matrix->ny * matrix->elemsize;
}

static uint32_t coo_hash(starpu_data_handle_t handle)
{
    const struct starpu_coo_interface *matrix = handle->ram;

    return starpu_hash_crc32c_be(matrix->nx * matrix->ny, 0);
}

static size_t coo_bytes(const struct starpu_coo_interface *matrix)
{
    return matrix->n_values * (matrix->elemsize + 2 * sizeof(uint32_t));
}

static starpu_ssize_t coo_allocate(void *interface, unsigned node)
{
    struct starpu_coo_interface *matrix = interface;

    matrix->values = starpu_malloc_on_node(node, coo_bytes(matrix));
    if (!matrix->values)
        return -ENOMEM;
    matrix->columns =
        (uint32_t *)(matrix->values + matrix->n_values * matrix->elemsize);
    matrix->rows = matrix->columns + matrix->n_values;
    return (starpu_ssize_t)coo_bytes(matrix);
}

static void coo_free(void *interface, unsigned node)
{
    struct starpu_coo_interface *matrix = interface;

    starpu_free_on_node(node, matrix->values, coo_bytes(matrix));
}

static void *coo_pointer(void *interface, unsigned node)
{
    (void)node;
    return (void *)((struct starpu_coo_interface *)interface)->values;
}

static int coo_compare(void *a, void *b)
{
    const struct starpu_coo_interface *first = a, *second = b;

    return first->nx == second->nx && first->ny == second->ny &&
           first->n_values == second->n_values &&
           first->elemsize == second->elemsize;
}

struct starpu_data_interface_ops starpu_interface_coo_ops = {
    .register_data_handle = coo_register,
    .allocate_data_on_node = coo_allocate,
    .free_data_on_node = coo_free,
    .to_pointer = coo_pointer,
    .get_size = coo_size,
    .footprint = coo_hash,
    .compare = coo_compare,
    .interfaceid = STARPU_COO_INTERFACE_ID,
    .interface_size = sizeof(struct starpu_coo_interface),
    .name = (char *)"STARPU_COO_INTERFACE"};

static void void_register(starpu_data_handle_t handle, int home_node,
                          void *data_interface)
{
    (void)handle;
    (void)home_node;
    (void)data_interface;
}

static size_t void_size(starpu_data_handle_t handle)
{
    (void)handle;
    return 0;
}

static uint32_t void_hash(starpu_data_handle_t handle)
{
    (void)handle;
    return 0;
}

static int void_compare(void *a, void *b)
{
    (void)a;
    (void)b;
    return 1;
}

static int void_pack(starpu_data_handle_t handle, unsigned node, void **ptr,
                     starpu_ssize_t *count)
{
    (void)handle;
    (void)node;
    *count = 0;
    if (ptr)
        *ptr = NULL;
    return 0;
}

static int void_unpack(starpu_data_handle_t handle, unsigned node, void *ptr,
                       size_t count)
{
    (void)handle;
    (void)node;
    (void)ptr;
    (void)count;
    return 0;
}

struct starpu_data_interface_ops starpu_interface_void_ops = {
    .register_data_handle = void_register,
    .get_size = void_size,
    .footprint = void_hash,
    .compare = void_compare,
    .interfaceid = STARPU_VOID_INTERFACE_ID,
    .pack_data = void_pack,
    .peek_data = void_unpack,
    .unpack_data = void_unpack,
    .name = (char *)"STARPU_VOID_INTERFACE"};

static void multiformat_forget(void *interface)
{
    struct starpu_multiformat_interface *vector = interface;

    vector->cpu_ptr = vector->cuda_ptr = NULL;
    vector->hip_ptr = vector->opencl_ptr = NULL;
}

static void multiformat_register(starpu_data_handle_t handle, int home_node,
                                 void *data_interface)
{
    set_both(handle, home_node, data_interface,
             sizeof(struct starpu_multiformat_interface), multiformat_forget);
}

static size_t multiformat_size(starpu_data_handle_t handle)
{
    const struct starpu_multiformat_interface *vector = handle->ram;

    return vector->nx * vector->ops->cpu_elemsize;
}

static uint32_t multiformat_hash(starpu_data_handle_t handle)
{
    const struct starpu_multiformat_interface *vector = handle->ram;

    return starpu_hash_crc32c_be((uint32_t)vector->nx, 0);
}

static void *multiformat_pointer(void *interface, unsigned node)
{
    (void)node;
    return ((struct starpu_multiformat_interface *)interface)->cpu_ptr;
}

static struct starpu_multiformat_data_interface_ops *
multiformat_formats(void *interface)
{
    return ((struct starpu_multiformat_interface *)interface)->ops;
}

static int multiformat_compare(void *a, void *b)
{
    const struct starpu_multiformat_interface *first = a, *second = b;

    return first->nx == second->nx &&
           first->ops->cpu_elemsize == second->ops->cpu_elemsize;
}

struct starpu_data_interface_ops starpu_interface_multiformat_ops = {
    .register_data_handle = multiformat_register,
    .to_pointer = multiformat_pointer,
    .get_size = multiformat_size,
    .footprint = multiformat_hash,
    .compare = multiformat_compare,
    .interfaceid = STARPU_MULTIFORMAT_INTERFACE_ID,
    .interface_size = sizeof(struct starpu_multiformat_interface),
    .is_multiformat = 1,
    .get_mf_ops = multiformat_formats,
    .name = (char *)"STARPU_MULTIFORMAT_INTERFACE"};
