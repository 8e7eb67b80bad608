#!/bin/sh
# A machine that was changed, saved and loaded gives the results that it gave
# when it was changed on the command line: every byte of the report but names.
set -u
orrery=${ORRERY:-$abs_top_builddir/orrery}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
bad=0
count=0

report() { # file, then arguments of orrery run
    out=$1
    shift
    "$orrery" run "$@" --format json 2>/dev/null >"$folder/all" || {
        echo "=> $? from: orrery run $*"
        bad=1
    }
    awk '/^  "(changes|unused)": \[$/ { skip = 1 }
        !skip && !/"(platform|simulation_wall_s|changes|unused)": / { print }
        /^  \],?$/ { skip = 0 }' "$folder/all" >"$out"
}

# shellcheck disable=SC2086 # both are several words
while IFS=';' read -r run machine again; do
    [ -n "$run" ] || continue
    count=$((count + 1))
    "$orrery" platform save $machine --output "$folder/saved.xml" ||
        { echo "=> $? from: orrery platform save $machine"; bad=1; }
    report "$folder/changed" $run $machine
    report "$folder/loaded" $run --platform "$folder/saved.xml" $again
    cmp "$folder/changed" "$folder/loaded" ||
        { echo "saved otherwise than changed: $machine"; bad=1; }
    grep -q '"makespan_s"' "$folder/changed" || bad=1
    # What was saved is saved again as it is, but for what it is made of.
    "$orrery" platform save "$folder/saved.xml" --output "$folder/saved2.xml"
    sed -e '/^<!--/,/-->$/d' -e 's/ source="[^"]*"//' -e 's/saved2/saved/' \
        "$folder/saved2.xml" >"$folder/second"
    sed -e '/^<!--/,/-->$/d' -e 's/ source="[^"]*"//' \
        "$folder/saved.xml" >"$folder/first"
    cmp "$folder/first" "$folder/second" ||
        { echo "saved twice, differently: $machine"; bad=1; }
done <<'CASES'
cholesky --tiles 10;--platform attila
cholesky --tiles 10;--platform attila --gpus 2
cholesky --tiles 10;--platform attila --cpus 2 --gpus 2
cholesky --tiles 10;--platform attila --cpus 0 --gpus 3
lu --tiles 10 --sched dmdas;--platform attila --gpus 5 --cpus 14 --pcie 0.3x
cholesky --tiles 16 --sched dmdar;--platform attila --gpu-memory 111MiB
cholesky --tiles 10;--platform mirage --nvlink 50GBps --set overhead.submit=7us
cholesky --tiles 10;--platform idgraf --gpus 9 --set link.Host.bandwidth=20GBps
lu --tiles 8;--platform sirocco --set kernel.*.CUDA*.scale=0.3 --set memory.*.size=64MB
cholesky --tiles 70 --layout matrix --sched dmda;--platform hannibal --cpus 0 --gpus 4 --pcie 2x --stale-calibration
cholesky --tiles 10;--platform dgx-h100 --gpus 9 --set kernel.gemm.CUDA0.peak=0.5x
cholesky --tiles 10;--platform dgx-h100 --gpus 3 --nvlink 2x;--gpus 3
cholesky --tiles 6 --sched eager;--platform attila --gpus 0
CASES
[ $count -eq 13 ] || { echo "13 cases, but $count were tried"; bad=1; }
exit $bad
