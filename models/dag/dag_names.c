/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/dag/dag_names.h"

#include <glib.h>
#include <string.h>

#include "models/dag/dag.h"

/* The offset of the text is repeated here, so that a look-up reads one array
 * less. */
struct orr_dag_slot {
    uint32_t hash;
    uint32_t number; /* plus 1; 0: empty */
    uint32_t offset;
};

void orr_dag_texts_init(struct orr_dag_texts *texts)
{
    *texts = (struct orr_dag_texts){.capacity = 4096, .size = 1};
    texts->texts = g_malloc(texts->capacity);
    texts->texts[0] = '\0';
}

/*
 * Whether all of eight bytes are printable ASCII, and none is 0x7f. A byte that
 * is too small borrows in a subtraction, which sets its highest bit.
 */
static bool are_eight_plain(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const uint64_t highest = ones * 0x80;
    uint64_t last = word ^ ones * 0x7f;

    return ((word | (word - ones * 0x20) | (last - ones)) & highest) == 0;
}

/* Whether the text may stand in files of any format. */
static bool is_plain(const char *text, size_t length)
{
    bool ascii = true;
    size_t begin = 0;

    while (begin + 8 <= length &&
           are_eight_plain(orr_eight_bytes(text + begin)))
        begin += 8;
    for (size_t i = begin; i < length; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            return false;
        ascii = ascii && !(text[i] & 0x80);
    }
    return ascii || g_utf8_validate(text, (gssize)length, NULL);
}

void orr_dag_texts_clear(struct orr_dag_texts *texts)
{
    g_free(texts->texts);
    *texts = (struct orr_dag_texts){.size = 0};
}

uint32_t orr_dag_texts_add(struct orr_dag_texts *texts, const char *text,
                           size_t length)
{
    size_t offset = texts->size;

    if (length == 0 || offset + length + 1 > UINT32_MAX)
        return 0;
    if (offset + length + 1 > texts->capacity) {
        texts->capacity = 2 * texts->capacity + length;
        texts->texts = g_realloc(texts->texts, texts->capacity);
    }
    memcpy(texts->texts + offset, text, length);
    if (texts->bad == 0 && !is_plain(text, length)) {
        texts->bad = (uint32_t)offset;
        texts->bad_line = texts->line ? *texts->line : 0;
    }
    texts->texts[offset + length] = '\0';
    texts->size = offset + length + 1;
    return (uint32_t)offset;
}

void orr_dag_names_init(struct orr_dag_names *names,
                        struct orr_dag_texts *texts)
{
    *names = (struct orr_dag_names){.texts = texts, .mask = 255};
    names->slots = g_new0(struct orr_dag_slot, names->mask + 1);
    for (unsigned i = 0; i < 2; i++)
        names->key[i] = ((uint64_t)g_random_int() << 32 | g_random_int()) | 1;
}

void orr_dag_names_clear(struct orr_dag_names *names)
{
    g_free(names->offsets);
    g_free(names->slots);
    *names = (struct orr_dag_names){.texts = NULL};
}

void orr_dag_names_close(struct orr_dag_names *names)
{
    g_clear_pointer(&names->slots, g_free);
}

/* The product of two words, folded into one: each bit depends on all bits of
 * both (as in wyhash by Wang Yi, which is in the public domain). */
static inline uint64_t fold(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/*
 * The hash covers all bytes but the last one, sixteen at a time; the last byte
 * is then added to the low bits. So names that differ in their last digit are
 * side by side in the table: tasks of a file tend to be numbered, and to
 * mention their neighbours. If its slot is occupied, a name is put one block of
 * sixteen slots and one slot further (STEP): neighbours, whose slots are then
 * occupied as well, stay side by side.
 */
#define STEP 17

static inline uint32_t hash_of(const struct orr_dag_names *names,
                               const char *text, size_t length)
{
    size_t left = length > 0 ? length - 1 : 0;
    unsigned char last = length > 0 ? (unsigned char)text[left] : 0;
    uint64_t hash = names->key[0] ^ length;

    for (; left > 16; text += 16, left -= 16)
        hash = fold(orr_eight_bytes(text) ^ names->key[1],
                    orr_eight_bytes(text + 8) ^ hash);
    if (left > 8)
        hash = fold(orr_eight_bytes(text) ^ names->key[1],
                    orr_eight_bytes(text + left - 8) ^ hash);
    else
        hash = fold(orr_word_of(text, left) ^ names->key[1], hash);
    hash = fold(hash ^ names->key[1], names->key[0]);
    return ((uint32_t)(hash >> 32) & ~15u) ^ last;
}

static void enlarge(struct orr_dag_names *names)
{
    uint32_t mask = 2 * names->mask + 1;
    struct orr_dag_slot *slots = g_new0(struct orr_dag_slot, (size_t)mask + 1);

    for (size_t i = 0; i <= names->mask; i++) {
        uint32_t at = names->slots[i].hash & mask;

        if (names->slots[i].number == 0)
            continue;
        while (slots[at].number != 0)
            at = (at + STEP) & mask;
        slots[at] = names->slots[i];
    }
    g_free(names->slots);
    names->slots = slots;
    names->mask = mask;
}

/* The slot that holds the text, or else the empty slot for it. */
static inline struct orr_dag_slot *find(const struct orr_dag_names *names,
                                        uint32_t hash, const char *text,
                                        size_t length)
{
    for (uint32_t at = hash;; at += STEP) {
        struct orr_dag_slot *slot = &names->slots[at & names->mask];

        if (slot->number == 0)
            return slot;
        if (slot->hash != hash)
            continue;
        if (orr_dag_texts_is(names->texts, slot->offset, text, length))
            return slot;
    }
}

uint32_t orr_dag_names_find(const struct orr_dag_names *names, const char *text,
                            size_t length)
{
    /* The number 0 is one below the first: ORR_DAG_NONE. */
    return find(names, hash_of(names, text, length), text, length)->number - 1;
}

uint32_t orr_dag_names_append(struct orr_dag_names *names, const char *text,
                              size_t length)
{
    uint32_t offset = orr_dag_texts_add(names->texts, text, length);
    if ((length > 0 && offset == 0) || names->count >= UINT32_MAX / 4)
        return ORR_DAG_NONE;
    if (names->count == names->capacity) {
        names->capacity = 2 * names->capacity + 64;
        names->offsets = g_renew(uint32_t, names->offsets, names->capacity);
    }
    names->offsets[names->count++] = offset;
    return names->count - 1;
}

/* Adds a text, which belongs in @slot. */
__attribute__((noinline)) static uint32_t add(struct orr_dag_names *names,
                                              struct orr_dag_slot *slot,
                                              uint32_t hash, const char *text,
                                              size_t length)
{
    uint32_t number = orr_dag_names_append(names, text, length);

    if (number == ORR_DAG_NONE)
        return number;
    *slot = (struct orr_dag_slot){hash, names->count, names->offsets[number]};
    if (names->count > names->mask / 2)
        enlarge(names);
    return number;
}

uint32_t orr_dag_names_add(struct orr_dag_names *names, const char *text,
                           size_t length)
{
    uint32_t hash = hash_of(names, text, length);
    struct orr_dag_slot *slot = find(names, hash, text, length);

    return slot->number != 0 ? slot->number - 1
                             : add(names, slot, hash, text, length);
}

uint32_t orr_dag_names_repeat(struct orr_dag_names *names, const char *text,
                              size_t length)
{
    if (!orr_dag_names_is(names, names->last, text, length))
        names->last = orr_dag_names_add(names, text, length);
    return names->last;
}
