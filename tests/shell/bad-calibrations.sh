#!/bin/sh
# Every damaged calibration is refused in one line that names the culprit: the
# status and the message, compared with tests/shell/bad-calibrations.expected. Each
# line of the list below damages one file of tests/starpu-sampling.
#
# Usage: bad-calibrations.sh [--update]
set -u
LC_ALL=C
export LC_ALL
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${abs_top_builddir:=$abs_top_srcdir/build}"
orrery=$abs_top_builddir/orrery
expected=$abs_top_srcdir/tests/shell/bad-calibrations.expected
made=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$made"; rm -rf "$made"' EXIT

machine=bus/tiny.platform.v4.xml
bandwidth=bus/tiny.bandwidth
latency=bus/tiny.latency
potrf=codelets/45/chol_model_potrf.tiny
older=codelets/44/chol_model_22.older
host=tiny

# Damages a copy of $file by a command that is a filter, and imports it.
try() { # what is wrong, command...
    what=$1
    shift
    rm -rf "$made/sampling"
    cp -R "$abs_top_srcdir/tests/starpu-sampling" "$made/sampling"
    chmod -R u+w "$made/sampling"
    "$@" <"$made/sampling/$file" >"$made/damaged"
    cmp -s "$made/damaged" "$made/sampling/$file" && echo "nothing is damaged:"
    cp "$made/damaged" "$made/sampling/$file"
    answer "$what"
}

answer() { # what is wrong
    timeout 120 "$orrery" platform import "$made/sampling" $host \
        >"$made/stdout" 2>"$made/stderr" </dev/null
    echo "$file: $1 => $?"
    [ ! -s "$made/stdout" ] || echo "stdout: $(head -n 1 "$made/stdout")"
    sed "s|$made/||g; s|: not well-formed: .*|: not well-formed|" \
        "$made/stderr"
}

doctype() { # replaces the document type
    sed "2s|.*|<!DOCTYPE platform [ $1 ]>|"
}

large() {
    cat
    yes '# nothing to see here' | head -c "$1"
}

try_machines() {
    file=$machine
    try "empty" true
    try "truncated" head -c 1500
    try "not XML" sed 's/.*/12/'
    try "binary" head -c 1000 /dev/zero
    try "Latin-1" sed 's/Toy/\xe9/'
    try "over 16 MiB" large 17000000
    try "an entity" doctype '<!ENTITY a "b">'
    try "entities in entities" doctype \
        '<!ENTITY a "bbbb"><!ENTITY c "&a;&a;"><!ENTITY d "&c;&c;">'
    try "an external entity" doctype '<!ENTITY a SYSTEM "/etc/passwd">'
    try "a parameter entity" doctype '<!ENTITY % a "b"> %a;'
    try "a default attribute" doctype \
        '<!ATTLIST link sharing_policy CDATA "FATPIPE">'
    try "an unknown entity" sed 's/Toy/\&toy;/'
    try "another root" sed 's/platform/machine/'
    try "our own format" cat "$abs_top_srcdir/platforms/attila.xml"
    try "version 5" sed 's/version="4"/version="5"/'
    try "no version" sed 's/ version="4"//'
    try "no CPU" sed '/CPU/d'
    try "one CPU for two GPUs" sed '/CPU[12]/d'
    try "a CPU twice" sed 's/CPU1/CPU0/'
    try "a GPU is missing" sed 's/"CUDA0" speed/"CUDA2" speed/'
    try "no memory" sed '/memsize/d'
    try "memory NaN" sed '/memsize/s/value=".*"/value="nan"/'
    try "memory 0" sed '/memsize/s/value=".*"/value="0"/'
    try "memory negative" sed '/memsize/s/value="/value="-/'
    try "memory overflows" sed '/memsize/s/value="/value="99999999999999/'
    try "a model of 200 bytes" sed "s/Toy/$(printf '%0200d' 0)/"
    try "bandwidth NaN" sed '/RAM-CUDA0"/s/bandwidth="[^"]*"/bandwidth="nan"/'
    try "bandwidth 0" sed '/RAM-CUDA0"/s/bandwidth="[^"]*"/bandwidth="0Bps"/'
    try "bandwidth below 1" sed '/RAM-CUDA0"/s/bandwidth="[^"]*"/bandwidth="0.5"/'
    try "bandwidth negative" sed 's/bandwidth="6/bandwidth="-6/'
    try "bandwidth infinite" sed '/Host"/s/bandwidth="[^"]*"/bandwidth="inf"/'
    try "bandwidth missing" sed '/Host"/s/bandwidth="[^"]*"//'
    try "latency of days" sed '/Host"/s/latency="[^"]*"/latency="1e6s"/'
    try "latency negative" sed 's/latency="0/latency="-0/'
    try "latency unit unknown" sed 's/000010s/000010h/'
    try "a fat pipe" sed '/"Host"/s|/>| sharing_policy="FATPIPE"/>|'
    try "a link twice" sed 's/id="CUDA1-RAM" b/id="CUDA0-RAM" b/'
    try "a link without name" sed 's/id="CUDA1-RAM" b/id="" b/'
    try "a link is missing" sed '/<link id="CUDA1-RAM"/d'
    try "a route is missing" sed 's/src="CUDA1" dst="RAM"/src="CUDA1" dst="X"/'
    try "a route twice" sed 's/src="CUDA1" dst="RAM"/src="CUDA0" dst="RAM"/'
    try "a route of both directions" sed 's/ symmetrical="NO"//'
    try "a route of 300 links" sed \
        "s|.*\"CUDA0-RAM\"/>\$|$(printf '%0300d' 0 | sed 's|0|<link_ctn id="Host"/>|g')|"
    try "5000 links" awk '{ print } /"Host" b/ { for (i = 0; i < 5000; i++)
        printf "<link id=\"%d\" bandwidth=\"1\" latency=\"0\"/>", i }'
    try "40 GPUs" sed "/id=\"CUDA1\" s/s|.*|$(seq 40 |
        sed 's|.*|<host id="CUDA&"><prop id="memsize" value="4194304"/></host>|' |
        tr -d '\n')&|"
}

try_matrices() {
    file=$bandwidth
    try "empty" true
    try "only a comment" head -n 1
    try "two rows" head -n 3
    try "two columns" cut -f 1-2
    try "not a number" sed 's/6001.5/fast/'
    try "0" sed 's/6001.500000/0.0/'
    try "negative" sed 's/6001/-6001/'
    try "infinite" sed 's/6001.500000/inf/'
    try "hexadecimal" sed 's/6001.500000/0x1p3/'
    try "a comma" sed 's/6001\.5/6001,5/'
    try "huge" sed 's/6001.500000/1e300/'
    try "binary" head -c 1000 /dev/zero
    try "over 1 MiB" large 1100000
    rm "$made/sampling/$file" && answer "is missing"
    mkdir "$made/sampling/$file" && answer "is a folder"
    file=$latency
    try "negative" sed 's/9.25/-9.25/'
    try "of days" sed 's/9.25/9e25/'
    rm "$made/sampling/$file" && answer "is missing"
}

try_codelets() {
    file=$potrf
    try "empty" true
    try "version 43" sed 's/^45$/43/'
    try "version 46" sed 's/^45$/46/'
    try "version of 30 digits" sed "s/^45\$/9$(printf '%030d' 1)/"
    try "no number" sed 's/^45$/forty-five/'
    try "truncated in a line" head -c 700
    try "truncated between lines" head -n 40
    try "fewer combinations than announced" sed '8s/3/4/'
    try "more combinations than announced" sed '8s/3/2/'
    try "a billion combinations" sed '8s/3/1000000000/'
    try "negative number of combinations" sed '8s/3/-3/'
    try "more entries than announced" sed 's/^2$/1/'
    try "a billion entries" sed 's/^2$/1000000000/'
    try "mean NaN" sed 's/7.512500e+03/nan/'
    try "mean infinite" sed 's/7.512500e+03/inf/'
    try "mean 0" sed 's/7.512500e+03/0.0/'
    try "mean negative" sed 's/7.512500e+03/-1.0/'
    try "mean of days" sed 's/7.512500e+03/1e12/'
    try "mean huge" sed 's/7.512500e+03/1e400/'
    try "deviation NaN" sed 's/7.512500e+01/nan/'
    try "deviation negative" sed 's/7.512500e+01/-75/'
    try "samples negative" sed 's/\t20$/\t-20/'
    try "samples a fraction" sed 's/\t20$/\t20.5/'
    try "hash of 9 digits" sed 's/^617e5fe6/0617e5fe6/'
    try "hash not hexadecimal" sed 's/^617e5fe6/617e5feg/'
    try "size negative" sed 's/\t3686400/\t-3686400/'
    try "an entry of 6 words" sed '/^617e5fe6/s/\t[^\t]*\t[^\t]*$//'
    try "an entry of 9 words" sed '/^617e5fe6/s/$/\t1/'
    try "an entry twice" sed 's/^cea37d6d.*/617e5fe6 3686400 0 1 1 1 1 1/'
    try "a device twice" sed '/^# device id/{n;s/0/1/;}'
    try "8 sums" sed '/^0.0*e+00.*0.0*e+00/s/\t[^\t]*$//'
    try "two of a b c" sed 's/^nan  *\tnan  *\tnan  *$/nan nan/'
    try "coefficients that are not there" sed 's/^0$/9000/'
    try "binary" head -c 1000 /dev/zero
    try "over 1 MiB" large 1100000
    rm "$made/sampling/$file" && mkdir "$made/sampling/$file"
    answer "is a folder"
    host=older
    file=$older
    try "gemm NaN, to be halved" sed 's/2.500001e+04/nan/'
    try "version 45 of a file of version 44" sed 's/^44$/45/'
}

{ try_machines; try_matrices; try_codelets; } >"$made/actual" 2>&1
if [ "${1-}" = --update ]; then
    cp "$made/actual" "$expected"
else
    diff -u "$expected" "$made/actual"
fi
