/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A tree around a decision, or around several among which the program chooses:
 *
 *   (userchoice) > (queue) > (perfmodel_selector) > decision > (queue)
 *     > (distribution) > (stage) > (best_impl) > worker
 *
 * Flags say which parts there are. Below the decision, there is one part for
 * each worker, memory or class of workers; a distribution where it has several
 * workers. The selector has two more ways to all workers, for tasks without a
 * model and for tasks without a prediction.
 */
#include "apps/starpu/component/component.h"

#include "apps/starpu/base/error.h"

#include <starpu_helper.h>
#include <starpu_sched_ctx.h>
#include <starpu_task.h>

#include <glib.h>

#include <limits.h>
#include <math.h>
#include <stdarg.h>

static const char call[] =
    "starpu_sched_component_initialize_simple_scheduler()";

enum {
    MOST_QUEUED = 2,            /* tasks in a queue below the decision */
    MOST_QUEUED_PREDICTED = 30, /* below decisions by predictions, for CPUs */
    LONGEST = 1000000000,       /* us */
};

struct creation {
    starpu_sched_component_create_t create;
    void *data; /* borrowed */
};

/* One decision. */
struct decision {
    struct creation creation;
    GArray *before;       /* struct creation: components just above it */
    unsigned first_flags; /* STARPU_SCHED_SIMPLE_PRE_DECISION if there are */
    unsigned flags;
    bool sorted_above, sorted_below;
};

/* What is being built. */
struct simple {
    struct starpu_sched_tree *tree;
    struct decision *decisions;
    unsigned count;  /* of decisions */
    unsigned decide; /* the STARPU_SCHED_SIMPLE_DECIDE_ flags */
    unsigned bottom; /* the flags about what is above workers */
    GArray *parts;   /* int, what a decision chooses: worker, memory or class */
    struct starpu_sched_component **lowest; /* by part */
    struct starpu_sched_component *chooser; /* NULL: there is one decision */
    struct starpu_sched_component *first,
        *last; /* of those before a decision */
    struct starpu_sched_component *decision;
    struct starpu_sched_component *without_model, *calibrator;
};

/* ---- arguments ---- */

static struct creation next_creation(va_list *arguments)
{
    struct creation creation;
    creation.create = va_arg(*arguments, starpu_sched_component_create_t);
    creation.data = va_arg(*arguments, void *);
    return creation;
}

static void read_decision(struct decision *decision, va_list *arguments)
{
    decision->before = g_array_new(FALSE, FALSE, sizeof(struct creation));
    decision->creation = next_creation(arguments);
    decision->first_flags = decision->flags = va_arg(*arguments, unsigned);
    while (decision->flags & STARPU_SCHED_SIMPLE_PRE_DECISION) {
        if (decision->flags != STARPU_SCHED_SIMPLE_PRE_DECISION)
            sp_fail(call, "STARPU_SCHED_SIMPLE_PRE_DECISION stands alone, and "
                          "a component and other flags follow");
        struct creation before = next_creation(arguments);
        g_array_append_val(decision->before, before);
        decision->flags = va_arg(*arguments, unsigned);
    }
    decision->sorted_above = starpu_get_env_number_default(
        "STARPU_SCHED_SORTED_ABOVE",
        (decision->flags & STARPU_SCHED_SIMPLE_FIFO_ABOVE_PRIO) != 0);
    decision->sorted_below = starpu_get_env_number_default(
        "STARPU_SCHED_SORTED_BELOW",
        (decision->flags & STARPU_SCHED_SIMPLE_FIFOS_BELOW_PRIO) != 0);
}

static void check_decision(const struct simple *simple,
                           const struct decision *decision)
{
    if (!decision->creation.create)
        sp_fail(call, "a decision has no function that creates its component");
    if (decision->flags & STARPU_SCHED_SIMPLE_COMBINED_WORKERS)
        sp_fail(call, "STARPU_SCHED_SIMPLE_COMBINED_WORKERS: tasks that run on "
                      "several workers are not simulated");
    if ((decision->flags & STARPU_SCHED_SIMPLE_DECIDE_MASK) != simple->decide)
        sp_fail(call, "all decisions must have the same "
                      "STARPU_SCHED_SIMPLE_DECIDE_ flag");
    if (simple->decide == 0)
        sp_fail(call, "a STARPU_SCHED_SIMPLE_DECIDE_ flag is missing");
}

/* Any number can be a priority of a policy that sorts. */
static void widen_priorities(unsigned context)
{
    if (!starpu_sched_ctx_min_priority_is_set(context))
        starpu_sched_ctx_set_min_priority(context, INT_MIN);
    if (!starpu_sched_ctx_max_priority_is_set(context))
        starpu_sched_ctx_set_max_priority(context, INT_MAX);
}

static void read_decisions(struct simple *simple, unsigned context,
                           va_list *arguments)
{
    simple->decisions = g_new0(struct decision, simple->count);
    for (unsigned i = 0; i < simple->count; i++) {
        struct decision *decision = &simple->decisions[i];
        read_decision(decision, arguments);
        if (i == 0)
            simple->decide = decision->flags & STARPU_SCHED_SIMPLE_DECIDE_MASK;
        check_decision(simple, decision);
        if (decision->sorted_above || decision->sorted_below)
            widen_priorities(context);
        /* As in StarPU, components before a decision hide its flags here. */
        simple->bottom |=
            decision->first_flags &
            (STARPU_SCHED_SIMPLE_IMPL | STARPU_SCHED_SIMPLE_PERFMODEL);
    }
}

/* ---- what is decided ---- */

/* What a decision calls the place of @worker. */
static int part_of(const struct simple *simple, int worker)
{
    switch (simple->decide) {
    case STARPU_SCHED_SIMPLE_DECIDE_MEMNODES:
        return (int)starpu_worker_get_memory_node((unsigned)worker);
    case STARPU_SCHED_SIMPLE_DECIDE_ARCHS:
        return (int)starpu_worker_get_type(worker);
    default:
        return worker;
    }
}

static unsigned workers_of(const struct simple *simple, int part)
{
    unsigned count = 0;
    for (unsigned w = 0; w < starpu_worker_get_count(); w++)
        count += part_of(simple, (int)w) == part;
    return count;
}

/* Parts without workers are left out. */
static void find_parts(struct simple *simple)
{
    int most = 0;
    for (unsigned w = 0; w < starpu_worker_get_count(); w++)
        most = MAX(most, part_of(simple, (int)w));
    simple->parts = g_array_new(FALSE, FALSE, sizeof(int));
    for (int part = 0; part <= most; part++)
        if (workers_of(simple, part) > 0)
            g_array_append_val(simple->parts, part);
    simple->lowest =
        g_new0(struct starpu_sched_component *, simple->parts->len);
    for (unsigned i = 0; simple->count > 1 && i < simple->parts->len; i++)
        simple->lowest[i] =
            starpu_sched_component_stage_create(simple->tree, NULL);
}

/* ---- from the root to the decision ---- */

/* @child is put below @above; or at the root if that is NULL. */
static struct starpu_sched_component *put(struct simple *simple,
                                          struct starpu_sched_component *above,
                                          struct starpu_sched_component *child)
{
    if (above)
        starpu_sched_component_connect(above, child);
    else
        simple->tree->root = child;
    return child;
}

static void create_decision(struct simple *simple, struct decision *decision)
{
    for (unsigned i = 0; i < decision->before->len; i++) {
        const struct creation *before =
            &g_array_index(decision->before, struct creation, i);
        struct starpu_sched_component *component =
            before->create(simple->tree, before->data);
        if (simple->first)
            starpu_sched_component_connect(simple->first, component);
        else
            simple->first = component;
        simple->last = component;
    }
    if (simple->parts->len == 1 &&
        !(decision->flags & STARPU_SCHED_SIMPLE_DECIDE_ALWAYS)) {
        /* There is no choice. The queue above keeps what queues below refuse.
         */
        simple->decision =
            starpu_sched_component_eager_create(simple->tree, NULL);
        decision->flags |= STARPU_SCHED_SIMPLE_FIFO_ABOVE;
    } else {
        simple->decision =
            decision->creation.create(simple->tree, decision->creation.data);
    }
    if (simple->last)
        starpu_sched_component_connect(simple->last, simple->decision);
    else
        simple->first = simple->decision;
}

/* A queue above @component, which cannot keep tasks itself. */
static struct starpu_sched_component *
with_queue(struct simple *simple, struct starpu_sched_component *component)
{
    struct starpu_sched_component *queue =
        starpu_sched_component_fifo_create(simple->tree, NULL);
    starpu_sched_component_connect(queue, component);
    return queue;
}

static void create_selector(struct simple *simple,
                            struct starpu_sched_component *above, bool queued)
{
    struct starpu_sched_tree *tree = simple->tree;
    simple->without_model = starpu_sched_component_eager_create(tree, NULL);
    simple->calibrator =
        starpu_sched_component_eager_calibration_create(tree, NULL);
    if (!queued) {
        simple->calibrator = with_queue(simple, simple->calibrator);
        simple->without_model = with_queue(simple, simple->without_model);
    }
    struct starpu_sched_component_perfmodel_select_data data = {
        .calibrator_component = simple->calibrator,
        .no_perfmodel_component = simple->without_model,
        .perfmodel_component = simple->first,
    };
    struct starpu_sched_component *selector =
        put(simple, above,
            starpu_sched_component_perfmodel_select_create(tree, &data));
    starpu_sched_component_connect(selector, simple->first);
    starpu_sched_component_connect(selector, simple->calibrator);
    starpu_sched_component_connect(selector, simple->without_model);
}

static void build_above(struct simple *simple, struct decision *decision)
{
    struct starpu_sched_component *above = simple->chooser;
    create_decision(simple, decision);
    bool queued = decision->flags & STARPU_SCHED_SIMPLE_FIFO_ABOVE;
    if (queued)
        above =
            put(simple, above,
                decision->sorted_above
                    ? starpu_sched_component_prio_create(simple->tree, NULL)
                    : starpu_sched_component_fifo_create(simple->tree, NULL));
    if (decision->flags & STARPU_SCHED_SIMPLE_PERFMODEL)
        create_selector(simple, above, queued);
    else
        put(simple, above, simple->first);
}

/* ---- from the decision down ---- */

static bool predicts(struct starpu_sched_component *decision)
{
    return starpu_sched_component_is_heft(decision) ||
           starpu_sched_component_is_mct(decision) ||
           starpu_sched_component_is_heteroprio(decision);
}

/* Limits of the queues below, and what comes first in them. */
static struct starpu_sched_component_fifo_data
queue_data(const struct simple *simple, const struct decision *decision)
{
    unsigned flags = decision->flags;
    bool unlimited = flags & STARPU_SCHED_SIMPLE_FIFOS_BELOW_NOLIMIT;
    unsigned most =
        predicts(simple->decision) ? MOST_QUEUED_PREDICTED : MOST_QUEUED;
    return (struct starpu_sched_component_fifo_data){
        .ntasks_threshold = (unsigned)starpu_get_env_number_default(
            "STARPU_NTASKS_THRESHOLD", (int)(unlimited ? UINT_MAX : most)),
        .exp_len_threshold = starpu_get_env_float_default(
            "STARPU_EXP_LEN_THRESHOLD", unlimited ? INFINITY : (float)LONGEST),
        .ready = starpu_get_env_number_default(
            "STARPU_SCHED_READY",
            (flags & STARPU_SCHED_SIMPLE_FIFOS_BELOW_READY) != 0),
        .ready_first = starpu_get_env_number_default(
            "STARPU_SCHED_FIFO_READY_FIRST",
            (flags & STARPU_SCHED_SIMPLE_FIFOS_BELOW_READY_FIRST) != 0),
        .exp = (flags & STARPU_SCHED_SIMPLE_FIFOS_BELOW_EXP) != 0,
    };
}

static struct starpu_sched_component *
create_queue(const struct simple *simple, const struct decision *decision)
{
    struct starpu_sched_component_fifo_data fifo = queue_data(simple, decision);
    struct starpu_sched_component_prio_data prio = {
        .ntasks_threshold = fifo.ntasks_threshold,
        .exp_len_threshold = fifo.exp_len_threshold,
        .ready = fifo.ready,
        .exp = fifo.exp,
    };
    return decision->sorted_below
               ? starpu_sched_component_prio_create(simple->tree, &prio)
               : starpu_sched_component_fifo_create(simple->tree, &fifo);
}

static void build_below(struct simple *simple, const struct decision *decision,
                        unsigned i)
{
    struct starpu_sched_tree *tree = simple->tree;
    struct starpu_sched_component *above = simple->decision;
    if (decision->flags & STARPU_SCHED_SIMPLE_FIFOS_BELOW)
        above = put(simple, above, create_queue(simple, decision));
    if (workers_of(simple, g_array_index(simple->parts, int, i)) > 1)
        above =
            put(simple, above,
                decision->flags & STARPU_SCHED_SIMPLE_WS_BELOW
                    ? starpu_sched_component_work_stealing_create(tree, NULL)
                    : starpu_sched_component_eager_create(tree, NULL));
    if (simple->count > 1)
        starpu_sched_component_connect(above, simple->lowest[i]);
    else
        simple->lowest[i] = above;
}

/* ---- workers ---- */

static void build_worker(const struct simple *simple, int worker)
{
    struct starpu_sched_component *leaf =
        starpu_sched_component_worker_new(simple->tree->sched_ctx_id, worker);
    struct starpu_sched_component *top = leaf;
    unsigned i = 0;
    if (simple->bottom & STARPU_SCHED_SIMPLE_IMPL) {
        top = starpu_sched_component_best_implementation_create(simple->tree,
                                                                NULL);
        starpu_sched_component_connect(top, leaf);
    }
    while (g_array_index(simple->parts, int, i) != part_of(simple, worker))
        i++;
    starpu_sched_component_connect(simple->lowest[i], top);
    if (simple->bottom & STARPU_SCHED_SIMPLE_PERFMODEL) {
        starpu_sched_component_connect(simple->without_model, top);
        starpu_sched_component_connect(simple->calibrator, leaf);
    }
}

/* ---- all of it ---- */

static void build(struct simple *simple)
{
    struct starpu_sched_tree *tree = simple->tree;
    if (simple->count > 1)
        simple->chooser = put(
            simple, NULL, starpu_sched_component_userchoice_create(tree, NULL));
    find_parts(simple);
    for (unsigned i = 0; i < simple->count; i++) {
        build_above(simple, &simple->decisions[i]);
        for (unsigned p = 0; p < simple->parts->len; p++)
            build_below(simple, &simple->decisions[i], p);
    }
    for (unsigned w = 0; w < starpu_worker_get_count(); w++)
        build_worker(simple, (int)w);
    starpu_sched_tree_update_workers(tree);
    starpu_sched_tree_update_workers_in_ctx(tree);
}

static void clear(struct simple *simple)
{
    for (unsigned i = 0; i < simple->count; i++)
        g_array_unref(simple->decisions[i].before);
    g_free(simple->decisions);
    g_array_unref(simple->parts);
    g_free(simple->lowest);
}

void starpu_sched_component_initialize_simple_schedulers(unsigned context,
                                                         unsigned decisions,
                                                         ...)
{
    struct simple simple = {.count = decisions};
    va_list arguments;
    if (decisions == 0)
        sp_fail(call, "there is no decision");
    simple.tree = starpu_sched_tree_create(context);
    starpu_sched_ctx_set_policy_data(context, simple.tree);
    va_start(arguments, decisions);
    read_decisions(&simple, context, &arguments);
    va_end(arguments);
    build(&simple);
    clear(&simple);
}

void starpu_sched_component_initialize_simple_scheduler(
    starpu_sched_component_create_t create, void *data, unsigned flags,
    unsigned context)
{
    starpu_sched_component_initialize_simple_schedulers(context, 1, create,
                                                        data, flags);
}
