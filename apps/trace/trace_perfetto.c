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
#include "apps/trace/perfetto_packet.h"
#include "apps/trace/trace_counters.h"
#include "apps/trace/trace_file.h"
#include "apps/trace/trace_format.h"
#include "apps/trace/trace_lanes.h"
#include "apps/trace/trace_window.h"
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
    BANDWIDTH = POWER + ORR_MAX_NODES,
    FIGURES = BANDWIDTH + ORR_MAX_NODES * ORR_MAX_NODES
};

struct perfetto {
    struct orr_trace trace; /* first */
    struct orr_perfetto_packet packet;
    struct orr_trace_lanes lanes[TRACKS]; /* by process */
    struct orr_trace_window window;
    struct orr_trace_counters counters;
    int64_t memory[ORR_MAX_NODES]; /* bytes of buffers, by memory node */
    bool named[FIGURES];           /* they have tracks */
    int64_t last;                  /* end of the last slice */
};

/* The track of the lane number @lane. */
static uint64_t track_of(unsigned process, unsigned lane)
{
    return process + TRACKS * (lane + (uint64_t)1);
}

/* Takes a lane for a slice, whose track it names if it is new. */
static unsigned take_lane(struct perfetto *perfetto, unsigned process,
                          const struct orr_trace_group *group, int64_t *from,
                          int64_t to)
{
    struct orr_trace_lanes *lanes = &perfetto->lanes[process];
    bool is_new;
    unsigned lane = orr_trace_lanes_take(lanes, group, from, to, &is_new);

    if (is_new)
        orr_perfetto_name_track(
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
    orr_perfetto_put_value(&perfetto->packet, track_of(COUNTERS, figure), value,
                           from);
}

/* Names the track of a figure, unless it has a name: @what, or "@what: @name".
 */
static void name_figure(struct perfetto *perfetto, unsigned figure,
                        const char *what, const char *name, unsigned unit)
{
    g_autofree char *full = NULL;

    if (perfetto->named[figure])
        return;
    perfetto->named[figure] = true;
    full = name ? g_strdup_printf("%s: %s", what, name) : g_strdup(what);
    orr_perfetto_name_track(&perfetto->packet, track_of(COUNTERS, figure),
                            COUNTERS, full, unit);
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
    name_figure(perfetto, MEMORY + node, "memory", name, ORR_PERFETTO_BYTES);
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

    name_figure(perfetto, figure, "mW", power->name, ORR_PERFETTO_COUNT);
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
        name_figure(perfetto, figure, "bytes/s", name, ORR_PERFETTO_BYTES);
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
        orr_protobuf_fixed64(message, ORR_PERFETTO_FLOW, arrow);
    for (uint32_t i = 0; i < bar->before_count; i++)
        if (orr_trace_window_has(window, bar->before + i))
            orr_protobuf_fixed64(message, ORR_PERFETTO_FLOW_END,
                                 bar->before + i);
}

static void put_bar(struct perfetto *perfetto, const struct orr_trace_bar *bar)
{
    struct orr_protobuf *message = &perfetto->packet.message;
    uint64_t track = track_of(WORKERS, bar->lane);

    orr_perfetto_begin_event(&perfetto->packet, ORR_PERFETTO_BEGIN, track);
    orr_perfetto_put_text(message, ORR_PERFETTO_NAME, bar->name);
    orr_perfetto_put_note(&perfetto->packet, ORR_NOTE_TASK, bar->order);
    orr_perfetto_put_note(&perfetto->packet, ORR_NOTE_PRIORITY,
                          (uint64_t)(int64_t)bar->priority);
    orr_perfetto_put_note(&perfetto->packet, ORR_NOTE_SUBMITTED,
                          (uint64_t)bar->submitted);
    orr_perfetto_put_note(&perfetto->packet, ORR_NOTE_READY,
                          (uint64_t)bar->ready);
    orr_perfetto_put_note(&perfetto->packet, ORR_NOTE_ARRIVED,
                          (uint64_t)bar->arrived);
    orr_perfetto_put_coordinates(&perfetto->packet, bar->coordinates,
                                 bar->coordinate_count);
    put_arrows(perfetto, bar);
    orr_perfetto_end_event(&perfetto->packet, bar->from);
    orr_perfetto_put_end(&perfetto->packet, track, bar->to);
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

/* Begins a slice about @bytes of the datum number @data; other notes may
 * follow. */
static void begin_slice(struct perfetto *perfetto, uint64_t track,
                        const char *name, uint64_t data, uint64_t bytes)
{
    orr_perfetto_begin_event(&perfetto->packet, ORR_PERFETTO_BEGIN, track);
    orr_perfetto_put_text(&perfetto->packet.message, ORR_PERFETTO_NAME, name);
    orr_perfetto_put_note(&perfetto->packet, ORR_NOTE_DATA, data);
    orr_perfetto_put_note(&perfetto->packet, ORR_NOTE_BYTES, bytes);
}

static void end_slice(struct perfetto *perfetto, uint64_t track, int64_t from,
                      int64_t to)
{
    orr_perfetto_end_event(&perfetto->packet, from);
    orr_perfetto_put_end(&perfetto->packet, track, to);
}

static void put_copy(struct orr_trace *trace, const struct orr_trace_copy *copy)
{
    struct perfetto *perfetto = (struct perfetto *)trace;
    struct orr_trace_group link = orr_trace_link(copy);
    int64_t from = copy->started;
    uint64_t track =
        track_of(LINKS, take_lane(perfetto, LINKS, &link, &from, copy->ended));

    begin_slice(perfetto, track, copy->why, copy->data, copy->bytes);
    orr_perfetto_put_note(&perfetto->packet, ORR_NOTE_SUBMITTED,
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
    orr_perfetto_clear(&perfetto->packet);
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
        .use = put_use,
        .wants = ORR_TRACE_PARENTS,
    };
    orr_perfetto_init(&perfetto->packet);
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
    orr_perfetto_name_process(&perfetto->packet, WORKERS, "workers");
    orr_perfetto_name_process(&perfetto->packet, LINKS, "links");
    orr_perfetto_name_process(&perfetto->packet, COUNTERS, "counters");
    name_figure(perfetto, READY, "ready tasks", NULL, ORR_PERFETTO_COUNT);
    return &perfetto->trace;
}

/* The mark is an event of the first process. */
static void mark_unfinished(struct perfetto *perfetto)
{
    orr_perfetto_begin_event(&perfetto->packet, ORR_PERFETTO_INSTANT, WORKERS);
    orr_protobuf_text(&perfetto->packet.message, ORR_PERFETTO_NAME,
                      "unfinished");
    orr_perfetto_end_event(&perfetto->packet, perfetto->last);
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
    orr_perfetto_flush(&perfetto->packet);
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
