#!/bin/sh
# Tables of text are at most 80 columns wide, whatever is in them: all policies,
# all platforms. Only a word that is wider by itself, and a token, may be longer.
set -u
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${abs_top_builddir:=$abs_top_srcdir/build}"
orrery=$abs_top_builddir/orrery
LC_ALL=C.UTF-8
export LC_ALL
bad=0

check() { # argument...
    "$orrery" "$@" 2>/dev/null >"$folder/out"
    [ -s "$folder/out" ] || { echo "FAIL: nothing from orrery $*"; bad=1; }
    # A word that would not fit behind what stands left of it in its table is
    # alone on its line. The path of a file depends on where the sources are.
    awk -v what="$*" 'length > 80 && !/orr1-/ && !/^file / && NF > 1 {
        print "FAIL: orrery " what ": " length " columns:"; print; bad = 1
    } END { exit bad }' "$folder/out" || bad=1
}

folder=$(mktemp -d) || exit 1
cp "$abs_top_srcdir/tests/graphs/fork.json" "$folder" && cd "$folder" || exit 1
trap 'rm -rf "$folder"' EXIT

# All policies, with changes of the machine that make large numbers.
large='--tiles 9 --gpu-memory 32MiB'
# shellcheck disable=SC2086 # several words
{
    check run cholesky $large
    check compare cholesky $large
    check compare cholesky --tiles 1,9
    check compare cholesky --tiles 4 --replicas 3 --perturb 0.1
    check compare lu --tiles 1,4 --replicas 3 --perturb 0.1
    check compare lu --tiles 4 --robustness 0,0.5
    check compare lu --tiles 4 --robustness 0,0.5 --replicas 3
    check ablate cholesky $large
    check ablate cholesky --tiles 1,4 --replicas 3 --perturb 0.1
    check explore cholesky --tiles 2 --budget 20 --sched lws
    check explore cholesky --tiles 2 --budget 20 --threads 2
}
check app list
check app show cholesky
check app show fork.json
check sched list
check platform list
for platform in $("$orrery" platform list --format csv | sed -e 1d -e 's/,.*//'); do
    check platform show "$platform"
done
check histogram show --platform "$abs_top_srcdir/tests/platforms/everything.xml"
exit $bad
