/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The reader of mappings, of --sched fixed:FILE, in all formats; and the order
 * of the tasks of each worker. */
#include <stdlib.h>

#include "models/import/mapping.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

/* Each task is once in the order, among those of one worker, and is found. */
static void check_order(const struct orr_mapping *mapping, unsigned workers)
{
    if (mapping->first[0] != 0 || mapping->first[workers] != mapping->count)
        abort();
    for (unsigned w = 0; w < workers; w++) {
        for (unsigned i = mapping->first[w]; i < mapping->first[w + 1]; i++) {
            const struct orr_mapping_task *task;

            if (i >= mapping->count || mapping->order[i] >= mapping->count)
                abort();
            task = &mapping->tasks[mapping->order[i]];
            if (task->place != i ||
                (i > mapping->first[w] &&
                 mapping->tasks[mapping->order[i - 1]].start > task->start))
                abort();
        }
        if (mapping->first[w] > mapping->first[w + 1])
            abort();
    }
}

static void check_found(const struct orr_mapping *mapping)
{
    for (unsigned i = 0; i < mapping->count; i++) {
        const struct orr_mapping_task *task = &mapping->tasks[i];

        if (!task->worker || task->line == 0 ||
            orr_mapping_find(mapping, task->number, task->name) != i)
            abort();
    }
    if (orr_mapping_find(mapping, UINT64_MAX, "no task is called so") !=
        ORR_MAPPING_NONE)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"CUDA0", "CUDA1", "CPU0"};
    char *path = fuzz_file_new(data, size);
    g_autoptr(GError) error = NULL;
    struct orr_mapping *mapping = orr_mapping_read(path, &error);

    if (!mapping != (error != NULL))
        abort();
    if (mapping) {
        check_found(mapping);
        if (orr_mapping_resolve(mapping, names, G_N_ELEMENTS(names), &error))
            check_order(mapping, G_N_ELEMENTS(names));
        else if (!error)
            abort();
    }
    orr_mapping_free(mapping);
    fuzz_file_free(path);
    return 0;
}
