/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/report/diagnosis.h"

#include "apps/output/output.h"

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
