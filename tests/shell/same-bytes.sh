#!/bin/sh
# Same inputs, same bytes. Each program given (by default the one just built,
# twice) answers the same cases: what it prints and both traces must be equal
# in all but the time that it took. The first program is the reference.
#
# Usage: same-bytes.sh [--all] [PROGRAM...]
#   --all   every case: minutes for slow builds; otherwise some 50 of them
#
# A case that fails is no answer, so it is an error even if all programs agree.
# Runs with commutative accesses are those of tests/zoo/orrery-tags in the folder
# of PROGRAM.
set -u
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
# Of the 480 cases in the order below, each policy has 32, one for each choice
# of the rest. 11 and 32 have no common divisor: every 11th case, 44 of them,
# has each of these choices, and each policy three times or twice.
stride=11
pressed=44
if [ "${1-}" = --all ]; then
    stride=1
    pressed=480
    shift
fi
if [ $# -eq 0 ]; then
    set -- "$abs_top_builddir/orrery" "$abs_top_builddir/orrery"
    if [ $stride -ne 1 ] && [ "${test_length:-short}" != full ]; then
        [ -z "${sanitizers-}" ] ||
            { echo "left out: .ci/run same-bytes compares this program"; exit 77; }
        stride=33 # each policy once
        pressed=15
    fi
fi
programs=
for program; do
    case $program in
    *[[:space:]]*) echo "$program: a blank in its name"; exit 1 ;;
    /*) programs="$programs $program" ;;
    *) programs="$programs $PWD/$program" ;;
    esac
    [ -x "$program" ] || { echo "$program: no such program"; exit 1; }
    beside=$(dirname "$program")
    [ -x "$beside/tests/zoo/orrery-tags" ] || {
        echo "$program: no orrery-tags beside it:" \
            "make -C $beside tests/zoo/orrery-tags"
        exit 1
    }
done
reference=${programs# }
reference=${reference%% *}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
cp "$abs_top_srcdir/tests/zoo/zoo.xml" . || exit 1
bad=0
cases=0
evicting=0

# Runs PROGRAM, or the TOOL that lies in a folder beside it, with its answers
# in a new folder; fails unless it ends with the status.
answer() { # status, PROGRAM, TOOL or -, folder for the answers, arguments
    expected=$1
    tool=$2
    [ "$3" = - ] || tool=$(dirname "$2")/$3
    answers=$4
    shift 4
    rm -rf "$answers"
    mkdir "$answers" || exit 1
    "$tool" "$@" --format json >"$answers/json" 2>"$answers/messages" </dev/null
    status=$?
    # Members may come in another order, and "options" repeats others.
    sed -e 's/"[a-z_]*wall_s" *: *[^,}]*//' \
        -e 's/"schedules_per_s" *: *[^,}]*//' \
        -e '/"options": \[/,/\]/d' "$answers/json" |
        sort >"$answers/sorted"
    mv "$answers/sorted" "$answers/json"
    [ $status -eq "$expected" ] && [ -s "$answers/json" ] && return
    echo "status $status, not $expected, from: $tool $*"
    head -n 3 "$answers/messages"
    return 1
}

# The reference has no answer, so there is nothing to compare with.
give_up() {
    echo "FAIL: the reference run failed: $(cat failure)"
    exit 1
}

compare() { # PROGRAM; the answers are in one/ and other/, the case in $what
    for file in json trace copies messages; do
        [ -e "one/$file" ] || [ -e "other/$file" ] || continue
        cmp one/$file other/$file >difference 2>&1 && continue
        echo "FAIL: $1 differs from $reference in $file: $what"
        diff one/$file other/$file 2>&1 | head -n 4
        bad=1
    done
}

# All programs answer a case, and answer alike. TOOL is - for PROGRAM itself.
check() { # status, TOOL, arguments
    wanted=$1
    which=$2
    shift 2
    what=$*
    cases=$((cases + 1))
    place=one
    for program in $programs; do
        rm -f trace.csv trace.copies.csv
        if answer "$wanted" "$program" "$which" $place "$@" >failure; then
            [ ! -e trace.csv ] || mv trace.csv $place/trace
            [ ! -e trace.copies.csv ] || mv trace.copies.csv $place/copies
            [ $place = one ] || compare "$program"
        elif [ $place = one ]; then
            give_up
        else
            echo "FAIL: $program failed: $(cat failure)"
            bad=1
        fi
        place=other
    done
}

# A check whose traces are part of the answer.
traced() { # status, TOOL, arguments
    check "$@" --trace trace.csv
    { [ -s one/trace ] && [ -s one/copies ]; } ||
        { echo "FAIL: no traces from $reference: $what"; bad=1; }
}

# More than fits into the GPUs, under everything that decides what happens then.
press() {
    number=0
    for policy in eager prio random ws lws dm dmda dmdap dmdar dmdas dmdasd \
        heteroprio modular-heft modular-heft2 darts; do
        for app in cholesky lu; do
            for model in quirks=on quirks=off quirks=exact clean; do
                for cpus in 0 5; do
                    for platform in attila mirage; do
                        press_one
                    done
                done
            done
        done
    done
}

press_one() { # of all that press() has set
    number=$((number + 1))
    [ $(((number - 1) % stride)) -eq 0 ] || return 0
    if [ "$model" = quirks=exact ] && [ "${lockstep:-yes}" = no ]; then
        pressed=$((pressed - 1)) # this build refuses it
        return
    fi
    traced 0 - run $app --platform $platform --cpus $cpus --gpus 3 \
        --gpu-memory 200MiB --tiles 12 --sched $policy --model $model
    ! grep -q '"evictions": [1-9]' one/json || evicting=$((evicting + 1))
}

# What the cases above hold fixed.
others() {
    while read -r case; do
        # shellcheck disable=SC2086 # a case is several words
        traced 0 - run $case
    done <<CASES
cholesky --platform attila --cpus 0 --gpus 3 --tiles 20 --sched dmdar
cholesky --platform attila --cpus 0 --gpus 3 --tiles 12 --sched dmda --gpu-memory 100MiB
cholesky --platform attila --cpus 0 --gpus 3 --tiles 12 --sched dmdas --perturb 0.01 --seed 7
cholesky --platform attila --cpus 5 --gpus 3 --tiles 12 --sched lws --window 9
lu --platform mirage --cpus 9 --gpus 3 --tiles 12 --sched dmda --durations sampled --seed 5
lu --platform hannibal --cpus 2 --gpus 3 --tiles 10 --sched dm --layout matrix --gpu-memory 200MiB
qr --platform sirocco-k40m --cpus 3 --gpus 3 --tiles 8x5 --sched dmdas --gpu-memory 100MiB
gemm --platform attila --cpus 2 --gpus 3 --tiles 9x6 --sched lws --gpu-memory 150MiB
gemm --platform sirocco-k40m --cpus 0 --variant k --tiles 5x4x3 --layout tiles --sched dmdar --gpu-memory 100MiB
cholesky --platform idcin-2 --precision double --tiles 12 --sched lws --durations sampled --seed 6
CASES
    for policy in eager dmdas; do
        traced 0 tests/zoo/orrery-tags run sum --platform ./zoo.xml --cpus 4 \
            --gpus 2 --tiles 40 --sched $policy
    done
}

token_of() { # file of JSON
    sed -n 's/^ *"token": "\(.*\)",*$/\1/p' "$1" | head -n 1
}

# Tokens are the reference's: all programs repeat its runs. The one that hangs
# has been through more than a hundred decisions.
repeated() {
    answer 0 "$reference" - made run lu --platform mirage --cpus 2 --gpus 2 \
        --tiles 8 --sched ws --perturb 0.1 --seed 3 --token token >failure ||
        give_up
    traced 0 - replay @token
    check 3 - explore cholesky --platform attila --cpus 0 --gpus 3 --tiles 16 \
        --gpu-memory 32MiB --sched dmda --budget 100 --threads 2
    token_of one/json >token
    [ -s token ] || { echo "FAIL: no token from: $what"; bad=1; return; }
    traced 3 - replay @token
}

press
others
repeated
# A loop that ends early, or a memory that never fills, would compare little.
[ $cases -eq $((pressed + 15)) ] ||
    { echo "FAIL: $cases cases, not $((pressed + 15))"; bad=1; }
[ $((2 * evicting)) -gt $pressed ] ||
    { echo "FAIL: only $evicting of $pressed cases evict data"; bad=1; }
[ $bad -ne 0 ] || echo "$cases cases, the same bytes; $evicting evict data"
exit $bad
