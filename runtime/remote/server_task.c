/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls that submit tasks, or ask about them. */
#include "runtime/remote/server_private.h"

/* Reads @count numbers; NULL if there are none. Free with g_free(). */
static uint64_t *read_numbers(struct orr_server *server, uint64_t count)
{
    const uint64_t *words = orr_read_words(&server->in, count);

    return words && count > 0 ? g_memdup2(words, count * sizeof(*words)) : NULL;
}

static unsigned *read_unsigned(struct orr_server *server, uint64_t count)
{
    const uint64_t *words = orr_read_words(&server->in, count);
    unsigned *numbers = words && count > 0 ? g_new(unsigned, count) : NULL;

    for (uint64_t i = 0; numbers && i < count; i++)
        numbers[i] = (unsigned)words[i];
    return numbers;
}

/* The number in the run of a task that the program counts as @task. */
static uint64_t number_of(const struct orr_server *server, uint64_t task)
{
    return task < server->tasks->len
               ? g_array_index(server->tasks, uint64_t, (guint)task)
               : UINT64_MAX;
}

void orr_server_run_wait_task(struct orr_server *server)
{
    uint64_t task = number_of(server, orr_server_read(server));
    GError *error = NULL;
    bool good = orr_run_wait_task(server->run, task, &error);

    orr_server_answer_error(server, good, error);
}

/* A task that was received, and the arrays that it borrows, owned. */
struct received_task {
    struct orr_task_spec spec;
    struct orr_task_times times;
    struct orr_task_calls calls;
    struct orr_access *accesses;
    uint64_t *wait_tags, *end_tags;
    unsigned *workers;
    struct orr_data **scratch;
    struct orr_cost *costs;
};

static void clear_task(struct received_task *task)
{
    g_free(task->accesses);
    g_free(task->wait_tags);
    g_free(task->end_tags);
    g_free(task->workers);
    g_free(task->scratch);
    g_free(task->costs);
}

static void read_accesses(struct orr_server *server, struct received_task *task)
{
    uint64_t count = orr_server_read(server);
    const uint64_t *words = orr_read_words(&server->in, count);

    task->spec.count = words ? (unsigned)count : 0;
    if (task->spec.count == 0)
        return;
    task->spec.accesses = task->accesses = g_new(struct orr_access, count);
    for (uint64_t i = 0; i < count; i++) {
        task->accesses[i].data =
            orr_server_find(server, server->data, words[i] >> 16);
        task->accesses[i].mode = (enum orr_access_mode)(words[i] & UINT16_MAX);
    }
}

static void read_scratch(struct orr_server *server, struct received_task *task)
{
    uint64_t count = orr_server_read(server);
    const uint64_t *words = orr_read_words(&server->in, count);

    task->spec.scratch_count = words ? (unsigned)count : 0;
    if (task->spec.scratch_count == 0)
        return;
    task->spec.scratch = task->scratch = g_new(struct orr_data *, count);
    for (uint64_t i = 0; i < count; i++)
        task->scratch[i] = orr_server_find(server, server->data, words[i]);
}

struct orr_call orr_server_read_call(struct orr_server *server)
{
    struct orr_program_call *call;
    uint64_t function = orr_server_read(server);
    uint64_t data = orr_server_read(server);

    if (function == 0)
        return (struct orr_call){NULL, NULL};
    call = g_new(struct orr_program_call, 1);
    *call = (struct orr_program_call){server, function, data};
    g_ptr_array_add(server->calls, call);
    return (struct orr_call){orr_server_call_back, call};
}

static void read_functions(struct orr_server *server,
                           struct received_task *task, uint64_t flags)
{
    if (flags & ORR_REMOTE_CALLBACK) {
        struct orr_call call = orr_server_read_call(server);

        task->spec.callback = call.function;
        task->spec.callback_data = call.data;
    }
    if (flags & ORR_REMOTE_CALLS) {
        task->calls.size = sizeof(task->calls);
        task->calls.prologue = orr_server_read_call(server);
        task->calls.prologue_pop = orr_server_read_call(server);
        task->calls.epilogue = orr_server_read_call(server);
        task->calls.kernel = orr_server_read_call(server);
        task->spec.calls = &task->calls;
    }
}

static void read_coordinates(struct orr_server *server,
                             struct received_task *task)
{
    task->spec.coordinate_count = (unsigned)orr_server_read(server);
    for (unsigned i = 0;
         i < MIN(task->spec.coordinate_count, ORR_MAX_COORDINATES); i++)
        task->spec.coordinates[i] = (unsigned)orr_server_read(server);
}

/* The parts of a task that its dependencies consist of, and its workers. */
static void read_lists(struct orr_server *server, struct received_task *task)
{
    struct orr_task_spec *spec = &task->spec;

    spec->tag = orr_server_read(server);
    spec->wait_count = (unsigned)orr_server_read(server);
    spec->wait_tags = task->wait_tags = read_numbers(server, spec->wait_count);
    spec->end_count = (unsigned)orr_server_read(server);
    spec->end_tags = task->end_tags = read_numbers(server, spec->end_count);
    spec->end_releases = (unsigned)orr_server_read(server);
    spec->worker_count = (unsigned)orr_server_read(server);
    spec->workers = task->workers = read_unsigned(server, spec->worker_count);
    read_scratch(server, task);
    read_coordinates(server, task);
    spec->implementations = (unsigned)orr_server_read(server);
    spec->costs = task->costs =
        orr_server_read_costs(server, spec->implementations);
}

/* Returns whether it is a task: then all its arrays have their lengths. */
static bool read_task(struct orr_server *server, struct received_task *task)
{
    struct orr_task_spec *spec = &task->spec;
    uint64_t flags = orr_server_read(server);
    const char *name;

    *spec = (struct orr_task_spec){ORR_TASK_SPEC_INIT};
    spec->unordered = (flags & ORR_REMOTE_UNORDERED) != 0;
    spec->pinned = (flags & ORR_REMOTE_PINNED) != 0;
    spec->synchronises = (flags & ORR_REMOTE_SYNCHRONISES) != 0;
    spec->blocks_driver = (flags & ORR_REMOTE_BLOCKS_DRIVER) != 0;
    spec->regenerated = (flags & ORR_REMOTE_REGENERATED) != 0;
    spec->kernel = orr_server_read_handle(server, server->kernels);
    spec->priority = (int)orr_server_read(server);
    spec->critical = (enum orr_critical)orr_server_read(server);
    read_accesses(server, task);
    name = orr_read_text(&server->in);
    spec->name = name ? orr_run_keep_text(server->run, name) : NULL;
    read_lists(server, task);
    if (flags & ORR_REMOTE_TIMES) {
        orr_server_read_times(server, &task->times);
        spec->times = &task->times;
    }
    read_functions(server, task, flags);
    return !server->in.bad && !server->error;
}

void orr_server_task_submit(struct orr_server *server)
{
    struct received_task task = {.accesses = NULL};
    guint index = server->tasks->len;
    uint64_t number = UINT64_MAX;

    g_array_append_val(server->tasks,
                       number); /* before numbers of callbacks' tasks */
    if (read_task(server, &task)) {
        number = orr_task_submit(server->run, &task.spec);
        g_array_index(server->tasks, uint64_t, index) = number;
    }
    clear_task(&task);
}

void orr_server_task_expected_ns(struct orr_server *server)
{
    struct received_task task = {.accesses = NULL};
    unsigned worker = (unsigned)orr_server_read(server);
    unsigned implementation = (unsigned)orr_server_read(server);

    if (read_task(server, &task))
        orr_server_answer(
            server, (uint64_t)orr_task_expected_ns(server->run, &task.spec,
                                                   worker, implementation));
    clear_task(&task);
}

void orr_server_task_expected_transfer_ns(struct orr_server *server)
{
    struct received_task task = {.accesses = NULL};
    unsigned node = (unsigned)orr_server_read(server);

    if (read_task(server, &task))
        orr_server_answer(server, (uint64_t)orr_task_expected_transfer_ns(
                                      server->run, &task.spec, node));
    clear_task(&task);
}

void orr_server_task_release_end(struct orr_server *server)
{
    orr_task_release_end(server->run,
                         number_of(server, orr_server_read(server)));
}

void orr_server_tag_notify(struct orr_server *server)
{
    orr_tag_notify(server->run, orr_server_read(server));
}
