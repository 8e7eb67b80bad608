#!/bin/sh
# Which files the tools read, one a line, relative to the root: whatever the
# depth of the folders they are in.
#
# Usage: sources.sh format | tidy | fuzz
#   format  C files and headers whose format is ours
#   tidy    C files for static analysis
#   fuzz    C files of the fuzzers: theirs, and all but the commands and StarPU's
#           interface, a library of its own
set -u
cd "$(dirname "$0")/../.." || exit 1

# A build in the source folder generates *_texts.c, which are not ours to format.
ours() { # pattern of names
    find models sched runtime apps tests docs -type f \
        -name "$1" ! -name '*_texts.c' | LC_ALL=C sort
}

case ${1-} in
format) ours '*.[ch]' ;;
tidy) ours '*.c' ;;
fuzz)
    find models sched runtime apps tests/fuzz -type f -name '*.c' \
        ! -path 'apps/cli/*' ! -path 'apps/starpu/*' ! -name lockstep_absent.c | LC_ALL=C sort
    ;;
*)
    echo "sources.sh: '${1-}' is none of format, tidy and fuzz" >&2
    exit 2
    ;;
esac
