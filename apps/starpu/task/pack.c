/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/task/pack.h"

#include "apps/starpu/base/error.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Packed arguments: their number, an int; then for each its size, a size_t, and
 * its bytes. */

void starpu_codelet_pack_arg_init(struct starpu_codelet_pack_arg_data *state)
{
    *state = (struct starpu_codelet_pack_arg_data){
        .current_offset = sizeof(int),
    };
}

/* More bytes of an argument are a mistake. */
#define MOST_BYTES ((size_t)1 << 30)

void sp_pack_arg(struct starpu_codelet_pack_arg_data *state, const void *ptr,
                 size_t ptr_size, const char *call)
{
    if (!ptr && ptr_size)
        sp_fail(call, "STARPU_VALUE: the address of argument %d is NULL",
                state->nargs + 1);
    if (ptr_size > MOST_BYTES)
        sp_fail(call,
                "STARPU_VALUE: argument %d has %zu bytes: is its size a "
                "size_t?",
                state->nargs + 1, ptr_size);
    size_t end = state->current_offset + sizeof(ptr_size) + ptr_size;
    if (end > state->arg_buffer_size) {
        state->arg_buffer_size = end + MAX(end, 64);
        state->arg_buffer = realloc(state->arg_buffer, state->arg_buffer_size);
        if (!state->arg_buffer)
            g_error("out of memory");
    }
    char *place = state->arg_buffer + state->current_offset;
    memcpy(place, &ptr_size, sizeof(ptr_size));
    if (ptr_size > 0)
        memcpy(place + sizeof(ptr_size), ptr, ptr_size);
    state->current_offset = state->arg_buffer_used = end;
    state->nargs++;
}

void starpu_codelet_pack_arg(struct starpu_codelet_pack_arg_data *state,
                             const void *ptr, size_t ptr_size)
{
    sp_pack_arg(state, ptr, ptr_size, "starpu_codelet_pack_arg()");
}

void starpu_codelet_pack_arg_fini(struct starpu_codelet_pack_arg_data *state,
                                  void **cl_arg, size_t *cl_arg_size)
{
    if (state->nargs)
        memcpy(state->arg_buffer, &state->nargs, sizeof(state->nargs));
    *cl_arg = state->arg_buffer;
    *cl_arg_size = state->arg_buffer_used;
}

void starpu_codelet_pack_args(void **arg_buffer, size_t *arg_buffer_size, ...)
{
    static const char call[] = "starpu_codelet_pack_args()";
    struct starpu_codelet_pack_arg_data state;
    starpu_codelet_pack_arg_init(&state);
    va_list arguments;
    va_start(arguments, arg_buffer_size);
    for (int key; (key = va_arg(arguments, int)) != 0;) {
        if (key != STARPU_VALUE)
            sp_fail(call, "%#x is not STARPU_VALUE: does 0 end the arguments?",
                    (unsigned)key);
        const void *value = va_arg(arguments, const void *);
        sp_pack_arg(&state, value, va_arg(arguments, size_t), call);
    }
    va_end(arguments);
    starpu_codelet_pack_arg_fini(&state, arg_buffer, arg_buffer_size);
}

void starpu_codelet_unpack_arg_init(struct starpu_codelet_pack_arg_data *state,
                                    void *cl_arg, size_t cl_arg_size)
{
    *state = (struct starpu_codelet_pack_arg_data){
        .arg_buffer = cl_arg,
        .arg_buffer_size = cl_arg_size,
        .arg_buffer_used = cl_arg_size,
        .current_offset = sizeof(int),
    };
}

/* Steps over the next argument, and returns it and its size. */
static void *next_argument(struct starpu_codelet_pack_arg_data *state,
                           size_t *size, const char *call)
{
    size_t left = state->arg_buffer_size - state->current_offset;
    char *place = state->arg_buffer + state->current_offset;
    if (left >= sizeof(*size))
        memcpy(size, place, sizeof(*size));
    if (left < sizeof(*size) || left - sizeof(*size) < *size)
        sp_fail(call, "there are only %d arguments", state->nargs);
    state->current_offset += sizeof(*size) + *size;
    state->nargs++;
    return place + sizeof(*size);
}

void starpu_codelet_unpack_arg(struct starpu_codelet_pack_arg_data *state,
                               void *ptr, size_t size)
{
    static const char call[] = "starpu_codelet_unpack_arg()";
    size_t packed;
    void *argument = next_argument(state, &packed, call);
    if (packed != size)
        sp_fail(call, "argument %d has %zu bytes, not %zu", state->nargs,
                packed, size);
    memcpy(ptr, argument, size);
}

void starpu_codelet_pick_arg(struct starpu_codelet_pack_arg_data *state,
                             void **ptr, size_t *size)
{
    *ptr = next_argument(state, size, "starpu_codelet_pick_arg()");
}

void starpu_codelet_dup_arg(struct starpu_codelet_pack_arg_data *state,
                            void **ptr, size_t *size)
{
    void *argument = next_argument(state, size, "starpu_codelet_dup_arg()");
    *ptr = malloc(*size);
    memcpy(*ptr, argument, *size);
}

void starpu_codelet_unpack_discard_arg(
    struct starpu_codelet_pack_arg_data *state)
{
    size_t size;
    next_argument(state, &size, "starpu_codelet_unpack_discard_arg()");
}

void starpu_codelet_unpack_arg_fini(struct starpu_codelet_pack_arg_data *state)
{
    if (state->current_offset < state->arg_buffer_size)
        sp_warn("starpu_codelet_unpack_arg_fini(): %zu bytes are left",
                state->arg_buffer_size - state->current_offset);
}

/* Copies arguments to the addresses in @arguments, up to a NULL, and the rest,
 * packed, to @rest, if it is not NULL. */
static void unpack(const char *cl_arg, char *rest, va_list arguments)
{
    int count, done = 0;
    memcpy(&count, cl_arg, sizeof(count));
    const char *place = cl_arg + sizeof(count);
    void *address = NULL;
    for (; done < count && (address = va_arg(arguments, void *)); done++) {
        size_t size;
        memcpy(&size, place, sizeof(size));
        memcpy(address, place + sizeof(size), size);
        place += sizeof(size) + size;
    }
    if (!rest)
        return;
    count -= done;
    memcpy(rest, &count, sizeof(count));
    rest += sizeof(count);
    for (; count; count--) {
        size_t size;
        memcpy(&size, place, sizeof(size));
        memcpy(rest, place, sizeof(size) + size);
        place += sizeof(size) + size;
        rest += sizeof(size) + size;
    }
}

void starpu_codelet_unpack_args(void *cl_arg, ...)
{
    if (!cl_arg)
        sp_fail("starpu_codelet_unpack_args()", "cl_arg is NULL");
    va_list arguments;
    va_start(arguments, cl_arg);
    unpack(cl_arg, NULL, arguments);
    va_end(arguments);
}

void starpu_codelet_unpack_args_and_copyleft(void *cl_arg, void *buffer,
                                             size_t buffer_size, ...)
{
    if (!cl_arg)
        sp_fail("starpu_codelet_unpack_args_and_copyleft()", "cl_arg is NULL");
    va_list arguments;
    va_start(arguments, buffer_size);
    unpack(cl_arg, buffer_size ? buffer : NULL, arguments);
    va_end(arguments);
}
