/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names, entities, and lines of figures over time. */
#include "apps/trace/starvz/starvz.h"

void orr_starvz_put_name(struct orr_trace_file *file, const char *text)
{
    g_autofree char *valid = NULL;

    if (orr_trace_put_plain(file, text, ORR_TRACE_QUOTES | ORR_TRACE_COMMAS))
        return;
    valid = g_utf8_make_valid(text, -1);
    for (const char *at = valid; *at; at++) {
        char c = *at;

        if ((unsigned char)c < ' ' || c == '\177')
            c = ' ';
        else if (c == '"')
            c = '\'';
        else if (c == ',')
            c = ';';
        orr_trace_put_char(file, c);
    }
}

void orr_starvz_put_span(struct orr_trace_file *file, int64_t from, int64_t to)
{
    orr_starvz_put_time(file, from);
    orr_trace_put(file, ", ");
    orr_starvz_put_time(file, to);
    orr_trace_put(file, ", ");
    orr_starvz_put_time(file, to - from);
}

static void begin_lines(struct orr_starvz *starvz, unsigned figure,
                        const char *container, const char *type)
{
    struct orr_starvz_begin *begin = &starvz->begins[figure];

    begin->size = (size_t)g_snprintf(begin->text, sizeof(begin->text),
                                     "Variable, %s, %s, ", container, type);
    g_assert(begin->size < sizeof(begin->text));
}

static const char program[] =
    "0, 0, 0, Container\n"
    "0, root, MPI Program, Container\n"
    "root, program, Program, Container\n"
    "program, program event type, program event type, Event\n"
    "program, Intra-node data Fetch, Intra-node data Fetch, Link\n"
    "program, Intra-node data PreFetch, Intra-node data PreFetch, Link\n"
    "program, Intra-node data IdleFetch, Intra-node data IdleFetch, Link\n"
    "program, scheduler, Scheduler State, Container\n"
    "scheduler, Number of Ready Tasks, Number of Ready Tasks, Variable\n";

void orr_starvz_begin(struct orr_starvz *starvz)
{
    orr_trace_put(&starvz->files[ORR_STARVZ_ENTITIES], program);
    begin_lines(starvz, ORR_STARVZ_READY, "scheduler", "Number of Ready Tasks");
}

void orr_starvz_meet_node(struct orr_starvz *starvz, unsigned node)
{
    static const char *const figures[ORR_STARVZ_OF_MEMORY] = {
        "Used (MB)", "Bandwidth In (MB/s)", "Bandwidth Out (MB/s)"};
    struct orr_trace_file *file = &starvz->files[ORR_STARVZ_ENTITIES];
    char manager[24];

    if (starvz->nodes[node])
        return;
    starvz->nodes[node] = true;
    orr_trace_printf(file,
                     "program, MEMNODE%u, Memory Node, Container\n"
                     "MEMNODE%u, MEMMANAGER%u, Memory Manager, Container\n",
                     node, node, node);
    g_snprintf(manager, sizeof(manager), "MEMMANAGER%u", node);
    for (unsigned i = 0; i < ORR_STARVZ_OF_MEMORY; i++) {
        orr_trace_printf(file, "%s, %s, %s, Variable\n", manager, figures[i],
                         figures[i]);
        begin_lines(starvz, ORR_STARVZ_USED + ORR_STARVZ_OF_MEMORY * node + i,
                    manager, figures[i]);
    }
}

/* Whether @number was not in @seen, where it is from now on. */
static bool is_new(GArray *seen, uint64_t number)
{
    bool before;

    if (number >= seen->len)
        g_array_set_size(seen, (guint)number + 1);
    before = g_array_index(seen, bool, number);
    g_array_index(seen, bool, number) = true;
    return !before;
}

void orr_starvz_meet_worker(struct orr_starvz *starvz,
                            const struct orr_trace_task *task)
{
    struct orr_trace_file *file = &starvz->files[ORR_STARVZ_ENTITIES];

    if (!is_new(starvz->workers, task->worker))
        return;
    orr_starvz_meet_node(starvz, task->memory_node);
    orr_trace_printf(file, "MEMNODE%u, T%u, Thread, Container\nT%u, ",
                     task->memory_node, task->worker, task->worker);
    orr_starvz_put_name(file, task->worker_name);
    orr_trace_put(file, ", Worker, Container\n");
    orr_starvz_put_name(file, task->worker_name);
    orr_trace_put(file, ", Worker State, Worker State, State\n");
}

void orr_starvz_meet_datum(struct orr_starvz *starvz,
                           const struct orr_trace_datum *datum)
{
    struct orr_trace_file *file = &starvz->files[ORR_STARVZ_DATA];

    if (!is_new(starvz->data, datum->number))
        return;
    orr_trace_printf(file, "%" G_GINT64_MODIFIER "x,0,0,%" G_GUINT64_FORMAT ",",
                     datum->number + 1, datum->bytes);
    if (datum->name)
        orr_starvz_put_name(file, datum->name);
    orr_trace_put(file, ",,");
    if (datum->has_coordinates)
        orr_trace_printf(file, "%u %u", datum->row, datum->column);
    orr_trace_put_char(file, '\n');
}

void orr_starvz_put_variable(void *data, unsigned figure, int64_t from,
                             int64_t to, int64_t value)
{
    struct orr_starvz *starvz = data;
    struct orr_trace_file *file = &starvz->files[ORR_STARVZ_VARIABLE];
    const struct orr_starvz_begin *begin = &starvz->begins[figure];

    memcpy(orr_trace_room(file, sizeof(begin->text)), begin->text,
           sizeof(begin->text));
    file->used += begin->size;
    orr_starvz_put_span(file, from, to);
    orr_trace_put(file, ", ");
    if (figure == ORR_STARVZ_READY) {
        orr_trace_put_count(file, (uint64_t)value);
        orr_trace_put(file, ".000000\n");
    } else {
        orr_trace_put_time(file, value, 6);
        orr_trace_put_char(file, '\n');
    }
}
