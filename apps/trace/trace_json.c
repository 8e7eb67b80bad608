/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Chrome's trace events as JSON: for ui.perfetto.dev, speedscope,
 * chrome://tracing, to some 100 MB. A track for each worker has the kernels, a
 * track for each direction between two memory nodes the copies; copies that
 * overlap have tracks of their own, since bars of one track must nest. Counters
 * have the power of each device. Dates are in us.
 *
 * Viewers compute the end of a bar as ts + dur, in binary fractions. Of bars
 * that follow each other at once, some would then end after the next one
 * begins, and speedscope draws that one inside the first. So a bar is written
 * 0.1 ns shorter: more than the rounding error of such sums, and less than the
 * resolution of dates, 1 ns.
 */
#include <string.h>

#include "apps/trace/trace_file.h"
#include "apps/trace/trace_format.h"
#include "apps/trace/trace_lanes.h"
#include "runtime/orrery.h"

enum { WORKERS = 1, LINKS = 2, COUNTERS = 3 }; /* pid */

struct json {
    struct orr_trace trace; /* first */
    struct orr_trace_file file;
    struct orr_trace_lanes lanes[3]; /* by pid */
    bool counts; /* the process of counters has been named */
};

/* Writes a string with its quotation marks. "<" is escaped, so that the text
 * may stand in a page; bytes that are not UTF-8 become U+FFFD. */
static void put_string(struct orr_trace_file *file, const char *text)
{
    g_autofree char *valid = NULL;

    orr_trace_put_char(file, '"');
    if (orr_trace_put_plain(file, text, ORR_TRACE_QUOTES | ORR_TRACE_ESCAPES)) {
        orr_trace_put_char(file, '"');
        return;
    }
    valid = g_utf8_make_valid(text, -1);
    for (const char *at = valid; *at; at++) {
        if ((unsigned char)*at < ' ' || strchr("\"\\<>&\177", *at))
            orr_trace_printf(file, "\\u%04x", (unsigned char)*at);
        else
            orr_trace_put_char(file, *at);
    }
    orr_trace_put_char(file, '"');
}

/* @key: ",\"name\":". */
static void put_member(struct orr_trace_file *file, const char *key,
                       uint64_t value)
{
    orr_trace_put(file, key);
    orr_trace_put_count(file, value);
}

static void name_process(struct orr_trace_file *file, unsigned pid,
                         const char *name)
{
    orr_trace_printf(
        file,
        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"args\":"
        "{\"name\":\"%s\"}},\n"
        "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":%u,\"args\":"
        "{\"sort_index\":%u}},\n",
        pid, name, pid, pid);
}

static void name_track(struct orr_trace_file *file, unsigned pid, unsigned tid,
                       const char *name)
{
    orr_trace_printf(
        file,
        "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%u,\"tid\":%u,"
        "\"args\":{\"name\":",
        pid, tid);
    put_string(file, name);
    orr_trace_put(file, "}},\n");
}

/* Returns the track for a bar, and writes its name if it is new. */
static unsigned take_track(struct json *json, unsigned pid,
                           const struct orr_trace_group *group, int64_t *from,
                           int64_t to)
{
    struct orr_trace_lanes *lanes = &json->lanes[pid];
    bool is_new;
    unsigned tid = orr_trace_lanes_take(lanes, group, from, to, &is_new);

    if (is_new)
        name_track(
            &json->file, pid, tid,
            g_array_index(lanes->lanes, struct orr_trace_lane, tid).name);
    return tid;
}

/* Begins a bar; its arguments follow. */
static void put_bar(struct orr_trace_file *file, unsigned pid, unsigned tid,
                    const char *name, int64_t from, int64_t to)
{
    orr_trace_put(file, "{\"ph\":\"X\",\"name\":");
    put_string(file, name);
    put_member(file, ",\"pid\":", pid);
    put_member(file, ",\"tid\":", tid);
    orr_trace_put(file, ",\"ts\":");
    orr_trace_put_time(file, from, 3);
    orr_trace_put(file, ",\"dur\":");
    orr_trace_put_time(file, to > from ? 10 * (to - from) - 1 : 0, 4);
    orr_trace_put(file, ",\"args\":{");
}

static void put_date(struct orr_trace_file *file, const char *key, int64_t date)
{
    orr_trace_put(file, key);
    orr_trace_put_time(file, date, 3);
}

static void put_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    struct json *json = (struct json *)trace;
    struct orr_trace_file *file = &json->file;
    struct orr_trace_group worker = orr_trace_worker(task);
    int64_t from = task->kernel_started;
    unsigned tid =
        take_track(json, WORKERS, &worker, &from, task->kernel_ended);

    put_bar(file, WORKERS, tid, task->name, from, task->kernel_ended);
    orr_trace_put(file, "\"task\":");
    orr_trace_put_count(file, task->order);
    orr_trace_put(file, ",\"priority\":");
    orr_trace_put_time(file, task->priority, 0);
    put_date(file, ",\"submit_us\":", task->submitted);
    put_date(file, ",\"ready_us\":", task->ready);
    put_date(file, ",\"data_us\":", task->arrived);
    for (unsigned i = 0; i < task->coordinate_count; i++)
        put_member(file, i == 0 ? ",\"coordinates\":[" : ",",
                   task->coordinates[i]);
    if (task->coordinate_count > 0)
        orr_trace_put_char(file, ']');
    if (task->implementation > 0)
        put_member(file, ",\"implementation\":", task->implementation);
    orr_trace_put(file, "}},\n");
}

static void put_size(struct orr_trace_file *file, uint64_t data, uint64_t bytes)
{
    orr_trace_put(file, "\"data\":");
    orr_trace_put_count(file, data);
    put_member(file, ",\"bytes\":", bytes);
}

static void put_copy(struct orr_trace *trace, const struct orr_trace_copy *copy)
{
    struct json *json = (struct json *)trace;
    struct orr_trace_file *file = &json->file;
    struct orr_trace_group link = orr_trace_link(copy);
    int64_t from = copy->started;
    unsigned tid = take_track(json, LINKS, &link, &from, copy->ended);

    put_bar(file, LINKS, tid, copy->why, from, copy->ended);
    put_size(file, copy->data, copy->bytes);
    put_date(file, ",\"submit_us\":", copy->submitted);
    orr_trace_put(file, "}},\n");
}

static void put_use(struct orr_trace *trace, const struct orr_trace_use *use)
{
    struct json *json = (struct json *)trace;
    struct orr_trace_group group = orr_trace_application();
    int64_t from = use->asked;
    unsigned tid = take_track(json, WORKERS, &group, &from, use->released);

    for (unsigned i = 0; i < ORR_TRACE_USE_BARS; i++) {
        struct orr_trace_use_bar bar = orr_trace_use_bar(use, i);

        put_bar(&json->file, WORKERS, tid, bar.name, bar.from, bar.to);
        put_size(&json->file, use->datum.number, use->datum.bytes);
        orr_trace_put(&json->file, "}},\n");
    }
}

static void put_power(struct orr_trace *trace,
                      const struct orr_trace_power *power)
{
    struct json *json = (struct json *)trace;
    struct orr_trace_file *file = &json->file;

    if (!json->counts)
        name_process(file, COUNTERS, "power");
    json->counts = true;
    orr_trace_put(file, "{\"ph\":\"C\",\"name\":");
    put_string(file, power->name);
    put_member(file, ",\"pid\":", COUNTERS);
    put_date(file, ",\"ts\":", power->date);
    orr_trace_put(file, ",\"args\":{\"W\":");
    orr_trace_put_real(file, power->watts);
    orr_trace_put(file, "}},\n");
}

static void json_free(struct orr_trace *trace)
{
    struct json *json = (struct json *)trace;

    orr_trace_file_clear(&json->file);
    orr_trace_lanes_clear(&json->lanes[WORKERS]);
    orr_trace_lanes_clear(&json->lanes[LINKS]);
    g_free(json);
}

static struct orr_trace *
json_open(const char *path, const struct orr_traced_run *run, GError **error)
{
    struct json *json = g_new0(struct json, 1);

    (void)run;
    json->trace = (struct orr_trace){
        ORR_TRACE_INIT,     .task = put_task, .copy = put_copy,
        .power = put_power, .use = put_use,
    };
    orr_trace_lanes_init(&json->lanes[WORKERS]);
    orr_trace_lanes_init(&json->lanes[LINKS]);
    if (!orr_trace_file_open(&json->file, path, error)) {
        json_free(&json->trace);
        return NULL;
    }
    orr_trace_put(&json->file, "{\"traceEvents\":[\n");
    name_process(&json->file, WORKERS, "workers");
    name_process(&json->file, LINKS, "links");
    return &json->trace;
}

static bool json_finish(struct orr_trace *trace, bool complete, GError **error)
{
    struct json *json = (struct json *)trace;

    /* The last element of the array must not have a comma after it. */
    orr_trace_printf(
        &json->file,
        "{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":%d,\"args\":"
        "{\"labels\":\"%s\"}}\n],\"displayTimeUnit\":\"ms\",\"otherData\":"
        "{\"producer\":\"orrery\",\"unfinished\":%s}}\n",
        WORKERS, complete ? "finished" : "unfinished",
        complete ? "false" : "true");
    return orr_trace_file_finish(&json->file, error);
}

static bool json_move(struct orr_trace *trace, GError **error)
{
    return orr_draft_move(&((struct json *)trace)->file.draft, error);
}

const struct orr_trace_format orr_trace_json = {
    .name = "json",
    .suffix = ".json",
    .compresses = true,
    .files = orr_trace_one_file,
    .open = json_open,
    .finish = json_finish,
    .move = json_move,
    .free = json_free,
};
