#!/bin/sh
# Joules given by an application, against StarPU 3f3cc82a6 over SimGrid 3.32,
# program tests/energy/energy_efficiency.c, on sirocco's CPU cores.
. "$abs_top_srcdir/tests/shell/plugin_test.sh"

# shellcheck disable=SC2046 # a list of words
$CC -Wall -Wextra -Werror -O1 -ffp-contract=off -fPIC -shared -o energy.so \
    "$abs_top_srcdir/tests/plugins/energy.c" \
    $(pkg-config --cflags orrery) -lm || exit 1

# shellcheck disable=SC2046 # a list of words
$CC -Wall -Wextra -Werror -O1 -fPIC -shared -o fastest.so \
    "$abs_top_srcdir/tests/plugins/fastest.c" \
    $(pkg-config --cflags orrery) || exit 1

run() { # arguments
    "$orrery" run ./energy.so --platform sirocco --gpus 0 --cpus 24 "$@" \
        --format json >run.json 2>stderr || complain "$*: $(cat stderr)"
}

# The number that is the member of the last run.
fact() { # name
    sed -n "s/^ *\"$1\": \([-0-9.e+]*\),*$/\1/p" run.json | head -n 1
}

# Fails unless the member is the number, within a proportion.
is() { # name, number, proportion
    awk -v a="$(fact "$1")" -v b="$2" -v p="$3" \
        'BEGIN { d = a - b; if (d < 0) d = -d; exit !(a != "" && d <= p * b) }' ||
        complain "$1 is $(fact "$1"), not $2"
}

# Joules and times of each kernel decide where one potrf goes: from that gamma
# on to a slow core or implementation. Idle power, gammas below and above, as
# bisected.
while read -r idle below above; do
    for cores in --slow=8 --dynamic; do
        run --tiles 1 --mhz 2000 --idle-power "$idle" --gamma "$below" "$cores"
        is dynamic 0.052828097 1e-7
        run --tiles 1 --mhz 2000 --idle-power "$idle" --gamma "$above" "$cores"
        is dynamic 0.024377226 1e-7
    done
done <<EOF
0 64492.72 64492.79
5 95187.10 95187.20
10 181632.64 181632.84
EOF

# With equal cores the joules of kernels depend on nothing else.
for sched in dmda dmdar dmdas lws; do
    run --slow 0 --sched "$sched"
    is dynamic 8.190289 1e-6
    run --slow 24 --mhz 1200 --sched "$sched" --gamma 1e6
    is dynamic 5.830476 1e-6
    run --slow 24 --mhz 2000 --sched "$sched" --idle-power 100
    is dynamic 4.904718 1e-6
done

# Results of campaigns have the same figures as the run before them.
"$orrery" sweep ./energy.so --platform sirocco --gpus 0 --cpus 24 --slow 24 \
    --mhz 2000 --sched lws --vary idle-power=100 --output energy.db \
    >stdout 2>stderr || complain "no campaign: $(cat stderr)"
"$orrery" results energy.db --format json >row.json
for name in energy_j average_power_w peak_power_w edp_js idle_power_w; do
    [ "$(fact $name)" ] && grep -q "\"$name\": $(fact $name)[,]*$" row.json ||
        complain "results have no $name of $(fact $name)"
done

# Times and joules of potrf, trsm, syrk and gemm at each frequency: 3 x 3 tiles
# on one core are 3, 3, 3 and 1 of them.
while read -r mhz a b c d; do
    run --tiles 3 --cpus 1 --slow 1 --mhz "$mhz" --sched lws
    is busy_s "$(echo "$a $b $c $d" | tr , ' ' |
        awk '{ printf "%.12g", (3 * ($1 + $3 + $5) + $7) / 1e6 }')" 1e-7
    for kernel in "potrf $a" "trsm $b" "syrk $c" "gemm $d"; do
        awk -v name="${kernel%% *}" -v joules="${kernel##*,}" '
            $0 ~ "\"" name "\"" { getline; sub(/.*: /, ""); found = $0 + 0 }
            END {
                d = found / joules / (name == "gemm" ? 1 : 3) - 1
                exit !(d < 1e-7 && d > -1e-7)
            }' run.json || complain "joules of $kernel at $mhz MHz"
    done
done <<EOF
1200 31138.514133,.062277028 8262.115997,.016524232 7844.658986,.015689318 15658.734506,.031317469
2000 8277.326187,.024377226 5408.824565,.015929316 4706.795310,.013861797 9395.240540,.027669552
2600 7103.843287,.031171417 4525.347304,.019857067 3620.611864,.015887119 7227.108282,.031712300
3500 6442.450944,.052828097 3758.096384,.030816390 2689.597440,.022054699 5368.709120,.044023414
EOF

# A few tiles leave no choice: ms and J, with 8 cores of 1200 MHz and 30 W idle.
while read -r sched tiles gamma ms joules; do
    run --sched "$sched" --tiles "$tiles" --gamma "$gamma" --idle-power 30
    is makespan_s "$(awk -v ms="$ms" 'BEGIN { print ms / 1000 }')" 1e-3
    is energy_j "$joules" 5e-4
done <<EOF
dmdas 1 1000 6.444451 0.246162
dmdas 3 1000 32.248740 1.328583
dmda 3 1000000 32.248740 1.328583
dmda 5 1000 58.058030 2.974826
dmda 5 100000 58.058030 2.974826
dmdar 5 0 58.058030 2.974826
EOF

# Under lws StarPU is played operation by operation: slow cores, MHz, ms and J.
while [ "${lockstep:-yes}" != no ] && read -r slow mhz ms joules; do
    run --slow "$slow" --mhz "$mhz" --sched lws --idle-power 30
    is makespan_s "$(awk -v ms="$ms" 'BEGIN { print ms / 1000 }')" 1e-3
    is energy_j "$joules" 5e-4
done <<EOF
12 2000 126.358051 10.843776
16 2000 132.157520 10.511559
12 1200 236.778143 14.505675
24 2000 173.908841 10.121984
EOF

# Also under dmda and its relatives, if asked: tasks whose place many workers
# choose at one date. policy, cores, slow ones, MHz, gamma, ms and J.
while [ "${lockstep:-yes}" != no ] && read -r sched cpus slow mhz gamma ms joules
do
    run --sched "$sched" --cpus "$cpus" --slow "$slow" --mhz "$mhz" \
        --gamma "$gamma" --idle-power 30 --model quirks=exact
    is makespan_s "$(awk -v ms="$ms" 'BEGIN { print ms / 1000 }')" 1e-4
    is energy_j "$joules" 1e-4
done <<EOF
dmda 12 8 1200 0 212.734197 13.860551
dmda 20 8 2000 1e5 146.833319 11.921743
dmda 24 8 2000 1e6 182.091622 12.140969
dmdar 12 4 1200 1e5 178.100026 13.356915
dmdas 12 12 1200 1e3 502.972696 20.919657
dmdas 20 16 2000 1e6 163.748674 10.370653
dmdas 24 12 2000 1e3 128.918616 11.608326
EOF

# Two implementations on each core: MHz of the slow one, gamma, ms and J.
while [ "${lockstep:-yes}" != no ] && read -r sched mhz gamma ms joules; do
    run --dynamic --sched "$sched" --mhz "$mhz" --gamma "$gamma" \
        --idle-power 30 --model quirks=exact
    is makespan_s "$(awk -v ms="$ms" 'BEGIN { print ms / 1000 }')" 1e-4
    is energy_j "$joules" 1e-4
done <<EOF
dmdar 2000 1e5 139.978157 12.304282
dmdas 1200 1e4 122.577754 11.867622
dmdas 2600 1000 122.577754 11.867622
lws 1200 0 456.441116 19.523710
lws 2000 0 173.908841 10.121984
lws 2600 0 144.447065 10.059091
EOF

# A policy in a file chooses: all fast. eager takes the first: all slow.
run --dynamic --sched ./fastest.so --mhz 1200
is dynamic 8.190289 1e-6
run --dynamic --sched eager --mhz 1200
is dynamic 5.830476 1e-6

# A trace says which one ran, and a run that replays it takes the same one: the
# same times, and as many joules.
run --dynamic --sched dmdas --mhz 2000 --gamma 1e6 --idle-power 30 \
    --model overheads=off --trace a.csv
cp run.json dmdas.json
grep -q '^ *"slow": 0,$' run.json || complain 'slow cores where all are equal'
run --dynamic --sched fixed:a.csv --mhz 2000 --idle-power 30 \
    --model overheads=off
for name in makespan_s energy_j dynamic; do
    is $name "$(sed -n "s/^ *\"$name\": \([0-9.e+-]*\),*$/\1/p" dmdas.json |
        head -n 1)" 0
done
cut -d , -f 17 a.csv | sort | uniq -c | awk '
    $2 == "implementation" || $2 == 0 || $2 == 1 { seen++ }
    END { exit !(seen == 3 && NR == 3) }' ||
    complain "implementations: $(head -n 3 a.csv)"
sed '$s/[01],0$/2,0/' a.csv >b.csv
"$orrery" run ./energy.so --platform sirocco --gpus 0 --cpus 24 --dynamic \
    --sched fixed:b.csv >stdout 2>stderr
grep -q 'b.csv:221: task 219 (potrf) has no implementation 2 on CPU' stderr ||
    complain "a wrong implementation: $(cat stderr)"

# dmdar is dmda where nothing is copied; lws knows nothing of joules.
for gamma in 1000 100000; do
    run --sched dmda --gamma "$gamma" --idle-power 30
    sed '/"sched"\|wall_s/d' run.json >dmda.json
    run --sched dmdar --gamma "$gamma" --idle-power 30
    sed '/"sched"\|wall_s/d' run.json | cmp -s - dmda.json ||
        complain "dmdar differs from dmda with gamma $gamma"
    run --sched lws --gamma "$gamma" --idle-power 30
    sed '/"gamma"\|wall_s/d' run.json >"lws.$gamma"
done
cmp -s lws.1000 lws.100000 || complain "lws depends on gamma"

# Parts and devices add up to the total, kernels to the dynamic part.
run --sched dmdas --idle-power 30
awk '
    function number(line) { sub(/.*: /, "", line); return line + 0 }
    /"energy_j"/ && !total { total = number($0); next }
    /"(static|dynamic|idle|polling|copies)":/ { parts += number($0) }
    /"dynamic":/ { dynamic = number($0) }
    /"by_kernel"/ { kernels = 1 }
    /"energy_j"/ { sum[kernels + 0] += number($0) }
    /"average_power_w"/ { average = number($0) }
    /"makespan_s"/ { makespan = number($0) }
    function equal(a, b) { return a - b < 1e-12 && b - a < 1e-12 }
    END {
        exit !(total > 1 && equal(parts, total) && equal(sum[0], total) &&
               equal(sum[1], dynamic) && equal(average * makespan, total))
    }' run.json || complain "the joules do not add up: $(cat run.json)"

# Weights that make no sense; energy that nobody knows.
for wrong in gamma=nan gamma=-1 alpha=inf beta=x idle-power=1e9; do
    "$orrery" run ./energy.so --"${wrong%=*}" "${wrong#*=}" >stdout 2>stderr
    [ $? -eq 2 ] && [ ! -s stdout ] && grep -q "${wrong%=*}" stderr ||
        complain "$wrong: $(cat stderr)"
done
"$orrery" run cholesky --tiles 2 --platform hannibal --idle-power 30 \
    --format json >run.json
grep -q '"energy_j": null' run.json || complain 'joules from nowhere'
exit $bad
