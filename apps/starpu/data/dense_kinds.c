/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/data/elements.h"
#include "apps/starpu/data/handle_state.h"

#include <starpu_hash.h>
#include <starpu_stdlib.h>

/* The kinds of data that are dense, by one implementation. */

static void read_handle(starpu_data_handle_t handle, struct sp_dense *dense)
{
    sp_dense_read(handle->ram, dense);
}

/* The room for @interface in the memory of a GPU, which some kinds note. */
static size_t *allocation(void *interface)
{
    switch (*(enum starpu_data_interface_id *)interface) {
    case STARPU_VECTOR_INTERFACE_ID:
        return &((struct starpu_vector_interface *)interface)->allocsize;
    case STARPU_MATRIX_INTERFACE_ID:
        return &((struct starpu_matrix_interface *)interface)->allocsize;
    case STARPU_NDIM_INTERFACE_ID:
        return &((struct starpu_ndim_interface *)interface)->allocsize;
    default:
        return NULL;
    }
}

/* Makes the interface @to of @from, with an address or without. */
static void copy_interface(void *to, void *from, const struct sp_dense *dense)
{
    sp_dense_write(to, dense);
    if (allocation(from))
        *allocation(to) = *allocation(from);
}

static void register_dense(starpu_data_handle_t handle, int home_node,
                           void *data_interface)
{
    struct sp_dense dense;

    sp_dense_read(data_interface, &dense);
    if (home_node == 0)
        copy_interface(handle->ram, data_interface, &dense);
    dense.address = dense.device = 0;
    dense.offset = 0;
    copy_interface(handle->elsewhere, data_interface, &dense);
    if (home_node != 0)
        copy_interface(handle->ram, data_interface, &dense);
}

static void unregister_array(starpu_data_handle_t handle)
{
    struct starpu_ndim_interface *interfaces[] = {handle->ram,
                                                  handle->elsewhere};

    for (unsigned i = 0; i < G_N_ELEMENTS(interfaces); i++) {
        g_clear_pointer(&interfaces[i]->nn, g_free);
        g_clear_pointer(&interfaces[i]->ldn, g_free);
    }
}

static size_t get_size(starpu_data_handle_t handle)
{
    struct sp_dense dense;

    read_handle(handle, &dense);
    return sp_dense_elements(&dense) * dense.element_bytes;
}

static size_t get_alloc_size(starpu_data_handle_t handle)
{
    return *allocation(handle->ram);
}

/* As StarPU's, for they find calibrations: matrices begin with their columns;
 * arrays and variables with the size of elements. */
static uint32_t hash_shape(starpu_data_handle_t handle)
{
    struct sp_dense dense;
    uint32_t hash = 0;

    read_handle(handle, &dense);
    if (dense.id == STARPU_MATRIX_INTERFACE_ID)
        return starpu_hash_crc32c_be((uint32_t)dense.counts[0],
                                     (uint32_t)dense.counts[1]);
    if (dense.id == STARPU_NDIM_INTERFACE_ID || dense.dimensions == 0)
        hash = starpu_hash_crc32c_be((uint32_t)dense.element_bytes, hash);
    for (unsigned i = 0; i < dense.dimensions; i++)
        hash = starpu_hash_crc32c_be((uint32_t)dense.counts[i], hash);
    return hash;
}

static uint32_t hash_allocation(starpu_data_handle_t handle)
{
    return starpu_hash_crc32c_be((uint32_t)*allocation(handle->ram), 0);
}

static int compare(void *a, void *b)
{
    struct sp_dense first, second;

    sp_dense_read(a, &first);
    sp_dense_read(b, &second);
    if (first.dimensions != second.dimensions ||
        first.element_bytes != second.element_bytes)
        return 0;
    for (unsigned i = 0; i < first.dimensions; i++) {
        if (first.counts[i] != second.counts[i])
            return 0;
    }
    return 1;
}

static int compare_allocations(void *a, void *b)
{
    return *allocation(a) == *allocation(b);
}

static starpu_ssize_t allocate(void *data_interface, unsigned node)
{
    struct sp_dense dense;
    size_t bytes, *room = allocation(data_interface);
    size_t noted = room ? *room : 0;

    sp_dense_read(data_interface, &dense);
    bytes = sp_dense_elements(&dense) * dense.element_bytes;
    dense.address = starpu_malloc_on_node(node, MAX(bytes, noted));
    if (!dense.address)
        return -ENOMEM;
    dense.device = dense.address;
    dense.offset = 0;
    sp_dense_compact(&dense);
    sp_dense_write(data_interface, &dense);
    if (room)
        *room = noted;
    return (starpu_ssize_t)bytes;
}

static void free_memory(void *data_interface, unsigned node)
{
    struct sp_dense dense;
    size_t *room = allocation(data_interface);

    sp_dense_read(data_interface, &dense);
    starpu_free_on_node(
        node, dense.address,
        MAX(sp_dense_elements(&dense) * dense.element_bytes, room ? *room : 0));
}

static void *to_pointer(void *data_interface, unsigned node)
{
    struct sp_dense dense;

    (void)node;
    sp_dense_read(data_interface, &dense);
    return (void *)dense.address;
}

static int peek(starpu_data_handle_t handle, unsigned node, void *ptr,
                size_t count)
{
    struct sp_dense dense;

    (void)node;
    if (count != get_size(handle))
        sp_fail("starpu_data_peek()", "%zu bytes: expected %zu", count,
                get_size(handle));
    read_handle(handle, &dense);
    sp_dense_unpack(&dense, ptr);
    return 0;
}

static int pack(starpu_data_handle_t handle, unsigned node, void **ptr,
                starpu_ssize_t *count)
{
    struct sp_dense dense;

    *count = (starpu_ssize_t)get_size(handle);
    if (!ptr)
        return 0;
    *ptr = (void *)starpu_malloc_on_node_flags(node, (size_t)*count, 0);
    read_handle(handle, &dense);
    sp_dense_pack(&dense, *ptr);
    return 0;
}

static int unpack(starpu_data_handle_t handle, unsigned node, void *ptr,
                  size_t count)
{
    peek(handle, node, ptr, count);
    starpu_free_on_node_flags(node, (uintptr_t)ptr, count, 0);
    return 0;
}

static void display(starpu_data_handle_t handle, FILE *f)
{
    struct sp_dense dense;

    read_handle(handle, &dense);
    for (unsigned i = 0; i < dense.dimensions; i++)
        fprintf(f, "%zu\t", dense.counts[i]);
    if (dense.dimensions == 0)
        fprintf(f, "%zu\t", dense.element_bytes);
}

static starpu_ssize_t describe(void *data_interface, char *buf, size_t size)
{
    static const char letters[] = {[STARPU_VARIABLE_INTERFACE_ID] = 'v',
                                   [STARPU_VECTOR_INTERFACE_ID] = 'V',
                                   [STARPU_MATRIX_INTERFACE_ID] = 'M',
                                   [STARPU_BLOCK_INTERFACE_ID] = 'B',
                                   [STARPU_TENSOR_INTERFACE_ID] = 'T',
                                   [STARPU_NDIM_INTERFACE_ID] = 'N'};
    g_autoptr(GString) text = g_string_new(NULL);
    struct sp_dense dense;

    sp_dense_read(data_interface, &dense);
    g_string_append_c(text, letters[dense.id]);
    for (unsigned i = 0; i < dense.dimensions; i++)
        g_string_append_printf(text, "%zux", dense.counts[i]);
    g_string_append_printf(text, "%zu", dense.element_bytes);
    g_strlcpy(buf, text->str, size);
    return (starpu_ssize_t)text->len;
}

/* One copy of a content exists, in RAM: this copies to another datum, which may
 * be larger. */
static int copy_elements(void *src_interface, unsigned src_node,
                         void *dst_interface, unsigned dst_node,
                         void *async_data)
{
    struct sp_dense from, to;
    g_autofree char *row = NULL;

    (void)async_data;
    if (src_node != 0 || dst_node != 0)
        return 0;
    sp_dense_read(src_interface, &from);
    sp_dense_read(dst_interface, &to);
    row = g_malloc(sp_dense_elements(&from) * from.element_bytes);
    sp_dense_pack(&from, row);
    memcpy(to.counts, from.counts, sizeof(to.counts));
    to.element_bytes = from.element_bytes;
    sp_dense_unpack(&to, row);
    return 0;
}

static const struct starpu_data_copy_methods copies = {.any_to_any =
                                                           copy_elements};

#define DENSE_KIND(kind, KIND)                                                 \
    .register_data_handle = register_dense, .allocate_data_on_node = allocate, \
    .free_data_on_node = free_memory, .copy_methods = &copies,                 \
    .to_pointer = to_pointer, .get_size = get_size, .footprint = hash_shape,   \
    .compare = compare, .display = display, .describe = describe,              \
    .interfaceid = STARPU_##KIND##_INTERFACE_ID,                               \
    .interface_size = sizeof(struct starpu_##kind##_interface),                \
    .pack_data = pack, .peek_data = peek, .unpack_data = unpack,               \
    .name = (char *)"STARPU_" #KIND "_INTERFACE"

/* Kinds that note the room of a copy. */
#define ALLOCATED                                                              \
    .get_alloc_size = get_alloc_size, .alloc_footprint = hash_allocation,      \
    .alloc_compare = compare_allocations

struct starpu_data_interface_ops starpu_interface_variable_ops = {
    DENSE_KIND(variable, VARIABLE)};
struct starpu_data_interface_ops starpu_interface_vector_ops = {
    DENSE_KIND(vector, VECTOR), ALLOCATED};
struct starpu_data_interface_ops starpu_interface_matrix_ops = {
    DENSE_KIND(matrix, MATRIX), ALLOCATED};
struct starpu_data_interface_ops starpu_interface_block_ops = {
    DENSE_KIND(block, BLOCK)};
struct starpu_data_interface_ops starpu_interface_tensor_ops = {
    DENSE_KIND(tensor, TENSOR)};
struct starpu_data_interface_ops starpu_interface_ndim_ops = {
    DENSE_KIND(ndim, NDIM), ALLOCATED,
    .unregister_data_handle = unregister_array};
