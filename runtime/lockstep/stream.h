/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STREAM_H
#define ORR_STREAM_H

/*
 * In a run by rounds: who carries out the copies from one node to another, an
 * actor for each such pair (StarPU, simgrid.c, transfer_execute()). It starts
 * a copy, and when it has ended tells those who wait for it, has the copies
 * that it kept waiting started, and only then looks for its next one.
 */
struct orr_copy;
struct orr_run;

/* @copy, which waits for no other any more, is to be carried out. */
void orr_stream_post(struct orr_run *run, struct orr_copy *copy);

/* The copy that the stream of @copy carries out has ended. */
void orr_stream_resume(struct orr_run *run, struct orr_copy *copy);

void orr_streams_clear(struct orr_run *run);

#endif
