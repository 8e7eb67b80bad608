/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_BITMAP_H
#define ORR_STARPU_BITMAP_H

#include <starpu_config.h>
#include <starpu_util.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A set of worker numbers. */
#define STARPU_BITMAP_LONGS (STARPU_NMAXWORKERS / (8 * sizeof(long)) + 1)
struct starpu_bitmap {
    unsigned long bits[STARPU_BITMAP_LONGS];
    int cardinal;
};

struct starpu_bitmap *starpu_bitmap_create(void);
void starpu_bitmap_init(struct starpu_bitmap *bitmap);
void starpu_bitmap_destroy(struct starpu_bitmap *bitmap);

void starpu_bitmap_set(struct starpu_bitmap *bitmap, int element);
void starpu_bitmap_unset(struct starpu_bitmap *bitmap, int element);
void starpu_bitmap_unset_all(struct starpu_bitmap *bitmap);
int starpu_bitmap_get(struct starpu_bitmap *bitmap, int element);
int starpu_bitmap_cardinal(struct starpu_bitmap *bitmap);

/* result becomes left AND right. */
void starpu_bitmap_unset_and(struct starpu_bitmap *result,
                             struct starpu_bitmap *left,
                             struct starpu_bitmap *right);
/* The elements of other are added to bitmap. */
void starpu_bitmap_or(struct starpu_bitmap *bitmap,
                      struct starpu_bitmap *other);
int starpu_bitmap_and_get(struct starpu_bitmap *left,
                          struct starpu_bitmap *right, int element);

/* In rising order; -1 after the last. */
int starpu_bitmap_first(struct starpu_bitmap *bitmap);
int starpu_bitmap_last(struct starpu_bitmap *bitmap);
int starpu_bitmap_next(struct starpu_bitmap *bitmap, int element);
int starpu_bitmap_has_next(struct starpu_bitmap *bitmap, int element);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
