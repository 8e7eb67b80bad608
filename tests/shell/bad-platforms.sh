#!/bin/sh
# Every bad platform is refused in one line that names the culprit: the status
# and the message, compared with tests/bad-platforms/expected. Small files are
# in tests/bad-platforms, what is too big for that is made here.
set -u
. "$abs_top_srcdir/tests/shell/drawn.sh"
LC_ALL=C
export LC_ALL
orrery=${ORRERY:-$abs_top_builddir/orrery}
folder=$abs_top_srcdir/tests/bad-platforms
made=$(mktemp -d) || exit 1
trap 'rm -rf "$made"' EXIT

repeat() { # text, times
    yes "$1" | head -n "$2" | tr -d '\n'
}

start='<platform version="1" name="'
{ printf '%s' "$start"; repeat xxxxxxxxxx 1000000; echo '"/>'; } \
    >"$made/attribute-of-10-MB.xml"
{ printf '%s' "$start"; repeat xxxxxxxxxx 900000; echo '"/>'; } \
    >"$made/attribute-of-9-MB.xml"
{ printf '%s' "$start"; repeat 'a="" ' 100000; echo '/>'; } \
    >"$made/attributes-100000.xml"
{ printf '%s' "${start}x\">"; repeat '<processors>' 1000000; } \
    >"$made/deep-1000000.xml"
head -c 20000000 /dev/zero >"$made/zeroes.xml"
{ repeat '<!-- platform -->' 1100000; } >"$made/comments-of-18-MB.xml"
{
    echo "${start}x\"><processors><cpu cores=\"1\"/></processors><links>"
    seq 5000 | sed 's|.*|<link name="&" bandwidth="1GBps" latency="1us"/>|'
    echo '</links></platform>'
} >"$made/links-5000.xml"
{
    echo "${start}x\"><processors><cpu cores=\"1\"/></processors><kernels>"
    seq 5000 | sed 's|.*|<kernel family="a" name="&" precision="single">\
        <duration tile="1" device="CPU" mean="1s"/></kernel>|'
    echo '</kernels></platform>'
} >"$made/kernels-5000.xml"
{
    echo "${start}x\"><processors><cpu cores=\"1\"/></processors><kernels>"
    echo '<kernel family="a" name="gemm" precision="single">'
    echo '<flops device="CPU" peak="1GFlop/s">'
    seq 300 | sed 's|.*|<efficiency tile="&" share="1"/>|'
    echo '</flops></kernel></kernels></platform>'
} >"$made/points-300.xml"
mkdir "$made/folder.xml"

# Says what `platform check` makes of a file, without the names of folders.
# What libxml2 says of XML that is not well-formed is its business.
try() { # file
    "$orrery" platform check "$1" >"$made/stdout" 2>"$made/stderr" </dev/null
    echo "$(basename "$1") => $?"
    sed "s|^|stdout: |" "$made/stdout"
    sed "s|^.*${1%/*}/||; s|: not well-formed: .*|: not well-formed|" \
        "$made/stderr"
}

# What is expected of a file.
expected_of() { # name
    awk -v name="$1" '/ => [0-9]+$/ { on = $1 == name } on' "$folder/expected"
}

number=0
for file in "$folder"/*.xml "$made"/*.xml "$made/absent.xml"; do
    number=$((number + 1))
    if drawn $number 2; then try "$file"; else expected_of "${file##*/}"; fi
done >"$made/actual"
diff -u "$folder/expected" "$made/actual"
