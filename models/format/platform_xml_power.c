/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the section <power>: the tables of states of devices, and the power of
 * links. A <device> may name several devices, which get equal tables: its
 * states are collected in reader->power, and copied at its end.
 */
#include "models/format/platform_reader.h"

#include <string.h>

static struct orr_power_state *last_state(struct orr_platform_reader *reader)
{
    return &reader->power.states[reader->power.count - 1];
}

/* Reads the watts of a state. @first is the state before it, or NULL. */
static bool read_levels(struct orr_xml *xml, struct orr_power_state *state,
                        const struct orr_power_state *first)
{
    struct orr_power_levels levels;
    const char *wrong;

    state->idle_w = first ? first->idle_w : 0;
    state->off_w = first ? first->off_w : 0;
    if (!orr_xml_watts(xml, "idle", &state->idle_w) ||
        !orr_xml_watts(xml, "busy", &state->busy_w) ||
        !orr_xml_watts(xml, "off", &state->off_w))
        return false;
    state->static_w = state->idle_w;
    if (!orr_xml_watts(xml, "static", &state->static_w))
        return false;
    state->poll_w = state->static_w;
    if (!orr_xml_watts(xml, "poll", &state->poll_w))
        return false;
    levels = orr_power_state_levels(state);
    wrong = orr_power_levels_wrong(&levels);
    if (wrong && !orr_xml_text(xml, "static"))
        wrong = "idle, which is static, too, is above busy or poll";
    if (wrong)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "%s in <%s>", wrong,
                     orr_xml_element(xml));
    return !wrong;
}

static bool check_name(struct orr_xml *xml, struct orr_platform_reader *reader,
                       const char *name)
{
    if (strcmp(name, ORR_STATE_OFF) == 0) {
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "no state of <%s> can be called off: that is a device "
                     "without power",
                     orr_xml_element(xml));
        return false;
    }
    for (unsigned s = 0; s < reader->power.count; s++) {
        if (strcmp(reader->power.states[s].name, name) == 0) {
            orr_xml_fail(xml, ORR_ERROR_VALUE, "second state %s", name);
            return false;
        }
    }
    return true;
}

static void add_state(struct orr_platform_reader *reader,
                      const struct orr_power_state *state, const char *name)
{
    struct orr_power_table *table = &reader->power;

    table->states =
        orr_platform_reader_grow(table->states, table->count, sizeof(*state));
    table->states[table->count] = *state;
    table->states[table->count++].name = g_strdup(name);
}

static void start_state(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_power_state state = {.kernel_count = 0};
    const char *name = NULL;

    if (reader->power.count >= ORR_MAX_STATES)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "more than %u states",
                     ORR_MAX_STATES);
    else if (orr_xml_name(xml, "name", &name) &&
             check_name(xml, reader, name) &&
             orr_xml_number(xml, "speed", ORR_MAX_STATE_SPEED, &state.speed) &&
             read_levels(xml, &state, &reader->power.states[0]))
        add_state(reader, &state, name);
}

/* Reads the list of devices; each has power once. */
static bool read_devices(struct orr_xml *xml,
                         struct orr_platform_reader *reader)
{
    g_auto(GStrv) names = g_strsplit(orr_xml_text(xml, "name"), " ", -1);
    unsigned device;

    reader->power_devices = 0;
    for (char **name = names; *name; name++) {
        if (!orr_platform_reader_device(xml, reader, *name, &device))
            return false;
        if ((reader->powered | reader->power_devices) >> device & 1) {
            orr_xml_fail(xml, ORR_ERROR_VALUE, "second power of %s", *name);
            return false;
        }
        reader->power_devices |= 1u << device;
    }
    if (reader->power_devices & 1 && reader->power_devices != 1) {
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "CPU, the host as a whole, and a GPU in one <device>");
        return false;
    }
    if (!names[0])
        orr_xml_fail(xml, ORR_ERROR_VALUE, "name of <device> is empty");
    return names[0];
}

static bool read_yes(struct orr_xml *xml, const char *attribute, bool *yes)
{
    const char *text = orr_xml_text(xml, attribute);

    *yes = g_strcmp0(text, "yes") == 0;
    if (!text || *yes || strcmp(text, "no") == 0)
        return true;
    orr_xml_fail(xml, ORR_ERROR_VALUE, "%s of <%s> is neither yes nor no",
                 attribute, orr_xml_element(xml));
    return false;
}

static void start_device(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_power_state state = {.speed = 1};
    const char *first = "full";
    const char *current = NULL;

    orr_power_table_clear(&reader->power);
    g_clear_pointer(&reader->power_state, g_free);
    reader->power_line = orr_xml_line(xml);
    if (!read_devices(xml, reader) ||
        !read_yes(xml, "nominal", &reader->power.nominal) ||
        !orr_xml_name(xml, "first", &first) ||
        !check_name(xml, reader, first) ||
        !orr_xml_name(xml, "state", &current) ||
        !read_levels(xml, &state, NULL))
        return;
    reader->power_state = g_strdup(current);
    add_state(reader, &state, first);
}

/* Makes the state that the file names the present one. */
static bool choose_state(struct orr_xml *xml,
                         struct orr_platform_reader *reader)
{
    struct orr_power_table *table = &reader->power;

    table->off = g_strcmp0(reader->power_state, ORR_STATE_OFF) == 0;
    if (table->off && !(reader->power_devices & 1u << ORR_RAM))
        return true;
    while (reader->power_state && table->current < table->count &&
           strcmp(table->states[table->current].name, reader->power_state) != 0)
        table->current++;
    if (table->current < table->count)
        return true;
    table->current = 0;
    orr_xml_fail_at(xml, reader->power_line, ORR_ERROR_VALUE,
                    "<device> has no state %s", reader->power_state);
    return false;
}

static void end_device(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_platform *platform = reader->platform;

    if (!choose_state(xml, reader))
        return;
    for (unsigned d = 0; d < platform->node_count; d++) {
        if (!(reader->power_devices >> d & 1))
            continue;
        orr_power_table_copy(&platform->power[d], &reader->power);
        if (reader->power.off)
            orr_platform_switch_off(platform, d);
    }
    reader->powered |= reader->power_devices;
}

/* Whether the platform has kernel @name. */
static bool has_kernel(const struct orr_platform *platform, const char *name)
{
    for (unsigned k = 0; k < platform->kernel_count; k++) {
        if (strcmp(platform->kernels[k].name, name) == 0)
            return true;
    }
    return false;
}

/* Whether @duration, of a kernel called like @wanted, has its tile size and is
 * on a device of the current element. */
static bool is_measured_entry(const struct orr_platform_reader *reader,
                              const struct orr_platform_duration *duration,
                              const struct orr_state_kernel *wanted)
{
    return (wanted->tile == 0 || duration->tile == wanted->tile) &&
           reader->power_devices >> duration->device & 1;
}

/* Checks that the total joules of @wanted are not below the static power. */
static bool check_total(struct orr_xml *xml,
                        const struct orr_platform_reader *reader,
                        const struct orr_state_kernel *wanted)
{
    const struct orr_platform *platform = reader->platform;
    const struct orr_power_state *state =
        &reader->power.states[reader->power.count - 1];
    double speed = wanted->speed > 0 ? wanted->speed : state->speed;

    for (unsigned k = 0; k < platform->kernel_count; k++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[k];

        if (strcmp(kernel->name, wanted->name) != 0)
            continue;
        for (unsigned i = 0; i < kernel->count; i++) {
            double seconds =
                orr_time_to_seconds(kernel->durations[i].mean) / speed;

            if (!is_measured_entry(reader, &kernel->durations[i], wanted) ||
                wanted->joules >= state->static_w * seconds)
                continue;
            orr_xml_fail(xml, ORR_ERROR_VALUE,
                         "the total joules of %s are less than the static "
                         "power takes while it runs at tile %u",
                         wanted->name, kernel->durations[i].tile);
            return false;
        }
    }
    return true;
}

static bool read_joules(struct orr_xml *xml,
                        const struct orr_platform_reader *reader,
                        struct orr_state_kernel *kernel)
{
    const char *of = orr_xml_text(xml, "of");

    if (!of && !orr_xml_text(xml, "joules"))
        return true;
    if (!of || !orr_xml_text(xml, "joules")) {
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "<kernel> needs joules and of=\"above-idle\" or "
                     "of=\"total\" together");
        return false;
    }
    if (orr_xml_text(xml, "watts")) {
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "watts and joules give the energy of %s twice",
                     kernel->name);
        return false;
    }
    kernel->kind =
        strcmp(of, "total") == 0 ? ORR_JOULES_TOTAL : ORR_JOULES_ABOVE_IDLE;
    if (kernel->kind == ORR_JOULES_ABOVE_IDLE &&
        strcmp(of, "above-idle") != 0) {
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "of of <kernel> is neither above-idle nor total");
        return false;
    }
    if (kernel->kind == ORR_JOULES_TOTAL && reader->power_devices == 1) {
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "the joules of a kernel on one CPU core cannot be the "
                     "total of the host");
        return false;
    }
    return orr_xml_joules(xml, "joules", &kernel->joules) &&
           (kernel->kind != ORR_JOULES_TOTAL ||
            check_total(xml, reader, kernel));
}

/* Checks the attributes of a <kernel> together. */
static bool check_kernel(struct orr_xml *xml,
                         struct orr_platform_reader *reader,
                         const struct orr_state_kernel *kernel)
{
    const struct orr_power_state *state = last_state(reader);
    const char *why = NULL;

    for (unsigned k = 0; k < state->kernel_count; k++) {
        if (strcmp(state->kernels[k].name, kernel->name) == 0 &&
            state->kernels[k].tile == kernel->tile)
            why = "is given twice";
    }
    if (!has_kernel(reader->platform, kernel->name))
        why = "is none of <kernels>";
    else if (state->kernel_count >= ORR_MAX_STATE_KERNELS)
        why = "is one too many";
    else if (kernel->speed > 0 && reader->power.count == 1)
        why = "has a speed in the first state, in which it was measured";
    else if (orr_xml_text(xml, "watts") && kernel->watts < state->static_w)
        why = "draws less than the static power";
    else if (!orr_xml_text(xml, "watts") && !orr_xml_text(xml, "joules") &&
             !(kernel->speed > 0))
        why = "has neither watts nor joules nor a speed";
    if (why)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "kernel %s %s", kernel->name, why);
    return !why;
}

static void start_kernel(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_state_kernel kernel = {.tile = 0};
    struct orr_power_state *state = last_state(reader);
    const char *name = NULL;

    if (!orr_xml_name(xml, "name", &name) ||
        !orr_xml_count(xml, "tile", 1, ORR_PLATFORM_MAX_TILE, &kernel.tile) ||
        !orr_xml_number(xml, "speed", ORR_MAX_STATE_SPEED, &kernel.speed) ||
        !orr_xml_watts(xml, "watts", &kernel.watts))
        return;
    kernel.name = (char *)name;
    if (!check_kernel(xml, reader, &kernel) ||
        !read_joules(xml, reader, &kernel))
        return;
    kernel.name = g_strdup(name);
    state->kernels = orr_platform_reader_grow(
        state->kernels, state->kernel_count, sizeof(kernel));
    state->kernels[state->kernel_count++] = kernel;
}

static void start_link(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    const char *name = orr_xml_text(xml, "name");
    g_autofree char *quoted = orr_quote(name);
    double idle = 0, busy;
    struct orr_link_power *power;
    unsigned link;

    if (!orr_platform_reader_find(reader->links, name, &link)) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "no link is called %s", quoted);
        return;
    }
    if (!orr_platform_reader_add(reader->powered_links, name, 0)) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "second power of link %s", quoted);
        return;
    }
    power = &reader->platform->links[link].power;
    if (!orr_xml_watts(xml, "idle", &idle))
        return;
    busy = idle;
    if (!orr_xml_watts(xml, "busy", &busy) ||
        !orr_xml_joules(xml, "message", &power->joules_per_message) ||
        !orr_xml_joules(xml, "byte", &power->joules_per_byte))
        return;
    power->idle = orr_power_from_watts(idle);
    power->busy = orr_power_from_watts(busy);
    if (busy < idle)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "idle is above busy in <link>");
}

static void start_power(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;

    orr_platform_reader_source(xml, data);
    reader->platform->power =
        g_new0(struct orr_power_table, reader->platform->node_count);
}

/* Checks that all devices have power: a sum over some would look small. */
static void end_power(struct orr_xml *xml, void *data)
{
    const struct orr_platform_reader *reader = data;
    const struct orr_platform *platform = reader->platform;

    for (unsigned d = 0; d < platform->node_count; d++) {
        if (platform->power[d].count > 0)
            continue;
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "<power> lacks %s; it must list all devices, or energy "
                     "would be too low",
                     orr_platform_device_name(platform, d));
        return;
    }
}

static const struct orr_xml_element kernel_element = {
    .name = "kernel",
    .required = {"name"},
    .optional = {"tile", "speed", "watts", "joules", "of"},
    .start = start_kernel,
};

static const struct orr_xml_element state_element = {
    .name = "state",
    .required = {"name", "speed", "busy"},
    .optional = {"idle", "static", "poll", "off"},
    .children = {{&kernel_element, ORR_XML_ANY}},
    .start = start_state,
};

static const struct orr_xml_element device_element = {
    .name = "device",
    .required = {"name", "busy"},
    .optional = {"nominal", "state", "first", "idle", "static", "poll", "off"},
    .children = {{&kernel_element, ORR_XML_ANY}, {&state_element, ORR_XML_ANY}},
    .start = start_device,
    .end = end_device,
};

static const struct orr_xml_element link_element = {
    .name = "link",
    .required = {"name"},
    .optional = {"idle", "busy", "message", "byte"},
    .start = start_link,
};

const struct orr_xml_element orr_platform_xml_power = {
    .name = "power",
    .optional = {"source"},
    .children = {{&device_element, ORR_XML_SOME}, {&link_element, ORR_XML_ANY}},
    .start = start_power,
    .end = end_power,
};
