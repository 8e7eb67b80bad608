/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/sized.h"

#include <string.h>

static size_t size_of(const void *given)
{
    return *(const size_t *)given;
}

/* Why the struct of a program cannot be used; NULL: it can. */
static const char *wrong_size(const struct orr_sized *type, const void *given)
{
    const char *bytes = given;

    if (size_of(given) < sizeof(size_t))
        return "begin it with ";
    for (size_t i = type->size; i < size_of(given); i++) {
        if (bytes[i] != 0)
            return "it sets members that this version of the library does not "
                   "have";
    }
    return NULL;
}

bool orr_sized_read(const struct orr_sized *type, const void *given,
                    void *whole, char **why)
{
    const char *wrong = wrong_size(type, given);
    size_t common;

    if (wrong) {
        if (why)
            *why = g_strdup_printf(
                "the size of %s is %" G_GSIZE_FORMAT ": %s%s", type->name,
                size_of(given), wrong,
                size_of(given) < sizeof(size_t) ? type->init : "");
        return false;
    }
    common = MIN(size_of(given), type->size);
    memcpy(whole, given, common);
    memset((char *)whole + common, 0, type->size - common);
    *(size_t *)whole = type->size;
    return true;
}

void orr_sized_write(const struct orr_sized *type, void *given,
                     const void *whole)
{
    memcpy((char *)given + sizeof(size_t), (const char *)whole + sizeof(size_t),
           MIN(size_of(given), type->size) - sizeof(size_t));
}
