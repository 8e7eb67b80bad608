/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EVICT_H
#define ORR_EVICT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "models/api.h"
#include "models/time.h"

ORR_BEGIN_DECLS

/*
 * The contract between an eviction policy and the runtime.
 *
 * When the memory of a GPU is full, a buffer is evicted. The policy chooses
 * which one. It is a const table of functions, of which only choose is
 * required. The runtime allocates its state. Each call ends before the next
 * begins.
 *
 * Without a policy the runtime evicts as StarPU does, least recently used
 * first. It prefers a buffer that the new datum can reuse at once, and
 * otherwise frees twice the needed bytes. With a policy, one buffer is evicted
 * at a time. If the new datum cannot reuse it, because the sizes differ or
 * because it holds the only valid copy, it is written back and freed, and the
 * policy is asked again if that is not enough.
 *
 * Data are numbered in order of registration, from 0. Memory node 0 is host
 * memory; nothing is evicted there. Dates are in ns.
 *
 * docs/SCHEDULERS.md shows how to write an eviction policy.
 */
struct orr_evict; /* one eviction policy at work in one run */
struct orr_sched; /* sched.h */

/* A datum that needs room. */
struct orr_evict_need {
    unsigned node;  /* the memory that is full */
    uint64_t datum; /* to be loaded, or to be written there first */
    uint64_t bytes; /* size of the datum */
    bool waits;     /* a worker waits for the datum; else it is a prefetch */
    orr_time now;
};

/* A buffer that may be evicted. */
struct orr_evict_candidate {
    uint64_t datum;
    uint64_t bytes;
    bool only_copy;    /* the only valid copy, so it is written back first */
    bool fits;         /* the new datum can reuse the buffer at once */
    unsigned expected; /* number of future tasks for which it was prefetched */
};

/* Evict no buffer: the datum has to wait, and its worker with it. */
#define ORR_EVICT_NONE SIZE_MAX

struct orr_evict_ops {
    const char *name;    /* as given to --evict: [a-z0-9-]+ */
    const char *summary; /* one line for `orrery evict list` */
    size_t state_size;   /* bytes of zeroed state; may be 0 */
    bool future; /* calls orr_evict_next_use(): an earlier run is needed */

    /* Optional: set up the state, which is zeroed, and free its memory. */
    void (*init)(struct orr_evict *evict);
    void (*fini)(struct orr_evict *evict);

    /*
     * Required. Returns the index of the buffer to evict, or ORR_EVICT_NONE.
     * There is at least one candidate. They are in the order of their last use,
     * the least recently used first; before these come the data that the
     * application will not use for a while (wont_use).
     */
    size_t (*choose)(struct orr_evict *evict, const struct orr_evict_need *need,
                     const struct orr_evict_candidate *candidates,
                     size_t count);

    /* Optional. @datum has got a buffer on @node; its content may still come.
     */
    void (*loaded)(struct orr_evict *evict, unsigned node, uint64_t datum,
                   orr_time now);

    /* Optional. The kernel of a task that accesses @datum starts on @node. */
    void (*used)(struct orr_evict *evict, unsigned node, uint64_t datum,
                 orr_time now);

    /* Optional. @datum has lost its buffer on @node. */
    void (*evicted)(struct orr_evict *evict, unsigned node, uint64_t datum,
                    orr_time now);
};

/* The state of the policy: state_size bytes, at most 64 MiB. */
ORR_API void *orr_evict_state(struct orr_evict *evict);

/* The scheduling policy of the run. For scheduling policies with their own
 * eviction (struct orr_sched_ops.evict). */
ORR_API struct orr_sched *orr_evict_sched(const struct orr_evict *evict);

#define ORR_EVICT_NEVER UINT64_MAX

/*
 * When @datum is used next on @node, as the rank of a kernel in the order in
 * which kernels started in an earlier run, from 0; ORR_EVICT_NEVER: no more.
 * That run had the same tasks, and evicted the least recently used data.
 * Kernels that have started in this run do not count, wherever they are. Only
 * for policies that set `future`.
 */
ORR_API uint64_t orr_evict_next_use(const struct orr_evict *evict,
                                    unsigned node, uint64_t datum);

/*
 * A plug-in is an eviction policy in a shared object, which is passed to
 * --evict by its file name (./mine.so). It has the line
 *
 *     ORR_EVICT_PLUGIN(&orr_evict_mine);
 *
 * which records the version of this header. A plug-in that was compiled with
 * another version is refused.
 */
struct orr_evict_plugin {
    uint64_t magic;
    uint64_t version;
    uint64_t ops_size;       /* of struct orr_evict_ops */
    uint64_t candidate_size; /* of struct orr_evict_candidate */
    const struct orr_evict_ops *ops;
};

#define ORR_EVICT_MAGIC UINT64_C(0x7463697665727265) /* "errevict" */

/* To be increased by changes of this header after which plug-ins have to be
 * recompiled, unless one of the sizes above changes as well. */
#define ORR_EVICT_VERSION 1

#define ORR_EVICT_PLUGIN(policy)                                               \
    ORR_API extern const struct orr_evict_plugin orr_evict_plugin;             \
    const struct orr_evict_plugin orr_evict_plugin = {                         \
        ORR_EVICT_MAGIC, ORR_EVICT_VERSION, sizeof(struct orr_evict_ops),      \
        sizeof(struct orr_evict_candidate), policy}

ORR_END_DECLS

#endif
