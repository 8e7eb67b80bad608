/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SUBALLOC_H
#define ORR_SUBALLOC_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The suballocator of a GPU's memory (StarPU, malloc.c and malloc.h).
 *
 * Small buffers, up to 4 MiB, are cut in units of 16 KiB from chunks of
 * 32 MiB, first fit; larger ones are allocated one by one. The driver allocates
 * chunks and large buffers: this takes time and counts against the capacity.
 * Up to four empty chunks are kept.
 */
struct orr_suballoc;

#define ORR_SUBALLOC_CHUNK ((uint64_t)32 * 1024 * 1024) /* bytes */

/* A buffer. Zero-initialised is none. */
struct orr_block {
    uint32_t chunk;         /* its number; 0 for a large buffer */
    uint16_t start, length; /* in units */
};

/* The work of the driver, which takes time, that completes an operation. */
enum orr_suballoc_need {
    ORR_SUBALLOC_READY,  /* nothing: done */
    ORR_SUBALLOC_DRIVER, /* one driver call, then commit */
    ORR_SUBALLOC_FULL,   /* does not fit */
};

/*
 * @overlooks_lone_gaps: once a chunk was searched in vain, a block freed there
 * is not found before a block next to it is freed, too. StarPU updates the
 * longest gap of a chunk only when two gaps merge.
 */
struct orr_suballoc *orr_suballoc_new(uint64_t capacity_bytes,
                                      bool overlooks_lone_gaps);
void orr_suballoc_free(struct orr_suballoc *pool);

uint64_t orr_suballoc_capacity(const struct orr_suballoc *pool);

/* The least capacity into which @count buffers with these sizes fit. */
uint64_t orr_suballoc_footprint(const uint64_t *bytes, unsigned count);

/* Allocates a buffer of @bytes. READY: @block is set. DRIVER: the bytes are
 * reserved; orr_suballoc_commit() sets @block once the driver has allocated. */
enum orr_suballoc_need orr_suballoc_take(struct orr_suballoc *pool,
                                         uint64_t bytes,
                                         struct orr_block *block);
void orr_suballoc_commit(struct orr_suballoc *pool, uint64_t bytes,
                         struct orr_block *block);

/* Frees a buffer. DRIVER: the driver has to free memory. */
enum orr_suballoc_need orr_suballoc_give(struct orr_suballoc *pool,
                                         uint64_t bytes,
                                         struct orr_block *block);

/* Whether a buffer of @bytes would fit now. */
bool orr_suballoc_fits(const struct orr_suballoc *pool, uint64_t bytes);

/* Free bytes that are overlooked: see orr_suballoc_new(). */
uint64_t orr_suballoc_overlooked(const struct orr_suballoc *pool);

/* Bytes that the driver has allocated now, and at most so far. */
uint64_t orr_suballoc_used(const struct orr_suballoc *pool);
uint64_t orr_suballoc_peak(const struct orr_suballoc *pool);

/* Whether a buffer ever did not fit. */
bool orr_suballoc_was_full(const struct orr_suballoc *pool);

#endif
