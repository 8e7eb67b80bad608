/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/html/html_page.h"

#include <glib.h>
#include <string.h>

/* The digest of @text, as a Content-Security-Policy names it. */
static char *digest(const char *text)
{
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    guint8 bytes[32];
    gsize length = sizeof bytes;
    g_autofree char *base64 = NULL;

    g_checksum_update(checksum, (const guchar *)text, -1);
    g_checksum_get_digest(checksum, bytes, &length);
    base64 = g_base64_encode(bytes, length);
    return g_strdup_printf("'sha256-%s'", base64);
}

struct place {
    const char *mark; /* in the template */
    const char *text;
};

/* Appends @template with the texts of @places in place of their marks. */
static void fill(GString *page, const char *template,
                 const struct place *places, size_t count)
{
    while (*template) {
        size_t step = 1;

        for (size_t i = 0; i < count; i++) {
            if (!g_str_has_prefix(template, places[i].mark))
                continue;
            g_string_append(page, places[i].text);
            step = strlen(places[i].mark);
            break;
        }
        if (step == 1)
            g_string_append_c(page, *template);
        template += step;
    }
}

char *orr_html_page(const char *title, const char *data)
{
    g_autofree char *valid = g_utf8_make_valid(title, -1);
    g_autofree char *escaped = g_markup_escape_text(valid, -1);
    g_autofree char *script = digest(orr_html_script);
    g_autofree char *style = digest(orr_html_style);
    const struct place places[] = {
        {"@TITLE@", escaped},          {"@SCRIPT-DIGEST@", script},
        {"@STYLE-DIGEST@", style},     {"@STYLE@", orr_html_style},
        {"@SCRIPT@", orr_html_script}, {"@DATA@", data},
    };
    GString *page = g_string_sized_new(strlen(data) + (1 << 16));

    fill(page, orr_html_template, places, G_N_ELEMENTS(places));
    return g_string_free(page, FALSE);
}
