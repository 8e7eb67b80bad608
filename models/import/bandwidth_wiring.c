/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads the text of `nvidia-smi topo -m`. */
#include <string.h>

#include "models/base/input.h"
#include "models/import/bandwidth.h"

#define MAX_BYTES ((uint64_t)1 << 20)

struct reader {
    struct orr_input *input;
    unsigned line;
    unsigned gpus;
    struct orr_bandwidth *bandwidth;
    unsigned lines[ORR_MAX_NODES]; /* line of the row of GPU i; 0: none yet */
};

static bool fail(const struct reader *reader, GError **error,
                 const char *format, ...) G_GNUC_PRINTF(3, 4);

static bool fail(const struct reader *reader, GError **error,
                 const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    orr_error_set_at(error, ORR_ERROR_VALUE, orr_input_path(reader->input),
                     reader->line, format, arguments);
    va_end(arguments);
    return false;
}

/* Whether @word is "GPU3"; sets *@gpu. */
static bool is_gpu(const char *word, uint64_t *gpu)
{
    return word && g_str_has_prefix(word, "GPU") &&
           orr_parse_count(word + 3, 0, G_MAXINT32, gpu, NULL);
}

/* Sets *@wiring to the meaning of symbol @word; "X" is the GPU itself. Returns
 * false if it is no symbol. */
static bool is_symbol(const char *word, enum orr_wiring *wiring)
{
    static const struct {
        const char *symbol;
        enum orr_wiring wiring;
    } symbols[] = {
        {"X", ORR_WIRING_UNKNOWN},  {"PIX", ORR_WIRING_SWITCH},
        {"PXB", ORR_WIRING_SWITCH}, {"PHB", ORR_WIRING_HOST},
        {"NODE", ORR_WIRING_HOST},  {"SYS", ORR_WIRING_HOST},
        {"SOC", ORR_WIRING_HOST}, /* drivers before 2018: SYS */
    };
    uint64_t links;

    for (size_t i = 0; word && i < G_N_ELEMENTS(symbols); i++) {
        *wiring = symbols[i].wiring;
        if (strcmp(word, symbols[i].symbol) == 0)
            return true;
    }
    *wiring = ORR_WIRING_NVLINK;
    return word && g_str_has_prefix(word, "NV") &&
           orr_parse_count(word + 2, 1, 1000, &links, NULL);
}

/* Overwrites colours and underlines of terminals, "\033[4m", by blanks. */
static void drop_escapes(char *text)
{
    while ((text = strchr(text, '\033'))) {
        char *last = text + 1 + strspn(text + 1, "[0123456789;");

        memset(text, ' ', (size_t)(last - text) + (*last != '\0'));
    }
}

static bool take_row(struct reader *reader, unsigned gpu, char **words,
                     GError **error)
{
    enum orr_wiring(*wiring)[ORR_MAX_NODES] = reader->bandwidth->wiring;

    if (gpu >= reader->gpus)
        return fail(reader, error, "GPU%u, but the machine has %u GPU%s", gpu,
                    reader->gpus, reader->gpus == 1 ? "" : "s");
    if (reader->lines[gpu] > 0)
        return fail(reader, error, "second row GPU%u", gpu);
    reader->lines[gpu] = reader->line;
    for (unsigned other = 0; other < reader->gpus; other++) {
        enum orr_wiring found;
        bool same = other == gpu;

        if (!is_symbol(words[other], &found) ||
            same != (strcmp(words[other], "X") == 0)) {
            g_autofree char *quoted =
                orr_quote(words[other] ? words[other] : "");

            return fail(reader, error,
                        "row GPU%u, column GPU%u: %s: expected %s", gpu, other,
                        quoted, same ? "X" : "NV#, PIX, PXB, PHB, NODE or SYS");
        }
        if (reader->lines[other] > 0 && !same &&
            wiring[other + 1][gpu + 1] != found)
            return fail(reader, error,
                        "row GPU%u, column GPU%u: %s contradicts the row of "
                        "GPU%u in line %u",
                        gpu, other, words[other], other, reader->lines[other]);
        wiring[gpu + 1][other + 1] = found;
    }
    return true;
}

static bool take_line(struct reader *reader, char *text, GError **error)
{
    g_auto(GStrv) pieces = NULL;
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    enum orr_wiring wiring;
    uint64_t gpu;

    drop_escapes(text);
    pieces = g_strsplit_set(text, " \t\r", -1);
    for (char **piece = pieces; *piece; piece++) {
        if (**piece)
            g_ptr_array_add(words, *piece);
    }
    g_ptr_array_add(words, NULL);
    /* Skips the line of titles, which also begins with GPU0. */
    if (words->len < 3 || !is_gpu(words->pdata[0], &gpu) ||
        is_gpu(words->pdata[1], &(uint64_t){0}))
        return true;
    if (gpu == 0 && !is_symbol(words->pdata[1], &wiring) &&
        reader->lines[0] == 0)
        return true; /* the titles of a machine with one GPU */
    return take_row(reader, (unsigned)gpu, (char **)words->pdata + 1, error);
}

static bool read_rows(struct reader *reader, GError **error)
{
    g_autoptr(GString) line = g_string_new(NULL);
    GError *reason = NULL;

    while (orr_input_read_line(reader->input, line, &reason)) {
        reader->line++;
        if (memchr(line->str, '\0', line->len) ||
            !g_utf8_validate(line->str, (gssize)line->len, NULL))
            return fail(reader, error, "not a line of text in UTF-8");
        if (!take_line(reader, line->str, error))
            return false;
    }
    if (reason) {
        g_propagate_error(error, reason);
        return false;
    }
    for (unsigned gpu = 0; gpu < reader->gpus; gpu++) {
        if (reader->lines[gpu] == 0)
            return fail(reader, error,
                        "no row GPU%u, as nvidia-smi topo -m prints it", gpu);
    }
    return true;
}

bool orr_wiring_read(struct orr_bandwidth *bandwidth, const char *path,
                     unsigned gpus, GError **error)
{
    const struct orr_input_limits limits = orr_input_limits(MAX_BYTES);
    struct reader reader = {
        .input = orr_input_open(path, &limits, error),
        .gpus = gpus,
        .bandwidth = bandwidth,
    };
    bool success = reader.input && read_rows(&reader, error);

    orr_input_close(reader.input);
    return success;
}
