/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/elf_imports.h"

#include <elf.h>
#include <string.h>

#include "models/base/error.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/temp_file.h"

/* An object file with a null symbol, a function and a datum of other files, and
 * a function of its own. */
struct object {
    Elf64_Ehdr header;
    Elf64_Shdr sections[3];
    Elf64_Sym symbols[4];
    char strings[16];
};

static Elf64_Sym symbol(unsigned name, unsigned char type, uint16_t section)
{
    return (Elf64_Sym){.st_name = name,
                       .st_info = ELF64_ST_INFO(STB_GLOBAL, type),
                       .st_shndx = section};
}

static struct object make_object(void)
{
    struct object object = {
        .header = {.e_type = ET_REL,
                   .e_shoff = offsetof(struct object, sections),
                   .e_shentsize = sizeof(Elf64_Shdr),
                   .e_shnum = 3},
        .sections = {{0},
                     {.sh_type = SHT_SYMTAB,
                      .sh_offset = offsetof(struct object, symbols),
                      .sh_size = sizeof(object.symbols),
                      .sh_link = 2},
                     {.sh_type = SHT_STRTAB,
                      .sh_offset = offsetof(struct object, strings),
                      .sh_size = sizeof(object.strings)}},
        .symbols = {{0},
                    symbol(1, STT_NOTYPE, SHN_UNDEF),
                    symbol(5, STT_OBJECT, SHN_UNDEF),
                    symbol(9, STT_FUNC, 1)},
        .strings = "\0far\0dat\0own\0",
    };

    memcpy(object.header.e_ident, ELFMAG, SELFMAG);
    object.header.e_ident[EI_CLASS] = ELFCLASS64;
    object.header.e_ident[EI_DATA] =
        G_BYTE_ORDER == G_LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;
    return object;
}

/* The imports of the first @size bytes of @object. */
static GPtrArray *imports_of(const struct object *object, size_t size,
                             GError **error)
{
    char *path = temp_file_new((const char *)object, size);
    GPtrArray *names = orr_elf_imports(path, error);

    temp_file_remove(path);
    return names;
}

static void functions_of_other_files_are_listed(void **state)
{
    struct object object = make_object();
    g_autoptr(GPtrArray) names = imports_of(&object, sizeof(object), NULL);

    (void)state;
    assert_non_null(names);
    assert_int_equal(names->len, 1);
    assert_string_equal(g_ptr_array_index(names, 0), "far");
}

static void a_file_that_is_cut_is_refused(void **state)
{
    struct object object = make_object();

    (void)state;
    for (size_t size = 0; size < sizeof(object); size++) {
        g_autoptr(GError) error = NULL;

        assert_null(imports_of(&object, size, &error));
        assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_SYNTAX));
    }
}

static void places_outside_the_file_are_refused(void **state)
{
    struct object object = make_object();

    (void)state;
    object.symbols[1].st_name = sizeof(object.strings);
    assert_null(imports_of(&object, sizeof(object), NULL));
    object = make_object();
    object.sections[1].sh_link = 3;
    assert_null(imports_of(&object, sizeof(object), NULL));
    object = make_object();
    object.sections[1].sh_offset = UINT64_MAX;
    assert_null(imports_of(&object, sizeof(object), NULL));
    object = make_object();
    object.strings[sizeof(object.strings) - 1] = 'x';
    assert_null(imports_of(&object, sizeof(object), NULL));
}

static void a_missing_file_is_named(void **state)
{
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_null(orr_elf_imports("no/such/file", &error));
    assert_string_equal(error->message,
                        "no/such/file: No such file or directory");
}

ORR_TESTS(elf_imports)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_other_files_are_listed),
        cmocka_unit_test(a_file_that_is_cut_is_refused),
        cmocka_unit_test(places_outside_the_file_are_refused),
        cmocka_unit_test(a_missing_file_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
