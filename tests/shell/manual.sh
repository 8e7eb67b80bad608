#!/bin/sh
# The examples of the manual page, as documents.sh checks those of a document.
exec sh "$abs_top_srcdir/tests/shell/documents.sh" \
    "$abs_top_srcdir/docs/orrery.1"
