/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_PROFILING_TOOL_H
#define ORR_STARPU_PROFILING_TOOL_H

#include <starpu_data.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Events of StarPU for tools: none is reported. */
enum starpu_prof_tool_event {
    starpu_prof_tool_event_none,
    starpu_prof_tool_event_init,
    starpu_prof_tool_event_terminate,
    starpu_prof_tool_event_init_begin,
    starpu_prof_tool_event_init_end,
    starpu_prof_tool_event_driver_init,
    starpu_prof_tool_event_driver_deinit,
    starpu_prof_tool_event_driver_init_start,
    starpu_prof_tool_event_driver_init_end,
    starpu_prof_tool_event_start_cpu_exec,
    starpu_prof_tool_event_end_cpu_exec,
    starpu_prof_tool_event_start_gpu_exec,
    starpu_prof_tool_event_end_gpu_exec,
    starpu_prof_tool_event_start_transfer,
    starpu_prof_tool_event_end_transfer,
    starpu_prof_tool_event_user_start,
    starpu_prof_tool_event_user_end
};
enum starpu_prof_tool_driver_type {
    starpu_prof_tool_driver_cpu,
    starpu_prof_tool_driver_gpu,
    starpu_prof_tool_driver_hip,
    starpu_prof_tool_driver_ocl
};
enum starpu_prof_tool_command {
    starpu_prof_tool_command_reg,
    starpu_prof_tool_command_toggle,
    starpu_prof_tool_command_toggle_per_thread
};

struct starpu_conf;

struct starpu_prof_tool_data_info {
    starpu_data_handle_t handle;
    unsigned dimensions;
    int coordinates[5];
    enum starpu_data_access_mode mode;
};
struct starpu_prof_tool_info {
    struct starpu_conf *conf;
    enum starpu_prof_tool_event event_type;
    unsigned int starpu_version[3];
    int thread_id, worker_id;
    const char *task_name, *model_name;
    int device_number;
    enum starpu_prof_tool_driver_type driver_type;
    unsigned memnode;
    unsigned bytes_to_transfer, bytes_transfered;
    void *fun_ptr;
    long iterations[2];
    int nbuffers;
    struct starpu_prof_tool_data_info *buffers;
    double flops;
};
union starpu_prof_tool_event_info {
    enum starpu_prof_tool_event event_type;
};
struct starpu_prof_tool_api_info {
    char unused;
};

typedef void (*starpu_prof_tool_cb_func)(struct starpu_prof_tool_info *,
                                         union starpu_prof_tool_event_info *,
                                         struct starpu_prof_tool_api_info *);
typedef void (*starpu_prof_tool_entry_register_func)(
    enum starpu_prof_tool_event event_type, starpu_prof_tool_cb_func cb,
    enum starpu_prof_tool_command info);

/* A function of the tool. */
extern void
starpu_prof_tool_library_register(starpu_prof_tool_entry_register_func reg,
                                  starpu_prof_tool_entry_register_func unreg);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
