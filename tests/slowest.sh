#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Prints the ten tests that took longest, with their seconds: from the birth of
# a log to its .trs file, which the test driver writes last. Prints nothing where
# the file system does not keep births.
#
# Usage: slowest.sh LOG...
for log; do
    trs=${log%.log}.trs
    [ ! -f "$trs" ] || stat -c '%.3W %.3Y %n' "$log" "$trs"
done 2>/dev/null | awk '
    $3 ~ /[.]log$/ { birth = $1; next }
    birth > 0 { name = $3; sub(/[.]trs$/, "", name)
        printf "%7.1f s  %s\n", $2 - birth, name }' | sort -rn | awk '
    NR == 1 { print "The slowest tests:" }
    NR <= 10'
