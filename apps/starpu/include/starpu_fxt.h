/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_FXT_H
#define ORR_STARPU_FXT_H

#include <starpu_config.h>
#include <starpu_perfmodel.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct starpu_fxt_codelet_event {
    char symbol[2048];
    int workerid;
    char perfmodel_archname[256];
    uint32_t hash;
    size_t size;
    float time;
};

struct starpu_fxt_mpi_offset {
    uint64_t local_time_start;
    int64_t offset_start;
    uint64_t local_time_end;
    int64_t offset_end;
    int nb_barriers;
};

struct starpu_fxt_options {
    unsigned per_task_colour, no_events, no_counter, no_bus, no_flops;
    unsigned ninputfiles;
    unsigned no_smooth, no_acquire, memory_states, internal, label_deps;
    unsigned use_task_color, show_workers, iter_clusters;
    char *filenames[STARPU_FXT_MAX_FILES];
    char *out_paje_path, *distrib_time_path, *activity_path;
    char *sched_tasks_path, *dag_path, *tasks_path, *data_path, *papi_path;
    char *comms_path, *number_events_path, *anim_path, *states_path;
    char *dir;
    char worker_names[STARPU_NMAXWORKERS][256];
    int nworkers;
    struct starpu_perfmodel_arch worker_archtypes[STARPU_NMAXWORKERS];
    char *file_prefix;
    struct starpu_fxt_mpi_offset file_offset;
    int file_rank;
    struct starpu_fxt_codelet_event **dumped_codelets;
    long dumped_codelets_count;
};

/* Traces of a simulated program are written by the commands of orrery. */
void starpu_fxt_options_init(struct starpu_fxt_options *options);
void starpu_fxt_options_set_dir(struct starpu_fxt_options *options);
void starpu_fxt_options_shutdown(struct starpu_fxt_options *options);
void starpu_fxt_generate_trace(struct starpu_fxt_options *options);
void starpu_fxt_write_data_trace(char *file);
void starpu_fxt_write_data_trace_in_dir(char *file, char *folder);
void starpu_fxt_autostart_profiling(int autostart);
void starpu_fxt_start_profiling(void);
void starpu_fxt_stop_profiling(void);
int starpu_fxt_is_enabled(void);
void starpu_fxt_trace_user_event(unsigned long code);
void starpu_fxt_trace_user_event_string(const char *text);
void starpu_fxt_trace_user_meta_string(const char *text);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
