/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A diagnosis as text on the standard error. */
#include "apps/output/members.h"
#include "apps/output/message.h"
#include "apps/report/diagnosis.h"
#include "models/base/units.h"

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
