#!/bin/sh
# A native run of StarPU, predicted: Cholesky of 12 x 12 tiles of 960 in double
# precision under dmda on idcin-2 (tests/native/idcin-2-dmda.csv). With means,
# with draws from the histograms that were built of it, and with each task's own
# duration. How close they come is in docs/VALIDATION.md.
set -u
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${abs_top_builddir:=$abs_top_srcdir/build}"
orrery=$abs_top_builddir/orrery
record=$abs_top_srcdir/tests/native/idcin-2-dmda.csv
bad=0

makespan_ms() { # option...
    "$orrery" run cholesky --tiles 12 --precision double --platform idcin-2 \
        --sched dmda --format json "$@" |
        sed -n 's/ *"makespan_s": \(.*\),/\1/p' | awk '{ print 1000 * $1 }'
}

within() { # what, predicted in ms, percent
    echo "$1: $2 ms, native $native ms"
    awk -v a="$2" -v b="$native" -v most="$3" 'BEGIN {
        off = 100 * (a / b - 1); exit !(a > 0 && off <= most && off >= -most) }' || {
        echo "that is not within $3 %"
        bad=1
    }
}

# From the first submission, at 0, to the end of the last task.
native=$(awk -F, 'NR > 1 && $6 > last { last = $6 } END { print last }' "$record")
within means "$(makespan_ms)" 4
within draws "$(for seed in $(seq 100); do
    makespan_ms --durations sampled --seed "$seed"
done | awk '{ sum += $1 } END { print sum / NR }')" 3
within replay "$(makespan_ms --durations replayed --record "$record")" 2

# The histograms in the platform file are those that the record gives.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
"$orrery" histogram build "$record" --platform idcin-2 \
    --output "$folder/built.xml" >/dev/null || bad=1
grep '<bin' "$abs_top_srcdir/platforms/idcin-2.xml" >"$folder/shipped"
grep '<bin' "$folder/built.xml" | diff -b "$folder/shipped" - || bad=1
exit $bad
