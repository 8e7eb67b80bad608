/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_IDENTITY_H
#define ORR_IDENTITY_H

#include <glib.h>
#include <stdbool.h>

#include "apps/campaign/shard.h"

/*
 * All that determines the results of a campaign: its settings, the version of
 * the program, and the content of the platforms and other files that it names.
 * Results with equal identities may be merged.
 */
struct orr_identity {
    char *settings;  /* orr_campaign_format() */
    char *version;   /* version of the program */
    char *platforms; /* a line for each platform: SHA-256 of its content, a
                        blank, its name */
    char *files;  /* a line for each file of an application, policy or record:
                     SHA-256 of its bytes, a blank, its name */
    char *digest; /* SHA-256 of all the above */
    struct orr_shard shard; /* the points that the file holds */
};

/* Sets the digest of @identity, whose other members are set and owned. */
void orr_identity_finish(struct orr_identity *identity);
void orr_identity_clear(struct orr_identity *identity);

/*
 * Whether @other, from the file @path, is equal except for the shard. Otherwise
 * fails with ORR_ERROR_VALUE; the message names the difference.
 */
bool orr_identity_check(const struct orr_identity *identity,
                        const struct orr_identity *other, const char *path,
                        GError **error);

#endif
