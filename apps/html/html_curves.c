/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/html/html_curves.h"

#include <glib.h>
#include <string.h>

#include "apps/output/output.h"

void orr_html_curve_init(struct orr_html_curve *curve, int64_t end)
{
    *curve = (struct orr_html_curve){
        .part_ns = (double)end / ORR_HTML_PARTS,
    };
}

/* Returns the part that contains @place, a date in units of parts. */
static unsigned part_at(double place)
{
    return (unsigned)CLAMP(place, 0, ORR_HTML_PARTS - 1);
}

void orr_html_curve_add(struct orr_html_curve *curve, int64_t from, int64_t to,
                        double height)
{
    double begin = (double)from / curve->part_ns;
    double end = (double)to / curve->part_ns;
    unsigned first = part_at(begin), last = part_at(end);

    if (first == last) {
        curve->own[first] += height * (end - begin);
        return;
    }
    curve->own[first] += height * (first + 1 - begin);
    curve->own[last] += height * (end - last);
    curve->step[first + 1] += height;
    curve->step[last] -= height;
}

void orr_html_curve_means(const struct orr_html_curve *curve,
                          float means[ORR_HTML_PARTS])
{
    double full = 0;

    for (unsigned i = 0; i < ORR_HTML_PARTS; i++) {
        full += curve->step[i];
        /* Rounding may leave a value below 0 after the end of an interval. */
        means[i] = (float)MAX(full + curve->own[i], 0);
    }
}

/* The name of the host's memory, in traces. */
#define HOST "RAM"

/* Curves under construction. */
struct curves {
    struct orr_html_columns *columns;
    JsonArray *list;
    const struct orr_html_record *record;
    int64_t end;
    struct orr_html_curve curve; /* the curve under construction */
};

static int64_t last_date(const struct orr_html_record *record)
{
    int64_t last = 1;

    for (guint i = 0; i < record->tasks->len; i++)
        last = MAX(last,
                   g_array_index(record->tasks, struct orr_html_task, i).ended);
    for (guint i = 0; i < record->copies->len; i++)
        last = MAX(
            last, g_array_index(record->copies, struct orr_html_copy, i).ended);
    for (guint i = 0; i < record->changes->len; i++)
        last =
            MAX(last,
                g_array_index(record->changes, struct orr_html_change, i).date);
    return last;
}

static void put_curve(struct curves *curves, const char *kind, const char *name)
{
    JsonObject *object = orr_output_add_object(curves->list);
    float means[ORR_HTML_PARTS];

    orr_html_curve_means(&curves->curve, means);
    json_object_set_string_member(object, "kind", kind);
    json_object_set_string_member(object, "name", name);
    orr_html_add_f32(curves->columns, object, "means", means, ORR_HTML_PARTS);
}

static void add_ready(struct curves *curves)
{
    const GArray *tasks = curves->record->tasks;

    orr_html_curve_init(&curves->curve, curves->end);
    for (guint i = 0; i < tasks->len; i++) {
        const struct orr_html_task *task =
            &g_array_index(tasks, struct orr_html_task, i);

        orr_html_curve_add(&curves->curve, task->ready, task->kernel_started,
                           1);
    }
    put_curve(curves, "ready", "ready tasks");
}

static gboolean is_host(const struct orr_html_record *record, uint32_t name)
{
    return strcmp(orr_name_index_at(&record->names, name), HOST) == 0;
}

/* Adds the curve of copies from the host, or from GPUs, to the host, or to
 * GPUs, unless there are none. */
static void add_bandwidth(struct curves *curves, gboolean from_host,
                          gboolean to_host, const char *name)
{
    const struct orr_html_record *record = curves->record;
    gboolean any = FALSE;

    orr_html_curve_init(&curves->curve, curves->end);
    for (guint i = 0; i < record->copies->len; i++) {
        const struct orr_html_copy *copy =
            &g_array_index(record->copies, struct orr_html_copy, i);
        const struct orr_html_link *link =
            &g_array_index(record->links, struct orr_html_link, copy->link);

        if (is_host(record, link->from) != from_host ||
            is_host(record, link->to) != to_host ||
            copy->ended <= copy->started)
            continue;
        any = TRUE;
        orr_html_curve_add(&curves->curve, copy->started, copy->ended,
                           (double)copy->bytes * 1e9 /
                               (double)(copy->ended - copy->started));
    }
    if (any)
        put_curve(curves, "bandwidth", name);
}

/* A memory without copies has no name. */
static void put_memory(struct curves *curves, uint32_t memory)
{
    const GArray *memories = curves->record->memories;
    uint32_t name =
        memory < memories->len ? g_array_index(memories, uint32_t, memory) : 0;
    g_autofree char *number = g_strdup_printf("node %u", memory);

    put_curve(curves, "memory",
              name > 0 ? orr_name_index_at(&curves->record->names, name - 1)
                       : number);
}

static void add_memory(struct curves *curves, uint32_t memory)
{
    const GArray *changes = curves->record->changes;
    gboolean any = FALSE;

    orr_html_curve_init(&curves->curve, curves->end);
    for (guint i = 0; i < changes->len; i++) {
        const struct orr_html_change *change =
            &g_array_index(changes, struct orr_html_change, i);

        if (change->memory != memory)
            continue;
        any = TRUE;
        orr_html_curve_add(&curves->curve, change->date, curves->end,
                           (double)change->bytes);
    }
    if (any)
        put_memory(curves, memory);
}

static void add_memories(struct curves *curves)
{
    const GArray *changes = curves->record->changes;
    uint32_t last = 0;

    for (guint i = 0; i < changes->len; i++)
        last =
            MAX(last, g_array_index(changes, struct orr_html_change, i).memory);
    for (uint32_t memory = 1; memory <= last; memory++)
        add_memory(curves, memory);
}

void orr_html_curves_add(struct orr_html_columns *columns, JsonObject *run,
                         const struct orr_html_record *record)
{
    struct curves *curves = g_new(struct curves, 1);

    curves->columns = columns;
    curves->record = record;
    curves->end = last_date(record);
    json_object_set_int_member(run, "end_ns", curves->end);
    curves->list = orr_output_add_array(run, "curves");
    add_ready(curves);
    add_bandwidth(curves, TRUE, FALSE, "host to GPUs");
    add_bandwidth(curves, FALSE, TRUE, "GPUs to host");
    add_bandwidth(curves, FALSE, FALSE, "GPU to GPU");
    add_memories(curves);
    g_free(curves);
}
