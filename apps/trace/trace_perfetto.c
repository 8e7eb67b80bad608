/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Perfetto's protobuf format, for ui.perfetto.dev. A trace is a sequence of
 * packets, which need not be in order of their dates. Those that begin and end
 * a slice say its track; a track for each worker has the kernels, a track for
 * each direction between two memory nodes the copies, and copies that overlap
 * have tracks of their own, since slices of one track nest. Dependencies are
 * flows, as far as trace_window.h tells them. Dates are in ns.
 */
#include "apps/trace/protobuf.h"
#include "apps/trace/trace_file.h"
#include "apps/trace/trace_format.h"
#include "apps/trace/trace_lanes.h"
#include "apps/trace/trace_window.h"

/* Processes in the viewer, and their tracks: the number of a track is that of
 * its process plus a multiple of TRACKS. */
enum { WORKERS = 1, LINKS = 2, TRACKS = 3 };

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
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_PARENT = 5 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum {
    EVENT_NOTE = 4,
    EVENT_TYPE = 9,
    EVENT_TRACK = 11,
    EVENT_NAME = 23,
    EVENT_FLOW = 47,    /* an arrow begins here */
    EVENT_FLOW_END = 48 /* and ends here */
};
enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3 }; /* EVENT_TYPE */
enum { NOTE_COUNT = 3, NOTE_NUMBER = 4, NOTE_NAME = 10, NOTE_MEMBER = 12 };

/* Bytes of the lengths of packets, which hold names and arrows, and of notes.
 */
enum { LONG = 4, SHORT = 1 };

/* Bytes of a name, at most: a packet is shorter than 256 MiB. */
enum { MAX_TEXT = 1 << 20 };

struct perfetto {
    struct orr_trace trace; /* first */
    struct orr_trace_file file;
    struct orr_trace_lanes lanes[TRACKS]; /* by process */
    struct orr_trace_window window;
    struct orr_protobuf message; /* the current packet */
    size_t packet;               /* where it begins */
    size_t part;                 /* where its event or track begins */
    int64_t last;                /* end of the last slice */
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

/* Begins the packet of an event. */
static void begin_event(struct perfetto *perfetto, unsigned type,
                        uint64_t track)
{
    begin_packet(perfetto, PACKET_EVENT);
    orr_protobuf_varint(&perfetto->message, EVENT_TYPE, type);
    orr_protobuf_varint(&perfetto->message, EVENT_TRACK, track);
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

    if (orr_trace_is_plain(text, "") && strlen(text) <= MAX_TEXT) {
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

static void name_track(struct perfetto *perfetto, uint64_t track,
                       unsigned process, const char *name)
{
    struct orr_protobuf *message = &perfetto->message;

    begin_packet(perfetto, PACKET_TRACK);
    orr_protobuf_varint(message, TRACK_UUID, track);
    orr_protobuf_varint(message, TRACK_PARENT, process);
    put_text(message, TRACK_NAME, name);
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
            g_array_index(lanes->lanes, struct orr_trace_lane, lane).name);
    perfetto->last = MAX(perfetto->last, to);
    return lane;
}

/* ---- slices ---- */

static void end_slice(struct perfetto *perfetto, uint64_t track, int64_t at)
{
    begin_event(perfetto, SLICE_END, track);
    end_event(perfetto, at);
}

/* Adds an argument of the event. @kind: NOTE_COUNT, NOTE_NUMBER. */
static void put_note(struct orr_protobuf *message, const char *name,
                     unsigned kind, uint64_t value)
{
    size_t note = orr_protobuf_begin(message, EVENT_NOTE, SHORT);

    orr_protobuf_text(message, NOTE_NAME, name);
    orr_protobuf_varint(message, kind, value);
    orr_protobuf_end(message, note, SHORT);
}

static void put_coordinates(struct orr_protobuf *message,
                            const struct orr_trace_task *task)
{
    size_t note;

    if (task->coordinate_count == 0)
        return;
    note = orr_protobuf_begin(message, EVENT_NOTE, SHORT);
    orr_protobuf_text(message, NOTE_NAME, "coordinates");
    for (unsigned i = 0; i < task->coordinate_count; i++) {
        size_t member = orr_protobuf_begin(message, NOTE_MEMBER, SHORT);

        orr_protobuf_varint(message, NOTE_COUNT, task->coordinates[i]);
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
    const struct orr_trace_task *task = &bar->task;
    struct orr_protobuf *message = &perfetto->message;
    uint64_t track = track_of(WORKERS, bar->lane);

    begin_event(perfetto, SLICE_BEGIN, track);
    put_text(message, EVENT_NAME, bar->name);
    put_note(message, "task", NOTE_COUNT, task->order);
    put_note(message, "priority", NOTE_NUMBER,
             (uint64_t)(int64_t)task->priority);
    put_note(message, "submit_ns", NOTE_NUMBER, (uint64_t)task->submitted);
    put_note(message, "ready_ns", NOTE_NUMBER, (uint64_t)task->ready);
    put_note(message, "data_ns", NOTE_NUMBER, (uint64_t)task->arrived);
    put_coordinates(message, task);
    put_arrows(perfetto, bar);
    end_event(perfetto, bar->from);
    end_slice(perfetto, track, task->kernel_ended);
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
    bar->from = task->kernel_started;
    bar->lane = take_lane(perfetto, WORKERS, task->worker_name, &bar->from,
                          task->kernel_ended);
}

static void put_copy(struct orr_trace *trace, const struct orr_trace_copy *copy)
{
    struct perfetto *perfetto = (struct perfetto *)trace;
    struct orr_protobuf *message = &perfetto->message;
    int64_t from = copy->started;
    char link[ORR_TRACE_LINK];
    uint64_t track;

    orr_trace_link_name(link, copy->from, copy->to);
    track =
        track_of(LINKS, take_lane(perfetto, LINKS, link, &from, copy->ended));
    begin_event(perfetto, SLICE_BEGIN, track);
    put_text(message, EVENT_NAME, copy->why);
    put_note(message, "data", NOTE_COUNT, copy->data);
    put_note(message, "bytes", NOTE_COUNT, copy->bytes);
    put_note(message, "submit_ns", NOTE_NUMBER, (uint64_t)copy->submitted);
    end_event(perfetto, from);
    end_slice(perfetto, track, copy->ended);
}

/* ---- the trace ---- */

static void perfetto_free(struct orr_trace *trace)
{
    struct perfetto *perfetto = (struct perfetto *)trace;

    orr_trace_file_clear(&perfetto->file);
    orr_trace_lanes_clear(&perfetto->lanes[WORKERS]);
    orr_trace_lanes_clear(&perfetto->lanes[LINKS]);
    orr_trace_window_clear(&perfetto->window);
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
        .task = put_task, .copy = put_copy, .wants = ORR_TRACE_PARENTS};
    orr_trace_lanes_init(&perfetto->lanes[WORKERS]);
    orr_trace_lanes_init(&perfetto->lanes[LINKS]);
    orr_trace_window_init(&perfetto->window);
    if (!orr_trace_file_open(&perfetto->file, path, error)) {
        perfetto_free(&perfetto->trace);
        return NULL;
    }
    name_process(perfetto, WORKERS, "workers");
    name_process(perfetto, LINKS, "links");
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
