/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROTOCOL_H
#define ORR_PROTOCOL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * How a program makes its calls of orrery.h in another process: it sends each
 * call as a message over a socket; its file descriptor is in the environment
 * variable ORR_REMOTE_VARIABLE. Both processes are on one machine, and of one
 * version of the library.
 *
 * A message is a head and a body of 64-bit words. The head has the kind in its
 * low 16 bits, then a flag for calls that wait for an answer, and in its upper
 * half the number of words of the body. A text is its length, UINT64_MAX for
 * NULL, and its bytes with a zero at the end, filled up to whole words. A NULL
 * handle is 0; kernels and data are numbered from 1 in the order of the calls
 * that make them, and the parts of a partition follow each other by rows.
 *
 * First the program sends hello, and run_new, which is answered when the run
 * begins. A call that waits is answered once it is performed. Before the
 * answer, the program may get callbacks: it calls the function, may make calls
 * of its own, and sends done. Or it gets control with the number of one of its
 * threads, which continues; what comes next is for that thread. Once it has
 * several threads, all its calls wait. run_free is its last call. An answer
 * that may be an error begins with 1, or with 0, the code of the error and its
 * message.
 */

#define ORR_REMOTE_VARIABLE "ORRERY_REMOTE"
/* Both processes have the same messages. */
#define ORR_REMOTE_VERSION (1u << 16 | ORR_REMOTE_COUNT)
#define ORR_REMOTE_FD 3

/* Words of the body of a message, at most: 16 MiB. */
#define ORR_REMOTE_MAX_WORDS (1u << 21)

/* The messages: six that are no calls, then the calls. */
#define ORR_REMOTE_KINDS(KIND)                                                 \
    KIND(hello)                                                                \
    KIND(answer)                                                               \
    KIND(callback)                                                             \
    KIND(control)                                                              \
    KIND(done)                                                                 \
    KIND(fail)                                                                 \
    KIND(data_acquire)                                                         \
    KIND(data_acquire_as)                                                      \
    KIND(data_acquire_later)                                                   \
    KIND(data_deinitialize)                                                    \
    KIND(data_deinitialize_submit)                                             \
    KIND(data_evict)                                                           \
    KIND(data_expected_transfer_ns)                                            \
    KIND(data_idle_prefetch)                                                   \
    KIND(data_invalidate)                                                      \
    KIND(data_invalidate_submit)                                               \
    KIND(data_prefetch)                                                        \
    KIND(data_register)                                                        \
    KIND(data_register_matrix)                                                 \
    KIND(data_register_temporary)                                              \
    KIND(data_release)                                                         \
    KIND(data_release_on)                                                      \
    KIND(data_set_arbiter)                                                     \
    KIND(data_set_coordinates)                                                 \
    KIND(data_set_name)                                                        \
    KIND(data_set_reduction)                                                   \
    KIND(data_set_unordered)                                                   \
    KIND(data_state)                                                           \
    KIND(data_unregister)                                                      \
    KIND(data_unregister_no_coherency)                                         \
    KIND(data_unregister_submit)                                               \
    KIND(data_wont_use)                                                        \
    KIND(kernel_find_footprint)                                                \
    KIND(kernel_find_size)                                                     \
    KIND(kernel_find_terms)                                                    \
    KIND(kernel_new)                                                           \
    KIND(kernel_set_implementations)                                           \
    KIND(kernel_set_where)                                                     \
    KIND(kernel_takes)                                                         \
    KIND(partition_gather_on)                                                  \
    KIND(partition_join)                                                       \
    KIND(partition_join_readonly)                                              \
    KIND(partition_new_parts)                                                  \
    KIND(partition_remove)                                                     \
    KIND(partition_split)                                                      \
    KIND(partition_split_readonly)                                             \
    KIND(run_acting_worker)                                                    \
    KIND(run_bounds)                                                           \
    KIND(run_execution)                                                        \
    KIND(run_flops_ns)                                                         \
    KIND(run_free)                                                             \
    KIND(run_keep_for_bounds)                                                  \
    KIND(run_new)                                                              \
    KIND(run_now)                                                              \
    KIND(run_park)                                                             \
    KIND(run_pause)                                                            \
    KIND(run_report)                                                           \
    KIND(run_resume)                                                           \
    KIND(run_schedule)                                                         \
    KIND(run_set_buckets)                                                      \
    KIND(run_set_window)                                                       \
    KIND(run_sleep)                                                            \
    KIND(run_tasks_in_flight)                                                  \
    KIND(run_tasks_ready)                                                      \
    KIND(run_thread_end)                                                       \
    KIND(run_thread_new)                                                       \
    KIND(run_unpark)                                                           \
    KIND(run_wait)                                                             \
    KIND(run_wait_in_flight)                                                   \
    KIND(run_wait_tag)                                                         \
    KIND(run_wait_task)                                                        \
    KIND(tag_notify)                                                           \
    KIND(task_expected_ns)                                                     \
    KIND(task_expected_transfer_ns)                                            \
    KIND(task_release_end)                                                     \
    KIND(task_submit)

enum orr_remote_kind {
#define ORR_REMOTE_KIND(name) ORR_REMOTE_##name,
    ORR_REMOTE_KINDS(ORR_REMOTE_KIND)
#undef ORR_REMOTE_KIND
        ORR_REMOTE_COUNT
};

/* Bits of the word that says which parts of a task follow, and its flags. */
enum orr_remote_task {
    ORR_REMOTE_TIMES = 1,
    ORR_REMOTE_UNORDERED = 2,
    ORR_REMOTE_PINNED = 4,
    ORR_REMOTE_SYNCHRONISES = 8,
    ORR_REMOTE_BLOCKS_DRIVER = 16,
    ORR_REMOTE_CALLBACK = 32,
    ORR_REMOTE_CALLS = 64,
    ORR_REMOTE_REGENERATED = 128,
};

/* ---- writing ---- */

/* Messages to send. Zeroed, it is empty; its words are owned. */
struct orr_packet {
    uint64_t *words;
    size_t count, room; /* words in use, and allocated */
    size_t head;        /* where the last message begins */
};

static inline void orr_packet_grow(struct orr_packet *packet, size_t words)
{
    if (G_LIKELY(packet->room - packet->count >= words))
        return;
    packet->room = 2 * packet->room + words + 512;
    packet->words = g_renew(uint64_t, packet->words, packet->room);
}

static inline void orr_packet_put(struct orr_packet *packet, uint64_t word)
{
    orr_packet_grow(packet, 1);
    packet->words[packet->count++] = word;
}

/* Fills the last word with zeros. */
static inline void orr_packet_put_bytes(struct orr_packet *packet,
                                        const void *bytes, size_t count)
{
    size_t words = (count + sizeof(uint64_t) - 1) / sizeof(uint64_t);

    if (words == 0)
        return;
    orr_packet_grow(packet, words);
    packet->words[packet->count + words - 1] = 0;
    memcpy(packet->words + packet->count, bytes, count);
    packet->count += words;
}

static inline void orr_packet_put_text(struct orr_packet *packet,
                                       const char *text)
{
    orr_packet_put(packet, text ? strlen(text) : UINT64_MAX);
    if (text)
        orr_packet_put_bytes(packet, text, strlen(text) + 1);
}

static inline void orr_packet_begin(struct orr_packet *packet,
                                    enum orr_remote_kind kind)
{
    packet->head = packet->count;
    orr_packet_put(packet, kind);
}

/* Ends the message. Returns false, and forgets it, if it is too long. */
static inline bool orr_packet_end(struct orr_packet *packet, bool waits)
{
    size_t words = packet->count - packet->head - 1;

    if (words > ORR_REMOTE_MAX_WORDS) {
        packet->count = packet->head;
        return false;
    }
    packet->words[packet->head] |= (uint64_t)waits << 16 | (uint64_t)words
                                                               << 32;
    return true;
}

/* ---- reading ---- */

/* The body of a message that was received; it is not trusted. */
struct orr_reader {
    const uint64_t *at, *end;
    bool bad; /* it has fewer words than were read, or a wrong text */
};

static inline unsigned orr_head_kind(uint64_t head)
{
    return (uint16_t)head;
}

static inline bool orr_head_waits(uint64_t head)
{
    return (head >> 16 & 1) != 0;
}

static inline size_t orr_head_words(uint64_t head)
{
    return (size_t)(head >> 32);
}

/* The next @count words, borrowed; NULL, and @reader is bad, if there are not
 * so many. */
static inline const uint64_t *orr_read_words(struct orr_reader *reader,
                                             uint64_t count)
{
    const uint64_t *words = reader->at;

    if (G_UNLIKELY(count > (uint64_t)(reader->end - reader->at))) {
        reader->bad = true;
        reader->at = reader->end;
        return NULL;
    }
    reader->at += count;
    return words;
}

/* The next word; 0, and @reader is bad, if there is none. */
static inline uint64_t orr_read(struct orr_reader *reader)
{
    const uint64_t *word = orr_read_words(reader, 1);

    return word ? *word : 0;
}

/* The next text, borrowed; NULL, and @reader is bad, if there is none. */
static inline const char *orr_read_text(struct orr_reader *reader)
{
    uint64_t length = orr_read(reader);
    const uint64_t *words;

    if (length == UINT64_MAX)
        return NULL;
    words = length <= UINT32_MAX
                ? orr_read_words(reader, length / sizeof(uint64_t) + 1)
                : orr_read_words(reader, UINT64_MAX);
    if (!words)
        return NULL;
    reader->bad |= strnlen((const char *)words, length + 1) != length;
    return reader->bad ? NULL : (const char *)words;
}

/* Copies the next @count bytes to @bytes; zeros, and @reader is bad, if there
 * are not so many. */
static inline void orr_read_bytes(struct orr_reader *reader, void *bytes,
                                  size_t count)
{
    const uint64_t *words = orr_read_words(
        reader, (count + sizeof(uint64_t) - 1) / sizeof(uint64_t));

    if (words)
        memcpy(bytes, words, count);
    else
        memset(bytes, 0, count);
}

#endif
