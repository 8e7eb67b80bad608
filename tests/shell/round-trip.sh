#!/bin/sh
# What a trace says of kernels is what was simulated: histograms that are built
# of a trace have the durations of the platform, to the ns, and a replay of a
# trace gives the same trace. Also in lock-step, and where drivers see the ends
# of kernels late.
set -u
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${abs_top_builddir:=$abs_top_srcdir/build}"
orrery=$abs_top_builddir/orrery
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
bad=0
count=0

simulate() { # trace, then options
    trace=$1
    shift
    "$orrery" run "$app" --platform "$platform" --sched "$sched" --tiles 10 \
        --model "$model" --trace "$folder/$trace" "$@" >/dev/null
}

# Least, median, mean, most, deviation; and what the platform says.
check_histograms() {
    "$orrery" histogram build "$folder/means.csv" --platform "$platform" \
        --app "$app" --output "$folder/built.xml" --format csv >"$folder/rows" ||
        return 1
    awk -F, 'NR > 1 && ($8 != $13 || $9 != $13 || $10 != $13 || $11 != $13 ||
                        $12 != 0) { print; bad = 1 }
        END { exit bad || NR < 4 }' "$folder/rows"
}

while read -r app platform sched model; do
    count=$((count + 1))
    if simulate means.csv && check_histograms &&
        simulate replayed.csv --durations replayed \
            --record "$folder/means.csv" &&
        cmp "$folder/means.csv" "$folder/replayed.csv"; then
        continue
    fi
    echo "FAIL: $app on $platform under $sched with $model"
    bad=1
done <<'CASES'
cholesky attila dmdas quirks=on
cholesky attila dmdas quirks=off
cholesky sirocco ws quirks=on
lu mirage eager quirks=on
lu mirage eager overheads=off
lu hannibal dmda clean
cholesky idgraf heteroprio quirks=on
CASES
[ "$count" -eq 7 ] || bad=1
exit $bad
