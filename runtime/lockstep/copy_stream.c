/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/members.h"
#include "runtime/lockstep/state.h"
#include "runtime/run.h"

struct orr_stream {
    struct orr_actor actor;
    struct orr_run *run;
    GQueue posted; /* copies */
    bool idle;
};

struct running {
    enum {
        RUN_BEGIN,
        RUN_AWAIT,
        RUN_LOOK,
        RUN_START,
        RUN_ENDED,
        RUN_NOTIFIED
    } at;
    struct orr_copy *copy;
};

static enum orr_next take_next(struct orr_stream *stream,
                               struct running *running)
{
    running->at = RUN_START;
    if (g_queue_is_empty(&stream->posted)) {
        stream->idle = true;
        return orr_actor_suspend(&stream->actor);
    }
    return orr_lockstep_pass(&stream->actor, 1);
}

static enum orr_next run_stream(struct orr_actor *actor, void *locals)
{
    struct running *running = locals;
    struct orr_stream *stream = (struct orr_stream *)actor;
    struct orr_run *run = stream->run;

    switch (running->at) {
    case RUN_BEGIN:
        running->at = RUN_LOOK;
        return orr_actor_sleep(actor, run->overheads.stream_start);
    case RUN_AWAIT:
        running->at = RUN_LOOK;
        return orr_actor_pass(actor);
    case RUN_LOOK:
        return take_next(stream, running);
    case RUN_START:
        running->at = RUN_ENDED;
        running->copy = g_queue_pop_head(&stream->posted);
        run->store.executor->copy(run->store.executor, running->copy);
        return orr_actor_suspend(actor);
    case RUN_ENDED:
        running->at = RUN_NOTIFIED;
        orr_copy_notify_end(&run->store, running->copy);
        return orr_actor_pass(actor);
    case RUN_NOTIFIED:
        running->at = RUN_AWAIT;
        orr_copy_launch_dependents(&run->store, running->copy);
        return ORR_CONTINUE;
    }
    return ORR_DONE;
}

static size_t number_of(const struct orr_run *run, const struct orr_copy *copy)
{
    return copy->from * run->node_count + copy->to;
}

static struct orr_stream *start_stream(struct orr_run *run)
{
    struct orr_stream *stream = g_new0(struct orr_stream, 1);

    stream->run = run;
    orr_actor_init(&stream->actor, &run->engine);
    orr_actor_call(&stream->actor, run_stream, sizeof(struct running));
    orr_actor_resume(&stream->actor);
    return stream;
}

void orr_stream_post(struct orr_store *store, struct orr_copy *copy)
{
    struct orr_run *run = store->run;
    size_t number = number_of(run, copy);
    struct orr_stream **stream =
        &orr_lockstep_run(&run->engine)->streams[number];

    run->store.copies.streams[number].used = true;
    if (!*stream)
        *stream = start_stream(run);
    g_queue_push_tail(&(*stream)->posted, copy);
    if ((*stream)->idle)
        orr_actor_resume(&(*stream)->actor);
    (*stream)->idle = false;
}

void orr_stream_resume(struct orr_store *store, struct orr_copy *copy)
{
    struct orr_stream **streams = orr_lockstep_run(store->engine)->streams;

    orr_actor_resume(&streams[number_of(store->run, copy)]->actor);
}

void orr_streams_clear(struct orr_run *run)
{
    for (size_t i = 0; i < (size_t)run->node_count * run->node_count; i++) {
        struct orr_stream *stream = orr_lockstep_run(&run->engine)->streams[i];

        if (!stream)
            continue;
        g_queue_clear(&stream->posted);
        orr_actor_clear(&stream->actor);
        g_free(stream);
    }
    g_free(orr_lockstep_run(&run->engine)->streams);
}
