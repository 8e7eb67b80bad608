#!/bin/sh
# Machines that lstopo makes up: orrery platform detect counts the same cores
# and packages in its file as hwloc itself does.
set -u
for tool in lstopo-no-graphics hwloc-calc; do
    command -v $tool >/dev/null || { echo "no $tool here"; exit 77; }
done
orrery=$abs_top_builddir/orrery
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
bad=0

complain() {
    echo "$*"
    bad=1
}

count() { # type
    hwloc-calc --input "$folder/hwloc.xml" --number-of "$1" all
}

compare() { # what lstopo is to make up, how to write it
    lstopo-no-graphics --input "$1" --of xml --export-xml-flags "$2" --force \
        "$folder/hwloc.xml" || { complain "lstopo: $1"; return; }
    "$orrery" platform detect --hwloc "$folder/hwloc.xml" \
        --output "$folder/mine.xml" 2>/dev/null || complain "$1: refused"
    "$orrery" platform check "$folder/mine.xml" >/dev/null || complain "$1: bad"
    expected="cores=\"$(count core)\" sockets=\"$(count package)\""
    grep -qF "<cpu $expected" "$folder/mine.xml" ||
        complain "$1: not $expected but$(grep '<cpu' "$folder/mine.xml")"
}

for flags in 0 v1; do
    compare 'package:1 core:1 pu:1' $flags
    compare 'package:2 core:8 pu:2' $flags
    compare 'package:2 numa:4 l3:1 core:6 pu:1' $flags
    compare 'numa:4 package:2 core:3 pu:4' $flags
    compare 'package:4 die:2 l2:2 core:2 pu:2' $flags
    compare 'group:3 package:2 [numa] l3:2 l2:2 l1d:1 core:1 pu:8' $flags
done
[ "$(grep -c '<cpu cores="24" sockets="6"' "$folder/mine.xml")" -eq 1 ] ||
    complain "the last one has 24 cores on 6 packages"
exit $bad
