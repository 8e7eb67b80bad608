/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_RECORD_PRIVATE_H
#define ORR_DAG_RECORD_PRIVATE_H

#include "models/dagfile/dag_record.h"

/* Shared by dag_record.c, which reads records, and dag_record_end.c. */

#define ORR_DAG_NO_BYTES UINT64_MAX
#define ORR_DAG_BATCH 16 /* accesses or edges that are added at once */

/* A handle of data.rec. */
struct orr_dag_registration {
    uint32_t next; /* registration of the same address; or ORR_DAG_NONE */
    uint64_t bytes;
    uint32_t name;
    uint32_t shape;
    uint32_t coordinates;
    int32_t home;
};

/* Registrations of an address; ORR_DAG_NONE if there is none. */
struct orr_dag_address {
    uint32_t first, last;
};

/* The datum that is at an address while tasks are gone through in order of
 * submission. Each is ORR_DAG_NONE if there is none. */
struct orr_dag_occupant {
    uint32_t registration;
    uint32_t datum;
    uint32_t writer; /* the last task that wrote it */
    uint32_t reader; /* the last task that read it since then */
};

struct orr_dag_records {
    struct orr_dag_builder *builder;
    struct orr_dag_names addresses;
    GArray *registrations;              /* struct orr_dag_registration */
    GArray *places;                     /* struct orr_dag_address, by number */
    struct orr_dag_occupant *occupants; /* by number of the address, from
                                           orr_dag_records_end() on */
    GArray *sizes; /* uint64_t: bytes of each access of the builder, or
                      ORR_DAG_NO_BYTES; NULL: orr_dag_record_size() of
                      all. Its datum is the number of an address, until
                      orr_dag_records_end(); those of a task are side by
                      side */
    GArray *order; /* uint32_t, by datum: its registration or
                      ORR_DAG_NONE */
    GArray *kept;  /* uint32_t: tasks that synchronise, and stay */
    /* By place in a list, up to that which is added at once: the number of the
       last task or address there, for a guess. */
    uint32_t near_tasks[ORR_DAG_BATCH];
    uint32_t near_addresses[ORR_DAG_BATCH];
    uint64_t next_rank;
    bool has_data;  /* data.rec was read */
    bool trusted;   /* handles are names, not addresses */
    bool has_edges; /* some DependsOn */
    bool has_dates; /* some StartTime */
};

/* Edges by the task that comes after; and which tasks a search has seen. The
 * arrays are NULL until graph_need(). */
struct orr_dag_record_graph {
    const struct orr_dag_builder *builder;
    const uint64_t *ranks;
    uint32_t *first;
    uint32_t *before;
    uint32_t *seen;
    uint32_t search; /* the number of the search */
    uint32_t *stack;
};

static inline bool orr_dag_given(const char *text)
{
    return text && *text;
}

/* "Name: 'text' is not @expected". Returns false. */
bool orr_dag_record_fail_field(const struct orr_dag_records *records,
                               const char *name, const char *text,
                               const char *expected, GError **error);

/* A name of *@length bytes that is unique among the ranks of an MPI program:
 * that of the file for rank 0, and where there are no ranks; else made in
 * @buffer. */
const char *orr_dag_record_unique(const char *text, size_t *length,
                                  const char *rank, char *buffer, size_t size);

/* The bytes of the only datum that is registered at the address @number;
 * ORR_DAG_NO_BYTES: there is none, or there are several. */
uint64_t orr_dag_record_size(const struct orr_dag_records *records,
                             uint32_t number);

/* The number of an address; ORR_DAG_NONE with @error. */
uint32_t orr_dag_record_address(struct orr_dag_records *records,
                                const char *text, size_t length,
                                const char *rank, GError **error);

/* The next word of the list *@at, which is moved behind it; of 0 bytes at the
 * end. */
const char *orr_dag_record_word(const char **at, size_t *length);

/* The fields Handles, Modes and Sizes of @task. */
bool orr_dag_record_add_accesses(struct orr_dag_records *records, uint32_t task,
                                 const char *const *values, GError **error);

/* Frees what was read of data: all of it is in the builder. */
void orr_dag_records_close(struct orr_dag_records *records);

/* Finds parents that were submitted before the recording began: they become
 * tasks that only synchronise, and nothing depends on them any more. */
void orr_dag_records_lose(struct orr_dag_records *records);

/* Sorts the edges, once they are needed: most files need none. */
void orr_dag_record_graph_need(struct orr_dag_record_graph *graph);

/*
 * The tasks, and the hints behind those before them, in order of submission:
 * uint32_t, to free with g_array_unref(). An entry is the number of a task, or
 * that of a hint plus the number of all tasks.
 */
GArray *orr_dag_record_entries(struct orr_dag_builder *builder);

/* Drops tasks that only synchronise; what depends on them then depends on what
 * they depend on. */
bool orr_dag_records_drop(const struct orr_dag_records *records,
                          struct orr_dag_record_graph *graph, GError **error);

#endif
