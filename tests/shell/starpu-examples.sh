#!/bin/sh
# The calibrations in Debian's package starpu-examples, which have the names
# of an older StarPU, read directly and imported, give the same makespans to
# the last digit as the machines that come with Orrery.
set -u
orrery=$abs_top_builddir/orrery
sampling=/usr/share/starpu/perfmodels/sampling
[ -d "$sampling/bus" ] || { echo "no starpu-examples here"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
bad=0

makespan() { # platform, arguments of run
    platform=$1
    shift
    "$orrery" run "$@" --platform "$platform" --sched dmda --cpus 0 \
        --format json | grep '"makespan_s"'
}

same() { # arguments of run
    ours=$(makespan $host "$@")
    direct=$(makespan starpu:$sampling:$host "$@")
    imported=$(makespan "$folder/$host.xml" "$@")
    [ -n "$ours" ] && [ "$ours" = "$direct" ] && [ "$ours" = "$imported" ] &&
        return
    echo "$host: $*: ours '$ours', direct '$direct', imported '$imported'"
    bad=1
}

for host in attila mirage idgraf sirocco hannibal hannibal-pitch; do
    "$orrery" platform import $sampling $host --output "$folder/$host.xml" \
        2>/dev/null || bad=1
    same cholesky --tiles 5
    same lu --tiles 4
    case $host in hannibal*) continue ;; esac
    same cholesky --tiles 4 --tile 320
    same lu --tiles 4 --precision double
done
exit $bad
