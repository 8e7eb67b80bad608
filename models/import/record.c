/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/import/record.h"

#include <string.h>

#include "models/starpu/platform_starpu.h"

void orr_record_free(struct orr_record *record)
{
    if (!record)
        return;
    g_string_chunk_free(record->names);
    g_free(record->tasks);
    g_free(record->path);
    g_free(record);
}

/* Whether @name is "family/name" of @kernel, as graphs call kernels that StarPU
 * does not know; the precision may follow. */
static bool is_path(const char *name, const struct orr_platform_kernel *kernel)
{
    g_autofree char *path =
        g_strconcat(kernel->family, "/", kernel->name, NULL);
    size_t length = strlen(path);

    if (strncmp(name, path, length) != 0)
        return false;
    return name[length] == '\0' ||
           (name[length] == '/' &&
            strcmp(name + length + 1, orr_precision_name(kernel->precision)) ==
                0);
}

bool orr_record_is(const struct orr_record_task *task,
                   const struct orr_platform_kernel *kernel)
{
    if (strchr(task->name, '/') && is_path(task->name, kernel))
        return true;
    if (*kernel->family && orr_platform_starpu_knows(task->name))
        return orr_platform_starpu_is(task->name, kernel);
    return g_ascii_strcasecmp(task->name, kernel->name) == 0;
}

bool orr_record_device(const struct orr_record_task *task,
                       const struct orr_platform *platform, unsigned gpus,
                       unsigned *device)
{
    if (!task->device && task->node != ORR_RECORD_NO_NODE) {
        *device = task->node;
        return task->node < platform->node_count;
    }
    if (!task->device) {
        if (task->worker == ORR_RECORD_NO_WORKER)
            return false;
        *device = task->worker < gpus ? task->worker + 1 : ORR_RAM;
        return true;
    }
    for (unsigned d = 1; d < platform->node_count; d++) {
        if (strcmp(task->device, orr_platform_device_name(platform, d)) == 0) {
            *device = d;
            return true;
        }
    }
    *device = ORR_RAM;
    return g_str_has_prefix(task->device, "CPU") &&
           task->device[3 + strspn(task->device + 3, "0123456789")] == '\0';
}
