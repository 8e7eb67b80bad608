/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names of parties. */
#include "runtime/diagnosis/hang_private.h"
#include "runtime/run.h"

const char *orr_hang_kind_name(enum orr_hang_kind kind)
{
    static const char *const names[ORR_HANG_KINDS] = {
        [ORR_HANG_DEPENDENCY_CYCLE] = "dependency-cycle",
        [ORR_HANG_TASKS_HELD] = "tasks-held",
        [ORR_HANG_LOST_WAKEUP] = "lost-wakeup",
        [ORR_HANG_MEMORY] = "memory",
        [ORR_HANG_LOCK_CYCLE] = "lock-cycle",
        [ORR_HANG_NEVER_OFFERED] = "never-offered",
        [ORR_HANG_EVICTION_PING_PONG] = "eviction-ping-pong",
        [ORR_HANG_SPINNING] = "spinning",
        [ORR_HANG_NEVER_SUBMITTED] = "never-submitted",
        [ORR_HANG_WINDOW] = "window",
        [ORR_HANG_COMMUTE_HELD] = "commute-held",
        [ORR_HANG_NOT_RELEASED] = "not-released",
        [ORR_HANG_PAUSED] = "paused",
        [ORR_HANG_UNEXPLAINED] = "unexplained",
    };

    return names[kind];
}

/* "task 17 (gemm(5,2,1))" */
static char *name_task(const struct orr_run *run, const struct orr_job *job)
{
    unsigned coordinates[ORR_MAX_COORDINATES];
    unsigned count = orr_job_coordinates(job, coordinates);
    GString *name = g_string_new(NULL);

    g_string_printf(name, "task %" G_GUINT64_FORMAT " (%s", (uint64_t)job->id,
                    orr_job_name(&run->graph, job));
    for (unsigned i = 0; i < count; i++)
        g_string_append_printf(name, "%c%u", i == 0 ? '(' : ',',
                               coordinates[i]);
    g_string_append(name, count > 0 ? "))" : ")");
    return g_string_free(name, FALSE);
}

char *orr_hang_name_thread(const struct orr_run *run,
                           const struct orr_thread *thread)
{
    return run->app.main.next
               ? g_strdup_printf("thread %u of the application", thread->number)
               : g_strdup("the application");
}

char *orr_hang_name_job(const struct orr_run *run, const struct orr_job *job)
{
    g_autofree char *data = NULL;

    if (orr_job_is_task(job))
        return name_task(run, job);
    if (job->kind == ORR_JOB_END) {
        data = name_task(run, orr_job_end_wait(job)->job);
        return g_strdup_printf("the end of %s", data);
    }
    if (job->access_count == 0) /* it replaces a skipped task, for its tag */
        return g_strdup_printf("task %" G_GUINT64_FORMAT " (removed by shrink)",
                               (uint64_t)job->id);
    data = orr_data_describe(orr_access_data(&job->accesses[0]));
    return g_strdup_printf(
        job->kind == ORR_JOB_COLLECT   ? "the last reader of %s"
        : job->kind == ORR_JOB_ACQUIRE ? "the application's use of %s"
        : job->kind == ORR_JOB_GATHER
            ? "the partition or reunion of %s"
            : "the write-back of %s after its last use",
        data);
}

const char *orr_hang_name_node(const struct orr_run *run, unsigned node)
{
    return orr_platform_node_name(run->platform, node);
}

static const char *verb_of(const struct orr_request *request)
{
    static const char *const verbs[] = {"fetch", "prefetch", "idle prefetch"};

    if (request->evicts)
        return "eviction";
    return request->to->node == ORR_RAM && request->level == ORR_IDLE
               ? "write-back"
               : verbs[request->level];
}

char *orr_hang_name_purpose(const struct orr_scene *scene,
                            const struct orr_request *request)
{
    const struct orr_job *job =
        request->job > 0 ? orr_scene_task(scene, request->job - 1) : NULL;
    g_autofree char *name = job ? orr_hang_name_job(scene->run, job) : NULL;

    return g_strconcat(job ? " for " : "", name, NULL);
}

char *orr_hang_name_request(const struct orr_scene *scene,
                            const struct orr_request *request)
{
    const struct orr_run *run = scene->run;
    g_autofree char *data = orr_data_describe(request->data);
    g_autofree char *purpose = orr_hang_name_purpose(scene, request);
    const char *to = orr_hang_name_node(run, request->to->node);

    if (request->invalidates)
        return g_strdup_printf("the exclusive access of %s to %s%s", to, data,
                               purpose);
    if (request->from == request->to)
        return g_strdup_printf("the allocation of %s on %s%s", data, to,
                               purpose);
    return g_strdup_printf("the %s of %s from %s to %s%s", verb_of(request),
                           data, orr_hang_name_node(run, request->from->node),
                           to, purpose);
}
