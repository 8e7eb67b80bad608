/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_IDENTITY_H
#define ORR_IDENTITY_H

#include <glib.h>
#include <stdbool.h>

#include "apps/campaign/shard.h"

/*
 * What makes the results of a campaign what they are: its settings, the version
 * of the program, and the content of platforms and other files that it names.
 * Results of equal identities may be put together.
 */
struct orr_identity {
    char *settings;  /* orr_campaign_format() */
    char *version;   /* of the program */
    char *platforms; /* a line for each: the SHA-256 of what it describes, a
                        blank and its name */
    char *files;     /* the same of applications, policies and records in
                        files, with the SHA-256 of their bytes */
    char *digest;    /* SHA-256 of all the above */
    struct orr_shard shard; /* which points the file has */
};

/* Sets the digest of @identity, whose other members are set and owned. */
void orr_identity_finish(struct orr_identity *identity);
void orr_identity_clear(struct orr_identity *identity);

/*
 * Whether @other, of the file @path, is the same, but for the shard. Otherwise
 * fails with ORR_ERROR_VALUE; the message says what differs.
 */
bool orr_identity_check(const struct orr_identity *identity,
                        const struct orr_identity *other, const char *path,
                        GError **error);

#endif
