/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All offsets and sizes come from the file, so each one is checked against the
 * length of the file before it is used. */
#include "models/base/elf_imports.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "models/base/error.h"

struct image {
    const char *bytes;
    uint64_t size;
};

enum { NATIVE = G_BYTE_ORDER == G_LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB };

/* The @size bytes at @offset; NULL if they are not in the file. */
static const void *part(const struct image *image, uint64_t offset,
                        uint64_t size)
{
    if (offset > image->size || size > image->size - offset)
        return NULL;
    return image->bytes + offset;
}

/* Section @i into *@section. Copied, as a file may have it anywhere. */
static bool read_section(const struct image *image, const Elf64_Ehdr *header,
                         uint64_t i, Elf64_Shdr *section)
{
    const void *from =
        i < header->e_shnum && header->e_shentsize == sizeof(*section)
            ? part(image, header->e_shoff, (i + 1) * sizeof(*section))
            : NULL;

    if (from != NULL)
        memcpy(section, (const char *)from + i * sizeof(*section),
               sizeof(*section));
    return from != NULL;
}

/* The symbols for other files; of an object file, all of them. */
static bool find_symbols(const struct image *image, const Elf64_Ehdr *header,
                         Elf64_Shdr *symbols)
{
    const uint32_t type = header->e_type == ET_REL ? SHT_SYMTAB : SHT_DYNSYM;

    for (unsigned i = 0; read_section(image, header, i, symbols); i++)
        if (symbols->sh_type == type)
            return true;
    return false;
}

/* Adds the name of @symbol to @names if it is a function of another file. */
static bool add_name(GPtrArray *names, const Elf64_Sym *symbol,
                     const char *strings, uint64_t size)
{
    const unsigned type = ELF64_ST_TYPE(symbol->st_info);

    if (symbol->st_name >= size)
        return false;
    if (symbol->st_shndx == SHN_UNDEF && symbol->st_name > 0 &&
        (type == STT_FUNC || type == STT_NOTYPE))
        g_ptr_array_add(names, g_strdup(strings + symbol->st_name));
    return true;
}

static bool read_names(const struct image *image, GPtrArray *names)
{
    const void *start = part(image, 0, sizeof(Elf64_Ehdr));
    Elf64_Shdr symbols, text;
    Elf64_Ehdr header;

    if (start == NULL)
        return false;
    memcpy(&header, start, sizeof(header));
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != NATIVE ||
        !find_symbols(image, &header, &symbols) ||
        !read_section(image, &header, symbols.sh_link, &text))
        return false;
    const char *table = part(image, symbols.sh_offset, symbols.sh_size);
    const char *strings = part(image, text.sh_offset, text.sh_size);
    if (table == NULL || strings == NULL || text.sh_size == 0 ||
        strings[text.sh_size - 1] != '\0')
        return false;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols.sh_size;
         at += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;

        memcpy(&symbol, table + at, sizeof(symbol));
        if (!add_name(names, &symbol, strings, text.sh_size))
            return false;
    }
    return true;
}

GPtrArray *orr_elf_imports(const char *path, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GMappedFile) file = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd >= 0) {
        file = g_mapped_file_new_from_fd(fd, FALSE, NULL);
        close(fd);
    }
    if (fd < 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", path,
                    g_strerror(errno));
        return NULL;
    }
    struct image image = {NULL, 0};
    if (file != NULL)
        image = (struct image){g_mapped_file_get_contents(file),
                               g_mapped_file_get_length(file)};
    if (!read_names(&image, names)) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_SYNTAX,
                    "%s: no program or library of this machine with names of "
                    "functions",
                    path);
        return NULL;
    }
    return g_steal_pointer(&names);
}
