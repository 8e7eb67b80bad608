/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CLOCKS_H
#define ORR_CLOCKS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The happens-before relation among threads (Lamport, Time, clocks, and the
 * ordering of events in a distributed system, CACM 1978; vector clocks:
 * Mattern, Virtual time and global states of distributed systems, 1989).
 *
 * Each thread counts its own epochs, and knows the newest epoch of each other
 * thread that happens before its present. A thread releases an object, which
 * then knows what the thread knows; another that acquires the object learns it.
 *
 * Threads are numbered from 0. Objects are told apart by their addresses.
 */
struct orr_clocks;

struct orr_clocks *orr_clocks_new(unsigned threads);

/* NULL is allowed. */
void orr_clocks_free(struct orr_clocks *clocks);

/* The epoch of @thread, from 1 on. */
uint32_t orr_clocks_now(const struct orr_clocks *clocks, unsigned thread);

/* Whether epoch @epoch of @other happens before the present of @thread. */
bool orr_clocks_knows(const struct orr_clocks *clocks, unsigned thread,
                      unsigned other, uint32_t epoch);

/* @thread learns what the object @object knows. */
void orr_clocks_acquire(struct orr_clocks *clocks, unsigned thread,
                        const void *object);

/* The object learns what @thread knows; the next epoch of @thread begins. */
void orr_clocks_release(struct orr_clocks *clocks, unsigned thread,
                        const void *object);

/* The object knows nothing any more. */
void orr_clocks_discard(struct orr_clocks *clocks, const void *object);

#endif
