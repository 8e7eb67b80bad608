#!/bin/sh
# Rules of style that a machine can see and that compilers do not check.
set -u
cd "$abs_top_srcdir" || exit 1
bad=0
sources=$(find models sched runtime apps tests docs -name '*.[ch]')
texts=$(find models sched runtime apps tests docs platforms \
    -name '*.[ch]' -o -name '*.sh' -o -name '*.mk')

complain() { # what is wrong, then where; nothing when there is no where
    [ -n "$2" ] || return
    printf '%s:\n%s\n' "$1" "$2"
    bad=1
}

[ -n "$sources" ] || complain "no C files in" "$PWD"
complain "over 800 lines" \
    "$(wc -l $texts | awk '$1 > 800 && $2 != "total" { print $2 }')"
complain "functions of over 80 lines" "$(awk '
    /^{/ { begin = FNR }
    /^}/ && begin { if (FNR - begin > 80) print FILENAME ":" begin; begin = 0 }' \
    $(echo "$sources" | grep '\.c$'))"
complain "the first line is not the SPDX line" "$(for file in $sources; do
    head -n 1 "$file" |
        grep -qxF '/* SPDX-License-Identifier: LGPL-2.1-or-later */' ||
        echo "$file"
    done)"
# Numbers and types of functions may have names; objects and pointers may not.
complain "a typedef hides what a thing is" "$(grep -nE \
    'typedef +(const +)?(struct|union|enum)[^(]*[;{]$|typedef.*\*\)? *[a-z_]+(;|\)\()' \
    $sources)"
complain "blank at the end of a line" "$(grep -nE '[[:space:]]$' $texts)"
complain "a tab in C" "$(grep -n "$(printf '\t')" $sources)"
complain "a header without its include guard" "$(for file in $sources; do
    case $file in *.h) ;; *) continue ;; esac
    name=$(basename "$file" .h | tr 'a-z-' 'A-Z_')
    grep -qE "^#ifndef (ORR_([A-Z]+_)?)?${name}_H\$" "$file" || echo "$file"
    done)"
exit $bad
