#!/bin/sh
# No writable globals: all state hangs from struct orr_run, or two runs could
# not live side by side.
set -u
archive=$abs_top_builddir/liborrery_core.a
[ -z "$sanitizers" ] || { echo "sanitizers add data of their own"; exit 77; }
[ -f "$archive" ] || { echo "$archive: not built"; exit 1; }

# The functions that compilers call at each access to memory have no argument for
# the caller: it is kept in a variable of the thread.
# Constants that hold addresses are in .data.rel.ro, which is not writable.
sections=$(size -A "$archive") || exit 1
echo "$sections" | awk '
    $1 ~ /\.o$/ { object = $1; objects++ }
    object == "accesses.o" && $1 ~ /^\.tbss/ && $2 == 8 { next }
    $1 ~ /^\.t?(data|bss)(\.|$)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 {
        print object ": " $2 " bytes of writable data in " $1
        bad = 1
    }
    END {
        if (!objects) {
            print "nothing to look at"
            bad = 1
        }
        exit bad
    }'
