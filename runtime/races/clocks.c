/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/races/clocks.h"

struct orr_clocks {
    unsigned threads;
    uint32_t *known;     /* epochs, by thread * threads + other */
    GHashTable *objects; /* address: owned array of epochs, by thread */
};

struct orr_clocks *orr_clocks_new(unsigned threads)
{
    struct orr_clocks *clocks = g_new0(struct orr_clocks, 1);

    clocks->threads = threads;
    clocks->known = g_new0(uint32_t, (size_t)threads * threads);
    clocks->objects = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    for (unsigned t = 0; t < threads; t++)
        clocks->known[t * threads + t] = 1;
    return clocks;
}

void orr_clocks_free(struct orr_clocks *clocks)
{
    if (!clocks)
        return;
    g_hash_table_unref(clocks->objects);
    g_free(clocks->known);
    g_free(clocks);
}

uint32_t orr_clocks_now(const struct orr_clocks *clocks, unsigned thread)
{
    return clocks->known[thread * clocks->threads + thread];
}

bool orr_clocks_knows(const struct orr_clocks *clocks, unsigned thread,
                      unsigned other, uint32_t epoch)
{
    return clocks->known[thread * clocks->threads + other] >= epoch;
}

static void join(uint32_t *into, const uint32_t *from, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        into[i] = MAX(into[i], from[i]);
}

void orr_clocks_acquire(struct orr_clocks *clocks, unsigned thread,
                        const void *object)
{
    const uint32_t *known = g_hash_table_lookup(clocks->objects, object);

    if (known)
        join(clocks->known + (size_t)thread * clocks->threads, known,
             clocks->threads);
}

void orr_clocks_release(struct orr_clocks *clocks, unsigned thread,
                        const void *object)
{
    uint32_t *own = clocks->known + (size_t)thread * clocks->threads;
    uint32_t *known = g_hash_table_lookup(clocks->objects, object);

    if (!known) {
        known = g_new0(uint32_t, clocks->threads);
        g_hash_table_insert(clocks->objects, (void *)(uintptr_t)object, known);
    }
    join(known, own, clocks->threads);
    own[thread]++;
}

void orr_clocks_discard(struct orr_clocks *clocks, const void *object)
{
    g_hash_table_remove(clocks->objects, object);
}
