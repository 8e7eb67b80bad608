/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/sweep/identity.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/input.h"
#include "models/base/units.h"

void orr_identity_finish(struct orr_identity *identity)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    const char *const parts[] = {identity->settings, identity->version,
                                 identity->platforms, identity->files};

    /* Each part with the 0 at its end, so that parts cannot run into each
     * other. */
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
        g_checksum_update(sum, (const guchar *)parts[i],
                          (gssize)strlen(parts[i]) + 1);
    identity->digest = g_strdup(g_checksum_get_string(sum));
}

void orr_identity_clear(struct orr_identity *identity)
{
    g_clear_pointer(&identity->settings, g_free);
    g_clear_pointer(&identity->version, g_free);
    g_clear_pointer(&identity->platforms, g_free);
    g_clear_pointer(&identity->files, g_free);
    g_clear_pointer(&identity->digest, g_free);
}

static bool refuse(const char *path, const char *why, const char *what,
                   GError **error)
{
    g_autofree char *shown = orr_input_show_path(path);

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s: %s%s", shown, why,
                what);
    return false;
}

/* Returns the first line of @mine that @other lacks, without its first word if
 * @is_named; NULL: none. Free with g_free(). */
static char *find_new(const char *mine, const char *other, bool is_named)
{
    g_auto(GStrv) lines = g_strsplit(mine, "\n", -1);
    g_auto(GStrv) others = g_strsplit(other, "\n", -1);

    for (char **line = lines; *line; line++) {
        const char *name = is_named ? strchr(*line, ' ') : NULL;

        if (**line && !g_strv_contains((const char *const *)others, *line))
            return g_strdup(name ? name + 1 : *line);
    }
    return NULL;
}

static bool refuse_line(const char *path, const char *why, const char *mine,
                        const char *other, bool is_named, GError **error)
{
    g_autofree char *line = find_new(mine, other, is_named);
    g_autofree char *quoted = line ? orr_quote(line) : g_strdup("(none)");

    return refuse(path, why, quoted, error);
}

bool orr_identity_check(const struct orr_identity *identity,
                        const struct orr_identity *other, const char *path,
                        GError **error)
{
    if (strcmp(identity->digest, other->digest) == 0)
        return true;
    if (strcmp(identity->settings, other->settings) != 0)
        return refuse_line(path, "holds another campaign, which differs in ",
                           identity->settings, other->settings, false, error);
    if (strcmp(identity->version, other->version) != 0) {
        g_autofree char *quoted = orr_quote(other->version);

        return refuse(path, "was made by version ", quoted, error);
    }
    if (strcmp(identity->platforms, other->platforms) != 0)
        return refuse_line(path, "was made with another content of platform ",
                           identity->platforms, other->platforms, true, error);
    return refuse_line(path, "was made with another content of the file ",
                       identity->files, other->files, true, error);
}
