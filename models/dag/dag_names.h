/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_NAMES_H
#define ORR_DAG_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/base/bytes.h"

/*
 * A pool of texts, and tables that number the texts of one kind in the order
 * in which they first occur: tasks 0, 1, 2, ... by their names. Numbers do not
 * depend on how texts are hashed, so neither does any result. Texts come from
 * files that may be hostile: each table hashes them with a random key, so that
 * no file can make them collide.
 */
struct orr_dag_texts {
    char *texts; /* each ends with a 0; texts[0] is "" */
    size_t size;
    size_t capacity;
    /* The first text that is not UTF-8 or holds a control character: its
     * offset, or 0, and the value of *line when it was added. */
    uint32_t bad;
    unsigned bad_line;
    const unsigned *line; /* of a file that is being read; or NULL. Borrowed */
};

void orr_dag_texts_init(struct orr_dag_texts *texts);
void orr_dag_texts_clear(struct orr_dag_texts *texts);

/* Adds the @length bytes at @text. Returns their offset, or 0 if that is above
 * 4 GiB or there is no text. */
uint32_t orr_dag_texts_add(struct orr_dag_texts *texts, const char *text,
                           size_t length);

/* Whether the text at @offset has these @length bytes, none of which is 0. */
static inline bool orr_dag_texts_is(const struct orr_dag_texts *texts,
                                    uint32_t offset, const char *text,
                                    size_t length)
{
    const char *other = texts->texts + offset;

    return offset + length < texts->size && other[length] == '\0' &&
           orr_same_bytes(other, text, length);
}

struct orr_dag_names {
    struct orr_dag_texts *texts; /* borrowed; tables may share it */
    uint32_t *offsets;           /* of the texts, by number */
    uint32_t count;
    uint32_t capacity;
    struct orr_dag_slot *slots; /* hash table, a power of two */
    uint32_t mask;
    uint32_t last;   /* the last result of orr_dag_names_repeat() */
    uint64_t key[2]; /* of the hash; random */
};

void orr_dag_names_init(struct orr_dag_names *names,
                        struct orr_dag_texts *texts);
void orr_dag_names_clear(struct orr_dag_names *names);

/* Frees the hash table: from now on, names are only found by their numbers. */
void orr_dag_names_close(struct orr_dag_names *names);

/* Returns the number of the text, which is added if it is new. ORR_DAG_NONE: no
 * room for it. */
uint32_t orr_dag_names_add(struct orr_dag_names *names, const char *text,
                           size_t length);

/* Adds the text as a new one, which cannot be found. Returns its number, or
 * ORR_DAG_NONE. */
uint32_t orr_dag_names_append(struct orr_dag_names *names, const char *text,
                              size_t length);

/* As orr_dag_names_add(). Faster if the text is often the same as in the
 * previous call. */
uint32_t orr_dag_names_repeat(struct orr_dag_names *names, const char *text,
                              size_t length);

/* Whether the text number @number is equal to @text. @number may be any value:
 * it may be a guess. A good guess is faster than orr_dag_names_find(). Texts
 * that are close to each other in a file often have close numbers. */
static inline bool orr_dag_names_is(const struct orr_dag_names *names,
                                    uint32_t number, const char *text,
                                    size_t length)
{
    return number < names->count &&
           orr_dag_texts_is(names->texts, names->offsets[number], text, length);
}

/* Returns the number of the text. ORR_DAG_NONE: it is not there. */
uint32_t orr_dag_names_find(const struct orr_dag_names *names, const char *text,
                            size_t length);

#endif
