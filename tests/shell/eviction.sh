#!/bin/sh
# Eviction policies: built-in ones, and plug-ins in runs, explorations, tokens
# and campaigns.
. "$abs_top_srcdir/tests/shell/plugin_test.sh"
case="cholesky --tiles 16 --platform attila --cpus 0 --gpu-memory 160MiB --sched dmdar"

run() { # arguments of orrery
    # shellcheck disable=SC2086
    "$orrery" "$@" >out 2>err
}

has() { # text
    grep -qF -- "$1" out err || {
        complain "no '$1' in:"
        cat out err
    }
}

fact() { # key
    sed -n "s/^ *\"$1\": \"\\{0,1\\}\\([^\",]*\\).*/\\1/p" out
}

compile() { # name, flags
    # shellcheck disable=SC2046,SC2086 # lists of words
    $CC -Wall -Wextra -Werror -O1 -fPIC -shared $2 -o "$1.so" \
        "$abs_top_srcdir/tests/plugins/newest.c" \
        $(pkg-config --cflags orrery) || exit 1
}

# shellcheck disable=SC2086 # $case is words
{
    run run $case --format json && default=$(cat out)
    run run $case --format json --evict lru && has '"evict": "lru"'
    [ "$(echo "$default" | sed '/wall_s\|"events"/d')" = \
        "$(sed '/wall_s\|"events"\|"evict"/d' out)" ] ||
        complain "lru is not the default"
    loads=$(fact bytes_host_to_device)

    # With the same task on the same worker, belady is a bound.
    run run $case --trace it.csv
    fixed="$case --sched fixed:it.csv --format json"
    run run $fixed --evict lru
    loads=$(fact bytes_host_to_device)
    run run $fixed --evict belady && has '"evict": "belady"'
    [ "$(fact bytes_host_to_device)" -lt "$loads" ] ||
        complain "belady loads $(fact bytes_host_to_device) bytes, lru $loads"
    cp out first
    run run $fixed --evict Belady
    [ "$(sed '/wall_s/d' first)" = "$(sed '/wall_s/d' out)" ] ||
        complain "two runs differ"

    run run $case --evict fifo && complain "an unknown policy"
    has "unknown eviction policy 'fifo'; there are: belady, lru"

    compile newest ''
    compile wrong -DWRONG
    compile crash -DCRASH
    run run $fixed --evict ./newest.so || complain "newest.so"
    has '"evict": "newest"'
    [ "$(fact bytes_host_to_device)" -gt "$loads" ] ||
        complain "newest loads $(fact bytes_host_to_device) bytes, lru $loads"
    run run $case --evict ./wrong.so && complain "wrong.so runs"
    has "wrong.so"
    has "choose(), for datum"
    has "returns candidate"
    run run $case --evict ./crash.so && complain "crash.so runs"
    has "crash.so"
    has "choose()"
    run run $case --evict ./none.so && complain "none.so runs"
    has "none.so"
    run run $case --sched ./newest.so && complain "newest.so is no scheduler"

    # Explorations run under it, and tokens hold its hash, not its path.
    small="cholesky --tiles 5 --platform idcin-2 --cpus 2 --gpus 2
        --precision double --gpu-memory 57MiB"
    for evict in belady ./newest.so; do
        run explore $small --evict $evict --budget 30 --sched dmda ||
            complain "an exploration under $evict: $(cat out err)"
    done
    run run $small --evict ./newest.so --token token || complain "no token"
    run replay @token && complain "a replay without the file"
    run replay @token --evict ./wrong.so && complain "a replay with another"
    run replay @token --evict ./newest.so || complain "a replay: $(cat err)"

    # As a key of a campaign.
    cat >it.ini <<'EOF'
[campaign]
app=cholesky
output=it.db
platform=attila
cpus=0
tiles=8
gpu-memory=64MiB

[vary]
evict=lru;belady
EOF
    run sweep it.ini || complain "a campaign: $(cat err)"
    run results it.db --format csv || complain "its results: $(cat err)"
    has belady
}
exit $bad
