/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Why a run hangs: the walk from party to party. */
#include "runtime/diagnosis/hang.h"

#include "runtime/diagnosis/hang_private.h"
#include "runtime/run.h"
#include "runtime/worker/worker.h"

/* The part of the wait-for graph walked so far. */
struct walk {
    const struct orr_scene *scene;
    GArray *parties; /* struct orr_party */
    GArray *waits;   /* struct orr_hang_wait, by party */
    GArray *kinds;   /* enum orr_hang_kind, by party */
};

static struct orr_lead lead_of(const struct orr_scene *scene,
                               struct orr_party party)
{
    switch (party.kind) {
    case ORR_PARTY_APPLICATION:
        return orr_lead_of_application(scene, party.what);
    case ORR_PARTY_TASK:
        return orr_lead_of_task(scene, party.what);
    case ORR_PARTY_REQUEST:
        return orr_lead_of_request(scene, party.what);
    case ORR_PARTY_ROOM:
        return orr_lead_of_room(scene, party.what);
    case ORR_PARTY_WORKER:
        break;
    }
    return orr_lead_of_worker(scene, party.what);
}

static char *name_party(const struct walk *walk, unsigned number)
{
    const struct orr_scene *scene = walk->scene;
    struct orr_party party =
        g_array_index(walk->parties, struct orr_party, number);
    const struct orr_memory *memory = party.what;

    switch (party.kind) {
    case ORR_PARTY_APPLICATION:
        return orr_hang_name_thread(scene->run, party.what);
    case ORR_PARTY_TASK:
        return orr_hang_name_job(scene->run, party.what);
    case ORR_PARTY_REQUEST:
        return orr_hang_name_request(scene, party.what);
    case ORR_PARTY_ROOM:
        return g_strdup_printf("memory of %s",
                               orr_hang_name_node(scene->run, memory->node));
    case ORR_PARTY_WORKER:
        break;
    }
    return g_strdup_printf("the driver of %s",
                           ((const struct orr_worker *)party.what)->name);
}

#define NOWHERE UINT_MAX

static unsigned find(const struct walk *walk, struct orr_party party)
{
    for (guint i = 0; i < walk->parties->len; i++) {
        if (g_array_index(walk->parties, struct orr_party, i).what ==
            party.what)
            return i;
    }
    return NOWHERE;
}

/* Walks from @party until the end or a known party. */
static void follow(struct walk *walk, struct orr_party party)
{
    while (find(walk, party) == NOWHERE) {
        unsigned number = walk->parties->len;
        struct orr_lead lead;
        struct orr_hang_wait wait = {.from = number, .to = NOWHERE};

        g_array_append_val(walk->parties, party);
        lead = lead_of(walk->scene, party);
        wait.why = lead.why;
        g_array_append_val(walk->kinds, lead.kind);
        if (!lead.ends) {
            wait.to = find(walk, lead.next);
            if (wait.to == NOWHERE)
                wait.to = number + 1;
        }
        g_array_append_val(walk->waits, wait);
        if (lead.ends)
            return;
        party = lead.next;
    }
}

/* The kind of a cycle that passes through party @first. */
static enum orr_hang_kind kind_of_cycle(const struct walk *walk, unsigned first)
{
    enum orr_hang_kind kind = ORR_HANG_DEPENDENCY_CYCLE;
    unsigned at = first;

    do {
        enum orr_hang_kind other =
            g_array_index(walk->kinds, enum orr_hang_kind, at);

        if (other != ORR_HANG_DEPENDENCY_CYCLE)
            kind = other;
        at = g_array_index(walk->waits, struct orr_hang_wait, at).to;
    } while (at != first);
    return kind;
}

static char *close_circle(const struct walk *walk, unsigned at)
{
    g_autofree char *party = name_party(walk, at);

    return g_strdup_printf("this closes a cycle: back to %s", party);
}

/* Sets the chain from the first party on, and the kind. */
static void fill_chain(struct orr_hang *hang, const struct walk *walk)
{
    GPtrArray *chain = g_ptr_array_new();
    unsigned at = 0;

    while (at != NOWHERE) {
        struct orr_hang_wait *wait =
            &g_array_index(walk->waits, struct orr_hang_wait, at);

        hang->kind = g_array_index(walk->kinds, enum orr_hang_kind, at);
        if (wait->in_chain) {
            hang->kind = kind_of_cycle(walk, at);
            g_ptr_array_add(chain, close_circle(walk, at));
            break;
        }
        wait->in_chain = true;
        g_ptr_array_add(chain, g_strdup(wait->why));
        at = wait->to;
    }
    g_ptr_array_add(chain, NULL);
    hang->chain = (char **)g_ptr_array_free(chain, FALSE);
}

static void keep_graph(struct orr_hang *hang, struct walk *walk)
{
    hang->party_count = walk->parties->len;
    hang->parties = g_new(char *, hang->party_count);
    for (unsigned i = 0; i < hang->party_count; i++)
        hang->parties[i] = name_party(walk, i);
    hang->wait_count = walk->waits->len;
    hang->waits =
        (struct orr_hang_wait *)(void *)g_array_free(walk->waits, FALSE);
    g_array_unref(walk->parties);
    g_array_unref(walk->kinds);
}

/* Whether @thread waits for something in particular. */
static bool waits(const struct orr_run *run, const struct orr_thread *thread)
{
    return !thread->ended &&
           (thread->awaited || thread->parked ||
            (!orr_actor_idle(&thread->actor) && run->window.waiting == 0));
}

/* Walks from the threads of the application that wait for something in
 * particular; if none does, from a task. */
static void follow_application(struct walk *walk)
{
    const struct orr_scene *scene = walk->scene;
    const struct orr_run *run = scene->run;

    for (const struct orr_thread *thread = &run->app.main; thread;
         thread = thread->next) {
        if (waits(run, thread) || (run->pause.depth > 0 && thread->number == 0))
            follow(walk, (struct orr_party){ORR_PARTY_APPLICATION, thread});
    }
    if (walk->parties->len == 0)
        follow(walk, (struct orr_party){ORR_PARTY_TASK,
                                        g_ptr_array_index(scene->jobs, 0)});
}

/* Walks from there, then from the tasks that workers hold. */
static void explain(struct orr_hang *hang, const struct orr_scene *scene)
{
    struct walk walk = {
        .scene = scene,
        .parties = g_array_new(FALSE, FALSE, sizeof(struct orr_party)),
        .waits = g_array_new(FALSE, FALSE, sizeof(struct orr_hang_wait)),
        .kinds = g_array_new(FALSE, FALSE, sizeof(enum orr_hang_kind)),
    };

    follow_application(&walk);
    for (unsigned w = 0; w < scene->run->worker_count; w++) {
        const struct orr_worker *worker = scene->run->workers[w];

        if (worker->count > 0)
            follow(&walk, (struct orr_party){ORR_PARTY_TASK,
                                             worker->pipeline[worker->first]});
    }
    fill_chain(hang, &walk);
    keep_graph(hang, &walk);
}

static struct orr_hang *begin(const struct orr_run *run)
{
    struct orr_hang *hang = g_new0(struct orr_hang, 1);

    hang->date = run->engine.now - run->totals.first_submission;
    hang->tasks = run->graph.submitted;
    hang->tasks_left = run->graph.submitted - run->graph.completed;
    /* before the diagnosis itself makes decisions */
    orr_hang_add_decisions(hang, run);
    return hang;
}

static bool policy_acts(const struct orr_scene *scene)
{
    for (unsigned w = 0; w < scene->run->worker_count; w++) {
        if (scene->offered[w])
            return true;
    }
    return !scene->asked;
}

struct orr_hang *orr_hang_new(struct orr_run *run, bool ask)
{
    struct orr_hang *hang = begin(run);
    struct orr_scene scene;

    ask &= run->pause.depth == 0;
    orr_scene_init(&scene, run, ask);
    hang->policy_acts = ask && policy_acts(&scene);
    explain(hang, &scene);
    orr_hang_add_facts(hang, &scene);
    orr_scene_clear(&scene);
    return hang;
}

struct orr_hang *orr_hang_new_livelock(struct orr_run *run,
                                       enum orr_hang_kind kind)
{
    struct orr_hang *hang = begin(run);
    struct orr_scene scene;

    hang->kind = kind;
    hang->livelock = true;
    orr_scene_init(&scene, run, false);
    orr_hang_describe_livelock(hang, &scene);
    orr_hang_add_facts(hang, &scene);
    orr_scene_clear(&scene);
    return hang;
}

void orr_hang_blame_window(struct orr_hang *hang, uint64_t in_flight)
{
    GPtrArray *chain = g_ptr_array_new();

    hang->kind = ORR_HANG_WINDOW;
    g_ptr_array_add(
        chain,
        g_strdup_printf(
            "the application waits to submit task %" G_GUINT64_FORMAT
            ": %" G_GUINT64_FORMAT
            " task%s in flight, and the submission window allows no more",
            hang->tasks, in_flight, in_flight == 1 ? " is" : "s are"));
    for (char **why = hang->chain; *why; why++)
        g_ptr_array_add(chain, *why);
    g_ptr_array_add(chain, g_strdup("without the window, all tasks would end"));
    g_ptr_array_add(chain, NULL);
    g_free(hang->chain);
    hang->chain = (char **)g_ptr_array_free(chain, FALSE);
}

static void clear_queue(struct orr_hang_queue *queue)
{
    g_free(queue->name);
    g_strfreev(queue->entries);
}

static void clear_memory(struct orr_hang_memory *memory)
{
    for (unsigned i = 0; i < memory->count; i++) {
        g_free(memory->buffers[i].data);
        g_free(memory->buffers[i].pinned);
    }
    g_free(memory->buffers);
}

static void clear_graph(struct orr_hang *hang)
{
    for (unsigned i = 0; i < hang->party_count; i++)
        g_free(hang->parties[i]);
    for (unsigned i = 0; i < hang->wait_count; i++)
        g_free(hang->waits[i].why);
    g_free(hang->parties);
    g_free(hang->waits);
}

void orr_hang_free(struct orr_hang *hang)
{
    if (!hang)
        return;
    clear_graph(hang);
    for (unsigned i = 0; i < hang->worker_count; i++)
        g_free(hang->workers[i].doing);
    for (unsigned i = 0; i < hang->queue_count; i++)
        clear_queue(&hang->queues[i]);
    for (unsigned i = 0; i < hang->memory_count; i++)
        clear_memory(&hang->memories[i]);
    for (unsigned i = 0; i < hang->decision_count; i++)
        g_free(hang->decisions[i].what);
    g_free(hang->workers);
    g_free(hang->queues);
    g_free(hang->memories);
    g_free(hang->decisions);
    g_strfreev(hang->chain);
    g_free(hang);
}

char *orr_hang_describe(const struct orr_hang *hang)
{
    g_autofree char *chain = g_strjoinv("; ", hang->chain);

    return g_strdup_printf(
        "%s with %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
        " tasks left (%s): %s",
        hang->livelock ? "the run is in a livelock" : "the run has stalled",
        hang->tasks_left, hang->tasks, orr_hang_kind_name(hang->kind), chain);
}

const struct orr_hang *orr_run_hang(const struct orr_run *run)
{
    return run->diagnosis.hang;
}
