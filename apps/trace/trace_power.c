/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The power of each device over time, as CSV: a row for each change, and one at
 * the end. A power is valid from its row to the next row of the device, so that
 * its integral is the energy of the device, without copies.
 */
#include "apps/trace/trace_file.h"
#include "apps/trace/trace_format.h"

/* The power of a device since a date; written when it has lasted some time. */
struct drawn {
    char *name;
    int64_t since;
    double watts;
    double written; /* watts of the last row; -1: none */
};

struct power {
    struct orr_trace trace; /* first */
    struct orr_trace_file file;
    GArray *devices; /* struct drawn */
    int64_t last;    /* date */
};

static void put_row(struct power *power, struct drawn *drawn, int64_t date)
{
    drawn->written = drawn->watts;
    orr_trace_put_time(&power->file, date, 6);
    orr_trace_put_char(&power->file, ',');
    orr_trace_put(&power->file, drawn->name);
    orr_trace_put_char(&power->file, ',');
    orr_trace_put_real(&power->file, drawn->watts);
    orr_trace_put_char(&power->file, '\n');
}

static struct drawn *device_of(struct power *power,
                               const struct orr_trace_power *change)
{
    struct drawn *drawn;

    while (change->device >= power->devices->len)
        g_array_set_size(power->devices, power->devices->len + 1);
    drawn = &g_array_index(power->devices, struct drawn, change->device);
    if (!drawn->name)
        *drawn = (struct drawn){g_strdup(change->name), -1, 0, -1};
    return drawn;
}

static bool has_changed(const struct drawn *drawn)
{
    return drawn->watts < drawn->written || drawn->watts > drawn->written;
}

static void put_power(struct orr_trace *trace,
                      const struct orr_trace_power *change)
{
    struct power *power = (struct power *)trace;
    struct drawn *drawn = device_of(power, change);

    power->last = MAX(power->last, change->date);
    if (drawn->since >= 0 && change->date > drawn->since && has_changed(drawn))
        put_row(power, drawn, drawn->since);
    drawn->since = change->date;
    drawn->watts = change->watts;
}

static void put_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    struct power *power = (struct power *)trace;

    power->last = MAX(power->last, task->ended);
}

static void put_copy(struct orr_trace *trace, const struct orr_trace_copy *copy)
{
    (void)trace;
    (void)copy;
}

static void clear_drawn(void *data)
{
    g_free(((struct drawn *)data)->name);
}

static void power_free(struct orr_trace *trace)
{
    struct power *power = (struct power *)trace;

    orr_trace_file_clear(&power->file);
    g_array_unref(power->devices);
    g_free(power);
}

static struct orr_trace *
power_open(const char *path, const struct orr_traced_run *run, GError **error)
{
    struct power *power = g_new0(struct power, 1);

    (void)run;
    power->trace = (struct orr_trace){ORR_TRACE_INIT, .task = put_task,
                                      .copy = put_copy, .power = put_power};
    power->devices = g_array_new(FALSE, TRUE, sizeof(struct drawn));
    g_array_set_clear_func(power->devices, clear_drawn);
    if (!orr_trace_file_open(&power->file, path, error)) {
        power_free(&power->trace);
        return NULL;
    }
    orr_trace_put(&power->file, "date_ms,device,power_w\n");
    return &power->trace;
}

static bool power_finish(struct orr_trace *trace, bool complete, GError **error)
{
    struct power *power = (struct power *)trace;

    for (guint d = 0; d < power->devices->len; d++) {
        struct drawn *drawn = &g_array_index(power->devices, struct drawn, d);

        if (!drawn->name)
            continue;
        if (has_changed(drawn))
            put_row(power, drawn, drawn->since);
        if (power->last > drawn->since)
            put_row(power, drawn, power->last);
    }
    if (!complete)
        orr_trace_put(&power->file, "# unfinished\n");
    return orr_trace_file_finish(&power->file, error);
}

static bool power_move(struct orr_trace *trace, GError **error)
{
    return orr_draft_move(&((struct power *)trace)->file.draft, error);
}

const struct orr_trace_format orr_trace_power = {
    .name = "power",
    .files = orr_trace_one_file,
    .open = power_open,
    .finish = power_finish,
    .move = power_move,
    .free = power_free,
};
