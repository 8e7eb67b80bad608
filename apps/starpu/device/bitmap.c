/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <starpu_bitmap.h>

#include "apps/starpu/base/error.h"

#include <glib.h>

#include <stdlib.h>
#include <string.h>

enum { BITS = 8 * sizeof(unsigned long) };

static unsigned long bit_of(int element)
{
    return 1UL << element % BITS;
}

/* The cardinal of @bitmap follows from its bits. */
static void count(struct starpu_bitmap *bitmap)
{
    bitmap->cardinal = 0;
    for (size_t i = 0; i < STARPU_BITMAP_LONGS; i++)
        bitmap->cardinal += __builtin_popcountl(bitmap->bits[i]);
}

static void check_element(int element, const char *call)
{
    if (element < 0 || element >= (int)STARPU_BITMAP_LONGS * BITS)
        sp_fail(call, "no worker has number %d", element);
}

struct starpu_bitmap *starpu_bitmap_create(void)
{
    struct starpu_bitmap *bitmap = calloc(1, sizeof(*bitmap));
    if (bitmap == NULL)
        sp_fail("starpu_bitmap_create()", "out of memory");
    return bitmap;
}

void starpu_bitmap_init(struct starpu_bitmap *bitmap)
{
    memset(bitmap, 0, sizeof(*bitmap));
}

void starpu_bitmap_destroy(struct starpu_bitmap *bitmap)
{
    free(bitmap);
}

void starpu_bitmap_set(struct starpu_bitmap *bitmap, int element)
{
    check_element(element, "starpu_bitmap_set()");
    bitmap->cardinal += !starpu_bitmap_get(bitmap, element);
    bitmap->bits[element / BITS] |= bit_of(element);
}

void starpu_bitmap_unset(struct starpu_bitmap *bitmap, int element)
{
    check_element(element, "starpu_bitmap_unset()");
    bitmap->cardinal -= starpu_bitmap_get(bitmap, element);
    bitmap->bits[element / BITS] &= ~bit_of(element);
}

void starpu_bitmap_unset_all(struct starpu_bitmap *bitmap)
{
    starpu_bitmap_init(bitmap);
}

int starpu_bitmap_get(struct starpu_bitmap *bitmap, int element)
{
    check_element(element, "starpu_bitmap_get()");
    return (bitmap->bits[element / BITS] & bit_of(element)) != 0;
}

int starpu_bitmap_cardinal(struct starpu_bitmap *bitmap)
{
    return bitmap->cardinal;
}

void starpu_bitmap_unset_and(struct starpu_bitmap *result,
                             struct starpu_bitmap *left,
                             struct starpu_bitmap *right)
{
    for (size_t i = 0; i < STARPU_BITMAP_LONGS; i++)
        result->bits[i] = left->bits[i] & right->bits[i];
    count(result);
}

void starpu_bitmap_or(struct starpu_bitmap *bitmap, struct starpu_bitmap *other)
{
    for (size_t i = 0; i < STARPU_BITMAP_LONGS; i++)
        bitmap->bits[i] |= other->bits[i];
    count(bitmap);
}

int starpu_bitmap_and_get(struct starpu_bitmap *left,
                          struct starpu_bitmap *right, int element)
{
    return starpu_bitmap_get(left, element) &&
           starpu_bitmap_get(right, element);
}

int starpu_bitmap_first(struct starpu_bitmap *bitmap)
{
    return starpu_bitmap_next(bitmap, -1);
}

int starpu_bitmap_last(struct starpu_bitmap *bitmap)
{
    for (int i = (int)STARPU_BITMAP_LONGS - 1; i >= 0; i--)
        if (bitmap->bits[i] != 0)
            return i * BITS + BITS - 1 - __builtin_clzl(bitmap->bits[i]);
    return -1;
}

int starpu_bitmap_next(struct starpu_bitmap *bitmap, int element)
{
    for (int next = element + 1; next < (int)STARPU_BITMAP_LONGS * BITS;) {
        unsigned long rest = bitmap->bits[next / BITS] >> next % BITS;
        if (rest != 0)
            return next + __builtin_ctzl(rest);
        next = (next / BITS + 1) * BITS;
    }
    return -1;
}

int starpu_bitmap_has_next(struct starpu_bitmap *bitmap, int element)
{
    return starpu_bitmap_next(bitmap, element) >= 0;
}
