/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cuts DOT into tokens (dag_dot_lex.h). One character of look-ahead suffices:
 * peek() returns the next byte, skip() consumes it. The text of a token is
 * collected in lexer->text, as it may span pieces of the file.
 */
#include "models/dagfile/dag_dot_lex.h"

#include <stdarg.h>
#include <string.h>

#include "models/base/units.h"

#define STEP ((size_t)1 << 16)

void orr_dot_lexer_init(struct orr_dot_lexer *lexer,
                        struct orr_dag_builder *builder,
                        struct orr_input *input)
{
    *lexer = (struct orr_dot_lexer){
        .builder = builder, .input = input, .line = 1, .line_begins = true};
    lexer->text = g_string_new(NULL);
    lexer->piece = g_malloc(STEP);
}

void orr_dot_lexer_clear(struct orr_dot_lexer *lexer)
{
    g_string_free(lexer->text, TRUE);
    g_free(lexer->piece);
    g_clear_error(&lexer->error);
}

static int fail(struct orr_dot_lexer *lexer, const char *message)
{
    if (!lexer->error)
        orr_dag_fail(lexer->builder, lexer->builder->line, ORR_ERROR_SYNTAX,
                     &lexer->error, "not DOT: %s", message);
    return ORR_DOT_ERROR;
}

bool orr_dot_fail_syntax(struct orr_dot_lexer *lexer)
{
    g_autofree char *quoted = NULL;
    g_autofree char *message = NULL;

    if (lexer->token == ORR_DOT_END) {
        fail(lexer, "the file ends too early");
        return false;
    }
    quoted = orr_quote(lexer->text->str);
    message = g_strdup_printf("a syntax error near %s", quoted);
    fail(lexer, message);
    return false;
}

/* ---- bytes ---- */

/* The next byte, which stays; -1 at the end, and with lexer->error. */
static int peek(struct orr_dot_lexer *lexer)
{
    size_t got = 0;

    if (lexer->next < lexer->end)
        return (unsigned char)lexer->piece[lexer->next];
    if (lexer->error ||
        !orr_input_read(lexer->input, lexer->piece, STEP, &got, &lexer->error))
        return -1;
    lexer->next = 0;
    lexer->end = got;
    return got > 0 ? (unsigned char)*lexer->piece : -1;
}

/* Goes behind the byte that peek() returned. */
static void skip(struct orr_dot_lexer *lexer)
{
    lexer->line_begins = lexer->piece[lexer->next++] == '\n';
    lexer->line += lexer->line_begins;
}

static bool append(struct orr_dot_lexer *lexer, int byte)
{
    if (lexer->text->len >= ORR_INPUT_MAX_LINE)
        return fail(lexer, "a text longer than 1 MiB") != ORR_DOT_ERROR;
    if (byte == '\0')
        return fail(lexer, "a 0 in a text") != ORR_DOT_ERROR;
    g_string_append_c(lexer->text, (char)byte);
    return true;
}

/* ---- blanks and comments ---- */

static void skip_line(struct orr_dot_lexer *lexer)
{
    for (int byte = peek(lexer); byte != -1 && byte != '\n'; byte = peek(lexer))
        skip(lexer);
}

static bool skip_comment(struct orr_dot_lexer *lexer)
{
    int last = 0;

    lexer->builder->line = lexer->line;
    skip(lexer);
    if (peek(lexer) == '/') {
        skip_line(lexer);
        return true;
    }
    if (peek(lexer) != '*')
        return fail(lexer, "a syntax error near '/'") != ORR_DOT_ERROR;
    skip(lexer);
    for (int byte = peek(lexer); byte != -1; byte = peek(lexer)) {
        skip(lexer);
        if (last == '*' && byte == '/')
            return true;
        last = byte;
    }
    return fail(lexer, "a comment does not end") != ORR_DOT_ERROR;
}

/* Goes to the next byte that is part of a token; returns -1 at the end, and
 * with lexer->error. */
static int skip_blanks(struct orr_dot_lexer *lexer)
{
    for (;;) {
        int byte = peek(lexer);

        if (byte == '/') {
            if (!skip_comment(lexer))
                return -1;
        } else if (byte == '#' && lexer->line_begins) {
            skip_line(lexer);
        } else if (byte == ' ' || (byte >= '\t' && byte <= '\r')) {
            skip(lexer);
        } else {
            return byte;
        }
    }
}

/* ---- tokens ---- */

static bool is_letter(int byte)
{
    return byte >= 0x80 || byte == '_' || g_ascii_isalpha((char)byte);
}

static int find_keyword(const char *text)
{
    static const struct {
        const char *word;
        int token;
    } keywords[] = {
        {"strict", ORR_DOT_STRICT},   {"graph", ORR_DOT_GRAPH},
        {"digraph", ORR_DOT_DIGRAPH}, {"node", ORR_DOT_NODE},
        {"edge", ORR_DOT_EDGE},       {"subgraph", ORR_DOT_SUBGRAPH},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(keywords); i++) {
        if (g_ascii_strcasecmp(keywords[i].word, text) == 0)
            return keywords[i].token;
    }
    return ORR_DOT_ID;
}

static int read_name(struct orr_dot_lexer *lexer)
{
    for (int byte = peek(lexer);
         byte != -1 && (is_letter(byte) || g_ascii_isdigit((char)byte));
         byte = peek(lexer)) {
        if (!append(lexer, byte))
            return ORR_DOT_ERROR;
        skip(lexer);
    }
    return lexer->error ? ORR_DOT_ERROR : find_keyword(lexer->text->str);
}

/* Reads a number. If it has the sign "-", the text holds it already. */
static int read_number(struct orr_dot_lexer *lexer)
{
    unsigned digits = 0;
    unsigned points = 0;
    int byte = peek(lexer);

    for (; byte == '.' || (byte != -1 && g_ascii_isdigit((char)byte));
         byte = peek(lexer)) {
        points += byte == '.';
        digits += byte != '.';
        if (!append(lexer, byte))
            return ORR_DOT_ERROR;
        skip(lexer);
    }
    if (lexer->error)
        return ORR_DOT_ERROR;
    if (byte != -1 && is_letter(byte))
        return fail(lexer, "letters behind a number, which needs quotation "
                           "marks then");
    return digits > 0 && points <= 1 ? ORR_DOT_ID
                                     : fail(lexer, "a number is malformed");
}

static int read_dash(struct orr_dot_lexer *lexer)
{
    int byte;

    append(lexer, '-');
    skip(lexer);
    byte = peek(lexer);
    if (byte != '>' && byte != '-')
        return read_number(lexer);
    append(lexer, byte);
    skip(lexer);
    return byte == '>' ? ORR_DOT_ARROW : ORR_DOT_LINE;
}

/* Reads the character behind a backslash in quotation marks. The backslash is
 * dropped only before a quotation mark or the end of the line. */
static bool append_escaped(struct orr_dot_lexer *lexer)
{
    int byte = peek(lexer);

    if (byte == -1)
        return true;
    skip(lexer);
    if (byte == '\n')
        return true;
    return (byte == '"' || append(lexer, '\\')) && append(lexer, byte);
}

/* One text in quotation marks; the first mark comes next. */
static bool read_part(struct orr_dot_lexer *lexer)
{
    skip(lexer);
    for (int byte = peek(lexer); byte != -1; byte = peek(lexer)) {
        skip(lexer);
        if (byte == '"')
            return true;
        if (!(byte == '\\' ? append_escaped(lexer) : append(lexer, byte)))
            return false;
    }
    return fail(lexer, "a text in quotation marks does not end") !=
           ORR_DOT_ERROR;
}

static int read_quoted(struct orr_dot_lexer *lexer)
{
    unsigned line = lexer->line;

    if (!read_part(lexer))
        return ORR_DOT_ERROR;
    while (skip_blanks(lexer) == '+') {
        skip(lexer);
        if (skip_blanks(lexer) != '"')
            return fail(lexer, "no text in quotation marks behind +");
        if (!read_part(lexer))
            return ORR_DOT_ERROR;
    }
    lexer->builder->line = line;
    return lexer->error ? ORR_DOT_ERROR : ORR_DOT_ID;
}

/* Reads HTML: the text between < and its matching >. */
static int read_html(struct orr_dot_lexer *lexer)
{
    uint64_t depth = 0;

    for (int byte = peek(lexer); byte != -1; byte = peek(lexer)) {
        bool first = depth == 0;

        skip(lexer);
        depth += byte == '<';
        depth -= byte == '>';
        if (depth == 0)
            return ORR_DOT_ID;
        if (!first && !append(lexer, byte))
            return ORR_DOT_ERROR;
    }
    return fail(lexer, "a text in < and > does not end");
}

static int read_token(struct orr_dot_lexer *lexer)
{
    int byte = skip_blanks(lexer);

    g_string_truncate(lexer->text, 0);
    if (byte == -1)
        return lexer->error ? ORR_DOT_ERROR : ORR_DOT_END;
    lexer->builder->line = lexer->line;
    if (is_letter(byte))
        return read_name(lexer);
    if (byte == '.' || g_ascii_isdigit((char)byte))
        return read_number(lexer);
    if (byte == '-')
        return read_dash(lexer);
    if (byte == '"')
        return read_quoted(lexer);
    if (byte == '<')
        return read_html(lexer);
    g_string_append_c(lexer->text, (char)(byte == '\0' ? '\1' : byte));
    skip(lexer);
    return byte;
}

int orr_dot_next(struct orr_dot_lexer *lexer)
{
    lexer->token = read_token(lexer);
    if (lexer->token == ORR_DOT_END)
        lexer->builder->line = lexer->line;
    return lexer->token;
}
