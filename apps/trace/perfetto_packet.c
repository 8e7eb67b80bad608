/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/trace/perfetto_packet.h"

/* All packets are of one sequence. */
enum { SEQUENCE = 1 };

/* Fields of the schema, https://perfetto.dev/docs/reference/trace-packet-proto,
 * by message. tests/support/perfetto.proto has their types. */
enum { TRACE_PACKET = 1 };
enum {
    PACKET_TIMESTAMP = 8, /* ns */
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_TRACK = 60
};
enum {
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PROCESS = 3,
    TRACK_PARENT = 5,
    TRACK_COUNTER = 8
};
enum { COUNTER_UNIT = 3 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { EVENT_NOTE = 4, EVENT_TYPE = 9, EVENT_TRACK = 11, EVENT_VALUE = 30 };
enum { NOTE_COUNT = 3, NOTE_NUMBER = 4, NOTE_NAME = 10, NOTE_MEMBER = 12 };

/* Bytes of the lengths of packets, which hold names and arrows, and of notes.
 */
enum { LONG = 4, SHORT = 1 };

/* Bytes of a name, at most: a packet is shorter than 256 MiB. */
enum { MAX_TEXT = 1 << 20 };

/* Begins a packet, and the message @field in it. */
static void begin_packet(struct orr_perfetto_packet *packet, unsigned field)
{
    struct orr_protobuf *message = &packet->message;

    packet->begin = orr_protobuf_begin(message, TRACE_PACKET, LONG);
    orr_protobuf_varint(message, PACKET_SEQUENCE, SEQUENCE);
    packet->part = orr_protobuf_begin(message, field, LONG);
}

/* What the packet of an event begins with, as begin_packet() would write it,
 * and the tags of two of its fields. Lengths have the bytes of LONG. */
static const uint8_t event_head[] = {TRACE_PACKET << 3 | ORR_PROTOBUF_LEN,
                                     0,
                                     0,
                                     0,
                                     0,
                                     PACKET_SEQUENCE << 3,
                                     SEQUENCE,
                                     PACKET_EVENT << 3 | ORR_PROTOBUF_LEN,
                                     0,
                                     0,
                                     0,
                                     0,
                                     EVENT_TYPE << 3,
                                     0,
                                     EVENT_TRACK << 3};

/* Places in it: after the first length, after the second, of the type. */
enum { HEAD_PACKET = 5, HEAD_EVENT = 12, HEAD_TYPE = 13 };

/* Begins the packet of an event. */
void orr_perfetto_begin_event(struct orr_perfetto_packet *packet,
                              enum orr_perfetto_type type, uint64_t track)
{
    struct orr_protobuf *message = &packet->message;

    uint8_t *head = orr_protobuf_room(message, sizeof(event_head));

    memcpy(head, event_head, sizeof(event_head));
    head[HEAD_TYPE] = (uint8_t)type;
    packet->begin = message->size + HEAD_PACKET;
    packet->part = message->size + HEAD_EVENT;
    message->size += sizeof(event_head);
    orr_protobuf_number(message, track);
}

static void flush_if_full(struct orr_perfetto_packet *packet)
{
    if (packet->message.size > ORR_TRACE_BUFFER)
        orr_perfetto_flush(packet);
}

static void end_packet(struct orr_perfetto_packet *packet)
{
    orr_protobuf_end(&packet->message, packet->begin, LONG);
    flush_if_full(packet);
}

void orr_perfetto_flush(struct orr_perfetto_packet *packet)
{
    orr_trace_put_bytes(&packet->file, packet->message.bytes,
                        packet->message.size);
    packet->message.size = 0;
}

void orr_perfetto_end_event(struct orr_perfetto_packet *packet, int64_t at)
{
    orr_protobuf_end(&packet->message, packet->part, LONG);
    orr_protobuf_varint(&packet->message, PACKET_TIMESTAMP, (uint64_t)at);
    end_packet(packet);
}

/* The packet of an event that has no more than a value, most of all packets: as
 * orr_perfetto_begin_event() would begin it, but the bytes of its lengths are
 * those of SHORT. */
static const uint8_t short_head[] = {TRACE_PACKET << 3 | ORR_PROTOBUF_LEN,
                                     0,
                                     PACKET_SEQUENCE << 3,
                                     SEQUENCE,
                                     PACKET_EVENT << 3 | ORR_PROTOBUF_LEN,
                                     0,
                                     EVENT_TYPE << 3,
                                     0,
                                     EVENT_TRACK << 3};

/* Places in it: of the first length, of the second, of the type. */
enum { SHORT_PACKET = 1, SHORT_EVENT = 5, SHORT_TYPE = 7 };

/* It is shorter than 128 bytes, as lengths of SHORT have to be. */
enum {
    SHORT_ROOM = sizeof(short_head) + (size_t)3 * (ORR_PROTOBUF_LONGEST + 2)
};

G_STATIC_ASSERT(SHORT_ROOM < 128);

/* Puts the track into a packet with short_head, @extra, whose number is that of
 * a field and 0 if there is none, and the date. */
static void put_short(struct orr_perfetto_packet *packet,
                      enum orr_perfetto_type type, uint64_t track,
                      unsigned extra, uint64_t value, int64_t at)
{
    struct orr_protobuf *message = &packet->message;
    uint8_t *head = orr_protobuf_room(message, SHORT_ROOM);
    uint8_t *end;

    memcpy(head, short_head, sizeof(short_head));
    head[SHORT_TYPE] = (uint8_t)type;
    end = orr_protobuf_encode(head + sizeof(short_head), track);
    if (extra > 0)
        end = orr_protobuf_encode(
            orr_protobuf_encode(end, extra << 3 | ORR_PROTOBUF_VARINT), value);
    head[SHORT_EVENT] = (uint8_t)(end - head - SHORT_EVENT - 1);
    *end++ = PACKET_TIMESTAMP << 3 | ORR_PROTOBUF_VARINT;
    end = orr_protobuf_encode(end, (uint64_t)at);
    head[SHORT_PACKET] = (uint8_t)(end - head - SHORT_PACKET - 1);
    message->size = (size_t)(end - message->bytes);
    flush_if_full(packet);
}

void orr_perfetto_put_end(struct orr_perfetto_packet *packet, uint64_t track,
                          int64_t at)
{
    put_short(packet, ORR_PERFETTO_END, track, 0, 0, at);
}

void orr_perfetto_put_value(struct orr_perfetto_packet *packet, uint64_t track,
                            int64_t value, int64_t at)
{
    put_short(packet, ORR_PERFETTO_COUNTER, track, EVENT_VALUE, (uint64_t)value,
              at);
}

/* Bytes that are not UTF-8 become U+FFFD. What is longer than a packet may be
 * loses its end. */
void orr_perfetto_put_text(struct orr_protobuf *message, unsigned field,
                           const char *text)
{
    g_autofree char *valid = NULL;

    if (orr_trace_is_plain(text, 0) && strlen(text) <= MAX_TEXT) {
        orr_protobuf_text(message, field, text);
        return;
    }
    valid = g_utf8_make_valid(text, MIN(strlen(text), MAX_TEXT));
    orr_protobuf_text(message, field, valid);
}

void orr_perfetto_name_process(struct orr_perfetto_packet *packet,
                               uint64_t process, const char *name)
{
    struct orr_protobuf *message = &packet->message;
    size_t described;

    begin_packet(packet, PACKET_TRACK);
    orr_protobuf_varint(message, TRACK_UUID, process);
    described = orr_protobuf_begin(message, TRACK_PROCESS, SHORT);
    orr_protobuf_varint(message, PROCESS_PID, process);
    orr_protobuf_text(message, PROCESS_NAME, name);
    orr_protobuf_end(message, described, SHORT);
    orr_protobuf_end(message, packet->part, LONG);
    end_packet(packet);
}

/* @unit: of a counter; 0: the track has slices. */
void orr_perfetto_name_track(struct orr_perfetto_packet *packet, uint64_t track,
                             uint64_t process, const char *name, unsigned unit)
{
    struct orr_protobuf *message = &packet->message;
    size_t counter;

    begin_packet(packet, PACKET_TRACK);
    orr_protobuf_varint(message, TRACK_UUID, track);
    orr_protobuf_varint(message, TRACK_PARENT, process);
    orr_perfetto_put_text(message, TRACK_NAME, name);
    if (unit > 0) {
        counter = orr_protobuf_begin(message, TRACK_COUNTER, SHORT);
        orr_protobuf_varint(message, COUNTER_UNIT, unit);
        orr_protobuf_end(message, counter, SHORT);
    }
    orr_protobuf_end(message, packet->part, LONG);
    end_packet(packet);
}

/* Makes the heads of all arguments. */
static void make_notes(struct orr_perfetto_head *heads)
{
    static const struct {
        const char *name;
        unsigned kind;
    } notes[ORR_NOTES] = {
        [ORR_NOTE_TASK] = {"task", NOTE_COUNT},
        [ORR_NOTE_PRIORITY] = {"priority", NOTE_NUMBER},
        [ORR_NOTE_SUBMITTED] = {"submit_ns", NOTE_NUMBER},
        [ORR_NOTE_READY] = {"ready_ns", NOTE_NUMBER},
        [ORR_NOTE_ARRIVED] = {"data_ns", NOTE_NUMBER},
        [ORR_NOTE_DATA] = {"data", NOTE_COUNT},
        [ORR_NOTE_BYTES] = {"bytes", NOTE_COUNT},
    };

    for (unsigned i = 0; i < ORR_NOTES; i++) {
        struct orr_protobuf message = {0};

        orr_protobuf_begin(&message, EVENT_NOTE, SHORT);
        orr_protobuf_text(&message, NOTE_NAME, notes[i].name);
        orr_protobuf_tag(&message, notes[i].kind, ORR_PROTOBUF_VARINT);
        g_assert(message.size <= ORR_PERFETTO_HEAD);
        memcpy(heads[i].bytes, message.bytes, message.size);
        heads[i].size = message.size;
        orr_protobuf_clear(&message);
    }
}

/* Adds an argument of the event. */
void orr_perfetto_put_note(struct orr_perfetto_packet *packet,
                           enum orr_perfetto_note note, uint64_t value)
{
    const struct orr_perfetto_head *head = &packet->notes[note];
    struct orr_protobuf *message = &packet->message;
    uint8_t *at =
        orr_protobuf_room(message, ORR_PERFETTO_HEAD + ORR_PROTOBUF_LONGEST);
    uint8_t *end;

    memcpy(at, head->bytes, ORR_PERFETTO_HEAD);
    end = orr_protobuf_encode(at + head->size, value);
    at[1] = (uint8_t)(end - at - 2);
    message->size = (size_t)(end - message->bytes);
}

void orr_perfetto_put_coordinates(struct orr_perfetto_packet *packet,
                                  const unsigned *coordinates, unsigned count)
{
    struct orr_protobuf *message = &packet->message;
    size_t note;

    if (count == 0)
        return;
    note = orr_protobuf_begin(message, EVENT_NOTE, SHORT);
    orr_protobuf_text(message, NOTE_NAME, "coordinates");
    for (unsigned i = 0; i < count; i++) {
        size_t member = orr_protobuf_begin(message, NOTE_MEMBER, SHORT);

        orr_protobuf_varint(message, NOTE_COUNT, coordinates[i]);
        orr_protobuf_end(message, member, SHORT);
    }
    orr_protobuf_end(message, note, SHORT);
}

void orr_perfetto_init(struct orr_perfetto_packet *packet)
{
    make_notes(packet->notes);
}

void orr_perfetto_clear(struct orr_perfetto_packet *packet)
{
    orr_protobuf_clear(&packet->message);
}
