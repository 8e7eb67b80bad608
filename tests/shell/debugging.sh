#!/bin/sh
# The examples of docs/DEBUGGING.md work as those of README.md do.
command -v pkg-config >/dev/null || { echo "no pkg-config here"; exit 77; }
exec sh "$abs_top_srcdir/tests/shell/readme.sh" --check \
    "$abs_top_srcdir/docs/DEBUGGING.md" tested
