/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Offers the words that may stand at the cursor. The word before, or the part
 * before "=", decides whether these are values of an option, options or
 * operands. Values come from the row of the option (struct orr_option): its
 * choices, its function and, by the name of the value, files.
 */
#include "apps/options/completion.h"

#include <stdio.h>
#include <string.h>

#include "apps/options/strategies.h"
#include "models/import/platform_find.h"
#include "models/platform/switches.h"
#include "runtime/executor/kernel.h"
#include "runtime/explore/strategy.h"
#include "runtime/programs/graph_file.h"
#include "runtime/programs/programs.h"
#include "sched/evict/evict_registry.h"
#include "sched/plugin.h"
#include "sched/registry.h"

void orr_completion_offer(const char *word, const char *head, const char *name,
                          const char *help)
{
    g_autofree char *whole = g_strconcat(head, name, NULL);

    if (!g_str_has_prefix(whole, word))
        return;
    printf("%s%s%s\n", whole, help ? "\t" : "", help ? help : "");
}

static void offer_strings(const struct orr_open_word *open,
                          const char *const *names)
{
    for (; *names; names++)
        orr_completion_offer(open->word, open->head, *names, NULL);
}

void orr_offer_policies(const struct orr_open_word *open)
{
    const struct orr_sched_ops *ops;

    for (unsigned i = 0; (ops = orr_policy_named(i)); i++)
        orr_completion_offer(open->word, open->head, ops->name, ops->summary);
    orr_completion_offer(open->word, open->head,
                         "fixed:", orr_policy_fixed.summary);
}

void orr_offer_evictions(const struct orr_open_word *open)
{
    const struct orr_evict_ops *ops;

    for (size_t i = 0; (ops = orr_evict_builtin(i)); i++)
        orr_completion_offer(open->word, open->head, ops->name, ops->summary);
}

/* Offers applications, and files of plug-ins and graphs. */
void orr_offer_apps(const struct orr_open_word *open)
{
    const char *const *ending = orr_graph_endings;
    const struct orr_app *app;

    for (size_t i = 0; (app = orr_app_at(i)); i++)
        orr_completion_offer(open->word, open->head, app->name, app->summary);
    printf(":files %s\t.so", open->head);
    for (; *ending; ending++)
        printf(" %s %s.gz", *ending, *ending);
    putchar('\n');
}

void orr_offer_platforms(const struct orr_open_word *open)
{
    g_auto(GStrv) names = orr_platform_names(NULL);

    offer_strings(open, (const char *const *)names);
}

void orr_offer_models(const struct orr_open_word *open)
{
    g_auto(GStrv) items = orr_switches_list();

    offer_strings(open, (const char *const *)items);
}

/* Names of models, each once; "clean" and "reference" are none. */
void orr_offer_degradations(const struct orr_open_word *open)
{
    g_auto(GStrv) items = orr_switches_list();
    g_autofree char *before = NULL;

    for (char **item = items; *item; item++) {
        size_t length = strcspn(*item, "=");
        g_autofree char *name = g_strndup(*item, length);

        if ((*item)[length] && g_strcmp0(name, before) != 0)
            orr_completion_offer(open->word, open->head, name, NULL);
        g_free(before);
        before = g_steal_pointer(&name);
    }
}

static void offer_classes(const struct orr_open_word *open, const char *kernel)
{
    for (enum orr_where where = ORR_WHERE_ANY; where <= ORR_WHERE_GPU;
         where++) {
        g_autofree char *item =
            g_strconcat(kernel, "=", orr_where_name(where), NULL);

        orr_completion_offer(open->word, open->head, item, NULL);
    }
}

/* Offers the kernels of the application; a graph has to be read first. */
void orr_offer_kernels(const struct orr_open_word *open)
{
    const struct orr_app *app =
        open->app ? orr_app_values_app(open->app) : NULL;
    const char *const *names;

    if (!app ||
        (orr_graph_is_app(app) && !orr_app_values_complete(open->app, NULL)))
        return;
    for (names = app->kernels; names && *names; names++)
        offer_classes(open, *names);
}

void orr_offer_strategies(const struct orr_open_word *open)
{
    static const char *const others[] = {ORR_STRATEGY_DFS,
                                         ORR_STRATEGY_PORTFOLIO, NULL};

    for (unsigned kind = 0; kind < ORR_STRATEGIES; kind++)
        orr_completion_offer(open->word, open->head, orr_strategy_name(kind),
                             NULL);
    offer_strings(open, others);
}

/* What the options of a run (runtime/config/), which do not know this, offer.
 */
static const struct {
    const char *option;
    void (*offer)(const struct orr_open_word *open);
} of_run[] = {
    {"platform", orr_offer_platforms}, {"sched", orr_offer_policies},
    {"evict", orr_offer_evictions},    {"model", orr_offer_models},
    {"where", orr_offer_kernels},
};

static void offer_names(const struct orr_option *option,
                        const struct orr_open_word *open)
{
    if (option->offer) {
        option->offer(open);
        return;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(of_run); i++) {
        if (strcmp(option->name, of_run[i].option) == 0)
            of_run[i].offer(open);
    }
}

/* Whether @option, whose value has that name, takes "a,b". */
static bool takes_list(const struct orr_option *option)
{
    return g_str_has_suffix(option->value, ",...");
}

/* Offers values of @option, whose value begins after @start bytes of @word. */
static void offer_values(struct orr_app_values *app,
                         const struct orr_option *option, const char *word,
                         size_t start)
{
    const char *comma = takes_list(option) ? strrchr(word + start, ',') : NULL;
    g_autofree char *head =
        g_strndup(word, comma ? (gsize)(comma + 1 - word) : start);
    const struct orr_open_word open = {word, head, app};

    if (option->choices)
        offer_strings(&open, option->choices);
    offer_names(option, &open);
    if (strstr(option->value, "FILE") || strstr(option->value, "DIR"))
        printf(":files %s\n", head);
}

static void offer_options(const struct orr_syntax *syntax, const char *word)
{
    for (size_t g = 0; syntax->groups[g]; g++) {
        for (size_t i = 0; i < syntax->groups[g]->count; i++)
            orr_completion_offer(word, "--", syntax->groups[g]->options[i].name,
                                 syntax->groups[g]->options[i].help);
    }
    orr_completion_offer(word, "--", "help", "show this help");
}

static void offer_operands(const struct orr_syntax *syntax,
                           struct orr_app_values *app, const char *word)
{
    const char *operands = syntax->operands ? syntax->operands : "";
    const struct orr_open_word open = {word, "", app};

    if (strcmp(operands, "APP") == 0)
        orr_offer_apps(&open);
    else if (strstr(operands, "NAME|FILE"))
        orr_offer_platforms(&open);
    if (strstr(operands, "@FILE"))
        puts(":files @");
    else if (strstr(operands, "FILE") || strstr(operands, "SAMPLES") ||
             strstr(operands, "DIR"))
        puts(":files ");
}

/* The option that @word, "--name", "--name=..." or a short form, names, or
 * NULL. */
static const struct orr_option *named(const struct orr_syntax *syntax,
                                      const char *word)
{
    const char *text = orr_option_long(word);

    return g_str_has_prefix(text, "--")
               ? orr_option_find(syntax->groups, text + 2,
                                 strcspn(text + 2, "="), NULL)
               : NULL;
}

/* Whether the last of @count words is a program or one of its arguments. */
static bool is_of_program(const struct orr_syntax *syntax, int count,
                          char *const *words)
{
    for (int i = 0; i + 1 < count; i++) {
        if (strcmp(words[i], "--") == 0)
            return g_strcmp0(syntax->operands, "APP") == 0;
    }
    return false;
}

void orr_completion_print(const struct orr_syntax *syntax,
                          struct orr_app_values *app, int count,
                          char *const *words)
{
    const char *word = count > 0 ? words[count - 1] : "";
    const char *sign = strchr(word, '=');
    const struct orr_option *before =
        count > 1 && !strchr(words[count - 2], '=')
            ? named(syntax, words[count - 2])
            : NULL;
    const struct orr_option *option = sign ? named(syntax, word) : NULL;

    if (is_of_program(syntax, count, words))
        puts(":files ");
    else if (before && before->value)
        offer_values(app, before, word, 0);
    else if (option && option->value)
        offer_values(app, option, word, (size_t)(sign + 1 - word));
    else if (*word == '-')
        offer_options(syntax, word);
    else
        offer_operands(syntax, app, word);
}
