/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the kernel of a task (starpu_operands.h): tries the symbols of the
 * table, and checks for each whether the sizes of the task's data, in order,
 * are those of the kernel's operands at one tile size. The tile size follows
 * from the first operand.
 */
#include "models/starpu/starpu_operands.h"

#include <math.h>
#include <string.h>

#include "models/starpu/starpu_shape.h"
#include "models/starpu/starpu_symbols.h"

#define MAX_TILE 1000000u /* the limit of platform files */
#define MAX_ELEMENTS ((uint64_t)MAX_TILE * MAX_TILE)
#define SLAB 4u      /* columns of a slab, in tiles */
#define WORKSPACE 3u /* elements of a workspace, in ib x nb */

/* The most operands of a codelet that is not in the table: all are tiles. */
static const char tiles[] = "SSSSSSSS";

static unsigned element_bytes(enum orr_precision precision)
{
    return precision == ORR_DOUBLE ? 8 : 4;
}

/* The rows of a square of @elements; 0: @elements is no square number. */
static unsigned root(uint64_t elements)
{
    double rows = sqrt((double)elements) + 0.5;
    uint64_t tile = rows < MAX_TILE ? (uint64_t)rows : 0;

    return tile * tile == elements ? (unsigned)tile : 0;
}

/* The elements of an operand. */
static uint64_t elements_of(char operand, struct orr_starpu_shape shape)
{
    uint64_t tile = shape.tile;

    switch (operand) {
    case 'L':
    case 'R':
        return SLAB * tile * tile;
    case 'T':
        return shape.inner * tile;
    case 'W':
        return (uint64_t)WORKSPACE * shape.inner * tile;
    default:
        return tile * tile;
    }
}

/* The shape of a task, from its sizes: operands begin with a tile or a slab,
 * and T comes before W. */
static struct orr_starpu_shape shape_of(const struct orr_starpu_task *task,
                                        const char *operands, unsigned element)
{
    struct orr_starpu_shape shape = {0, 0};
    const char *factor = strchr(operands, 'T');
    uint64_t first = task->bytes[0] / element;

    shape.tile = root(operands[0] == 'S' ? first : first / SLAB);
    if (factor && shape.tile > 0) {
        uint64_t inner = task->bytes[factor - operands] / element / shape.tile;

        shape.inner = inner <= shape.tile ? (unsigned)inner : 0;
    }
    return shape;
}

/* The tile size at which @task has these @operands; 0: none. */
static unsigned tile_of(const struct orr_starpu_task *task,
                        const char *operands, enum orr_precision precision)
{
    unsigned element = element_bytes(precision);
    struct orr_starpu_shape shape;

    if (task->count == 0 || strlen(operands) != task->count)
        return 0;
    shape = shape_of(task, operands, element);
    for (unsigned i = 0; i < task->count; i++) {
        if (elements_of(operands[i], shape) * element != task->bytes[i])
            return 0;
    }
    if (task->footprint != 0 &&
        orr_starpu_footprint(operands, element, shape) != task->footprint)
        return 0;
    return shape.tile;
}

/* ---- halves of tiles ---- */

/*
 * Orrery's QR registers the V and the R of a tile as two data, of about half a
 * tile each, and no workspaces. An operand S of the kernel is then a tile, half
 * a tile, or both halves.
 */
#define QR "qr"

/* Kernels of QR that no calibration has. */
static const struct orr_starpu_symbol triangles[] = {
    {NULL, QR, "ttqrt", "SST", false},
    {NULL, QR, "ttmqr", "STSS", false},
};

struct halves {
    const uint64_t *bytes;
    uint64_t tile, upper, lower; /* bytes of a tile and its halves */
    uint64_t row;                /* bytes of a row of a factor */
};

/* Whether @operands match the data from number @i on. */
static bool match(const struct halves *halves, const char *operands, unsigned i,
                  unsigned count)
{
    bool more = i < count;
    uint64_t bytes = more ? halves->bytes[i] : 0;

    switch (*operands) {
    case '\0':
        return !more;
    case 'W':
        return match(halves, operands + 1, i, count);
    case 'T':
        return more && bytes > 0 && bytes <= halves->tile &&
               bytes % halves->row == 0 &&
               match(halves, operands + 1, i + 1, count);
    default:
        break;
    }
    if (more &&
        (bytes == halves->tile || bytes == halves->upper ||
         bytes == halves->lower) &&
        match(halves, operands + 1, i + 1, count))
        return true;
    return i + 1 < count && bytes == halves->upper &&
           halves->bytes[i + 1] == halves->lower &&
           match(halves, operands + 1, i + 2, count);
}

/* As tile_of(), for data of Orrery's QR, the first of which is a tile or a
 * half.
 */
static unsigned tile_of_halves(const struct orr_starpu_task *task,
                               const char *operands,
                               enum orr_precision precision)
{
    unsigned element = element_bytes(precision);
    uint64_t first = task->count > 0 ? task->bytes[0] / element : 0;
    unsigned twice = (unsigned)sqrt(2.0 * (double)MIN(first, MAX_ELEMENTS));
    const unsigned rows[] = {root(first), twice, twice + 1};

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        uint64_t row = (uint64_t)rows[i] * element;
        uint64_t below = rows[i] / 2;
        const struct halves halves = {task->bytes, rows[i] * row,
                                      (rows[i] - below) * row, below * row,
                                      row};

        if (row > 0 && match(&halves, operands, 0, task->count))
            return rows[i];
    }
    return 0;
}

/* ---- kernels of a symbol ---- */

struct visit {
    const struct orr_starpu_task *task;
    const struct orr_starpu_visitor *visitor;
};

static bool try_kernel(const struct visit *visit, const char *family,
                       const char *name, const char *operands,
                       enum orr_precision precision)
{
    unsigned tile = tile_of(visit->task, operands, precision);

    if (tile == 0 && visit->task->footprint == 0 && strcmp(family, QR) == 0)
        tile = tile_of_halves(visit->task, operands, precision);
    return tile > 0 && visit->visitor->visit(visit->visitor->data, family, name,
                                             precision, tile);
}

/* Tries symbol @i of the table. Halved symbols belong to another kernel and are
 * skipped. */
static bool try_symbol(const struct visit *visit, unsigned i,
                       enum orr_precision precision)
{
    const struct orr_starpu_symbol *known = &orr_starpu_symbols[i];
    g_autofree char *name = orr_starpu_symbol_name(known, precision);

    return name && !known->halved && strcmp(name, visit->task->symbol) == 0 &&
           try_kernel(visit, known->family, known->name, known->operands,
                      precision);
}

static bool try_symbols(const struct visit *visit)
{
    for (unsigned i = 0; i < orr_starpu_symbol_count; i++) {
        if (try_symbol(visit, i, ORR_SINGLE) ||
            try_symbol(visit, i, ORR_DOUBLE))
            return true;
    }
    return false;
}

/* The operands of a kernel: from the table, or else all tiles. */
static const char *operands_of(const struct visit *visit, const char *family,
                               const char *name)
{
    unsigned count = MIN(visit->task->count, sizeof(tiles) - 1);

    for (unsigned i = 0; i < orr_starpu_symbol_count; i++) {
        const struct orr_starpu_symbol *known = &orr_starpu_symbols[i];

        if (!known->halved && strcmp(known->family, family) == 0 &&
            strcmp(known->name, name) == 0)
            return known->operands;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(triangles); i++) {
        if (strcmp(triangles[i].family, family) == 0 &&
            strcmp(triangles[i].name, name) == 0)
            return triangles[i].operands;
    }
    return tiles + sizeof(tiles) - 1 - count;
}

static bool try_both(const struct visit *visit, const char *family,
                     const char *name, const char *precision)
{
    const char *operands = operands_of(visit, family, name);
    bool any = !precision;

    return ((any || strcmp(precision, orr_precision_name(ORR_SINGLE)) == 0) &&
            try_kernel(visit, family, name, operands, ORR_SINGLE)) ||
           ((any || strcmp(precision, orr_precision_name(ORR_DOUBLE)) == 0) &&
            try_kernel(visit, family, name, operands, ORR_DOUBLE));
}

static bool try_parts(const struct visit *visit)
{
    g_auto(GStrv) parts = g_strsplit(visit->task->symbol, "/", 4);
    unsigned count = g_strv_length(parts);

    return (count == 2 || count == 3) &&
           try_both(visit, parts[0], parts[1], parts[2]);
}

bool orr_starpu_visit_kernels(const struct orr_starpu_task *task,
                              const struct orr_starpu_visitor *visitor)
{
    const struct visit all = {task, visitor};

    if (strchr(task->symbol, '/'))
        return try_parts(&all);
    if (orr_starpu_symbol_knows(task->symbol))
        return try_symbols(&all);
    return try_both(&all, ORR_STARPU_FAMILY, task->symbol, NULL);
}

/* Sizes or footprints that a message names. */
enum { MOST_LISTED = 8 };

/* ---- kernels of a footprint ---- */

/* Whether tiles of @tile as @operands of @kernel have the footprint; with any
 * inner blocks if the kernel does not say with which it was measured. */
static bool has_footprint(const struct orr_platform_kernel *kernel,
                          const char *operands, unsigned tile,
                          uint32_t footprint)
{
    struct orr_starpu_shape shape = {tile, kernel->inner};
    unsigned most = kernel->inner;

    if (most == 0 && strpbrk(operands, "TW"))
        most = MIN(tile, ORR_STARPU_MAX_INNER_TILE);
    do {
        if (orr_starpu_footprint(operands, element_bytes(kernel->precision),
                                 shape) == footprint)
            return true;
    } while (shape.inner++ < most);
    return false;
}

/* The tile size at which @kernel was measured as @operands of the footprint; 0:
 * none. */
static unsigned tile_of_footprint(const struct orr_platform_kernel *kernel,
                                  const char *operands, uint32_t footprint)
{
    unsigned last = 0;

    for (unsigned i = 0; i < kernel->count; i++) { /* by tile */
        unsigned tile = kernel->durations[i].tile;

        if (tile != last && has_footprint(kernel, operands, tile, footprint))
            return tile;
        last = tile;
    }
    return 0;
}

/* Whether @kernel has the name @symbol in the line @known of the table. */
static bool is_known_as(const struct orr_platform_kernel *kernel,
                        const struct orr_starpu_symbol *known,
                        const char *symbol)
{
    g_autofree char *name = orr_starpu_symbol_name(known, kernel->precision);

    return name && !known->halved && strcmp(name, symbol) == 0 &&
           strcmp(known->family, kernel->family) == 0 &&
           strcmp(known->name, kernel->name) == 0;
}

/* tile_of_footprint() for a kernel that the table has for @symbol. */
static unsigned tile_in_table(const struct orr_platform_kernel *kernel,
                              const char *symbol, uint32_t footprint)
{
    unsigned tile = 0;

    for (unsigned i = 0; tile == 0 && i < orr_starpu_symbol_count; i++) {
        const struct orr_starpu_symbol *known = &orr_starpu_symbols[i];

        if (is_known_as(kernel, known, symbol))
            tile = tile_of_footprint(kernel, known->operands, footprint);
    }
    return tile;
}

/* tile_of_footprint() for a kernel of another codelet, which works on tiles. */
static unsigned tile_of_other(const struct orr_platform_kernel *kernel,
                              uint32_t footprint)
{
    unsigned tile = 0;

    for (size_t n = 1; tile == 0 && n < sizeof(tiles); n++)
        tile =
            tile_of_footprint(kernel, tiles + sizeof(tiles) - 1 - n, footprint);
    return tile;
}

bool orr_starpu_visit_footprint(const struct orr_platform *platform,
                                const char *symbol, uint32_t footprint,
                                const struct orr_starpu_visitor *visitor)
{
    g_autofree char *own = orr_starpu_footprint_name(symbol, footprint);

    for (unsigned i = 0; i < platform->kernel_count; i++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[i];
        unsigned tile = tile_in_table(kernel, symbol, footprint);

        if (strcmp(kernel->family, ORR_STARPU_FAMILY) == 0) {
            if (strcmp(kernel->name, symbol) == 0)
                tile = tile_of_other(kernel, footprint);
            else if (strcmp(kernel->name, own) == 0)
                tile = ORR_STARPU_FOOTPRINT_TILE;
        }
        if (tile > 0 && visitor->visit(visitor->data, kernel->family,
                                       kernel->name, kernel->precision, tile))
            return true;
    }
    return false;
}

/* Whether @kernel has durations of tiles of the codelet @symbol. */
static bool has_tiles_of(const struct orr_platform_kernel *kernel,
                         const char *symbol)
{
    if (strcmp(kernel->family, ORR_STARPU_FAMILY) == 0)
        return strcmp(kernel->name, symbol) == 0;
    for (unsigned i = 0; i < orr_starpu_symbol_count; i++) {
        if (is_known_as(kernel, &orr_starpu_symbols[i], symbol))
            return true;
    }
    return false;
}

/* Adds a word to a list that begins with @first, unless it is long. */
static void add_to_list(GString *list, const char *first, const char *word,
                        unsigned *count)
{
    if (++*count <= MOST_LISTED)
        g_string_append_printf(list, "%s%s", *count == 1 ? first : ", ", word);
    else if (*count == MOST_LISTED + 1)
        g_string_append(list, ", ...");
}

static void list_tiles(GString *list, const struct orr_platform_kernel *kernel)
{
    unsigned last = 0, count = 0;

    for (unsigned i = 0; i < kernel->count; i++) { /* by tile */
        g_autofree char *tile =
            g_strdup_printf("%u", kernel->durations[i].tile);

        if (kernel->durations[i].tile != last)
            add_to_list(list, list->len > 0 ? "; tiles of " : "tiles of ", tile,
                        &count);
        last = kernel->durations[i].tile;
    }
}

char *orr_starpu_list_calibrated(const struct orr_platform *platform,
                                 const char *symbol)
{
    g_autofree char *prefix = g_strconcat(symbol, ".", NULL);
    GString *list = g_string_new(NULL);
    unsigned count = 0;

    for (unsigned i = 0; i < platform->kernel_count; i++) {
        if (has_tiles_of(&platform->kernels[i], symbol))
            list_tiles(list, &platform->kernels[i]);
    }
    for (unsigned i = 0; i < platform->kernel_count; i++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[i];

        if (strcmp(kernel->family, ORR_STARPU_FAMILY) == 0 &&
            g_str_has_prefix(kernel->name, prefix))
            add_to_list(list,
                        list->len > 0 ? "; the footprints " : "the footprints ",
                        kernel->name + strlen(prefix), &count);
    }
    return g_string_free(list, list->len == 0);
}
