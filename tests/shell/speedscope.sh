#!/bin/sh
# speedscope takes the Chrome JSON of runs as it is: each worker and each link is
# a profile, and no bar had to be closed, moved or left out. npm has it; it runs
# in a browser, so Debian's chromium opens it.
set -u
browser=$(command -v chromium) ||
    { echo "SKIP: speedscope: no chromium"; exit 77; }
command -v npm >/dev/null || { echo "SKIP: speedscope: no npm"; exit 77; }
page=
for modules in "${NODE_PATH:-}" "$(npm root --global)"; do
    [ -f "$modules/speedscope/dist/release/index.html" ] &&
        page=$modules/speedscope/dist/release/index.html
done
[ -n "$page" ] || { echo "SKIP: speedscope: no speedscope (npm)"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
orrery=$abs_top_builddir/orrery
bad=0
cd "$folder" || exit 1

complain() {
    echo "FAIL: $*"
    bad=1
}

# Opens a trace as the command speedscope does: by a script beside it.
open_trace() { # file
    printf 'speedscope.loadFileFromBase64("%s", "%s")' "$1" \
        "$(base64 -w 0 "$1")" >load.js
    HOME=$folder "$browser" --headless --no-sandbox --disable-dev-shm-usage \
        --use-angle=swiftshader --enable-unsafe-swiftshader \
        --window-size=1200,4000 --enable-logging=stderr \
        --virtual-time-budget=20000 --dump-dom \
        "file://$page#localProfilePath=$folder/load.js" >dom 2>log
}

read_trace() { # status, then arguments of orrery
    status=$1
    shift
    "$orrery" "$@" --trace a.json >/dev/null 2>&1
    [ $? -eq "$status" ] || complain "orrery $*: not status $status"
    open_trace a.json
    grep CONSOLE log | grep -e 'Tried to end' -e 'still open' -e rror &&
        complain "speedscope: orrery $*"
    grep -o '"thread_name","pid":[0-9]*,"tid":[0-9]*' a.json |
        sed 's/.*pid":\([0-9]*\),"tid":\([0-9]*\)/\1 \2/' >tracks
    [ -s tracks ] || complain "no tracks: orrery $*"
    while read -r pid tid; do
        grep -q "(pid $pid), [^<]* (tid $tid)" dom ||
            complain "speedscope shows no track $pid $tid: orrery $*"
    done <tracks
}

read_trace 0 run cholesky --platform attila --tiles 8 --sched dmdas
read_trace 3 run cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 \
    --gpu-memory 32MiB --sched dm
printf 'id,kernel,duration_us,handles,deps\n1,"</script>""\\",5,A:W:8,\n2,"it'"'"'s\303\250",5,A:RW:8,1\n' \
    >evil.csv
read_trace 0 run evil.csv --platform attila
exit $bad
