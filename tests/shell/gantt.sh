#!/bin/sh
# What Gantt charts show: their texts, in the order in which they are drawn.
set -u
command -v gnuplot >/dev/null || { echo "SKIP: gantt: no gnuplot"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
orrery=$abs_top_builddir/orrery
bad=0
cd "$folder" || exit 1

texts() { # picture
    sed -n 's,^[[:space:]]*<text>\(.*\)</text>$,\1,p' "$1" |
        grep -vE '^ *[0-9.]*$'
}

shows() { # picture, then the texts expected
    picture=$1
    shift
    texts "$picture" >texts
    printf '%s\n' "$@" | diff - texts || { echo "FAIL: $picture"; bad=1; }
}

"$orrery" run cholesky --platform attila --tiles 2 --cpus 2 --gpus 1 \
    --sched eager --model overheads=off --gantt a.svg >/dev/null || bad=1
shows a.svg CUDA0 'CPU0 to CPU1' CUDA0-RAM RAM-CUDA0 '3 %' '100 %' \
    'eager: 0.09899 s' idle 'time (s)' potrf syrk trsm copy \
    'area bound' 'transfer bound' 'mixed bound' 'critical path' \
    'cholesky on attila'

# Workers without a task share a row, GPUs and CPU cores apart.
"$orrery" compare cholesky --platform attila --tiles 2 --sched dmda,eager \
    --gantt-width column --gantt b.svg >/dev/null || bad=1
shows b.svg CUDA0 'CUDA1 to CUDA2' 'CPU0 to CPU8' CUDA0-RAM RAM-CUDA0 \
    CUDA0 CUDA1 CUDA2 'CPU0 to CPU8' CUDA0-CUDA1 CUDA0-RAM CUDA1-CUDA0 CUDA1-RAM \
    RAM-CUDA0 RAM-CUDA1 '3 %' '100 %' '100 %' '56 %' '50 %' '100 %' '100 %' \
    'dmda: 0.09923 s' idle 'eager: 0.1028 s' idle 'time (s)' \
    potrf syrk trsm copy 'area bound' 'transfer bound' 'mixed bound' \
    'critical path' 'cholesky on attila'

# Bounds in one place have the same dashes: here the mixed bound is the critical
# path.
[ "$(grep -c 'stroke-dasharray' b.svg)" -ge 4 ] &&
    [ "$(grep -o "stroke-dasharray='[^']*'" b.svg | sort -u | wc -l)" -eq 3 ] ||
    { grep stroke-dash b.svg; bad=1; }

# A run that hangs, and one that evicts.
"$orrery" run cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 \
    --gpu-memory 32MiB --sched dm --gantt c.svg 2>/dev/null
[ $? -eq 3 ] || { echo "FAIL: the run does not hang"; bad=1; }
texts c.svg | grep -q '^dm: hangs, unfinished$' || { texts c.svg; bad=1; }
"$orrery" run cholesky --platform attila --tiles 16 --gpus 1 --cpus 0 \
    --gpu-memory 64MiB --gantt d.svg >/dev/null || bad=1
texts d.svg | grep -q '^eviction$' || { texts d.svg; bad=1; }

# Each row of the second policy has its name, too, and names do not overlap.
apart() { # picture, names of rows; px of a line of text
    sed -n 's/.*translate([0-9.]*,\([0-9.]*\)).*text-anchor="end".*/\1/p' "$1" |
        awk -v rows="$2" -v line="$3" '
            NR > 1 && $1 - last < line { print "overlap at " $1; bad = 1 }
            { last = $1 }
            END { if (NR != rows) print NR " names"; exit bad || NR != rows }' ||
        { echo "FAIL: names in $1"; bad=1; }
}
"$orrery" compare cholesky --platform attila --tiles 16 --sched dmda,lws \
    --gantt-width column --gantt f.svg >/dev/null || bad=1
apart f.svg 48 9
apart c.svg 7 10

# Names from strangers are text.
printf 'id,kernel,duration_us,handles,deps\na,"<b>%%d & %s\\n"" END",5000,A:W:8,\n' \
    "'" >evil.csv
"$orrery" run evil.csv --platform attila --gantt e.svg >/dev/null || bad=1
texts e.svg | grep -qF "&lt;b>%d &amp; '\\n\" END" || { texts e.svg; bad=1; }

# Nothing is left of a picture that cannot be written.
"$orrery" run cholesky --tiles 2 --gantt no/such.svg >out 2>err
{ [ $? -eq 1 ] && [ ! -s out ] && grep -q 'no/such.svg: No such file' err; } ||
    { cat out err; bad=1; }

# The other kinds.
for kind in pdf png; do
    "$orrery" run cholesky --tiles 2 --gantt a.$kind >/dev/null || bad=1
    [ -s a.$kind ] || { echo "FAIL: no a.$kind"; bad=1; }
done
exit $bad
