#!/bin/sh
# Speed of the simulator: tasks a second, peak memory, and whether the cost of
# a task grows with the graph. A benchmark: it prints figures, judges nothing,
# and fails only when a run does.
#
# Usage: bench.sh [TILES...]   default: 20 40 80 200; run by `make bench`
set -u
[ $# -gt 0 ] || set -- 20 40 80 200
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# The first member called so of the JSON that a run printed.
member() { # name
    tr ',' '\n' <"$folder/json" |
        sed -n 's/.*"'"$1"'" *: *\([-+.0-9eE]*\).*/\1/p' | head -n 1
}

# Small cases are repeated for a second in all; the fastest run counts, as
# whatever else the machine does can only slow a run down.
measure() { # policy, tiles, options: sets tasks, seconds, kib
    policy=$1 tiles=$2
    shift 2
    total=0 seconds='' kib=0
    while :; do
        "$abs_top_builddir/tests/bench/rusage" "$folder/usage" \
            "$abs_top_builddir/orrery" run cholesky --platform attila \
            --cpus 0 --gpus 3 --sched "$policy" --tiles "$tiles" "$@" \
            --format json >"$folder/json" || exit 1
        tasks=$(member tasks)
        wall=$(member simulation_wall_s)
        peak=$(cut -d ' ' -f 2 "$folder/usage")
        [ "$peak" -le "$kib" ] || kib=$peak
        seconds=$(echo "$wall ${seconds:-$wall}" |
            awk '{ print $1 < $2 ? $1 : $2 }')
        total=$(echo "$total $wall" | awk '{ print $1 + $2 }')
        echo "$total" | awk '{ exit !($1 >= 1) }' && return
    done
}

# What measure() has set, and beside it the target in seconds and MB.
row() { # policy, tiles, window
    case $2,$3 in
    40,-) target="0.02, -" ;;
    80,-) target="0.15, 100" ;;
    200,-) target="2.5, 1000" ;;
    200,*) target="2.5, 200" ;;
    *) target="-" ;;
    esac
    cost=$(echo "$seconds $tasks" | awk '{ print $1 / $2 * 1e6 }')
    echo "$1 $2 $3 $tasks $seconds $cost $kib $target" | awk '{ printf \
        "%-6s %5d %7s %8d %8.4f %9.0f %8.3f %8.1f   %s %s\n", $1, $2, $3, $4,
        $5, $4 / $5, $6, $7 * 1024 / 1e6, $8, $9 }'
}

echo "Cholesky, tile 960, attila with 3 GPUs and no CPU worker, one core"
echo
printf '%-6s %5s %7s %8s %8s %9s %8s %8s   %s\n' sched tiles window tasks \
    seconds tasks/s us/task peak_MB "target: seconds, MB"
for sched in dmda dmdas; do
    first=''
    for tiles; do
        measure "$sched" "$tiles"
        row "$sched" "$tiles" -
        [ -n "$first" ] || first=$cost
    done
    last=$cost
    measure "$sched" "$tiles" --window 10000
    row "$sched" "$tiles" 10000
    echo "$sched $tiles $1 $last $first" | awk '{ printf \
        "%-6s cost of a task at %d tiles / at %d tiles: %.2f (target 1.5)\n\n",
        $1, $2, $3, $4 / $5 }'
done
