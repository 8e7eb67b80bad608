#!/bin/sh
# Which files the tools read, one a line, relative to the root: whatever the
# depth of the folders they are in.
#
# Usage: sources.sh format | tidy | fuzz | app FILE.c...
#   format  C files and headers whose format is ours
#   tidy    C files for static analysis
#   fuzz    C files that each fuzzer is linked with: all of models/
#   app     the files of these names in apps/, one of each
set -u
cd "$(dirname "$0")/../.." || exit 1

# A build in the source folder generates one file, which is not ours to format.
ours() { # pattern of names
    find models sched runtime apps tests docs -type f \
        -name "$1" ! -name skeleton_texts.c | LC_ALL=C sort
}

one_of() { # name
    found=$(find apps -type f -name "$1")
    case $found in
    '') echo "sources.sh: no $1 in apps/" >&2; exit 1 ;;
    *"
"*) echo "sources.sh: several files called $1: $found" >&2; exit 1 ;;
    esac
    echo "$found"
}

case ${1-} in
format) ours '*.[ch]' ;;
tidy) ours '*.c' ;;
fuzz) find models -type f -name '*.c' | LC_ALL=C sort ;;
app)
    shift
    for name; do one_of "$name"; done
    ;;
*)
    echo "sources.sh: '${1-}' is none of format, tidy, fuzz and app" >&2
    exit 2
    ;;
esac
