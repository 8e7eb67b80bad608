/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls about data. */
#include "apps/starpu/remote/client_data.h"

#include "apps/starpu/remote/link.h"

uint64_t sp_number_data(unsigned count)
{
    static uint64_t numbers; /* data that there were */
    uint64_t first = numbers + 1;

    numbers += count;
    return first;
}

static void send_handle(enum orr_remote_kind kind, const void *handle)
{
    sp_begin(kind);
    sp_put_handle(handle);
    sp_send();
}

/* Asks whether the call about @data is good. */
static bool ask_handle(enum orr_remote_kind kind, const struct orr_data *data,
                       GError **error)
{
    sp_begin(kind);
    sp_put_handle(data);
    return sp_ask_error(error);
}

bool sp_remote_data_acquire(struct orr_run *run, struct orr_data *data,
                            enum orr_access_mode mode, GError **error)
{
    (void)run;
    sp_begin(ORR_REMOTE_data_acquire);
    sp_put_handle(data);
    sp_put(mode);
    return sp_ask_error(error);
}

static void put_acquire(enum orr_remote_kind kind, const struct orr_data *data,
                        const struct orr_acquire *how)
{
    sp_begin(kind);
    sp_put_handle(data);
    sp_put(how->mode);
    sp_put((uint64_t)how->node);
    sp_put(how->unordered);
    sp_put_call(how->callback.function, how->callback.data);
}

bool sp_remote_data_acquire_as(struct orr_run *run, struct orr_data *data,
                               const struct orr_acquire *how, GError **error)
{
    (void)run;
    put_acquire(ORR_REMOTE_data_acquire_as, data, how);
    return sp_ask_error(error);
}

void sp_remote_data_acquire_later(struct orr_run *run, struct orr_data *data,
                                  const struct orr_acquire *how)
{
    (void)run;
    put_acquire(ORR_REMOTE_data_acquire_later, data, how);
    sp_send();
}

bool sp_remote_data_deinitialize(struct orr_run *run, struct orr_data *data,
                                 GError **error)
{
    (void)run;
    return ask_handle(ORR_REMOTE_data_deinitialize, data, error);
}

void sp_remote_data_deinitialize_submit(struct orr_run *run,
                                        struct orr_data *data)
{
    (void)run;
    send_handle(ORR_REMOTE_data_deinitialize_submit, data);
}

/* The answer to a question about @data and the memory @node. */
static uint64_t ask_node(enum orr_remote_kind kind, const struct orr_data *data,
                         unsigned node)
{
    sp_begin(kind);
    sp_put_handle(data);
    sp_put(node);
    return sp_ask_word();
}

bool sp_remote_data_evict(struct orr_run *run, struct orr_data *data,
                          unsigned node)
{
    (void)run;
    return ask_node(ORR_REMOTE_data_evict, data, node) != 0;
}

int64_t sp_remote_data_expected_transfer_ns(struct orr_run *run,
                                            const struct orr_data *data,
                                            unsigned node)
{
    (void)run;
    return (int64_t)ask_node(ORR_REMOTE_data_expected_transfer_ns, data, node);
}

unsigned sp_remote_data_state(struct orr_run *run, const struct orr_data *data,
                              unsigned node)
{
    (void)run;
    return (unsigned)ask_node(ORR_REMOTE_data_state, data, node);
}

static void send_node(enum orr_remote_kind kind, struct orr_data *data,
                      unsigned node)
{
    sp_begin(kind);
    sp_put_handle(data);
    sp_put(node);
    sp_send();
}

void sp_remote_data_set_arbiter(struct orr_run *run, struct orr_data *data,
                                uint32_t arbiter)
{
    (void)run;
    send_node(ORR_REMOTE_data_set_arbiter, data, arbiter);
}

void sp_remote_data_idle_prefetch(struct orr_run *run, struct orr_data *data,
                                  unsigned node)
{
    (void)run;
    send_node(ORR_REMOTE_data_idle_prefetch, data, node);
}

bool sp_remote_data_invalidate(struct orr_run *run, struct orr_data *data,
                               GError **error)
{
    (void)run;
    return ask_handle(ORR_REMOTE_data_invalidate, data, error);
}

void sp_remote_data_invalidate_submit(struct orr_run *run,
                                      struct orr_data *data)
{
    (void)run;
    send_handle(ORR_REMOTE_data_invalidate_submit, data);
}

void sp_remote_data_prefetch(struct orr_run *run, struct orr_data *data,
                             unsigned node)
{
    (void)run;
    send_node(ORR_REMOTE_data_prefetch, data, node);
}

static struct orr_data *send_datum(enum orr_remote_kind kind, uint64_t bytes)
{
    sp_begin(kind);
    sp_put(bytes);
    sp_send();
    return sp_handle_of(sp_number_data(1));
}

struct orr_data *sp_remote_data_register(struct orr_run *run, uint64_t bytes)
{
    (void)run;
    return send_datum(ORR_REMOTE_data_register, bytes);
}

struct orr_data *sp_remote_data_register_temporary(struct orr_run *run,
                                                   uint64_t bytes)
{
    (void)run;
    return send_datum(ORR_REMOTE_data_register_temporary, bytes);
}

struct orr_data *sp_remote_data_register_matrix(struct orr_run *run,
                                                uint64_t column_bytes,
                                                uint64_t count,
                                                uint64_t pitch_bytes)
{
    (void)run;
    sp_begin(ORR_REMOTE_data_register_matrix);
    sp_put(column_bytes);
    sp_put(count);
    sp_put(pitch_bytes);
    sp_send();
    return sp_handle_of(sp_number_data(1));
}

void sp_remote_data_release(struct orr_run *run, struct orr_data *data)
{
    (void)run;
    send_handle(ORR_REMOTE_data_release, data);
}

void sp_remote_data_release_on(struct orr_run *run, struct orr_data *data,
                               int node)
{
    (void)run;
    sp_begin(ORR_REMOTE_data_release_on);
    sp_put_handle(data);
    sp_put((uint64_t)node);
    sp_send();
}

void sp_remote_data_set_coordinates(struct orr_data *data, unsigned row,
                                    unsigned column)
{
    sp_begin(ORR_REMOTE_data_set_coordinates);
    sp_put_handle(data);
    sp_put(row);
    sp_put(column);
    sp_send();
}

void sp_remote_data_set_name(struct orr_data *data, const char *name)
{
    sp_begin(ORR_REMOTE_data_set_name);
    sp_put_handle(data);
    sp_put_text(name);
    sp_send();
}

void sp_remote_data_set_reduction(struct orr_run *run, struct orr_data *data,
                                  struct orr_kernel *kernel,
                                  const struct orr_task_times *times)
{
    (void)run;
    sp_begin(ORR_REMOTE_data_set_reduction);
    sp_put_handle(data);
    sp_put_handle(kernel);
    sp_put(times != NULL);
    if (times)
        sp_put_times(times);
    sp_send();
}

void sp_remote_data_set_unordered(struct orr_run *run, struct orr_data *data,
                                  bool unordered)
{
    (void)run;
    sp_begin(ORR_REMOTE_data_set_unordered);
    sp_put_handle(data);
    sp_put(unordered);
    sp_send();
}

bool sp_remote_data_unregister(struct orr_run *run, struct orr_data *data,
                               GError **error)
{
    (void)run;
    return ask_handle(ORR_REMOTE_data_unregister, data, error);
}

bool sp_remote_data_unregister_no_coherency(struct orr_run *run,
                                            struct orr_data *data,
                                            GError **error)
{
    (void)run;
    return ask_handle(ORR_REMOTE_data_unregister_no_coherency, data, error);
}

void sp_remote_data_unregister_submit(struct orr_run *run,
                                      struct orr_data *data)
{
    (void)run;
    send_handle(ORR_REMOTE_data_unregister_submit, data);
}

void sp_remote_data_wont_use(struct orr_run *run, struct orr_data *data)
{
    (void)run;
    send_handle(ORR_REMOTE_data_wont_use, data);
}
