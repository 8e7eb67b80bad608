/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SIZED_H
#define ORR_SIZED_H

#include <glib.h>
#include <stdbool.h>

/*
 * Structs of public headers that programs allocate. They begin with their size,
 * a size_t, so that a program and the library may have been compiled with
 * different versions of the header: a later version has more members at the
 * end, and all that a program does not have, or need, are 0.
 */
struct orr_sized {
    const char *name; /* "struct orr_trace" */
    const char *init; /* the macro that sets the size: "ORR_TRACE_INIT" */
    size_t size;      /* in this version */
};

#define ORR_SIZED(TAG, INIT)                                                   \
    (&(const struct orr_sized){"struct " #TAG, #INIT, sizeof(struct TAG)})

/*
 * Copies the struct of a program, @given, to @whole, which has type->size
 * bytes; members that the program does not have are 0.
 *
 * Fails, with *@why, "the size of struct orr_trace is 0: ...", to be freed with
 * g_free(), when the size is not set, or when members are not 0 that this
 * version does not have. @why may be NULL.
 */
bool orr_sized_read(const struct orr_sized *type, const void *given,
                    void *whole, char **why);

/* Copies the members of @whole behind its size to the struct of a program,
 * @given, as far as it has them. */
void orr_sized_write(const struct orr_sized *type, void *given,
                     const void *whole);

#endif
