#!/bin/sh
# Reading a graph takes at most 300 bytes of memory a task, each of which
# writes a datum that the next one reads.
set -u
[ -z "$sanitizers" ] || { echo "sanitizers need memory of their own"; exit 77; }
orrery=$abs_top_builddir/orrery
rusage=$abs_top_builddir/tests/bench/rusage
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad=0
tasks=500000 # hash tables are as full as with a million

peak() { # file: KiB
    "$rusage" used "$orrery" graph check "$1" >/dev/null || exit 1
    cut -d ' ' -f 2 used
}
"$orrery" graph generate --tasks 2 --output base.rec || exit 1
"$orrery" graph generate --tasks $tasks --fat 0.001 --density 0.05 \
    --output large.rec &&
    "$orrery" graph convert large.rec large.json || exit 1
base=$(peak base.rec) || exit 1
for file in large.rec large.json; do
    used=$(peak $file) || exit 1
    bytes=$(((used - base) * 1024 / tasks))
    echo "$file: $bytes bytes a task"
    [ $bytes -le 300 ] || bad=1
done
exit $bad
