#!/bin/sh
# Rules of style that a machine can see and that compilers do not check: files of at
# most 800 lines and functions of at most 80, the SPDX line, include guards, no
# typedef that hides a struct or a pointer, no blanks at ends of lines, no tabs in C.
# Headers of StarPU's interface have the typedefs that its programs use.
set -u
cd "$abs_top_srcdir" || exit 1
rooms='models sched runtime apps tests docs'
# shellcheck disable=SC2086 # names of rooms are words
find $rooms platforms -name '*.[ch]' -o -name '*.sh' -o -name '*.mk' |
    xargs awk '
    function complain(what) {
        print FILENAME ":" FNR ": " what
        bad = 1
    }
    function check_guard() { # of the file before
        if (last != "" && !guarded) {
            print last ": no include guard of its name"
            bad = 1
        }
    }
    FNR == 1 {
        check_guard()
        last = FILENAME
        files++
        is_c = FILENAME ~ /\.[ch]$/
        is_interface = FILENAME ~ /^apps\/starpu\/include\//
        begin = 0
        guarded = 1
        if (FILENAME ~ /\.h$/) {
            name = FILENAME
            sub(/.*\//, "", name)
            sub(/\.h$/, "", name)
            gsub(/-/, "_", name)
            guard = "^#ifndef (ORR_([A-Z]+_)?)?" toupper(name) "_H$"
            guarded = 0
        }
        if (is_c && $0 != "/* SPDX-License-Identifier: LGPL-2.1-or-later */")
            complain("the first line is not the SPDX line")
    }
    FNR == 801 { complain("a file of over 800 lines") }
    /[[:space:]]$/ { complain("blank at the end of a line") }
    !is_c { next }
    !guarded && $0 ~ guard { guarded = 1 }
    /\t/ { complain("a tab in C") }
    # Numbers and types of functions may have names; objects and pointers may not.
    !is_interface && (/typedef +(const +)?(struct|union|enum)[^(]*[;{]$/ ||
        /typedef.*\*\)? *[a-z_]+(;|\)\()/) { complain("a typedef hides what a thing is") }
    /^{/ { begin = FNR }
    /^}/ && begin {
        if (FNR - begin > 80)
            complain("a function of over 80 lines")
        begin = 0
    }
    END {
        check_guard()
        if (files < 500) {
            print "only " files " files"
            bad = 1
        }
        exit bad
    }'
