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
        --platform "$5" --sched "$1" --cpus "$4" --model quirks=exact \
        --format json |
        awk '/"makespan_s":/ { printf "%.6f\n", 1e3 * $2 }'
}

while read -r sched tiles tile cpus platform wanted; do
    found=$(makespan "$sched" "$tiles" "$tile" "$cpus" "$platform")
    [ "$found" = "$wanted" ] && continue
    echo "$sched, $tiles x $tile, $cpus CPUs, $platform: $found ms, not $wanted"
    failed=1
done <<'END'
dmda 12 320 9 attila 65.426707
dmda 4 960 9 attila 220.571173
dmdas 4 960 9 attila 219.603487
dmdasd 8 640 20 sirocco 55.470847
heteroprio 4 320 9 attila 49.768097
heteroprio 12 320 9 attila 122.029316
heteroprio 4 960 9 attila 286.995772
heteroprio 12 960 0 attila 877.604391
END
exit $failed
