#!/bin/sh
# Each folder may include itself and the folders to its right, never to its
# left: tests > apps > runtime > sched > models.
set -u
cd "$abs_top_srcdir" || exit 1
bad=0

# Shows each #include, in the C files of a folder, whose name (with its quote)
# matches an extended regular expression: all of them are mistakes.
forbid() { # folder, expression
    [ -d "$1" ] || { echo "$1: no such folder"; bad=1; return; }
    found=$(find "$1" -name '*.[ch]' -exec grep -nHE \
        "^[[:space:]]*#[[:space:]]*include[[:space:]]*($2)" {} + |
        grep -v '"config\.h"')
    [ -z "$found" ] || { echo "$found"; bad=1; }
}

forbid models '["<](sched|runtime|apps|tests)/'
forbid sched '["<](runtime|apps|tests)/'
forbid runtime '["<](apps|tests)/'
forbid apps '["<]tests/'

# Names are relative to the root, or the rules above would not see them.
for folder in models sched runtime apps tests; do
    forbid "$folder" '"\.|"[^/"]*"'
done

# What users compile needs nothing of ours but the one public header.
forbid docs '"'
grep -nH '#include "' runtime/orrery.h && bad=1
exit $bad
