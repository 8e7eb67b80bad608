#!/bin/sh
# The documents name files of the source tree: each of them exists. A name with
# a slash, in backquotes, may leave out the first folders; "x.[ch]" is two files.
# StarPU's begin with src/, a build makes orrery.pc and each FILE of FILE.in, and
# test_turn.c is to be written by the reader.
set -u
cd "$abs_top_srcdir" || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
# And each has its commands tested.
for document in README.md docs/*.md; do
    grep -qE "^	$document( \\\\)?\$" tests/local.mk ||
        { echo "$document is not one of document_tests in tests/local.mk"; exit 1; }
done
find apps docs models platforms runtime sched tests -type f |
    sed 's,^,/,;s,\.in$,,' >"$folder/files"
grep -noE '`[a-z_]+/[a-z_./-]*[a-z_]\.(\[ch\]|[a-z]+)`' README.md docs/*.md docs/validation/*.md |
    tr -d '`' | grep -vE ':(src/|runtime/orrery\.pc|.*/test_turn\.c)' | sed -n 's/\(.*\)\.\[ch\]$/\1.c\
\1.h/p;/\.\[ch\]$/!p' >"$folder/names"
[ "$(grep -c ARCHITECTURE "$folder/names")" -gt 30 ] ||
    { echo "docs/ARCHITECTURE.md names too few files to look at"; exit 1; }
awk -F : -v bad=0 '
    FNR == NR { files[++count] = $0; next }
    {
        found = 0
        for (i = 1; i <= count && !found; i++) {
            at = length(files[i]) - length($3)
            found = at > 0 && substr(files[i], at) == "/" $3
        }
        if (!found) {
            print $1 ":" $2 ": there is no file " $3
            bad = 1
        }
    }
    END { exit bad }' "$folder/files" "$folder/names"
