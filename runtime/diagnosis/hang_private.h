/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HANG_PRIVATE_H
#define ORR_HANG_PRIVATE_H

#include "runtime/diagnosis/hang.h"

/*
 * A diagnosis walks the wait-for graph. Its nodes are parties; each waits for
 * another party or for none, so at most one edge, a lead, leaves each. From the
 * oldest task the walk ends at a party that waits for none, which is to blame,
 * or in a cycle. A party that waits for any of several, as a task does for the
 * workers that can run it, leads to one of them: all are stuck, since no event
 * is left.
 */
struct orr_data;
struct orr_job;
struct orr_memory;
struct orr_replicate;
struct orr_request;
struct orr_thread;
struct orr_worker;

enum orr_party_kind {
    ORR_PARTY_APPLICATION, /* struct orr_thread */
    ORR_PARTY_TASK,        /* struct orr_job */
    ORR_PARTY_REQUEST,     /* struct orr_request */
    ORR_PARTY_ROOM,        /* struct orr_memory: room there */
    ORR_PARTY_WORKER,      /* struct orr_worker: its driver */
};

struct orr_party {
    enum orr_party_kind kind;
    const void *what;
};

/* The edge from a party. */
struct orr_lead {
    bool ends; /* the party waits for no other */
    /* kind of the hang if the chain ends here or in a cycle through this party
     * (except a cycle of tasks) */
    enum orr_hang_kind kind;
    /* the party for which this party waits, unless @ends */
    struct orr_party next;
    char *why; /* a sentence; owned */
};

/* The state that is diagnosed. */
struct orr_scene {
    struct orr_run *run;
    GPtrArray *jobs; /* not yet ended: tasks by number, then others */
    bool *free; /* by worker: it would take a task, since it has room and waits
                   for nothing; found before @offered, which may wake workers */
    const struct orr_job **offered; /* by worker: the task that the policy
                                       gave it when asked again, or NULL */
    bool asked;                     /* all calls of the policy returned */
    char *failure; /* the error of the first call that failed, or NULL */
};

void orr_scene_init(struct orr_scene *scene, struct orr_run *run, bool ask);
void orr_scene_clear(struct orr_scene *scene);

/* The lead of each kind of party: hang_task.c, hang_request.c, hang_room.c. */
struct orr_lead orr_lead_of_task(const struct orr_scene *scene,
                                 const struct orr_job *job);
struct orr_lead orr_lead_of_request(const struct orr_scene *scene,
                                    const struct orr_request *request);
struct orr_lead orr_lead_of_room(const struct orr_scene *scene,
                                 const struct orr_memory *memory);
struct orr_lead orr_lead_of_application(const struct orr_scene *scene,
                                        const struct orr_thread *thread);
struct orr_lead orr_lead_of_worker(const struct orr_scene *scene,
                                   const struct orr_worker *worker);

/* The first request that @request, which may be NULL, awaits; or @request. */
const struct orr_request *
orr_scene_first_request(const struct orr_run *run,
                        const struct orr_request *request);

struct orr_lead orr_lead_end(enum orr_hang_kind kind, const char *format, ...)
    G_GNUC_PRINTF(2, 3);
struct orr_lead orr_lead_to(enum orr_party_kind kind, const void *what,
                            const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Adds the facts outside the chain to @hang: hang_facts.c. */
void orr_hang_add_facts(struct orr_hang *hang, const struct orr_scene *scene);
void orr_hang_add_decisions(struct orr_hang *hang, const struct orr_run *run);

/* Describes a livelock as the chain: hang_livelock.c. */
void orr_hang_describe_livelock(struct orr_hang *hang,
                                const struct orr_scene *scene);

/*
 * Names, to be freed with g_free(): "the application", or, if it has more
 * threads, "thread 2 of the application"; "task 12 (gemm)", "the readers of
 * A(2,1)"; "A(2,1)" or "data handle 7"; " for task 12 (gemm)" or "", the task
 * of a request; "the prefetch of A(2,1) from RAM to CUDA0 for task 12 (gemm)".
 */
char *orr_hang_name_thread(const struct orr_run *run,
                           const struct orr_thread *thread);
char *orr_hang_name_job(const struct orr_run *run, const struct orr_job *job);
char *orr_hang_name_purpose(const struct orr_scene *scene,
                            const struct orr_request *request);
char *orr_hang_name_request(const struct orr_scene *scene,
                            const struct orr_request *request);
const char *orr_hang_name_node(const struct orr_run *run, unsigned node);

/* The first unfinished job for which @job waits; or NULL. */
const struct orr_job *orr_scene_before(const struct orr_scene *scene,
                                       const struct orr_job *job);

/* The worker that holds @job, or NULL. */
const struct orr_worker *orr_scene_holder(const struct orr_scene *scene,
                                          const struct orr_job *job);

/* The unfinished task number @id, or NULL. */
const struct orr_job *orr_scene_task(const struct orr_scene *scene,
                                     uint64_t id);

/* Reasons why a buffer is pinned: hang_room.c. */
enum orr_pin {
    ORR_PIN_NONE,    /* nothing: it is evictable */
    ORR_PIN_SOURCE,  /* a copy out of the buffer, which waits to start */
    ORR_PIN_TASK,    /* a task in this GPU's worker */
    ORR_PIN_ARRIVAL, /* a request that fills the buffer */
    ORR_PIN_WRITTEN, /* a write to the datum elsewhere */
    ORR_PINS
};

struct orr_pinned {
    enum orr_pin pin;
    unsigned count;        /* number of requests, for ORR_PIN_SOURCE */
    uint32_t destinations; /* their destinations, one bit each */
    const struct orr_request *request; /* the first request, or NULL */
    const struct orr_job *job;         /* the first task, or NULL */
};

struct orr_pinned orr_scene_pinned(const struct orr_scene *scene,
                                   const struct orr_replicate *copy);

#endif
