/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DETECTOR_H
#define ORR_DETECTOR_H

#include "runtime/races/clocks.h"

/*
 * Data races: two accesses to the same bytes by different threads, of which one
 * writes and one is not atomic, and neither happens before the other
 * (clocks.h). A race is found in whichever order the two come, as long as
 * nothing orders them; so a run reports races that do no harm in it.
 *
 * As in FastTrack (Flanagan, Freund, FastTrack: efficient and precise dynamic
 * race detection, PLDI 2009), for each byte only accesses are kept with which a
 * later access may race. Here each word of eight bytes has a list of accesses,
 * with the bytes that they touch, so that neighbours are not confused.
 *
 * The locks that all threads had in common at all accesses (Savage et al.,
 * Eraser: a dynamic data race detector for multithreaded programs, TOCS 1997)
 * are used only to find places where the order of accesses may matter.
 */
enum { ORR_ACCESS_WRITES = 1, ORR_ACCESS_IS_ATOMIC = 2 };

struct orr_memory_access {
    unsigned thread;
    unsigned call; /* number for the caller's messages */
    unsigned flags;
    const void *address;
    size_t bytes;
    const void *code; /* address of the code that accesses */
    uint64_t locks;   /* locks that the thread holds, a bit each */
};

struct orr_detector;

struct orr_detector *orr_detector_new(unsigned threads);

/* NULL is allowed. */
void orr_detector_free(struct orr_detector *detector);

/* The happens-before relation; borrowed. */
struct orr_clocks *orr_detector_clocks(struct orr_detector *detector);

/*
 * Announces that @access comes next. Returns whether it is contended: several
 * threads have accessed these bytes, some wrote, and no lock was held at all
 * accesses.
 */
bool orr_detector_expect(struct orr_detector *detector,
                         const struct orr_memory_access *access);

/* Records @access. Returns whether it races with an earlier access, and sets
 * *@other to that one (its locks are unknown). */
bool orr_detector_access(struct orr_detector *detector,
                         const struct orr_memory_access *access,
                         struct orr_memory_access *other);

/* Discards all accesses to these @bytes, which are free, or used anew. */
void orr_detector_discard(struct orr_detector *detector, const void *address,
                          size_t bytes);

#endif
