/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/races/detector.h"

/* A word of memory, the unit of the table. */
enum { WORD = 8 };

/* An access to some bytes of a word. */
struct entry {
    const void *code;
    uint32_t epoch; /* epoch of the thread */
    uint16_t thread;
    uint8_t bytes; /* a bit each */
    uint8_t flags;
    uint8_t call;
};

struct word {
    GArray *entries; /* struct entry */
    uint64_t locks;  /* held at each access since it is shared, a bit each */
    unsigned first;  /* thread that accessed it first */
    bool shared;     /* another has, too */
    bool written;
};

struct orr_detector {
    struct orr_clocks *clocks;
    GHashTable *words; /* address / WORD: struct word, owned */
};

static void free_word(void *data)
{
    struct word *word = data;

    g_array_unref(word->entries);
    g_free(word);
}

struct orr_detector *orr_detector_new(unsigned threads)
{
    struct orr_detector *detector = g_new0(struct orr_detector, 1);

    detector->clocks = orr_clocks_new(threads);
    detector->words = g_hash_table_new_full(NULL, NULL, NULL, free_word);
    return detector;
}

void orr_detector_free(struct orr_detector *detector)
{
    if (!detector)
        return;
    orr_clocks_free(detector->clocks);
    g_hash_table_unref(detector->words);
    g_free(detector);
}

struct orr_clocks *orr_detector_clocks(struct orr_detector *detector)
{
    return detector->clocks;
}

/* The part of an access that lies in one word. */
struct part {
    uintptr_t number; /* number of the word */
    uint8_t bytes;    /* bytes of the word that it touches, a bit each */
};

/* Sets *@part to the next one, from *@at on. Returns false at the end. */
static bool next_part(const struct orr_memory_access *access, uintptr_t *at,
                      struct part *part)
{
    uintptr_t end = (uintptr_t)access->address + access->bytes;
    uintptr_t from = *at, to;

    if (from >= end)
        return false;
    part->number = from / WORD;
    to = MIN(end, (part->number + 1) * WORD);
    part->bytes = (uint8_t)(((1u << (to - from)) - 1) << (from % WORD));
    *at = to;
    return true;
}

static struct word *get_word(struct orr_detector *detector, uintptr_t number,
                             unsigned thread)
{
    void *key = (void *)number;
    struct word *word = g_hash_table_lookup(detector->words, key);

    if (word)
        return word;
    word = g_new0(struct word, 1);
    word->entries = g_array_new(FALSE, FALSE, sizeof(struct entry));
    word->first = thread;
    word->locks = UINT64_MAX;
    g_hash_table_insert(detector->words, key, word);
    return word;
}

bool orr_detector_expect(struct orr_detector *detector,
                         const struct orr_memory_access *access)
{
    uintptr_t at = (uintptr_t)access->address;
    struct part part;
    bool contended = false;

    while (next_part(access, &at, &part)) {
        struct word *word = get_word(detector, part.number, access->thread);

        word->written |= access->flags & ORR_ACCESS_WRITES;
        word->shared |= access->thread != word->first;
        if (word->shared)
            word->locks &= access->locks;
        contended |= word->shared && word->written && word->locks == 0;
    }
    return contended;
}

/* Whether the two accesses do not commute, and neither happens before the
 * other. */
static bool is_race(const struct orr_detector *detector,
                    const struct entry *entry,
                    const struct orr_memory_access *access, uint8_t bytes)
{
    unsigned either = entry->flags | access->flags;
    unsigned both = entry->flags & access->flags;

    return entry->thread != access->thread && entry->bytes & bytes &&
           either & ORR_ACCESS_WRITES && !(both & ORR_ACCESS_IS_ATOMIC) &&
           !orr_clocks_knows(detector->clocks, access->thread, entry->thread,
                             entry->epoch);
}

/* Whether each later access that races with @entry would race with @access
 * too, which comes after it. */
static bool is_covered(const struct orr_detector *detector,
                       const struct entry *entry,
                       const struct orr_memory_access *access, uint8_t bytes)
{
    bool weaker = (access->flags & ORR_ACCESS_WRITES ||
                   !(entry->flags & ORR_ACCESS_WRITES)) &&
                  (!(access->flags & ORR_ACCESS_IS_ATOMIC) ||
                   entry->flags & ORR_ACCESS_IS_ATOMIC);

    return weaker && !(entry->bytes & ~bytes) &&
           orr_clocks_knows(detector->clocks, access->thread, entry->thread,
                            entry->epoch);
}

/* Adds the access to the list of @word, and removes older accesses that it
 * covers. */
static void record(const struct orr_detector *detector, struct word *word,
                   const struct orr_memory_access *access, uint8_t bytes)
{
    const struct entry entry = {
        .code = access->code,
        .epoch = orr_clocks_now(detector->clocks, access->thread),
        .thread = (uint16_t)access->thread,
        .bytes = bytes,
        .flags = (uint8_t)access->flags,
        .call = (uint8_t)access->call,
    };

    for (guint i = word->entries->len; i-- > 0;) {
        if (is_covered(detector, &g_array_index(word->entries, struct entry, i),
                       access, bytes))
            g_array_remove_index_fast(word->entries, i);
    }
    g_array_append_val(word->entries, entry);
}

/* The access of @word with which @access races; NULL: none. */
static const struct entry *find_race(const struct orr_detector *detector,
                                     const struct word *word,
                                     const struct orr_memory_access *access,
                                     uint8_t bytes)
{
    for (guint i = 0; i < word->entries->len; i++) {
        const struct entry *entry =
            &g_array_index(word->entries, struct entry, i);

        if (is_race(detector, entry, access, bytes))
            return entry;
    }
    return NULL;
}

bool orr_detector_access(struct orr_detector *detector,
                         const struct orr_memory_access *access,
                         struct orr_memory_access *other)
{
    uintptr_t at = (uintptr_t)access->address;
    struct part part;
    bool races = false;

    while (next_part(access, &at, &part)) {
        struct word *word = get_word(detector, part.number, access->thread);
        const struct entry *entry =
            find_race(detector, word, access, part.bytes);

        if (entry && !races)
            *other = (struct orr_memory_access){
                .thread = entry->thread,
                .call = entry->call,
                .flags = entry->flags,
                .address =
                    (const void *)(part.number * WORD +
                                   (uintptr_t)__builtin_ctz(entry->bytes)),
                .bytes = (size_t)__builtin_popcount(entry->bytes),
                .code = entry->code,
            };
        races |= entry != NULL;
        record(detector, word, access, part.bytes);
    }
    return races;
}

void orr_detector_discard(struct orr_detector *detector, const void *address,
                          size_t bytes)
{
    uintptr_t first = (uintptr_t)address / WORD;
    uintptr_t end = ((uintptr_t)address + bytes + WORD - 1) / WORD;

    for (uintptr_t number = first; number < end; number++)
        g_hash_table_remove(detector->words, (void *)number);
}
