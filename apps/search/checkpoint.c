/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes and reads the position of an exploration as lines of text;
 * checkpoint.h has the format. A file may be hostile: each count is limited by
 * the number of lines left, and each number by a value read before, so that
 * reading takes bounded time and memory.
 */
#include "apps/search/checkpoint.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/units.h"
#include "runtime/diagnosis/hang.h"

static void add_parts(GString *text, const GArray *parts)
{
    g_string_append_printf(text, "parts %u\n", parts->len);
    for (guint i = 0; i < parts->len; i++) {
        const struct orr_exploration_part *part =
            &g_array_index(parts, struct orr_exploration_part, i);

        g_string_append_printf(text,
                               "part %s %" G_GUINT64_FORMAT
                               " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                               part->strategy, part->schedules, part->distinct,
                               part->hangs);
    }
}

static void add_text(GString *text, const char *name, const char *value)
{
    g_string_append_printf(text, "%s ", name);
    orr_lines_append_text(text, value);
    g_string_append_c(text, '\n');
}

static void add_failure(GString *text, const struct orr_failure *failure)
{
    g_string_append_printf(
        text,
        "finding %s %d %s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
        " %" G_GINT64_MODIFIER "x %u %u\n",
        failure->kind, failure->status, failure->strategy, failure->number,
        failure->count, failure->digest, g_strv_length(failure->chain),
        failure->deviations->len);
    add_text(text, "message", failure->message);
    for (char **sentence = failure->chain; *sentence; sentence++)
        add_text(text, "chain", *sentence);
    for (guint i = 0; i < failure->deviations->len; i++) {
        const struct orr_deviation *deviation =
            &g_array_index(failure->deviations, struct orr_deviation, i);

        g_string_append_printf(text,
                               "deviation %" G_GUINT64_FORMAT " %u %u %u\n",
                               deviation->position, deviation->option,
                               deviation->count, (unsigned)deviation->kind);
    }
}

static void add_choice(GString *text, const struct orr_dfs_choice *choice)
{
    g_string_append_printf(text, "choice %u %u %x %x", choice->count,
                           choice->option, (unsigned)choice->backtrack,
                           (unsigned)choice->done);
    for (unsigned i = 0; i < choice->count; i++) {
        if (choice->done >> i & 1)
            g_string_append_printf(
                text, " %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x",
                choice->touches[i].reads, choice->touches[i].writes);
    }
    g_string_append_c(text, '\n');
}

static void add_dfs(GString *text, struct orr_dfs *dfs)
{
    struct orr_dfs_flags flags = orr_dfs_pause(dfs);

    g_string_append_printf(text, "dfs %d %d %d %u\n", flags.ended,
                           flags.incomplete, flags.ordered, orr_dfs_depth(dfs));
    for (unsigned i = 0; i < orr_dfs_depth(dfs); i++) {
        struct orr_dfs_choice choice = orr_dfs_choice(dfs, i);

        add_choice(text, &choice);
    }
}

void orr_checkpoint_add_state(const struct orr_checkpoint *checkpoint,
                              GString *text)
{
    const struct orr_exploration *exploration = checkpoint->exploration;

    g_string_append_printf(
        text, "state %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
        exploration->schedules, exploration->distinct);
    add_parts(text, exploration->parts);
    g_string_append_printf(text, "findings %u\n", exploration->failures->len);
    for (guint i = 0; i < exploration->failures->len; i++)
        add_failure(text, exploration->failures->pdata[i]);
    orr_interleavings_save(exploration->interleavings, text);
    if (*checkpoint->dfs)
        add_dfs(text, *checkpoint->dfs);
}

static void add_portfolio(const struct orr_portfolio *portfolio, GString *text)
{
    char yield[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append_printf(text, "portfolio %" G_GUINT64_FORMAT "\n",
                           portfolio->round);
    for (unsigned i = 0; i < ORR_PORTFOLIO_MOST; i++) {
        const struct orr_share *share = &portfolio->shares[i];

        g_string_append_printf(
            text, "share %" G_GUINT64_FORMAT " %s %" G_GUINT64_FORMAT "\n",
            share->made, g_ascii_dtostr(yield, sizeof(yield), share->yield),
            share->next);
    }
}

static struct orr_exploration_part *
find_part(const struct orr_exploration *exploration, unsigned strategy)
{
    const char *name = orr_portfolio_name(strategy);
    const GArray *parts = exploration->parts;

    for (guint i = 0; i < parts->len; i++) {
        struct orr_exploration_part *part =
            &g_array_index(parts, struct orr_exploration_part, i);

        if (strcmp(part->strategy, name) == 0)
            return part;
    }
    return NULL;
}

void orr_round_begin(struct orr_round *round,
                     const struct orr_checkpoint *checkpoint, uint64_t most,
                     bool keeps)
{
    orr_round_clear(round);
    *round = (struct orr_round){
        .first = checkpoint->exploration->schedules,
        .count = MIN(checkpoint->portfolio->round, most),
    };
    for (unsigned i = 0; i < ORR_PORTFOLIO_MOST; i++) {
        const struct orr_exploration_part *part =
            find_part(checkpoint->exploration, i);

        round->made[i] = part ? part->schedules : 0;
        round->distinct[i] = part ? part->distinct : 0;
    }
    if (!keeps)
        return;
    round->begin = g_string_new(NULL);
    add_portfolio(checkpoint->portfolio, round->begin);
    round->state = round->begin->len;
    orr_checkpoint_add_state(checkpoint, round->begin);
}

void orr_round_clear(struct orr_round *round)
{
    if (round->begin)
        g_string_free(g_steal_pointer(&round->begin), TRUE);
}

void orr_round_end(const struct orr_round *round,
                   const struct orr_checkpoint *checkpoint)
{
    for (unsigned i = 0; i < ORR_PORTFOLIO_MOST; i++) {
        const struct orr_exploration_part *part =
            find_part(checkpoint->exploration, i);

        if (part)
            orr_portfolio_end(checkpoint->portfolio, i,
                              part->schedules - round->made[i],
                              part->distinct - round->distinct[i]);
    }
}

void orr_checkpoint_add(const struct orr_checkpoint *checkpoint,
                        const struct orr_round *round, GString *text)
{
    const struct orr_exploration *exploration = checkpoint->exploration;
    const GArray *orders = exploration->order_list;

    g_string_append_printf(text,
                           "round %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                           " %" G_GUINT64_FORMAT "\n",
                           round->first, round->count,
                           (uint64_t)(exploration->wall_s * 1e6));
    g_string_append_len(text, round->begin->str, (gssize)round->state);
    g_string_append_printf(text, "orders %u\n", orders->len);
    for (guint i = 0; i < orders->len; i++)
        g_string_append_printf(text, "order %" G_GINT64_MODIFIER "x\n",
                               g_array_index(orders, uint64_t, i));
    g_string_append(text, round->begin->str + round->state);
    orr_checkpoint_add_state(checkpoint, text);
}

/* Limit on the levels of a path: more than any run has decisions, and about 1
 * GB. */
enum { DEEPEST = 1 << 20 };

/* Reads a count of lines, which is at most @most and at most the number of
 * lines left. */
static uint64_t count_of(struct orr_lines *lines, uint64_t most)
{
    return orr_lines_number(lines, MIN(most, lines->count - lines->next));
}

/* Reads the next word, which must be the name of a strategy. Static; NULL: it
 * is not. */
static const char *strategy_of(struct orr_lines *lines)
{
    g_autofree char *word = orr_lines_word(lines);
    g_autofree char *quoted = word ? orr_quote(word) : NULL;

    if (!word)
        return NULL;
    for (unsigned i = 0; i < ORR_PORTFOLIO_MOST; i++) {
        if (strcmp(orr_portfolio_name(i), word) == 0)
            return orr_portfolio_name(i);
    }
    if (strcmp(word, "default") == 0)
        return "default";
    orr_lines_fail(lines, "%s: no strategy has that name", quoted);
    return NULL;
}

static const char *kind_of(struct orr_lines *lines)
{
    g_autofree char *word = orr_lines_word(lines);
    g_autofree char *quoted = word ? orr_quote(word) : NULL;

    if (!word)
        return NULL;
    for (unsigned kind = 0; kind < ORR_HANG_KINDS; kind++) {
        if (strcmp(orr_hang_kind_name(kind), word) == 0)
            return orr_hang_kind_name(kind);
    }
    for (int code = ORR_ERROR_POLICY; code <= ORR_ERROR_POLICY_PRIORITY;
         code++) {
        const GError error = {.domain = ORR_ERROR, .code = code};

        if (strcmp(orr_error_policy_kind(&error), word) == 0)
            return orr_error_policy_kind(&error);
    }
    orr_lines_fail(lines, "%s: nothing that is found has that name", quoted);
    return NULL;
}

static void read_parts(struct orr_lines *lines,
                       struct orr_exploration *exploration)
{
    uint64_t schedules = 0, distinct = 0, count;

    g_array_set_size(exploration->parts, 0);
    orr_lines_next(lines, "parts");
    count = count_of(lines, ORR_PORTFOLIO_MOST + 1);
    while (!lines->failed && count-- > 0 && orr_lines_next(lines, "part")) {
        struct orr_exploration_part part = {0};

        part.strategy = strategy_of(lines);
        part.schedules =
            orr_lines_number(lines, exploration->schedules - schedules);
        part.distinct =
            orr_lines_number(lines, exploration->distinct - distinct);
        part.hangs = orr_lines_number(lines, part.schedules);
        schedules += part.schedules;
        distinct += part.distinct;
        g_array_append_val(exploration->parts, part);
    }
    if (schedules != exploration->schedules ||
        distinct != exploration->distinct)
        orr_lines_fail(lines, "the strategies have made another number of "
                              "schedules");
}

static void read_deviations(struct orr_lines *lines, GArray *deviations,
                            uint64_t count)
{
    uint64_t next = 0;

    while (!lines->failed && count-- > 0 &&
           orr_lines_next(lines, "deviation")) {
        struct orr_deviation deviation;

        deviation.position = orr_lines_number(lines, INT64_MAX);
        deviation.option = (unsigned)orr_lines_number(lines, UINT_MAX);
        deviation.count = (unsigned)orr_lines_number(lines, UINT_MAX);
        deviation.kind = (enum orr_decision_kind)orr_lines_number(
            lines, ORR_DECISION_KINDS - 1);
        if (deviation.position < next || deviation.option == 0)
            orr_lines_fail(lines, "the decision is out of order");
        next = deviation.position + 1;
        g_array_append_val(deviations, deviation);
    }
}

static bool is_status(uint64_t status)
{
    return status == ORR_EXIT_FAILURE || status == ORR_EXIT_STALLED ||
           status == ORR_EXIT_LIVELOCKED;
}

static void read_failure(struct orr_lines *lines, struct orr_failure *failure,
                         uint64_t schedules)
{
    uint64_t status, sentences, deviations;

    failure->chain = g_new0(char *, 1);
    failure->deviations =
        g_array_new(FALSE, FALSE, sizeof(struct orr_deviation));
    failure->kind = kind_of(lines);
    status = orr_lines_number(lines, ORR_EXIT_SIGNAL);
    if (!is_status(status))
        orr_lines_fail(lines, "a finding does not have this exit status");
    failure->status = (enum orr_exit)status;
    failure->strategy = strategy_of(lines);
    failure->number = orr_lines_number(lines, schedules);
    failure->count = orr_lines_number(lines, schedules);
    failure->digest = orr_lines_hash(lines);
    sentences = count_of(lines, G_MAXUINT);
    deviations = count_of(lines, G_MAXUINT);
    orr_lines_next(lines, "message");
    failure->message = orr_lines_text(lines);
    g_free(failure->chain);
    failure->chain = g_new0(char *, sentences + 1);
    for (uint64_t i = 0; i < sentences && orr_lines_next(lines, "chain"); i++)
        failure->chain[i] = orr_lines_text(lines);
    read_deviations(lines, failure->deviations, deviations);
}

static void read_failures(struct orr_lines *lines,
                          struct orr_exploration *exploration)
{
    uint64_t count, before = 0;

    g_ptr_array_set_size(exploration->failures, 0);
    orr_lines_next(lines, "findings");
    count = count_of(lines, exploration->schedules);
    while (!lines->failed && count-- > 0 && orr_lines_next(lines, "finding")) {
        struct orr_failure *failure = g_new0(struct orr_failure, 1);

        g_ptr_array_add(exploration->failures, failure);
        read_failure(lines, failure, exploration->schedules);
        if (failure->number <= before)
            orr_lines_fail(lines, "the findings are out of order");
        before = failure->number;
    }
}

static void read_choice(struct orr_lines *lines, struct orr_dfs_choice *choice)
{
    uint64_t all;

    choice->count = (unsigned)orr_lines_number(lines, ORR_MOST_OPTIONS);
    if (choice->count == 0)
        orr_lines_fail(lines, "a decision has no options");
    if (lines->failed)
        return;
    all = (UINT64_C(1) << choice->count) - 1;
    choice->option = (unsigned)orr_lines_number(lines, choice->count - 1);
    choice->backtrack = (uint32_t)(orr_lines_hash(lines) & all);
    choice->done = (uint32_t)(orr_lines_hash(lines) & all);
    for (unsigned i = 0; i < choice->count; i++) {
        if (!(choice->done >> i & 1))
            continue;
        choice->touches[i].reads = orr_lines_hash(lines);
        choice->touches[i].writes = orr_lines_hash(lines);
    }
}

static void read_dfs(struct orr_lines *lines, struct orr_dfs **dfs)
{
    struct orr_dfs_flags flags;
    uint64_t count;

    orr_dfs_free(g_steal_pointer(dfs));
    if (!orr_lines_is_next(lines, "dfs"))
        return;
    *dfs = orr_dfs_new(true);
    orr_lines_next(lines, "dfs");
    flags.ended = orr_lines_number(lines, 1);
    flags.incomplete = orr_lines_number(lines, 1);
    flags.ordered = orr_lines_number(lines, 1);
    count = count_of(lines, DEEPEST);
    orr_dfs_set_flags(*dfs, flags);
    while (!lines->failed && count-- > 0 && orr_lines_next(lines, "choice")) {
        struct orr_dfs_choice choice = {0};

        read_choice(lines, &choice);
        if (!lines->failed)
            orr_dfs_add_choice(*dfs, &choice);
    }
}

static void read_state(const struct orr_checkpoint *checkpoint,
                       struct orr_lines *lines)
{
    struct orr_exploration *exploration = checkpoint->exploration;

    orr_lines_next(lines, "state");
    exploration->schedules = orr_lines_number(lines, ORR_MAX_SCHEDULES);
    exploration->distinct = orr_lines_number(lines, exploration->schedules);
    read_parts(lines, exploration);
    read_failures(lines, exploration);
    orr_interleavings_free(exploration->interleavings);
    exploration->interleavings = orr_interleavings_new();
    orr_interleavings_load(exploration->interleavings, lines);
    read_dfs(lines, checkpoint->dfs);
}

static void read_portfolio(struct orr_lines *lines,
                           struct orr_portfolio *portfolio)
{
    orr_lines_next(lines, "portfolio");
    portfolio->round = orr_lines_number(lines, ORR_LONGEST_ROUND);
    if (portfolio->round == 0)
        orr_lines_fail(lines, "a round without schedules");
    for (unsigned i = 0; i < ORR_PORTFOLIO_MOST && !lines->failed; i++) {
        struct orr_share *share = &portfolio->shares[i];

        orr_lines_next(lines, "share");
        share->made = orr_lines_number(lines, ORR_MAX_SCHEDULES);
        share->yield = orr_lines_share(lines);
        share->next = orr_lines_number(lines, ORR_MAX_SCHEDULES);
    }
}

/* Reads all orders. The first must be the order of the first schedule, which
 * has run again. */
static void read_orders(struct orr_lines *lines,
                        struct orr_exploration *exploration)
{
    GArray *orders = exploration->order_list;
    uint64_t first = g_array_index(orders, uint64_t, 0), count;

    g_array_set_size(orders, 0);
    orr_lines_next(lines, "orders");
    count = count_of(lines, ORR_MAX_SCHEDULES);
    while (!lines->failed && count-- > 0 && orr_lines_next(lines, "order")) {
        uint64_t order = orr_lines_hash(lines);

        if (orders->len == 0 && order != first && !exploration->difference)
            orr_lines_fail(lines, "the first schedule of this policy, "
                                  "application and machine is another one");
        g_array_append_val(orders, order);
    }
}

/* Keeps the orders of the distinct schedules so far: the first ones. */
static void set_orders(struct orr_lines *lines,
                       struct orr_exploration *exploration)
{
    GArray *orders = exploration->order_list;

    if (exploration->distinct > orders->len)
        orr_lines_fail(lines, "it has fewer orders than distinct schedules");
    if (lines->failed)
        return;
    g_array_set_size(orders, (guint)exploration->distinct);
    g_hash_table_remove_all(exploration->orders);
    for (guint i = 0; i < orders->len; i++)
        g_hash_table_add(
            exploration->orders,
            GSIZE_TO_POINTER((gsize)g_array_index(orders, uint64_t, i)));
}

bool orr_checkpoint_read(const struct orr_checkpoint *checkpoint, uint64_t last,
                         struct orr_round *round, struct orr_lines *lines)
{
    struct orr_exploration *exploration = checkpoint->exploration;
    uint64_t first, count;

    orr_lines_next(lines, "round");
    first = orr_lines_number(lines, ORR_MAX_SCHEDULES);
    count = orr_lines_number(lines, ORR_LONGEST_ROUND);
    exploration->wall_s += (double)orr_lines_number(lines, INT64_MAX) / 1e6;
    if (first > last)
        orr_lines_fail(lines,
                       "%" G_GUINT64_FORMAT
                       " schedules have been made, more than --budget allows",
                       first);
    read_portfolio(lines, checkpoint->portfolio);
    read_orders(lines, exploration);
    read_state(checkpoint, lines);
    if (exploration->schedules != first)
        orr_lines_fail(lines, "the round begins after other schedules");
    if (lines->failed)
        return false;
    orr_round_begin(round, checkpoint, last - first, true);
    if (round->count == count)
        read_state(checkpoint, lines);
    if (exploration->schedules < first ||
        exploration->schedules - first > count)
        orr_lines_fail(lines, "the round has other schedules");
    set_orders(lines, exploration);
    return !lines->failed;
}
