/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Perfetto's protobuf format, for ui.perfetto.dev. A trace is a sequence of
 * packets, which need not be in order of their dates. Packets that begin and
 * end a slice name its track. A track for each worker has the kernels, a track
 * for each direction between two memory nodes the copies; copies that overlap
 * have tracks of their own, since slices of one track must nest. Dependencies
 * are flows, within the window of trace_window.h; figures over time are
 * counters. Dates are in ns.
 */
#include "apps/trace/protobuf.h"
#include "apps/trace/trace_counters.h"
#include "apps/trace/trace_file.h"
#include "apps/trace/trace_format.h"
#include "apps/trace/trace_lanes.h"
#include "apps/trace/trace_window.h"
#include "models/platform/platform.h"

/* ---- packets: events with arguments, and names of tracks ---- */

/* Fields of an event (trace_packet.proto of Perfetto) that callers of
 * perfetto_begin_event() add. */
enum {
    PERFETTO_NAME = 23,    /* text */
    PERFETTO_FLOW = 47,    /* an arrow begins here: its number, fixed64 */
    PERFETTO_FLOW_END = 48 /* and ends here */
};

/* Types of events. */
enum perfetto_type {
    PERFETTO_BEGIN = 1, /* of a slice */
    PERFETTO_END = 2,
    PERFETTO_INSTANT = 3,
    PERFETTO_COUNTER = 4
};

/* The unit of a counter. */
enum { PERFETTO_COUNT = 2, PERFETTO_BYTES = 3 };

/* Arguments of events. */
enum perfetto_note {
    NOTE_TASK,
    NOTE_PRIORITY,
    NOTE_SUBMITTED,
    NOTE_READY,
    NOTE_ARRIVED,
    NOTE_DATA,
    NOTE_BYTES,
    NOTES
};

/* The beginning of an encoded argument, up to its value; its second byte is the
 * length of the argument. */
enum { PERFETTO_HEAD = 16 }; /* bytes, at most */
struct perfetto_head {
    uint8_t bytes[PERFETTO_HEAD];
    size_t size;
};

struct perfetto_packet {
    struct orr_trace_file file; /* the trace; opened and closed by the caller */
    struct orr_protobuf message; /* packets not yet written to the file */
    size_t begin;                /* offset of the last packet */
    size_t part;                 /* offset of the event or track in it */
    struct perfetto_head notes[NOTES];
};

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

/* Bytes of an encoded length: of packets, which may have names and arrows, and
 * of arguments. */
enum { LONG = 4, SHORT = 1 };

/* Limit on a name, in bytes, as a packet must be shorter than 256 MiB. */
enum { MAX_TEXT = 1 << 20 };

/* Begins a packet, and the message @field in it. */
static void begin_packet(struct perfetto_packet *packet, unsigned field)
{
    struct orr_protobuf *message = &packet->message;

    packet->begin = orr_protobuf_begin(message, TRACE_PACKET, LONG);
    orr_protobuf_varint(message, PACKET_SEQUENCE, SEQUENCE);
    packet->part = orr_protobuf_begin(message, field, LONG);
}

/* The beginning of the packet of an event, as written by begin_packet(), and
 * the tags of two of its fields. Lengths have LONG bytes. */
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

/* Offsets in event_head: after the first length, after the second length, of
 * the type. */
enum { HEAD_PACKET = 5, HEAD_EVENT = 12, HEAD_TYPE = 13 };

/* Begins the packet of an event. */
static void perfetto_begin_event(struct perfetto_packet *packet,
                                 enum perfetto_type type, uint64_t track)
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

/* Writes the pending packets to the file. */
static void perfetto_flush(struct perfetto_packet *packet)
{
    orr_trace_put_bytes(&packet->file, packet->message.bytes,
                        packet->message.size);
    packet->message.size = 0;
}

static void flush_if_full(struct perfetto_packet *packet)
{
    if (packet->message.size > ORR_TRACE_BUFFER)
        perfetto_flush(packet);
}

static void end_packet(struct perfetto_packet *packet)
{
    orr_protobuf_end(&packet->message, packet->begin, LONG);
    flush_if_full(packet);
}

/* @at: ns. */
static void perfetto_end_event(struct perfetto_packet *packet, int64_t at)
{
    orr_protobuf_end(&packet->message, packet->part, LONG);
    orr_protobuf_varint(&packet->message, PACKET_TIMESTAMP, (uint64_t)at);
    end_packet(packet);
}

/* The beginning of a packet of an event with at most one value, as most packets
 * are: as event_head, but with lengths of SHORT bytes. */
static const uint8_t short_head[] = {TRACE_PACKET << 3 | ORR_PROTOBUF_LEN,
                                     0,
                                     PACKET_SEQUENCE << 3,
                                     SEQUENCE,
                                     PACKET_EVENT << 3 | ORR_PROTOBUF_LEN,
                                     0,
                                     EVENT_TYPE << 3,
                                     0,
                                     EVENT_TRACK << 3};

/* Offsets in short_head: of the first length, of the second length, of the
 * type. */
enum { SHORT_PACKET = 1, SHORT_EVENT = 5, SHORT_TYPE = 7 };

/* Longest such packet; it must be shorter than 128 bytes, as its lengths have
 * SHORT bytes. */
enum {
    SHORT_ROOM = sizeof(short_head) + (size_t)3 * (ORR_PROTOBUF_LONGEST + 2)
};

G_STATIC_ASSERT(SHORT_ROOM < 128);

/* Writes a packet with short_head, the track, the field number @extra (0: none)
 * with @value, and the date. */
static void put_short(struct perfetto_packet *packet, enum perfetto_type type,
                      uint64_t track, unsigned extra, uint64_t value,
                      int64_t at)
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

/* Writes the packet of the end of a slice. */
static void perfetto_put_end(struct perfetto_packet *packet, uint64_t track,
                             int64_t at)
{
    put_short(packet, PERFETTO_END, track, 0, 0, at);
}

static void perfetto_put_value(struct perfetto_packet *packet, uint64_t track,
                               int64_t value, int64_t at)
{
    put_short(packet, PERFETTO_COUNTER, track, EVENT_VALUE, (uint64_t)value,
              at);
}

/* Adds a text field. Bytes that are not UTF-8 become U+FFFD; text longer than
 * MAX_TEXT is cut. */
static void perfetto_put_text(struct orr_protobuf *message, unsigned field,
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

/* Names a process. */
static void perfetto_name_process(struct perfetto_packet *packet,
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

/* Names a track. @unit: unit of a counter; 0: the track has slices. */
static void perfetto_name_track(struct perfetto_packet *packet, uint64_t track,
                                uint64_t process, const char *name,
                                unsigned unit)
{
    struct orr_protobuf *message = &packet->message;
    size_t counter;

    begin_packet(packet, PACKET_TRACK);
    orr_protobuf_varint(message, TRACK_UUID, track);
    orr_protobuf_varint(message, TRACK_PARENT, process);
    perfetto_put_text(message, TRACK_NAME, name);
    if (unit > 0) {
        counter = orr_protobuf_begin(message, TRACK_COUNTER, SHORT);
        orr_protobuf_varint(message, COUNTER_UNIT, unit);
        orr_protobuf_end(message, counter, SHORT);
    }
    orr_protobuf_end(message, packet->part, LONG);
    end_packet(packet);
}

/* Encodes the beginnings of all arguments. */
static void make_notes(struct perfetto_head *heads)
{
    static const struct {
        const char *name;
        unsigned kind;
    } notes[NOTES] = {
        [NOTE_TASK] = {"task", NOTE_COUNT},
        [NOTE_PRIORITY] = {"priority", NOTE_NUMBER},
        [NOTE_SUBMITTED] = {"submit_ns", NOTE_NUMBER},
        [NOTE_READY] = {"ready_ns", NOTE_NUMBER},
        [NOTE_ARRIVED] = {"data_ns", NOTE_NUMBER},
        [NOTE_DATA] = {"data", NOTE_COUNT},
        [NOTE_BYTES] = {"bytes", NOTE_COUNT},
    };

    for (unsigned i = 0; i < NOTES; i++) {
        struct orr_protobuf message = {0};

        orr_protobuf_begin(&message, EVENT_NOTE, SHORT);
        orr_protobuf_text(&message, NOTE_NAME, notes[i].name);
        orr_protobuf_tag(&message, notes[i].kind, ORR_PROTOBUF_VARINT);
        g_assert(message.size <= PERFETTO_HEAD);
        memcpy(heads[i].bytes, message.bytes, message.size);
        heads[i].size = message.size;
        orr_protobuf_clear(&message);
    }
}

/* Adds an argument of the event. */
static void perfetto_put_note(struct perfetto_packet *packet,
                              enum perfetto_note note, uint64_t value)
{
    const struct perfetto_head *head = &packet->notes[note];
    struct orr_protobuf *message = &packet->message;
    uint8_t *at =
        orr_protobuf_room(message, PERFETTO_HEAD + ORR_PROTOBUF_LONGEST);
    uint8_t *end;

    memcpy(at, head->bytes, PERFETTO_HEAD);
    end = orr_protobuf_encode(at + head->size, value);
    at[1] = (uint8_t)(end - at - 2);
    message->size = (size_t)(end - message->bytes);
}

static void perfetto_put_coordinates(struct perfetto_packet *packet,
                                     const unsigned *coordinates,
                                     unsigned count)
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

/* Sets all members but the file, which the caller opens and clears. */
static void perfetto_init(struct perfetto_packet *packet)
{
    make_notes(packet->notes);
}

static void perfetto_clear(struct perfetto_packet *packet)
{
    orr_protobuf_clear(&packet->message);
}

/* Processes in the viewer. The number of a track is the number of its process
 * plus a multiple of TRACKS. */
enum { WORKERS = 1, LINKS = 2, COUNTERS = 3, TRACKS = 4 };

/* Figures, shown as tracks of process COUNTERS: memories by node, powers by
 * device, links by group of lanes. */
enum {
    READY = 0,
    MEMORY = 1,
    POWER = MEMORY + ORR_MAX_NODES,
    BANDWIDTH = POWER + ORR_MAX_NODES,
    FIGURES = BANDWIDTH + ORR_MAX_NODES * ORR_MAX_NODES
};

struct perfetto {
    struct orr_trace trace; /* first */
    struct perfetto_packet packet;
    struct orr_trace_lanes lanes[TRACKS]; /* by process */
    struct orr_trace_window window;
    struct orr_trace_counters counters;
    int64_t memory[ORR_MAX_NODES]; /* bytes of buffers, by memory node */
    bool named[FIGURES];           /* by figure: its track has been named */
    int64_t last;                  /* end of the last slice */
};

/* The track of the lane number @lane. */
static uint64_t track_of(unsigned process, unsigned lane)
{
    return process + TRACKS * (lane + (uint64_t)1);
}

/* Returns the lane for a slice, and names its track if it is new. */
static unsigned take_lane(struct perfetto *perfetto, unsigned process,
                          const struct orr_trace_group *group, int64_t *from,
                          int64_t to)
{
    struct orr_trace_lanes *lanes = &perfetto->lanes[process];
    bool is_new;
    unsigned lane = orr_trace_lanes_take(lanes, group, from, to, &is_new);

    if (is_new)
        perfetto_name_track(
            &perfetto->packet, track_of(process, lane), process,
            g_array_index(lanes->lanes, struct orr_trace_lane, lane).name, 0);
    perfetto->last = MAX(perfetto->last, to);
    return lane;
}

/* ---- counters ---- */

static void put_counter(void *data, unsigned figure, int64_t from, int64_t to,
                        int64_t value)
{
    struct perfetto *perfetto = data;

    (void)to;
    perfetto_put_value(&perfetto->packet, track_of(COUNTERS, figure), value,
                       from);
}

/* Names the track of a figure, once: @what, or "@what: @name". */
static void name_figure(struct perfetto *perfetto, unsigned figure,
                        const char *what, const char *name, unsigned unit)
{
    g_autofree char *full = NULL;

    if (perfetto->named[figure])
        return;
    perfetto->named[figure] = true;
    full = name ? g_strdup_printf("%s: %s", what, name) : g_strdup(what);
    perfetto_name_track(&perfetto->packet, track_of(COUNTERS, figure), COUNTERS,
                        full, unit);
}

static void put_ready(struct orr_trace *trace,
                      const struct orr_trace_ready *ready)
{
    orr_trace_counters_set(&((struct perfetto *)trace)->counters, READY,
                           ready->date, (int64_t)ready->count);
}

static void change_memory(struct perfetto *perfetto, unsigned node,
                          const char *name, int64_t date, int64_t bytes)
{
    name_figure(perfetto, MEMORY + node, "memory", name, PERFETTO_BYTES);
    perfetto->memory[node] += bytes;
    orr_trace_counters_set(&perfetto->counters, MEMORY + node, date,
                           perfetto->memory[node]);
}

static void put_allocation(struct orr_trace *trace,
                           const struct orr_trace_allocation *allocation)
{
    change_memory((struct perfetto *)trace, allocation->memory_node,
                  allocation->memory, allocation->date,
                  (int64_t)allocation->datum.bytes);
}

static void put_eviction(struct orr_trace *trace,
                         const struct orr_trace_eviction *eviction)
{
    change_memory((struct perfetto *)trace, eviction->memory_node,
                  eviction->memory, eviction->date,
                  -(int64_t)eviction->datum.bytes);
}

static void put_power(struct orr_trace *trace,
                      const struct orr_trace_power *power)
{
    struct perfetto *perfetto = (struct perfetto *)trace;
    unsigned figure = POWER + power->device;

    name_figure(perfetto, figure, "mW", power->name, PERFETTO_COUNT);
    orr_trace_counters_set(&perfetto->counters, figure, power->date,
                           (int64_t)(power->watts * 1e3 + 0.5));
}

/* The figure of the bytes per second over @link. */
static unsigned bandwidth_of(struct perfetto *perfetto,
                             const struct orr_trace_group *link)
{
    unsigned figure = BANDWIDTH + link->number;
    g_autofree char *name = NULL;

    if (!perfetto->named[figure]) {
        name = orr_trace_group_name(link);
        name_figure(perfetto, figure, "bytes/s", name, PERFETTO_BYTES);
    }
    return figure;
}

/* ---- slices ---- */

static void put_arrows(struct perfetto *perfetto,
                       const struct orr_trace_bar *bar)
{
    const struct orr_trace_window *window = &perfetto->window;
    struct orr_protobuf *message = &perfetto->packet.message;

    for (uint32_t arrow = bar->after; orr_trace_window_has(window, arrow);
         arrow = orr_trace_window_previous(window, arrow))
        orr_protobuf_fixed64(message, PERFETTO_FLOW, arrow);
    for (uint32_t i = 0; i < bar->before_count; i++)
        if (orr_trace_window_has(window, bar->before + i))
            orr_protobuf_fixed64(message, PERFETTO_FLOW_END, bar->before + i);
}

static void put_bar(struct perfetto *perfetto, const struct orr_trace_bar *bar)
{
    struct orr_protobuf *message = &perfetto->packet.message;
    uint64_t track = track_of(WORKERS, bar->lane);

    perfetto_begin_event(&perfetto->packet, PERFETTO_BEGIN, track);
    perfetto_put_text(message, PERFETTO_NAME, bar->name);
    perfetto_put_note(&perfetto->packet, NOTE_TASK, bar->order);
    perfetto_put_note(&perfetto->packet, NOTE_PRIORITY,
                      (uint64_t)(int64_t)bar->priority);
    perfetto_put_note(&perfetto->packet, NOTE_SUBMITTED,
                      (uint64_t)bar->submitted);
    perfetto_put_note(&perfetto->packet, NOTE_READY, (uint64_t)bar->ready);
    perfetto_put_note(&perfetto->packet, NOTE_ARRIVED, (uint64_t)bar->arrived);
    perfetto_put_coordinates(&perfetto->packet, bar->coordinates,
                             bar->coordinate_count);
    put_arrows(perfetto, bar);
    perfetto_end_event(&perfetto->packet, bar->from);
    perfetto_put_end(&perfetto->packet, track, bar->to);
}

static void put_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    struct perfetto *perfetto = (struct perfetto *)trace;
    const struct orr_trace_bar *oldest =
        orr_trace_window_leave(&perfetto->window, false);
    struct orr_trace_group worker = orr_trace_worker(task);
    struct orr_trace_bar *bar;

    if (oldest)
        put_bar(perfetto, oldest);
    bar = orr_trace_window_add(&perfetto->window, task);
    bar->lane =
        take_lane(perfetto, WORKERS, &worker, &bar->from, task->kernel_ended);
}

/* Begins a slice with the arguments @bytes and @data, a number of a datum;
 * callers may add arguments. */
static void begin_slice(struct perfetto *perfetto, uint64_t track,
                        const char *name, uint64_t data, uint64_t bytes)
{
    perfetto_begin_event(&perfetto->packet, PERFETTO_BEGIN, track);
    perfetto_put_text(&perfetto->packet.message, PERFETTO_NAME, name);
    perfetto_put_note(&perfetto->packet, NOTE_DATA, data);
    perfetto_put_note(&perfetto->packet, NOTE_BYTES, bytes);
}

static void end_slice(struct perfetto *perfetto, uint64_t track, int64_t from,
                      int64_t to)
{
    perfetto_end_event(&perfetto->packet, from);
    perfetto_put_end(&perfetto->packet, track, to);
}

static void put_copy(struct orr_trace *trace, const struct orr_trace_copy *copy)
{
    struct perfetto *perfetto = (struct perfetto *)trace;
    struct orr_trace_group link = orr_trace_link(copy);
    int64_t from = copy->started;
    uint64_t track =
        track_of(LINKS, take_lane(perfetto, LINKS, &link, &from, copy->ended));

    begin_slice(perfetto, track, copy->why, copy->data, copy->bytes);
    perfetto_put_note(&perfetto->packet, NOTE_SUBMITTED,
                      (uint64_t)copy->submitted);
    end_slice(perfetto, track, from, copy->ended);
    orr_trace_counters_pass(&perfetto->counters, bandwidth_of(perfetto, &link),
                            copy->started, copy->ended, copy->bytes);
}

static void put_use(struct orr_trace *trace, const struct orr_trace_use *use)
{
    struct perfetto *perfetto = (struct perfetto *)trace;
    struct orr_trace_group group = orr_trace_application();
    int64_t from = use->asked;
    uint64_t track = track_of(
        WORKERS, take_lane(perfetto, WORKERS, &group, &from, use->released));

    for (unsigned i = 0; i < ORR_TRACE_USE_BARS; i++) {
        struct orr_trace_use_bar bar = orr_trace_use_bar(use, i);

        begin_slice(perfetto, track, bar.name, use->datum.number,
                    use->datum.bytes);
        end_slice(perfetto, track, bar.from, bar.to);
    }
}

/* ---- the trace ---- */

static void perfetto_free(struct orr_trace *trace)
{
    struct perfetto *perfetto = (struct perfetto *)trace;

    orr_trace_file_clear(&perfetto->packet.file);
    orr_trace_lanes_clear(&perfetto->lanes[WORKERS]);
    orr_trace_lanes_clear(&perfetto->lanes[LINKS]);
    orr_trace_window_clear(&perfetto->window);
    orr_trace_counters_clear(&perfetto->counters);
    perfetto_clear(&perfetto->packet);
    g_free(perfetto);
}

static struct orr_trace *perfetto_open(const char *path,
                                       const struct orr_traced_run *run,
                                       GError **error)
{
    struct perfetto *perfetto = g_new0(struct perfetto, 1);

    (void)run;
    perfetto->trace = (struct orr_trace){
        ORR_TRACE_INIT,
        .task = put_task,
        .copy = put_copy,
        .eviction = put_eviction,
        .allocation = put_allocation,
        .ready = put_ready,
        .power = put_power,
        .use = put_use,
        .wants = ORR_TRACE_PARENTS,
    };
    perfetto_init(&perfetto->packet);
    perfetto->counters.put = put_counter;
    perfetto->counters.data = perfetto;
    orr_trace_counters_init(&perfetto->counters);
    orr_trace_lanes_init(&perfetto->lanes[WORKERS]);
    orr_trace_lanes_init(&perfetto->lanes[LINKS]);
    orr_trace_window_init(&perfetto->window);
    if (!orr_trace_file_open(&perfetto->packet.file, path, error)) {
        perfetto_free(&perfetto->trace);
        return NULL;
    }
    perfetto_name_process(&perfetto->packet, WORKERS, "workers");
    perfetto_name_process(&perfetto->packet, LINKS, "links");
    perfetto_name_process(&perfetto->packet, COUNTERS, "counters");
    name_figure(perfetto, READY, "ready tasks", NULL, PERFETTO_COUNT);
    return &perfetto->trace;
}

/* Marks a run that hangs with an event of the first process. */
static void mark_unfinished(struct perfetto *perfetto)
{
    perfetto_begin_event(&perfetto->packet, PERFETTO_INSTANT, WORKERS);
    orr_protobuf_text(&perfetto->packet.message, PERFETTO_NAME, "unfinished");
    perfetto_end_event(&perfetto->packet, perfetto->last);
}

static bool perfetto_finish(struct orr_trace *trace, bool complete,
                            GError **error)
{
    struct perfetto *perfetto = (struct perfetto *)trace;
    const struct orr_trace_bar *bar;

    while ((bar = orr_trace_window_leave(&perfetto->window, true)))
        put_bar(perfetto, bar);
    orr_trace_counters_end(&perfetto->counters, perfetto->last);
    if (!complete)
        mark_unfinished(perfetto);
    perfetto_flush(&perfetto->packet);
    return orr_trace_file_finish(&perfetto->packet.file, error);
}

static bool perfetto_move(struct orr_trace *trace, GError **error)
{
    return orr_draft_move(&((struct perfetto *)trace)->packet.file.draft,
                          error);
}

const struct orr_trace_format orr_trace_perfetto = {
    .name = "perfetto",
    .suffix = ".pftrace",
    .compresses = true,
    .files = orr_trace_one_file,
    .open = perfetto_open,
    .finish = perfetto_finish,
    .move = perfetto_move,
    .free = perfetto_free,
};
