/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The diagnosis of a hang as JSON, and from that alone as text on the standard
 * error and as a graph of waits for dot. */
#include "apps/facts/diagnosis.h"

#include <string.h>

#include "apps/output/members.h"
#include "apps/output/message.h"
#include "apps/output/output.h"
#include "apps/picture/graphviz.h"
#include "models/base/units.h"

static void set_date(JsonObject *object, orr_time date)
{
    json_object_set_double_member(object, "date_s", orr_time_to_seconds(date));
}

static void set_int(JsonObject *object, const char *name, uint64_t value)
{
    json_object_set_int_member(object, name, (gint64)value);
}

static void set_texts(JsonObject *object, const char *name, char *const *texts)
{
    JsonArray *array = orr_output_add_array(object, name);

    for (; *texts; texts++)
        json_array_add_string_element(array, *texts);
}

static void add_workers(JsonObject *object, const struct orr_hang *hang)
{
    JsonArray *array = orr_output_add_array(object, "workers");

    for (unsigned i = 0; i < hang->worker_count; i++) {
        JsonObject *worker = orr_output_add_object(array);

        orr_output_set_text(worker, "name", hang->workers[i].name);
        orr_output_set_text(worker, "doing", hang->workers[i].doing);
    }
}

static void add_queues(JsonObject *object, const struct orr_hang *hang)
{
    JsonArray *array = orr_output_add_array(object, "queues");

    for (unsigned i = 0; i < hang->queue_count; i++) {
        JsonObject *queue = orr_output_add_object(array);

        orr_output_set_text(queue, "name", hang->queues[i].name);
        set_int(queue, "count", hang->queues[i].count);
        set_texts(queue, "entries", hang->queues[i].entries);
    }
}

static void add_buffers(JsonObject *object,
                        const struct orr_hang_memory *memory)
{
    JsonArray *array = orr_output_add_array(object, "buffers");

    for (unsigned i = 0; i < memory->count; i++) {
        const struct orr_hang_buffer *buffer = &memory->buffers[i];
        JsonObject *map = orr_output_add_object(array);

        orr_output_set_text(map, "data", buffer->data);
        set_int(map, "bytes", buffer->bytes);
        orr_output_set_text(map, "state", buffer->state);
        orr_output_set_text(map, "pinned", buffer->pinned);
    }
}

static void add_memories(JsonObject *object, const struct orr_hang *hang)
{
    JsonArray *array = orr_output_add_array(object, "memories");

    for (unsigned i = 0; i < hang->memory_count; i++) {
        const struct orr_hang_memory *memory = &hang->memories[i];
        JsonObject *map = orr_output_add_object(array);

        orr_output_set_text(map, "name", memory->name);
        set_int(map, "capacity_bytes", memory->capacity_bytes);
        set_int(map, "used_bytes", memory->used_bytes);
        set_int(map, "pinned", memory->pinned);
        add_buffers(map, memory);
    }
}

static void add_decisions(JsonObject *object, const struct orr_hang *hang)
{
    JsonArray *array = orr_output_add_array(object, "decisions");

    for (unsigned i = 0; i < hang->decision_count; i++) {
        JsonObject *decision = orr_output_add_object(array);

        set_date(decision, hang->decisions[i].date);
        orr_output_set_text(decision, "what", hang->decisions[i].what);
    }
}

static void add_waits(JsonObject *object, const struct orr_hang *hang)
{
    JsonArray *array = orr_output_add_array(object, "waits");

    for (unsigned i = 0; i < hang->wait_count; i++) {
        const struct orr_hang_wait *wait = &hang->waits[i];
        JsonObject *edge = orr_output_add_object(array);
        bool leads = wait->to < hang->party_count;

        orr_output_set_text(edge, "from", hang->parties[wait->from]);
        orr_output_set_text(edge, "to", leads ? hang->parties[wait->to] : NULL);
        orr_output_set_text(edge, "why", wait->why);
        json_object_set_boolean_member(edge, "in_chain", wait->in_chain);
    }
}

JsonObject *orr_diagnosis_new(const struct orr_hang *hang)
{
    JsonObject *object = json_object_new();

    orr_output_set_text(object, "kind", orr_hang_kind_name(hang->kind));
    json_object_set_boolean_member(object, "livelock", hang->livelock);
    set_date(object, hang->date);
    set_int(object, "tasks", hang->tasks);
    set_int(object, "tasks_left", hang->tasks_left);
    set_texts(object, "chain", hang->chain);
    add_workers(object, hang);
    add_queues(object, hang);
    add_memories(object, hang);
    add_decisions(object, hang);
    add_waits(object, hang);
    return object;
}

void orr_diagnosis_shorten(JsonObject *facts)
{
    static const char *const lists[] = {"workers", "queues", "memories",
                                        "decisions", "waits"};
    JsonObject *hang = json_object_has_member(facts, "hang")
                           ? json_object_get_object_member(facts, "hang")
                           : NULL;

    for (size_t i = 0; hang && i < G_N_ELEMENTS(lists); i++)
        json_object_remove_member(hang, lists[i]);
}

/* ---- as text on the standard error ---- */

enum { MOST_ENTRIES = 3, MOST_BUFFERS = 12 };

char *orr_diagnosis_title(JsonObject *hang)
{
    return g_strdup_printf(
        "the run %s with %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
        " tasks left (%s)",
        json_object_get_boolean_member(hang, "livelock") ? "is in a livelock"
                                                         : "has stalled",
        orr_int_of(hang, "tasks_left"), orr_int_of(hang, "tasks"),
        orr_text_of(hang, "kind"));
}

static void print_chain(JsonObject *hang)
{
    JsonArray *chain = orr_array_of(hang, "chain");

    for (guint i = 0; i < json_array_get_length(chain); i++)
        orr_message_detail("  %s", json_array_get_string_element(chain, i));
}

static void print_workers(JsonObject *hang)
{
    JsonArray *workers = orr_array_of(hang, "workers");

    orr_message_detail("Workers:");
    for (guint i = 0; i < json_array_get_length(workers); i++) {
        JsonObject *worker = orr_object_at(workers, i);

        orr_message_detail("  %-6s %s", orr_text_of(worker, "name"),
                           orr_text_of(worker, "doing"));
    }
}

static void print_queues(JsonObject *hang)
{
    JsonArray *queues = orr_array_of(hang, "queues");

    if (json_array_get_length(queues) > 0)
        orr_message_detail("Queues:");
    for (guint i = 0; i < json_array_get_length(queues); i++) {
        JsonObject *queue = orr_object_at(queues, i);
        JsonArray *entries = orr_array_of(queue, "entries");
        gint64 count = orr_int_of(queue, "count");

        orr_message_detail("  %s: %" G_GINT64_FORMAT,
                           orr_text_of(queue, "name"), count);
        for (guint k = 0; k < MIN(count, MOST_ENTRIES); k++)
            orr_message_detail("    %s",
                               json_array_get_string_element(entries, k));
        if (count > MOST_ENTRIES)
            orr_message_detail("    and %" G_GINT64_FORMAT " more",
                               count - MOST_ENTRIES);
    }
}

static void print_buffers(JsonArray *buffers)
{
    guint count = json_array_get_length(buffers);

    for (guint i = 0; i < MIN(count, MOST_BUFFERS); i++) {
        JsonObject *buffer = orr_object_at(buffers, i);
        bool may_go = json_object_get_null_member(buffer, "pinned");

        orr_message_detail("    %-10s %-7s %s%s", orr_text_of(buffer, "data"),
                           orr_text_of(buffer, "state"),
                           may_go ? "evictable" : "pinned ",
                           may_go ? "" : orr_text_of(buffer, "pinned"));
    }
    if (count > MOST_BUFFERS)
        orr_message_detail("    and %u more", count - MOST_BUFFERS);
}

static void print_memories(JsonObject *hang)
{
    JsonArray *memories = orr_array_of(hang, "memories");

    if (json_array_get_length(memories) > 0)
        orr_message_detail("Memory (least recently used buffer first):");
    for (guint i = 0; i < json_array_get_length(memories); i++) {
        JsonObject *memory = orr_object_at(memories, i);
        JsonArray *buffers = orr_array_of(memory, "buffers");
        g_autofree char *used =
            orr_format_bytes((uint64_t)orr_int_of(memory, "used_bytes"));
        g_autofree char *capacity =
            orr_format_bytes((uint64_t)orr_int_of(memory, "capacity_bytes"));

        orr_message_detail(
            "  %s: %s of %s allocated, %u buffers, %" G_GINT64_FORMAT " pinned",
            orr_text_of(memory, "name"), used, capacity,
            json_array_get_length(buffers), orr_int_of(memory, "pinned"));
        print_buffers(buffers);
    }
}

static void print_decisions(JsonObject *hang)
{
    JsonArray *decisions = orr_array_of(hang, "decisions");

    if (json_array_get_length(decisions) > 0)
        orr_message_detail("Last decisions:");
    for (guint i = 0; i < json_array_get_length(decisions); i++) {
        JsonObject *decision = orr_object_at(decisions, i);

        orr_message_detail("  %12.6f s  %s", orr_double_of(decision, "date_s"),
                           orr_text_of(decision, "what"));
    }
}

void orr_diagnosis_complain(JsonObject *hang, const char *command,
                            const char *run)
{
    g_autofree char *title = orr_diagnosis_title(hang);

    orr_message_print(command, "%s%s", run, title);
    print_chain(hang);
}

void orr_diagnosis_detail(JsonObject *hang)
{
    print_workers(hang);
    print_queues(hang);
    print_memories(hang);
    print_decisions(hang);
}

/* ---- as a graph of waits ---- */

/* Colour-blind readers can distinguish these colours. */
#define CHAIN_COLOUR "#d55e00"
#define CHAIN_FILL "#fdeee2"
#define OTHER_COLOUR "#707070"
#define OTHER_FILL "#f4f4f4"

/* Characters in each line of a box. */
enum { MOST_COLUMNS = 46 };

/* Appends @text, wrapped into lines that are aligned to the left. */
static void append_wrapped(GString *script, const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    size_t column = 0;

    for (char **word = words; *word; word++) {
        if (column > 0 && column + strlen(*word) >= MOST_COLUMNS) {
            g_string_append(script, "\\l");
            column = 0;
        }
        if (column > 0)
            g_string_append_c(script, ' ');
        orr_graphviz_append(script, *word);
        column += strlen(*word) + 1;
    }
    g_string_append(script, "\\l");
}

/* Appends a box for the waiting side of @wait, with the reason. */
static void append_box(GString *script, JsonObject *wait, guint number)
{
    bool in_chain = json_object_get_boolean_member(wait, "in_chain");

    g_string_append_printf(script, "  p%u [label=\"", number);
    append_wrapped(script, orr_text_of(wait, "why"));
    g_string_append_printf(
        script, "\", color=\"%s\", fillcolor=\"%s\"%s];\n",
        in_chain ? CHAIN_COLOUR : OTHER_COLOUR,
        in_chain ? CHAIN_FILL : OTHER_FILL,
        json_object_get_null_member(wait, "to") ? ", penwidth=3" : "");
}

static guint find(JsonArray *waits, const char *name)
{
    guint i = 0;

    while (strcmp(orr_text_of(orr_object_at(waits, i), "from"), name) != 0)
        i++;
    return i;
}

static void append_arrow(GString *script, JsonArray *waits, guint number)
{
    JsonObject *wait = orr_object_at(waits, number);
    bool in_chain = json_object_get_boolean_member(wait, "in_chain");

    if (json_object_get_null_member(wait, "to"))
        return;
    g_string_append_printf(script, "  p%u -> p%u [color=\"%s\"%s];\n", number,
                           find(waits, orr_text_of(wait, "to")),
                           in_chain ? CHAIN_COLOUR : OTHER_COLOUR,
                           in_chain ? ", penwidth=2" : "");
}

/* A livelock has no waits: its chain becomes the text of one box. */
static void append_chain(GString *script, JsonObject *hang)
{
    JsonArray *chain = orr_array_of(hang, "chain");

    g_string_append(script, "  chain [label=\"");
    for (guint i = 0; i < json_array_get_length(chain); i++)
        append_wrapped(script, json_array_get_string_element(chain, i));
    g_string_append(script, "\", color=\"" CHAIN_COLOUR
                            "\", fillcolor=\"" CHAIN_FILL "\"];\n");
}

char *orr_diagnosis_script(JsonObject *hang)
{
    GString *script = g_string_new("digraph hang {\n  label=\"");
    JsonArray *waits = orr_array_of(hang, "waits");
    guint count = json_array_get_length(waits);
    g_autofree char *title = orr_diagnosis_title(hang);

    orr_graphviz_append(script, title);
    g_string_append(script,
                    "\"; labelloc=t; fontsize=16; nodesep=0.3; ranksep=0.35;\n"
                    "  fontname=\"Helvetica,Arial,sans-serif\";\n"
                    "  node [shape=box, style=\"rounded,filled\", fontsize=11, "
                    "margin=\"0.15,0.08\", "
                    "fontname=\"Helvetica,Arial,sans-serif\"];\n");
    for (guint i = 0; i < count; i++)
        append_box(script, orr_object_at(waits, i), i);
    for (guint i = 0; i < count; i++)
        append_arrow(script, waits, i);
    if (count == 0)
        append_chain(script, hang);
    g_string_append(script, "}\n");
    return g_string_free(script, FALSE);
}
