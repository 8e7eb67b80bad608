/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Perfetto's protobuf format, for ui.perfetto.dev. A trace is a sequence of
 * packets, which need not be in order of their dates. Those that begin and end
 * a slice say its track; a track for each worker has the kernels, a track for
 * each direction between two memory nodes the copies, and copies that overlap
 * have tracks of their own, since slices of one track nest. Dependencies are
 * flows, as far as trace_window.h tells them; figures over time are counters.
 * Dates are in ns.
 */
#include "apps/trace/protobuf.h"
#include "apps/trace/trace_counters.h"
#include "apps/trace/trace_file.h"
#include "apps/trace/trace_format.h"
#include "apps/trace/trace_lanes.h"
#include "apps/trace/trace_window.h"
#include "models/base/name_index.h"
#include "models/platform/platform.h"

/* Processes in the viewer, and their tracks: the number of a track is that of
 * its process plus a multiple of TRACKS. */
enum { WORKERS = 1, LINKS = 2, COUNTERS = 3, TRACKS = 4 };

/* Figures, whose tracks are those of COUNTERS: memories by their nodes, powers
 * by devices, and links by their groups of lanes. */
enum {
    READY = 0,
    MEMORY = 1,
    POWER = MEMORY + ORR_MAX_NODES,
    BANDWIDTH = POWER + ORR_MAX_NODES
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
enum { COUNT = 2, BYTES = 3 }; /* COUNTER_UNIT */
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum {
    EVENT_NOTE = 4,
    EVENT_TYPE = 9,
    EVENT_TRACK = 11,
    EVENT_NAME = 23,
    EVENT_VALUE = 30,   /* of a counter */
    EVENT_FLOW = 47,    /* an arrow begins here */
    EVENT_FLOW_END = 48 /* and ends here */
};
enum {
    SLICE_BEGIN = 1,
    SLICE_END = 2,
    INSTANT = 3,
    COUNTER = 4
}; /* EVENT_TYPE
    */
enum { NOTE_COUNT = 3, NOTE_NUMBER = 4, NOTE_NAME = 10, NOTE_MEMBER = 12 };

/* Bytes of the lengths of packets, which hold names and arrows, and of notes.
 */
enum { LONG = 4, SHORT = 1 };

/* Bytes of a name, at most: a packet is shorter than 256 MiB. */
enum { MAX_TEXT = 1 << 20 };

/* Arguments of events. */
enum note {
    NOTE_TASK,
    NOTE_PRIORITY,
    NOTE_SUBMITTED,
    NOTE_READY,
    NOTE_ARRIVED,
    NOTE_DATA,
    NOTE_BYTES,
    NOTES
};

/* What an argument begins with, up to its value: its second byte is the length
 * of the argument. */
enum { HEAD = 16 }; /* bytes, at most */
struct head {
    uint8_t bytes[HEAD];
    size_t size;
};

struct perfetto {
    struct orr_trace trace; /* first */
    struct head notes[NOTES];
    struct orr_trace_file file;
    struct orr_trace_lanes lanes[TRACKS]; /* by process */
    struct orr_trace_window window;
    struct orr_trace_counters counters;
    int64_t memory[ORR_MAX_NODES]; /* bytes of buffers, by memory node */
    bool named[ORR_MAX_NODES];     /* its figure has a track, */
    bool powered[ORR_MAX_NODES];   /* that of a device, too */
    struct orr_name_index links;   /* their figures */
    struct orr_protobuf message;   /* the current packet */
    size_t packet;                 /* where it begins */
    size_t part;                   /* where its event or track begins */
    int64_t last;                  /* end of the last slice */
};

/* Begins a packet, and the message @field in it. */
static void begin_packet(struct perfetto *perfetto, unsigned field)
{
    struct orr_protobuf *message = &perfetto->message;

    message->size = 0;
    perfetto->packet = orr_protobuf_begin(message, TRACE_PACKET, LONG);
    orr_protobuf_varint(message, PACKET_SEQUENCE, SEQUENCE);
    perfetto->part = orr_protobuf_begin(message, field, LONG);
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
static void begin_event(struct perfetto *perfetto, unsigned type,
                        uint64_t track)
{
    struct orr_protobuf *message = &perfetto->message;

    message->size = 0;
    memcpy(orr_protobuf_room(message, sizeof(event_head)), event_head,
           sizeof(event_head));
    message->bytes[HEAD_TYPE] = (uint8_t)type;
    message->size = sizeof(event_head);
    perfetto->packet = HEAD_PACKET;
    perfetto->part = HEAD_EVENT;
    orr_protobuf_number(message, track);
}

static void end_packet(struct perfetto *perfetto)
{
    struct orr_protobuf *message = &perfetto->message;

    orr_protobuf_end(message, perfetto->packet, LONG);
    orr_trace_put_bytes(&perfetto->file, message->bytes, message->size);
}

static void end_event(struct perfetto *perfetto, int64_t at)
{
    orr_protobuf_end(&perfetto->message, perfetto->part, LONG);
    orr_protobuf_varint(&perfetto->message, PACKET_TIMESTAMP, (uint64_t)at);
    end_packet(perfetto);
}

/* Bytes that are not UTF-8 become U+FFFD. What is longer than a packet may be
 * loses its end. */
static void put_text(struct orr_protobuf *message, unsigned field,
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

static void name_process(struct perfetto *perfetto, uint64_t process,
                         const char *name)
{
    struct orr_protobuf *message = &perfetto->message;
    size_t described;

    begin_packet(perfetto, PACKET_TRACK);
    orr_protobuf_varint(message, TRACK_UUID, process);
    described = orr_protobuf_begin(message, TRACK_PROCESS, SHORT);
    orr_protobuf_varint(message, PROCESS_PID, process);
    orr_protobuf_text(message, PROCESS_NAME, name);
    orr_protobuf_end(message, described, SHORT);
    orr_protobuf_end(message, perfetto->part, LONG);
    end_packet(perfetto);
}

/* @unit: of a counter; 0: the track has slices. */
static void name_track(struct perfetto *perfetto, uint64_t track,
                       unsigned process, const char *name, unsigned unit)
{
    struct orr_protobuf *message = &perfetto->message;
    size_t counter;

    begin_packet(perfetto, PACKET_TRACK);
    orr_protobuf_varint(message, TRACK_UUID, track);
    orr_protobuf_varint(message, TRACK_PARENT, process);
    put_text(message, TRACK_NAME, name);
    if (unit > 0) {
        counter = orr_protobuf_begin(message, TRACK_COUNTER, SHORT);
        orr_protobuf_varint(message, COUNTER_UNIT, unit);
        orr_protobuf_end(message, counter, SHORT);
    }
    orr_protobuf_end(message, perfetto->part, LONG);
    end_packet(perfetto);
}

/* The track of the lane number @lane. */
static uint64_t track_of(unsigned process, unsigned lane)
{
    return process + TRACKS * (lane + (uint64_t)1);
}

/* Takes a lane for a slice, whose track it names if it is new. */
static unsigned take_lane(struct perfetto *perfetto, unsigned process,
                          const char *name, int64_t *from, int64_t to)
{
    struct orr_trace_lanes *lanes = &perfetto->lanes[process];
    bool is_new;
    unsigned lane = orr_trace_lanes_take(lanes, name, process == WORKERS, from,
                                         to, &is_new);

    if (is_new)
        name_track(
            perfetto, track_of(process, lane), process,
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
    begin_event(perfetto, COUNTER, track_of(COUNTERS, figure));
    orr_protobuf_varint(&perfetto->message, EVENT_VALUE, (uint64_t)value);
    end_event(perfetto, from);
}

/* Names the track of a figure: @what, or "@what: @name". */
static void name_figure(struct perfetto *perfetto, unsigned figure,
                        const char *what, const char *name, unsigned unit)
{
    g_autofree char *full =
        name ? g_strdup_printf("%s: %s", what, name) : g_strdup(what);

    name_track(perfetto, track_of(COUNTERS, figure), COUNTERS, full, unit);
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
    if (!perfetto->named[node]) {
        name_figure(perfetto, MEMORY + node, "memory", name, BYTES);
        perfetto->named[node] = true;
    }
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

    if (!perfetto->powered[power->device])
        name_figure(perfetto, figure, "mW", power->name, COUNT);
    perfetto->powered[power->device] = true;
    orr_trace_counters_set(&perfetto->counters, figure, power->date,
                           (int64_t)(power->watts * 1e3 + 0.5));
}

/* The figure of the bytes per second over the link @name. */
static unsigned bandwidth_of(struct perfetto *perfetto, const char *name)
{
    guint known = orr_name_index_count(&perfetto->links);
    guint link = orr_name_index_add(&perfetto->links, name);

    if (link == known)
        name_figure(perfetto, BANDWIDTH + link, "bytes/s", name, BYTES);
    return BANDWIDTH + link;
}

/* ---- slices ---- */

static void end_slice(struct perfetto *perfetto, uint64_t track, int64_t at)
{
    begin_event(perfetto, SLICE_END, track);
    end_event(perfetto, at);
}

/* Makes the heads of all arguments. */
static void make_notes(struct head *heads)
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
        g_assert(message.size <= HEAD);
        memcpy(heads[i].bytes, message.bytes, message.size);
        heads[i].size = message.size;
        orr_protobuf_clear(&message);
    }
}

/* Adds an argument of the event. */
static void put_note(struct perfetto *perfetto, enum note note, uint64_t value)
{
    const struct head *head = &perfetto->notes[note];
    struct orr_protobuf *message = &perfetto->message;
    uint8_t *at = orr_protobuf_room(message, HEAD + ORR_PROTOBUF_LONGEST);
    uint8_t *end;

    memcpy(at, head->bytes, HEAD);
    end = orr_protobuf_encode(at + head->size, value);
    at[1] = (uint8_t)(end - at - 2);
    message->size = (size_t)(end - message->bytes);
}

static void put_coordinates(struct orr_protobuf *message,
                            const struct orr_trace_bar *bar)
{
    size_t note;

    if (bar->coordinate_count == 0)
        return;
    note = orr_protobuf_begin(message, EVENT_NOTE, SHORT);
    orr_protobuf_text(message, NOTE_NAME, "coordinates");
    for (unsigned i = 0; i < bar->coordinate_count; i++) {
        size_t member = orr_protobuf_begin(message, NOTE_MEMBER, SHORT);

        orr_protobuf_varint(message, NOTE_COUNT, bar->coordinates[i]);
        orr_protobuf_end(message, member, SHORT);
    }
    orr_protobuf_end(message, note, SHORT);
}

static void put_arrows(struct perfetto *perfetto,
                       const struct orr_trace_bar *bar)
{
    const struct orr_trace_window *window = &perfetto->window;
    const struct orr_trace_arrow *arrow;

    for (uint64_t number = bar->after;
         (arrow = orr_trace_window_arrow(window, number));
         number = arrow->after)
        orr_protobuf_fixed64(&perfetto->message, EVENT_FLOW, number);
    for (uint64_t number = bar->before;
         (arrow = orr_trace_window_arrow(window, number));
         number = arrow->before)
        orr_protobuf_fixed64(&perfetto->message, EVENT_FLOW_END, number);
}

static void put_bar(struct perfetto *perfetto, const struct orr_trace_bar *bar)
{
    struct orr_protobuf *message = &perfetto->message;
    uint64_t track = track_of(WORKERS, bar->lane);

    begin_event(perfetto, SLICE_BEGIN, track);
    put_text(message, EVENT_NAME, bar->name);
    put_note(perfetto, NOTE_TASK, bar->order);
    put_note(perfetto, NOTE_PRIORITY, (uint64_t)(int64_t)bar->priority);
    put_note(perfetto, NOTE_SUBMITTED, (uint64_t)bar->submitted);
    put_note(perfetto, NOTE_READY, (uint64_t)bar->ready);
    put_note(perfetto, NOTE_ARRIVED, (uint64_t)bar->arrived);
    put_coordinates(message, bar);
    put_arrows(perfetto, bar);
    end_event(perfetto, bar->from);
    end_slice(perfetto, track, bar->to);
}

static void put_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    struct perfetto *perfetto = (struct perfetto *)trace;
    const struct orr_trace_bar *oldest =
        orr_trace_window_leave(&perfetto->window, false);
    struct orr_trace_bar *bar;

    if (oldest)
        put_bar(perfetto, oldest);
    bar = orr_trace_window_add(&perfetto->window, task);
    bar->lane = take_lane(perfetto, WORKERS, task->worker_name, &bar->from,
                          task->kernel_ended);
}

static void put_copy(struct orr_trace *trace, const struct orr_trace_copy *copy)
{
    struct perfetto *perfetto = (struct perfetto *)trace;
    int64_t from = copy->started;
    char link[ORR_TRACE_LINK];
    uint64_t track;

    orr_trace_link_name(link, copy->from, copy->to);
    track =
        track_of(LINKS, take_lane(perfetto, LINKS, link, &from, copy->ended));
    begin_event(perfetto, SLICE_BEGIN, track);
    put_text(&perfetto->message, EVENT_NAME, copy->why);
    put_note(perfetto, NOTE_DATA, copy->data);
    put_note(perfetto, NOTE_BYTES, copy->bytes);
    put_note(perfetto, NOTE_SUBMITTED, (uint64_t)copy->submitted);
    end_event(perfetto, from);
    end_slice(perfetto, track, copy->ended);
    orr_trace_counters_pass(&perfetto->counters, bandwidth_of(perfetto, link),
                            copy->started, copy->ended, copy->bytes);
}

/* ---- the trace ---- */

static void perfetto_free(struct orr_trace *trace)
{
    struct perfetto *perfetto = (struct perfetto *)trace;

    orr_trace_file_clear(&perfetto->file);
    orr_trace_lanes_clear(&perfetto->lanes[WORKERS]);
    orr_trace_lanes_clear(&perfetto->lanes[LINKS]);
    orr_trace_window_clear(&perfetto->window);
    orr_trace_counters_clear(&perfetto->counters);
    orr_name_index_clear(&perfetto->links);
    orr_protobuf_clear(&perfetto->message);
    g_free(perfetto);
}

static struct orr_trace *perfetto_open(const char *path,
                                       const struct orr_settings *settings,
                                       GError **error)
{
    struct perfetto *perfetto = g_new0(struct perfetto, 1);

    (void)settings;
    perfetto->trace = (struct orr_trace){
        .task = put_task,
        .copy = put_copy,
        .eviction = put_eviction,
        .allocation = put_allocation,
        .ready = put_ready,
        .power = put_power,
        .wants = ORR_TRACE_PARENTS,
    };
    make_notes(perfetto->notes);
    perfetto->counters.put = put_counter;
    perfetto->counters.data = perfetto;
    orr_trace_counters_init(&perfetto->counters);
    orr_name_index_init(&perfetto->links);
    orr_trace_lanes_init(&perfetto->lanes[WORKERS]);
    orr_trace_lanes_init(&perfetto->lanes[LINKS]);
    orr_trace_window_init(&perfetto->window);
    if (!orr_trace_file_open(&perfetto->file, path, error)) {
        perfetto_free(&perfetto->trace);
        return NULL;
    }
    name_process(perfetto, WORKERS, "workers");
    name_process(perfetto, LINKS, "links");
    name_process(perfetto, COUNTERS, "counters");
    name_figure(perfetto, READY, "ready tasks", NULL, COUNT);
    return &perfetto->trace;
}

/* The mark is an event of the first process. */
static void mark_unfinished(struct perfetto *perfetto)
{
    begin_event(perfetto, INSTANT, WORKERS);
    orr_protobuf_text(&perfetto->message, EVENT_NAME, "unfinished");
    end_event(perfetto, perfetto->last);
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
    return orr_trace_file_finish(&perfetto->file, error);
}

static bool perfetto_move(struct orr_trace *trace, GError **error)
{
    return orr_draft_move(&((struct perfetto *)trace)->file.draft, error);
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
