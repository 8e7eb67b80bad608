#!/bin/sh
# The examples of SimGrid with task graphs give its dates, to the microsecond:
# its hosts become the CPU (memory: RAM) and GPUs, latencies are times 13.01 and
# bandwidths times 0.97 (its model LV08). Copies begin in Orrery when the task
# that reads is ready, but in SimGrid when the one that wrote has ended: where
# that differs, a task of 1 Flop on the receiver reads the datum before. How,
# and what is left: docs/GRAPHS.md. The graphs are not part of this source tree:
# $ORRERY_SHARED, or shared/ beside it.
set -u
orrery=$abs_top_builddir/orrery
dag=${ORRERY_SHARED:-$abs_top_srcdir/../shared}/seed-data/simgrid/dag
[ -d "$dag" ] || {
    echo "no graphs of SimGrid in $dag"
    exit 77
}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad=0

speed() { # device, Flop/s
    echo "<flops device=\"$1\" peak=\"$2Flop/s\" operations=\"2\">" \
        '<efficiency tile="1" share="1"/></flops>'
}

# cluster_backbone.xml: 125 MBps, 50 us; 2.25 GBps, 500 us; 1 GFlop/s. The CPU
# and ten GPUs.
hosts="RAM $(seq -f CUDA%g 0 9)"
{
    echo '<platform version="1" name="cluster" description="cluster_backbone">'
    echo '<processors source="SimGrid"><cpu cores="11"/>'
    seq -f '<gpu name="CUDA%g" memory="4GiB" peer="yes"/>' 0 9
    echo '</processors><links source="SimGrid">'
    echo '<link name="backbone" bandwidth="2182500000Bps" latency="6505us"/>'
    for host in $hosts; do
        for end in up down; do
            echo "<link name=\"$host-$end\" bandwidth=\"121250000Bps\"" \
                'latency="650.5us"/>'
        done
    done
    echo '</links><routes>'
    for from in $hosts; do
        for to in $hosts; do
            [ "$from" = "$to" ] || echo "<route from=\"$from\" to=\"$to\">" \
                "<via link=\"$from-up\"/><via link=\"backbone\"/>" \
                "<via link=\"$to-down\"/></route>"
        done
    done
    echo '</routes><kernels>'
    echo '<kernel family="any" name="any" precision="double" source="SimGrid">'
    for host in $hosts; do
        speed "$(echo "$host" | sed s/RAM/CPU/)" 1000000000
    done
    echo '</kernel></kernels></platform>'
} >cluster.xml

# Jupiter (CPU), Tremblay and the link between them, of small_platform.xml. It
# is the way back as well, which LV08 charges with 5 % of the flow.
{
    cat <<'END'
<platform version="1" name="small" description="small_platform">
  <processors source="SimGrid">
    <cpu cores="2"/><gpu name="CUDA0" memory="4GiB"/>
  </processors>
  <links source="SimGrid">
    <link name="9" bandwidth="6660435.714Bps" latency="19014.336us"/>
  </links>
  <routes>
    <route from="RAM" to="CUDA0"><via link="9"/></route>
    <route from="CUDA0" to="RAM"><via link="9"/></route>
  </routes>
  <kernels>
    <kernel family="any" name="any" precision="double" source="SimGrid">
END
    speed CPU 76296000
    speed CUDA0 98095000
    echo '</kernel></kernels></platform>'
} >small.xml

run() { # graph, platform, options: to trace.csv and trace.copies.csv
    graph=$1 platform=$2
    shift 2
    "$orrery" run "$graph" --platform "$platform" --cpus 1 \
        --sched fixed:map --model overheads=off --trace trace.csv "$@" \
        >report || bad=1
}

ends() { # seconds, task
    awk -F, -v wanted="$1" -v name="$2" '$2 == name {
        found = sprintf("%.6f", $7 / 1000 + 1e-10) }
        END { if (found != wanted) {
            print name ": " found ", not " wanted; exit 1 } }' trace.csv || bad=1
}

arrives() { # seconds, bytes
    awk -F, -v wanted="$1" -v bytes="$2" '$4 == bytes && !found {
        found = sprintf("%.6f", $8 / 1000 + 1e-10) }
        END { if (found != wanted) {
            print bytes " B: " found ", not " wanted; exit 1 } }' \
        trace.copies.csv || bad=1
}

# DOT: each task on its own node. root is on node-0, as is the end.
{
    echo p CPU0
    echo q CUDA5
    seq 0 9 | sed 's/.*/& CUDA&/'
    echo end CPU0
} >map
sed -e 's/7->end .*/7->p [size="10014000"]; p->end; p [size="1"];/' \
    -e 's/root->5 .*/root->q [size="10014000"]; q->5; q [size="1"];/' \
    "$dag/dag-from-dot/dag.dot" >graph.dot
run graph.dot cluster.xml
ends 110.047415 end
arrives 10.007889 10001 # sent at 10.000000
arrives 0.090396 10014000

# As it is, the copies of 10014000 B wait until 5 and the end are ready.
sed -i '/^[pq] /d' map
run "$dag/dag-from-dot/dag.dot" cluster.xml
ends 110.228124 end

# JSON: SimGrid reads runtimes as flops.
sed -e 's/"parents": \["t1","c2"\]/"parents": ["p","c2"]/' \
    -e 's/"tasks": \[/&{"name": "p", "parents": ["t1"], "runtimeInSeconds": 1},/' \
    "$dag/dag-from-json-simple/dag.json" >graph.json
printf 'c1 CUDA0\nc2 CPU0\np CPU0\nc3 CPU0\n' >map
run graph.json small.xml --runtime-is flops
ends 10.194200 c1
ends 65.534235 c2
ends 85.283378 p
ends 111.497072 c3

# DAX: SimGrid takes 4.2 GFlop for a second. Its root and end, which write i1
# and i2 and read o3, are on node-0, the first GPU. The third task is on the
# CPU, because two copies from GPUs to a GPU exclude each other.
first='<job id="0" name="root" runtime="0.000000001">'
first="$first<uses file=\"i1\" link=\"output\" size=\"1000000\"/>"
first="$first<uses file=\"i2\" link=\"output\" size=\"1000000\"/></job>"
last='<job id="4" name="end" runtime="0.000000001">'
last="$last<uses file=\"o3\" link=\"input\" size=\"4167312\"/></job>"
sed -e "s#<job id=\"1\" #$first&#" -e "s#</adag>#$last&#" \
    "$dag/dag-from-dax/smalldax.xml" >graph.dax
printf '0 CUDA0\n1 CUDA1\n2 CUDA2\n3 CPU0\n4 CUDA0\n' >map
run graph.dax cluster.xml --assume-speed recorded-CPU=4.2,CPU=1,CUDA=1
ends 42.024301 1
ends 84.090777 4
exit $bad
