/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/access_hit.h"

#include "runtime/data/store.h"

void orr_access_hit_grant_write(struct orr_store *store,
                                struct orr_job_access *access,
                                struct orr_replicate *copy,
                                enum orr_level level)
{
    if (orr_request_grants(store, orr_access_mode(access), level))
        orr_replicate_grant(store, copy, ORR_W);
}

/* A task that finds its data valid does not need its own prefetches. */
void orr_access_hit_cancel_requests(struct orr_job_access *access,
                                    const struct orr_replicate *copy)
{
    uint64_t job = orr_access_job(access)->id + 1;
    struct orr_request *request = copy->requests;

    for (; request; request = request->next_incoming) {
        if (request->job == job)
            request->cancelled = true;
    }
}
