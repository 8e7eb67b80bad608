/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RUN_DIAGNOSIS_H
#define ORR_RUN_DIAGNOSIS_H

#include "runtime/diagnosis/watchdog.h"

/* For the diagnosis of a hang, and of settings without effect. */
struct orr_hang; /* runtime/diagnosis/hang.h */

struct orr_diagnosis {
    struct orr_watchdog watchdog;
    struct orr_hang *hang; /* set once the run hangs */

    bool (*progress)(void *data, uint64_t tasks); /* see struct orr_config */
    void *progress_data;

    /* Facts for unused_settings.h. */
    bool buckets_given;  /* the configuration sets buckets */
    bool memory_given;   /* the configuration sets gpu_memory_bytes */
    bool pipeline_given; /* it sets the depth of pipelines */
    bool cpus_given;     /* the configuration sets cpus */
    bool driver_freed;   /* a driver freed GPU memory */
    char **unused; /* settings without influence, a sentence each; owned */
};

#endif
