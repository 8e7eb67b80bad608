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

struct orr_dag_occupant;

struct orr_dag_records {
    struct orr_dag_builder *builder;
    struct orr_dag_names addresses;
    GArray *registrations;              /* struct orr_dag_registration */
    GArray *places;                     /* struct orr_dag_address, by number */
    struct orr_dag_occupant *occupants; /* by number of the address, from
                                           orr_dag_records_end() on */
    GArray *sizes; /* uint64_t: bytes of each access of the builder, or
                      ORR_DAG_NO_BYTES; NULL: all have the size
                      orr_dag_record_size() of their address */
    GArray *order; /* uint32_t, by datum: its registration or
                      ORR_DAG_NONE */
    GArray *kept;  /* uint32_t: tasks that synchronise, and stay */
    /* By place in a batch: the number of the last task or address there, for a
       guess. */
    uint32_t near_tasks[ORR_DAG_BATCH];
    uint32_t near_addresses[ORR_DAG_BATCH];
    uint64_t next_rank;
    bool has_data;  /* data.rec was read */
    bool trusted;   /* handles are names, not addresses */
    bool has_edges; /* some DependsOn */
    bool has_dates; /* some StartTime */
};

/* The bytes of the datum registered at the address @number; ORR_DAG_NO_BYTES if
 * no datum is, or several are. */
uint64_t orr_dag_record_size(const struct orr_dag_records *records,
                             uint32_t number);

/* Frees everything about data, which are in the builder now. */
void orr_dag_records_close(struct orr_dag_records *records);

#endif
