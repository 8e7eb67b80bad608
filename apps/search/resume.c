/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The file of --resume: one section for each exploration, kept as text. A
 * section that was read is parsed only when its exploration begins; the first
 * two lines of a section, its request and strategy, are compared before. Each
 * save writes all sections again and replaces the file.
 */
#include "apps/search/resume.h"

#include <string.h>

#include "apps/token/token.h"
#include "config.h"
#include "models/base/error.h"
#include "models/base/file.h"
#include "models/base/input.h"
#include "models/base/units.h"

/* Limit on the size of the file: some million schedules. */
#define MOST_BYTES ((uint64_t)1 << 30)

static const char begin[] = "orrery-exploration 1 " ORR_VERSION;

/* An exploration in the file. */
struct section {
    char *name;
    unsigned first; /* line number of its line "case" in the file; 0: not in the
                       file */
    char
        *head; /* lines with the request and the strategy; NULL: not expected */
    GString *body; /* the lines after the head; for a section that was read,
                      with the head */
};

struct orr_resume {
    char *path;
    GPtrArray *sections; /* struct section */
};

static void free_section(void *data)
{
    struct section *section = data;

    g_free(section->name);
    g_free(section->head);
    g_string_free(section->body, TRUE);
    g_free(section);
}

/* Finds a section by its name as written in the file. */
static struct section *find_section(const struct orr_resume *resume,
                                    const char *name)
{
    for (guint i = 0; i < resume->sections->len; i++) {
        struct section *section = resume->sections->pdata[i];

        if (strcmp(section->name, name) == 0)
            return section;
    }
    return NULL;
}

/* Finds the section of the exploration @name, which has one. */
static struct section *section_of(const struct orr_resume *resume,
                                  const char *name)
{
    g_autofree char *escaped = g_strescape(name, NULL);

    return find_section(resume, escaped);
}

static struct section *add_section(struct orr_resume *resume, const char *name)
{
    struct section *section = g_new0(struct section, 1);

    section->name = g_strdup(name);
    section->body = g_string_new(NULL);
    g_ptr_array_add(resume->sections, section);
    return section;
}

static void fail(const struct orr_resume *resume, unsigned line, GError **error,
                 const char *format, ...) G_GNUC_PRINTF(4, 5);

static void fail(const struct orr_resume *resume, unsigned line, GError **error,
                 const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    orr_error_set_at(error, ORR_ERROR_SYNTAX, resume->path, line, format,
                     arguments);
    va_end(arguments);
}

/* Adds line number @number to @resume. */
static bool add_line(struct orr_resume *resume, const char *line,
                     unsigned number, GError **error)
{
    struct section *last;

    if (number == 1 && strcmp(line, begin) != 0) {
        g_autofree char *quoted = orr_quote(line);

        fail(resume, 1, error,
             "%s is not what this version writes: expected '%s'", quoted,
             begin);
        return false;
    }
    if (g_str_has_prefix(line, "case ")) {
        if (find_section(resume, line + strlen("case "))) {
            fail(resume, number, error, "the case is there twice");
            return false;
        }
        add_section(resume, line + strlen("case "))->first = number;
        return true;
    }
    if (number == 1)
        return true;
    if (resume->sections->len == 0) {
        fail(resume, number, error, "expected 'case'");
        return false;
    }
    last = resume->sections->pdata[resume->sections->len - 1];
    g_string_append(last->body, line);
    g_string_append_c(last->body, '\n');
    return true;
}

static bool read_file(struct orr_resume *resume, GError **error)
{
    const struct orr_input_limits limits = orr_input_limits(MOST_BYTES);
    struct orr_input *input = orr_input_open(resume->path, &limits, error);
    g_autoptr(GString) line = g_string_new(NULL);
    GError *reason = NULL;
    unsigned number = 0;

    if (!input)
        return false;
    while (!reason && orr_input_read_line(input, line, &reason))
        add_line(resume, line->str, ++number, &reason);
    if (!reason && number == 0)
        fail(resume, 1, &reason, "the file is empty");
    if (!reason && orr_input_has_zeros(input))
        fail(resume, 0, &reason, "the file has bytes that are 0");
    orr_input_close(input);
    if (reason)
        g_propagate_error(error, reason);
    return !reason;
}

struct orr_resume *orr_resume_open(const char *path, GError **error)
{
    struct orr_resume *resume = g_new0(struct orr_resume, 1);

    resume->path = g_strdup(path);
    resume->sections = g_ptr_array_new_with_free_func(free_section);
    if (!g_file_test(path, G_FILE_TEST_EXISTS) || read_file(resume, error))
        return resume;
    orr_resume_free(resume);
    return NULL;
}

void orr_resume_free(struct orr_resume *resume)
{
    if (!resume)
        return;
    g_ptr_array_unref(resume->sections);
    g_free(resume->path);
    g_free(resume);
}

static bool has_option(const struct orr_token *token, const char *option)
{
    for (guint i = 0; i < token->options->len; i++) {
        if (strcmp(token->options->pdata[i], option) == 0)
            return true;
    }
    return false;
}

/* Returns an option that only @one of two requests has; NULL: none. */
static const char *find_option(const struct orr_token *one,
                               const struct orr_token *other)
{
    for (guint i = 0; i < one->options->len; i++) {
        if (!has_option(other, one->options->pdata[i]))
            return one->options->pdata[i];
    }
    return NULL;
}

/* Returns how the request @there of a file differs from @here; free with
 * g_free(). NULL: they are equal. */
static char *find_difference(const struct orr_token *there,
                             const struct orr_token *here)
{
    static const char *const inputs[ORR_TOKEN_INPUTS] = {
        [ORR_TOKEN_PLATFORM] = "machine",
        [ORR_TOKEN_SCHED] = "file of the policy",
        [ORR_TOKEN_RECORD] = "record",
        [ORR_TOKEN_APP] = "file of the application",
        [ORR_TOKEN_EVICT] = "file of the eviction policy",
    };
    const char *more = find_option(there, here);
    const char *less = find_option(here, there);
    g_autofree char *quoted = NULL;

    if (strcmp(there->app, here->app) != 0) {
        quoted = orr_quote(there->app);
        return g_strdup_printf("of the application %s", quoted);
    }
    if (more || less) {
        quoted = orr_quote(more ? more : less);
        return g_strdup_printf("%s the option %s", more ? "with" : "without",
                               quoted);
    }
    for (unsigned i = 0; i < ORR_TOKEN_INPUTS; i++) {
        if (there->inputs[i] != here->inputs[i])
            return g_strdup_printf("with another content of the %s", inputs[i]);
    }
    return NULL;
}

/* Compares line @line, "request TOKEN", with @here. */
static bool check_request(const struct orr_resume *resume, unsigned line,
                          const char *text, const struct orr_token *here,
                          GError **error)
{
    g_autoptr(GError) reason = NULL;
    g_autofree char *difference = NULL;
    struct orr_token there;

    if (orr_token_parse(&there, text, &reason))
        difference = find_difference(&there, here);
    orr_token_clear(&there);
    if (!reason && !difference)
        return true;
    fail(resume, line, error, "%s%s", reason ? "" : "this is an exploration ",
         reason ? reason->message : difference);
    return false;
}

/* Compares line @line, "strategy NAME ALL", with @settings. */
static bool check_strategy(const struct orr_resume *resume, unsigned line,
                           const char *text,
                           const struct orr_exploration_settings *settings,
                           GError **error)
{
    g_autofree char *here =
        g_strdup_printf("%s %d", settings->strategy, settings->all);
    g_autofree char *quoted = NULL;

    if (strcmp(text, here) == 0)
        return true;
    quoted = orr_quote(text);
    fail(resume, line, error,
         "this is an exploration with another --strategy or --all: %s, not "
         "'%s'",
         quoted, here);
    return false;
}

/* Checks the two lines with which a position begins. */
static bool check_head(const struct orr_resume *resume,
                       const struct section *section,
                       const struct orr_token *token,
                       const struct orr_exploration_settings *settings,
                       GError **error)
{
    g_auto(GStrv) lines = g_strsplit(section->body->str, "\n", 3);
    unsigned first = section->first + 1;

    if (g_strv_length(lines) < 3 || !g_str_has_prefix(lines[0], "request ") ||
        !g_str_has_prefix(lines[1], "strategy ")) {
        fail(resume, first, error, "expected 'request', then 'strategy'");
        return false;
    }
    return check_request(resume, first, lines[0] + strlen("request "), token,
                         error) &&
           check_strategy(resume, first + 1, lines[1] + strlen("strategy "),
                          settings, error);
}

bool orr_resume_expect(struct orr_resume *resume, const char *name,
                       const struct orr_scenario *scenario,
                       const struct orr_exploration_settings *settings,
                       GError **error)
{
    struct section *section = section_of(resume, name);
    struct orr_token token;
    bool fits = orr_token_init(&token, scenario, scenario->config.sched, error);

    if (fits && section)
        fits = check_head(resume, section, &token, settings, error);
    if (fits) {
        g_autofree char *word = orr_token_format(&token);
        g_autofree char *escaped = g_strescape(name, NULL);

        if (!section)
            section = add_section(resume, escaped);
        g_free(section->head);
        section->head = g_strdup_printf("request %s\nstrategy %s %d\n", word,
                                        settings->strategy, settings->all);
    }
    orr_token_clear(&token);
    return fits;
}

bool orr_resume_check(const struct orr_resume *resume, GError **error)
{
    for (guint i = 0; i < resume->sections->len; i++) {
        const struct section *section = resume->sections->pdata[i];
        g_autofree char *quoted = orr_quote(section->name);

        if (section->head)
            continue;
        fail(resume, section->first, error,
             "%s is none of the cases to explore", quoted);
        return false;
    }
    return true;
}

bool orr_resume_has(const struct orr_resume *resume, const char *name)
{
    return section_of(resume, name)->first > 0;
}

bool orr_resume_load(const struct orr_resume *resume, const char *name,
                     const struct orr_checkpoint *checkpoint, uint64_t last,
                     struct orr_round *round, GError **error)
{
    const struct section *section = section_of(resume, name);
    struct orr_lines lines = {.path = resume->path, .error = error};
    g_auto(GStrv) text = NULL;

    text = g_strsplit(section->body->str, "\n", -1);
    lines.text = (const char *const *)text;
    lines.count = g_strv_length(text);
    lines.count -= lines.count > 0; /* the text ends with "\n" */
    lines.first = section->first + 1;
    lines.next = 2; /* after the head */
    return orr_checkpoint_read(checkpoint, last, round, &lines);
}

bool orr_resume_save(struct orr_resume *resume, const char *name,
                     const struct orr_checkpoint *checkpoint,
                     const struct orr_round *round, GError **error)
{
    struct section *own = section_of(resume, name);
    g_autoptr(GString) text = g_string_new(begin);

    g_string_assign(own->body, own->head);
    orr_checkpoint_add(checkpoint, round, own->body);
    g_string_append_c(text, '\n');
    for (guint i = 0; i < resume->sections->len; i++) {
        const struct section *section = resume->sections->pdata[i];

        if (section->body->len == 0)
            continue;
        g_string_append_printf(text, "case %s\n", section->name);
        g_string_append(text, section->body->str);
    }
    return orr_file_replace(resume->path, text->str, text->len, error);
}
