/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HANG_PRIVATE_H
#define ORR_HANG_PRIVATE_H

#include "runtime/diagnosis/hang.h"

/*
 * How a diagnosis is made.
 *
 * Whoever cannot go on waits for somebody else, or there is nobody to wait
 * for: so each party leads to at most one next. Following them from the oldest
 * task, one comes to an end, which is to blame, or back to a party that one
 * has passed, which is a cycle. Where a party waits for any of several, as a
 * task does for the workers that can run it, all of them are stuck, since
 * nothing happens any more; it is enough to follow one.
 */
struct orr_data;
struct orr_job;
struct orr_memory;
struct orr_replicate;
struct orr_request;
struct orr_worker;

enum orr_party_kind {
    ORR_PARTY_APPLICATION, /* its struct orr_actor */
    ORR_PARTY_TASK,        /* struct orr_job */
    ORR_PARTY_REQUEST,     /* struct orr_request */
    ORR_PARTY_ROOM,        /* struct orr_memory: room there */
    ORR_PARTY_WORKER,      /* struct orr_worker: its driver */
};

struct orr_party {
    enum orr_party_kind kind;
    const void *what;
};

/* What a party leads to. */
struct orr_lead {
    bool ends;               /* nobody is left to blame but the party */
    enum orr_hang_kind kind; /* of a chain that ends here; or of a cycle that
                                passes here, unless it is that of tasks */
    struct orr_party next;   /* if it does not */
    char *why;               /* a sentence; owned */
};

/* What a diagnosis looks at. */
struct orr_scene {
    struct orr_run *run;
    GPtrArray *jobs; /* that have not ended: tasks by number, then others */
    bool *free; /* by worker: it would take a task, as it has room and waits for
                   nothing; before the policy was asked, which may wake some */
    const struct orr_job **offered; /* by worker: what the policy gave it when
                                       asked once more, or NULL */
    bool asked;                     /* it was asked */
};

void orr_scene_init(struct orr_scene *scene, struct orr_run *run, bool ask);
void orr_scene_clear(struct orr_scene *scene);

/* Where each kind of party leads: hang_task.c, hang_request.c, hang_room.c. */
struct orr_lead orr_lead_of_task(const struct orr_scene *scene,
                                 const struct orr_job *job);
struct orr_lead orr_lead_of_request(const struct orr_scene *scene,
                                    const struct orr_request *request);
struct orr_lead orr_lead_of_room(const struct orr_scene *scene,
                                 const struct orr_memory *memory);
struct orr_lead orr_lead_of_application(const struct orr_scene *scene);
struct orr_lead orr_lead_of_worker(const struct orr_scene *scene,
                                   const struct orr_worker *worker);

/* What has to end before @request, or NULL, can begin; itself if nothing. */
const struct orr_request *
orr_scene_first_request(const struct orr_run *run,
                        const struct orr_request *request);

/* Shorthands. */
struct orr_lead orr_lead_end(enum orr_hang_kind kind, const char *format, ...)
    G_GNUC_PRINTF(2, 3);
struct orr_lead orr_lead_to(enum orr_party_kind kind, const void *what,
                            const char *format, ...) G_GNUC_PRINTF(3, 4);

/* What @hang tells beside the chain: hang_facts.c. */
void orr_hang_add_facts(struct orr_hang *hang, const struct orr_scene *scene);
void orr_hang_add_decisions(struct orr_hang *hang, const struct orr_run *run);

/* Tells, as the chain, what goes on for ever: hang_livelock.c. */
void orr_hang_tell_livelock(struct orr_hang *hang,
                            const struct orr_scene *scene);

/*
 * Names, to be freed with g_free(): "task 12 (gemm)", "the readers of A(2,1)";
 * "A(2,1)" or "datum 7"; "the prefetch of A(2,1) from RAM to CUDA0 for task
 * 12 (gemm)".
 */
char *orr_hang_name_job(const struct orr_job *job);
char *orr_hang_name_data(const struct orr_data *data);
char *orr_hang_name_request(const struct orr_scene *scene,
                            const struct orr_request *request);
const char *orr_hang_name_node(const struct orr_run *run, unsigned node);

/* The first job that has not ended and that @job waits for; or NULL. */
const struct orr_job *orr_scene_before(const struct orr_scene *scene,
                                       const struct orr_job *job);

/* Who holds @job, a worker or, NULL, nobody. */
const struct orr_worker *orr_scene_holder(const struct orr_scene *scene,
                                          const struct orr_job *job);

/* The task number @id, of those left; or NULL. */
const struct orr_job *orr_scene_task(const struct orr_scene *scene,
                                     uint64_t id);

/* Whether a driver can execute @job. */
bool orr_worker_can_run(const struct orr_worker *worker,
                        const struct orr_job *job);

/* Who keeps a buffer: hang_room.c. */
enum orr_pin {
    ORR_PIN_NONE,    /* nobody: it may go */
    ORR_PIN_SOURCE,  /* a copy of it that waits to start */
    ORR_PIN_TASK,    /* a task of this GPU's worker */
    ORR_PIN_ARRIVAL, /* it is being filled, or about to be */
    ORR_PIN_WRITTEN, /* somebody writes the datum */
    ORR_PINS
};

struct orr_pinned {
    enum orr_pin pin;
    unsigned count;                    /* of requests, for a source, */
    uint32_t destinations;             /* and where to, a bit each */
    const struct orr_request *request; /* the first of them, or NULL */
    const struct orr_job *job;         /* the first task, or NULL */
};

struct orr_pinned orr_scene_pinned(const struct orr_scene *scene,
                                   const struct orr_replicate *copy);

#endif
