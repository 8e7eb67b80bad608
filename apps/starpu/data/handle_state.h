/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HANDLE_STATE_H
#define ORR_HANDLE_STATE_H

#include <starpu_data.h>
#include <starpu_data_interfaces.h>

#include <orrery.h>

#define SP_MAX_COORDINATES 5

/*
 * A handle. A program sees StarPU's interfaces on each memory; two are kept:
 * the one of RAM, where the only real copy is, and one for all other memories,
 * with the same sizes and no address.
 *
 * The parts of a handle that is split at once (starpu_data_partition()) are
 * data of their own: the content is in RAM at that moment, and again when they
 * are joined. The parts of plans (starpu_data_partition_plan()) are parts of an
 * orr_partition.
 */
struct _starpu_data_state {
    uint32_t magic;        /* SP_HANDLE or SP_HANDLE_FREED */
    struct orr_data *data; /* NULL: not registered, or not any more */
    struct starpu_data_interface_ops *ops;
    void *ram, *elsewhere; /* interfaces */
    uint64_t bytes;
    uint32_t footprint;
    int home_node;           /* -1: none, so there is no content at first */
    unsigned gathering_node; /* where parts of plans are gathered */

    unsigned number; /* in the order of registration, from 0 */
    char *name;      /* NULL: none */
    bool unordered;
    bool initialized; /* it has content, or will have in order of submission */
    bool has_memory;  /* the interface of RAM has an address */
    bool owns_memory; /* which is to be freed */
    bool important, out_of_core;
    unsigned acquired;   /* by the program, and not released */
    unsigned dimensions; /* of its coordinates */
    int coordinates[SP_MAX_COORDINATES];
    void *user_data, *scheduler_data;

    struct starpu_codelet *reduces, *initializes; /* NULL: no reduction */
    void *reduces_argument, *initializes_argument;
    starpu_data_handle_t reduction_scratch;

    /* Its place among the parts of another handle; NULL: it is a whole. */
    starpu_data_handle_t parent;
    unsigned index;
    /* how it was made, as long as its parent has no memory; owned; NULL: not
     * needed */
    struct starpu_data_filter *filter;
    unsigned siblings;  /* parts that @filter makes */
    struct sp_plan *of; /* NULL: its parent is split at once */

    /* Its parts, if it is split at once. */
    starpu_data_handle_t *children;
    unsigned child_count;
    GPtrArray *plans; /* of its partitions, struct sp_plan; NULL: none */
    GPtrArray *gone;  /* cleaned plans with tasks that may still run */

    starpu_data_handle_t previous, next; /* of the session */
};

#define SP_HANDLE 0x6f727279u
#define SP_HANDLE_FREED 0x66726565u

/* Whether @handle is one that was not freed. Wrong pointers are noticed as far
 * as that goes without reading what they point to. */
static inline bool sp_handle_is_known(starpu_data_handle_t handle)
{
    uintptr_t address = (uintptr_t)handle;

    return address >= 4096 && address % sizeof(void *) == 0 &&
           handle->magic == SP_HANDLE;
}

/* Ends the program, naming the function of StarPU's interface in which this
 * stands, if @handle is not known. */
#define SP_KNOWN(handle)                                                       \
    do {                                                                       \
        if (G_UNLIKELY(!sp_handle_is_known(handle)))                           \
            sp_handle_unknown(handle, G_STRFUNC);                              \
    } while (0)
G_NORETURN void sp_handle_unknown(starpu_data_handle_t handle,
                                  const char *function);

/* Of which StarPU's headers have no declaration. */
extern struct starpu_data_interface_ops starpu_interface_multiformat_ops;

/* Ends the program, naming @call, if @handle is no handle, or was unregistered.
 */
void sp_handle_need(starpu_data_handle_t handle, const char *call);

/* As sp_handle_need(), and if it is split at once into parts. */
void sp_handle_check(starpu_data_handle_t handle, const char *call);

/* Ends the program, naming @call, if @ops lack what every kind of data needs.
 */
void sp_kind_check(const struct starpu_data_interface_ops *ops,
                   const char *call);

/* A handle with interfaces of @ops that are still empty. */
starpu_data_handle_t sp_handle_new(struct starpu_data_interface_ops *ops,
                                   int home_node);

/* The handle of @data, or NULL. It takes time for each handle. */
starpu_data_handle_t sp_handle_of_datum(const struct orr_data *data);

/* Computes the sizes of @handle from its interface in RAM. */
void sp_handle_measure(starpu_data_handle_t handle);

/* Registers the datum of @handle in the run: bytes, name, order. Ends the
 * program, naming @call, if it is too large. */
void sp_handle_register(starpu_data_handle_t handle, const char *call);

/* The place of the elements of @handle in RAM: columns with starts that are
 * @pitch_bytes apart; one column, if they follow each other. */
void sp_handle_layout(starpu_data_handle_t handle, uint64_t *column_bytes,
                      uint64_t *columns, uint64_t *pitch_bytes);

/* Frees @handle; its datum is no longer in the run. */
void sp_handle_free(starpu_data_handle_t handle);

/* Gives @handle memory in RAM, if it has none yet. */
void sp_handle_allocate(starpu_data_handle_t handle, const char *call);

/* The interface of @handle in RAM, which must be of kind @id. */
void *sp_handle_expect(starpu_data_handle_t handle,
                       enum starpu_data_interface_id id, const char *call);

/* The whole that @handle is a part of, or itself. */
starpu_data_handle_t sp_handle_root(starpu_data_handle_t handle);

#endif
