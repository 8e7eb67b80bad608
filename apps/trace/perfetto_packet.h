/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PERFETTO_PACKET_H
#define ORR_PERFETTO_PACKET_H

#include "apps/trace/protobuf.h"
#include "apps/trace/trace_file.h"

/*
 * The packets of a trace in Perfetto's format, one after the other: events with
 * arguments, and the names of tracks.
 */

/* Fields of an event that its caller adds (trace_packet.proto of Perfetto). */
enum {
    ORR_PERFETTO_NAME = 23,    /* text */
    ORR_PERFETTO_FLOW = 47,    /* an arrow begins here: its number, fixed64 */
    ORR_PERFETTO_FLOW_END = 48 /* and ends here */
};

/* What an event is. */
enum orr_perfetto_type {
    ORR_PERFETTO_BEGIN = 1, /* of a slice */
    ORR_PERFETTO_END = 2,
    ORR_PERFETTO_INSTANT = 3,
    ORR_PERFETTO_COUNTER = 4
};

/* The unit of a counter. */
enum { ORR_PERFETTO_COUNT = 2, ORR_PERFETTO_BYTES = 3 };

/* Arguments of events. */
enum orr_perfetto_note {
    ORR_NOTE_TASK,
    ORR_NOTE_PRIORITY,
    ORR_NOTE_SUBMITTED,
    ORR_NOTE_READY,
    ORR_NOTE_ARRIVED,
    ORR_NOTE_DATA,
    ORR_NOTE_BYTES,
    ORR_NOTES
};

/* What an argument begins with, up to its value: its second byte is the length
 * of the argument. */
enum { ORR_PERFETTO_HEAD = 16 }; /* bytes, at most */
struct orr_perfetto_head {
    uint8_t bytes[ORR_PERFETTO_HEAD];
    size_t size;
};

struct orr_perfetto_packet {
    struct orr_trace_file file;  /* the trace; of the caller */
    struct orr_protobuf message; /* packets that are not yet in the file */
    size_t begin;                /* where the last one begins */
    size_t part;                 /* where its event or track begins */
    struct orr_perfetto_head notes[ORR_NOTES];
};

/* All but the file, which the caller opens and clears. */
void orr_perfetto_init(struct orr_perfetto_packet *packet);
void orr_perfetto_clear(struct orr_perfetto_packet *packet);

/* Writes the packets that wait to the file, at the end of the trace. */
void orr_perfetto_flush(struct orr_perfetto_packet *packet);

void orr_perfetto_begin_event(struct orr_perfetto_packet *packet,
                              enum orr_perfetto_type type, uint64_t track);

/* @at: ns. */
void orr_perfetto_end_event(struct orr_perfetto_packet *packet, int64_t at);

/* Put a packet: of the end of a slice, and of the value of a counter from @at
 * on. */
void orr_perfetto_put_end(struct orr_perfetto_packet *packet, uint64_t track,
                          int64_t at);
void orr_perfetto_put_value(struct orr_perfetto_packet *packet, uint64_t track,
                            int64_t value, int64_t at);

/* Adds a field that is text. Bytes that are not UTF-8 become U+FFFD. */
void orr_perfetto_put_text(struct orr_protobuf *message, unsigned field,
                           const char *text);

/* Adds an argument of the event: whole numbers, of dates ns. */
void orr_perfetto_put_note(struct orr_perfetto_packet *packet,
                           enum orr_perfetto_note note, uint64_t value);
void orr_perfetto_put_coordinates(struct orr_perfetto_packet *packet,
                                  const unsigned *coordinates, unsigned count);

/* Names the tracks of a process, and a track. @unit: of a counter; 0: the track
 * has slices. */
void orr_perfetto_name_process(struct orr_perfetto_packet *packet,
                               uint64_t process, const char *name);
void orr_perfetto_name_track(struct orr_perfetto_packet *packet, uint64_t track,
                             uint64_t process, const char *name, unsigned unit);

#endif
