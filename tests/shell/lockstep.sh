#!/bin/sh
# Runs with quirks=exact end when StarPU over SimGrid does, to the ns. The
# makespans are those of its examples cholesky_implicit and
# lu_implicit_example_float (commit 3f3cc82a6, SimGrid 3.32), run on the same
# calibrations.
set -u
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
[ "${lockstep:-yes}" != no ] || exit 77
failed=0

# The end of a run, in ms.
makespan() {
    "$abs_top_builddir/orrery" run cholesky --tiles "$2" --tile "$3" \
        --platform "$5" --sched "$1" --cpus "$4" --window "$6" \
        --pipeline "${7:-2}" --model quirks=exact --format json |
        awk '/"makespan_s":/ { printf "%.6f\n", 1e3 * $2 }'
}

while read -r sched tiles tile cpus platform window wanted; do
    found=$(makespan "$sched" "$tiles" "$tile" "$cpus" "$platform" "$window")
    [ "$found" = "$wanted" ] && continue
    echo "$sched, $tiles x $tile, $cpus CPUs, $platform, window $window:" \
        "$found ms, not $wanted"
    failed=1
done <<'END'
dmda 12 320 9 attila 0 65.426707
dmda 4 960 9 attila 0 220.571173
dmdas 4 960 9 attila 0 219.603487
dmdasd 8 640 20 sirocco 0 55.470847
heteroprio 4 320 9 attila 0 49.768097
heteroprio 12 320 9 attila 0 122.029316
heteroprio 4 960 9 attila 0 286.995772
heteroprio 12 960 0 attila 0 877.604391
random 8 960 9 attila 0 702.234907
modular-heft 6 640 20 sirocco 0 39.036192
modular-heft 16 640 9 mirage 0 308.370921
modular-heft 12 960 0 sirocco 0 195.510727
modular-heft2 6 640 20 sirocco 0 42.936328
modular-heft2 16 640 9 mirage 0 302.112602
eager 11 640 3 mirage 41 250.836062
dmdas 8 960 0 attila 10 493.474208
lws 12 640 9 attila 20:60 588.629566
heteroprio 6 960 9 mirage 8 229.919165
dmda 9 320 20 sirocco 10:30 19.988721
END

# Other depths of the pipelines of GPUs.
while read -r sched tiles tile cpus platform depth wanted; do
    [ "$sched" != '#' ] || continue
    found=$(makespan "$sched" "$tiles" "$tile" "$cpus" "$platform" 0 "$depth")
    [ "$found" = "$wanted" ] && continue
    echo "$sched, $tiles x $tile, $cpus CPUs, $platform, pipeline $depth:" \
        "$found ms, not $wanted"
    failed=1
done <"$abs_top_srcdir/tests/reference/pipeline.txt"

# Forty tasks with the kernels of Cholesky on 11 tiles, which a program submitted
# to StarPU, too. Of the readers of a tile, only the last one tells the task
# that StarPU inserts before the next writer.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
awk -v tasks=40 -v tiles=11 -v graph="$folder/g.rec" -v data="$folder/g.data.rec" 'BEGIN {
    for (i = 1; i <= tiles; i++)
        print "Handle: " i "\nHomeNode: 0\nSize: 409600\n" >data
    for (i = 0; i < tasks; i++) {
        x = 4 * i % tiles + 1
        y = (9 * i + 1) % tiles + 1
        z = (5 * i + 2) % tiles + 1
        if (x != y && x != z && y != z)
            accesses = "chol_model_gemm Handles: " x " " y " " z " Modes: R R RW Sizes: 409600 409600 409600"
        else if (y != z)
            accesses = "chol_model_syrk Handles: " y " " z " Modes: R RW Sizes: 409600 409600"
        else
            accesses = "chol_model_potrf Synchronous: 1 Handles: " z " Modes: RW Sizes: 409600"
        gsub(/ [A-Z][a-z]*:/, "\n&", accesses)
        gsub(/\n /, "\n", accesses)
        print "Model: " accesses "\nJobId: " i + 1 "\nSubmitOrder: " i + 1 "\n" >graph
    }
}'
for sched in ws lws; do
    found=$("$abs_top_builddir/orrery" run "$folder/g.rec" --platform attila \
        --sched $sched --cpus 9 --model quirks=exact --format json |
        awk '/"makespan_s":/ { printf "%.6f", 1e3 * $2 }')
    [ "$found" = 39.976832 ] && continue
    echo "graph, $sched: $found ms, not 39.976832"
    failed=1
done
exit $failed
