/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Paje: for pj_dump and ViTE. Below the container of the run are one container
 * for each worker, whose states are kernels, and one for each direction between
 * two memory nodes, whose states are copies; copies that overlap have
 * containers of their own, since time must not go back in a container. Dates
 * are in ms.
 */
#include "apps/trace/trace_file.h"
#include "apps/trace/trace_format.h"
#include "apps/trace/trace_lanes.h"

struct paje {
    struct orr_trace trace; /* first */
    struct orr_trace_file file;
    struct orr_trace_lanes workers;
    struct orr_trace_lanes links;
    uint64_t devices; /* bit mask of devices that have a container */
};

/* Definitions and containers have ids up to 7, and the date comes first: StarVZ
 * sorts the lines by that. */
static const char header[] =
    "%EventDef PajeDefineContainerType 0\n"
    "%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n"
    "%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineEventType 2\n"
    "%  Alias string\n%  Type string\n%  Name string\n%  Color color\n"
    "%EndEventDef\n"
    "%EventDef PajeCreateContainer 3\n"
    "%  Time date\n%  Alias string\n%  Type string\n%  Container string\n"
    "%  Name string\n%EndEventDef\n"
    "%EventDef PajeSetState 10\n"
    "%  Time date\n%  Type string\n%  Container string\n%  Value string\n"
    "%  Task string\n%  Submitted string\n%  Ready string\n%  Arrived string\n"
    "%EndEventDef\n"
    "%EventDef PajeSetState 11\n"
    "%  Time date\n%  Type string\n%  Container string\n%  Value string\n"
    "%  Data string\n%  Bytes string\n%EndEventDef\n"
    "%EventDef PajeSetState 12\n"
    "%  Time date\n%  Type string\n%  Container string\n%  Value string\n"
    "%EndEventDef\n"
    "%EventDef PajeNewEvent 13\n"
    "%  Time date\n%  Type string\n%  Container string\n%  Value string\n"
    "%EndEventDef\n";

/* Definitions that only traces with the power of devices have. */
static const char power_events[] =
    "%EventDef PajeDefineVariableType 4\n"
    "%  Alias string\n%  Type string\n%  Name string\n%  Color color\n"
    "%EndEventDef\n"
    "%EventDef PajeSetVariable 14\n"
    "%  Time date\n%  Type string\n%  Container string\n%  Value double\n"
    "%EndEventDef\n";
static const char power_types[] = "0 D R \"Device\"\n"
                                  "4 P D \"Power in W\" \"1 0 0\"\n";

static const char types[] = "0 R 0 \"Run\"\n"
                            "0 W R \"Worker\"\n"
                            "0 L R \"Link\"\n"
                            "1 K W \"Worker State\"\n"
                            "1 C L \"Link State\"\n"
                            "2 E R \"End\" \"1 0 0\"\n";

/* Writes a quoted string. The format has no escapes: quotation marks inside
 * become ', and control characters blanks. Bytes that are not UTF-8 become
 * U+FFFD. */
static void put_string(struct orr_trace_file *file, const char *text)
{
    g_autofree char *valid = NULL;

    orr_trace_put_char(file, '"');
    if (orr_trace_put_plain(file, text, ORR_TRACE_QUOTES)) {
        orr_trace_put_char(file, '"');
        return;
    }
    valid = g_utf8_make_valid(text, -1);
    for (const char *at = valid; *at; at++) {
        char c = *at;

        if ((unsigned char)c < ' ' || c == '\177')
            c = ' ';
        else if (c == '"')
            c = '\'';
        orr_trace_put_char(file, c);
    }
    orr_trace_put_char(file, '"');
}

static void put_time(struct orr_trace_file *file, int64_t ns)
{
    orr_trace_put_char(file, ' ');
    orr_trace_put_time(file, ns, 6);
}

static void put_number(struct orr_trace_file *file, uint64_t count)
{
    orr_trace_put_char(file, ' ');
    orr_trace_put_count(file, count);
}

/* Begins a state of a row: "id date type container ". */
static void put_state(struct orr_trace_file *file, const char *kind,
                      char container, unsigned lane, int64_t at)
{
    orr_trace_put(file, kind);
    put_time(file, at);
    orr_trace_put(file, container == 'w' ? " K w" : " C l");
    orr_trace_put_count(file, lane);
    orr_trace_put_char(file, ' ');
}

/* Returns the row of a state, and writes its container if it is new. */
static unsigned take_row(struct orr_trace_file *file,
                         struct orr_trace_lanes *lanes,
                         const struct orr_trace_group *group, int64_t *from,
                         int64_t to)
{
    bool is_new;
    unsigned index = orr_trace_lanes_take(lanes, group, from, to, &is_new);
    char kind = group->to ? 'l' : 'w';

    if (is_new) {
        orr_trace_printf(file, "3 0.000000 %c%u %c run ", kind, index,
                         g_ascii_toupper(kind));
        put_string(
            file,
            g_array_index(lanes->lanes, struct orr_trace_lane, index).name);
        orr_trace_put_char(file, '\n');
    }
    return index;
}

static void put_idle(struct orr_trace_file *file, char kind, unsigned row,
                     int64_t at)
{
    put_state(file, "12", kind, row, at);
    orr_trace_put(file, "\"Idle\"\n");
}

static void put_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    struct paje *paje = (struct paje *)trace;
    struct orr_trace_file *file = &paje->file;
    int64_t from = task->kernel_started;
    struct orr_trace_group worker = orr_trace_worker(task);
    unsigned row =
        take_row(file, &paje->workers, &worker, &from, task->kernel_ended);

    put_state(file, "10", 'w', row, from);
    put_string(file, task->name);
    put_number(file, task->order);
    put_time(file, task->submitted);
    put_time(file, task->ready);
    put_time(file, task->arrived);
    orr_trace_put_char(file, '\n');
    put_idle(file, 'w', row, task->kernel_ended);
}

/* Ends a state named @name, of @bytes of the datum number @data. */
static void put_datum(struct orr_trace_file *file, const char *name,
                      uint64_t data, uint64_t bytes)
{
    put_string(file, name);
    put_number(file, data);
    put_number(file, bytes);
    orr_trace_put_char(file, '\n');
}

static void put_copy(struct orr_trace *trace, const struct orr_trace_copy *copy)
{
    struct paje *paje = (struct paje *)trace;
    struct orr_trace_file *file = &paje->file;
    int64_t from = copy->started;
    struct orr_trace_group link = orr_trace_link(copy);
    unsigned row = take_row(file, &paje->links, &link, &from, copy->ended);

    put_state(file, "11", 'l', row, from);
    put_datum(file, copy->why, copy->data, copy->bytes);
    put_idle(file, 'l', row, copy->ended);
}

static void put_use(struct orr_trace *trace, const struct orr_trace_use *use)
{
    struct paje *paje = (struct paje *)trace;
    struct orr_trace_group group = orr_trace_application();
    int64_t from = use->asked;
    unsigned row =
        take_row(&paje->file, &paje->workers, &group, &from, use->released);

    for (unsigned i = 0; i < ORR_TRACE_USE_BARS; i++) {
        struct orr_trace_use_bar bar = orr_trace_use_bar(use, i);

        put_state(&paje->file, "11", 'w', row, bar.from);
        put_datum(&paje->file, bar.name, use->datum.number, use->datum.bytes);
    }
    put_idle(&paje->file, 'w', row, use->released);
}

/* Writes the power of a device, a variable of its container. */
static void put_power(struct orr_trace *trace,
                      const struct orr_trace_power *power)
{
    struct paje *paje = (struct paje *)trace;
    struct orr_trace_file *file = &paje->file;

    if (!(paje->devices >> power->device & 1)) {
        orr_trace_printf(file, "3 0.000000 d%u D run ", power->device);
        put_string(file, power->name);
        orr_trace_put_char(file, '\n');
    }
    paje->devices |= UINT64_C(1) << power->device;
    orr_trace_put(file, "14");
    put_time(file, power->date);
    orr_trace_put(file, " P d");
    orr_trace_put_count(file, power->device);
    orr_trace_put_char(file, ' ');
    orr_trace_put_real(file, power->watts);
    orr_trace_put_char(file, '\n');
}

static void paje_free(struct orr_trace *trace)
{
    struct paje *paje = (struct paje *)trace;

    orr_trace_file_clear(&paje->file);
    orr_trace_lanes_clear(&paje->workers);
    orr_trace_lanes_clear(&paje->links);
    g_free(paje);
}

static struct orr_trace *
paje_open(const char *path, const struct orr_traced_run *run, GError **error)
{
    struct paje *paje = g_new0(struct paje, 1);
    bool has_power = run->platform && run->platform->power;

    paje->trace = (struct orr_trace){
        ORR_TRACE_INIT,     .task = put_task, .copy = put_copy,
        .power = put_power, .use = put_use,
    };
    orr_trace_lanes_init(&paje->workers);
    orr_trace_lanes_init(&paje->links);
    if (!orr_trace_file_open(&paje->file, path, error)) {
        paje_free(&paje->trace);
        return NULL;
    }
    orr_trace_put(&paje->file, header);
    if (has_power)
        orr_trace_put(&paje->file, power_events);
    orr_trace_put(&paje->file, types);
    if (has_power)
        orr_trace_put(&paje->file, power_types);
    orr_trace_put(&paje->file, "3 0.000000 run R 0 \"orrery\"\n");
    if (!has_power)
        paje->trace.power = NULL;
    return &paje->trace;
}

/* Returns the date of the last event. */
static int64_t last_of(const struct orr_trace_lanes *lanes, int64_t last)
{
    for (guint i = 0; i < lanes->lanes->len; i++)
        last = MAX(last,
                   g_array_index(lanes->lanes, struct orr_trace_lane, i).ended);
    return last;
}

static bool paje_finish(struct orr_trace *trace, bool complete, GError **error)
{
    struct paje *paje = (struct paje *)trace;
    int64_t last = last_of(&paje->links, last_of(&paje->workers, 0));

    if (!complete) {
        orr_trace_put(&paje->file, "13");
        put_time(&paje->file, last);
        orr_trace_put(&paje->file, " E run \"unfinished\"\n");
    }
    return orr_trace_file_finish(&paje->file, error);
}

static bool paje_move(struct orr_trace *trace, GError **error)
{
    return orr_draft_move(&((struct paje *)trace)->file.draft, error);
}

const struct orr_trace_format orr_trace_paje = {
    .name = "paje",
    .suffix = ".trace",
    .compresses = true,
    .files = orr_trace_one_file,
    .open = paje_open,
    .finish = paje_finish,
    .move = paje_move,
    .free = paje_free,
};
