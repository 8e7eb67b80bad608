#!/bin/sh
# A campaign under Slurm, for real: a munged, a slurmctld and a slurmd of its
# own, in a temporary folder, on free ports of the loopback. An array of 8, one
# shard of which is requeued while it runs, and the merge after it, make the
# results of a serial campaign. Skipped, with the reason, where Slurm is not
# there or does not start: it needs root (Debian: slurm-wlm munge).
set -u
: "${abs_top_builddir:=$PWD}"
for program in munged slurmctld slurmd sbatch scontrol squeue; do
    PATH=$PATH:/usr/sbin command -v $program >/dev/null ||
        { echo "no $program here"; exit 77; }
done
PATH=$abs_top_builddir:$PATH:/usr/sbin
export PATH
[ "$(id -u)" -eq 0 ] || { echo "not root: slurmd would not start jobs"; exit 77; }
folder=$(mktemp -d) || exit 1
chmod 755 "$folder"
daemons=

# Ends what was started here, by number.
finish() {
    for daemon in $daemons; do
        kill "$daemon" 2>/dev/null
    done
    for daemon in $daemons; do
        wait "$daemon" 2>/dev/null
    done
    rm -rf "$folder"
}
trap finish EXIT
cd "$folder" && mkdir state spool munge && chmod 755 munge || exit 1

skip() {
    echo "Slurm does not start here: $*"
    tail -n 5 ./*.log
    exit 77
}

# Waits until a command succeeds, so many tenths of a second at most.
await() { # tenths, command
    left=$1
    shift
    until "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        [ $left -gt 0 ] || return 1
        sleep 0.1
    done
}

# Two ports that nobody listens on.
ports=$(python3 -c '
import socket
sockets = [socket.socket() for _ in range(2)]
for s in sockets:
    s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in sockets))') || skip "no python3"
host=$(hostname -s) || skip "no name of the host"
dd if=/dev/urandom of=munge.key bs=1 count=1024 2>/dev/null
chmod 400 munge.key
cores=$(getconf _NPROCESSORS_ONLN)
cat >slurm.conf <<CONF
ClusterName=orrery
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports% *}
SlurmdPort=${ports#* }
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=5
CryptoType=crypto/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
JobRequeue=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cores State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF="$folder/slurm.conf"

munged --foreground --force --key-file=munge.key --socket="$folder/munge/socket" \
    --pid-file="$folder/munge/pid" --log-file="$folder/munged.log" \
    --seed-file="$folder/munge/seed" >munged.out 2>&1 &
daemons="$daemons $!"
await 50 test -S munge/socket || skip "munged"
slurmctld -D -f slurm.conf >slurmctld.out 2>&1 &
daemons="$daemons $!"
slurmd -D -f slurm.conf >slurmd.out 2>&1 &
daemons="$daemons $!"
await 100 sh -c 'scontrol show nodes | grep -q "State=IDLE"' ||
    skip "$(scontrol show nodes 2>&1 | grep -E 'State|Reason|error' | head -n 3)"

bad=0
complain() {
    echo "FAIL: $*"
    head -n 20 ./*.out 2>/dev/null
    bad=1
}

# The same campaign, serially and under Slurm.
# Long enough to meet a shard that runs; sanitizers make it as long with fewer runs.
seeds=400
# shellcheck disable=SC2154 # automake sets it
[ -z "$sanitizers" ] || seeds=40
campaign="cholesky --tiles 20 --perturb 0.1 --vary sched=dmda,dmdas --vary seed=1:$seeds"
mkdir work && cd work || exit 1
# shellcheck disable=SC2086 # several words
orrery sweep $campaign --output serial.db >serial.out || complain "no campaign"
# shellcheck disable=SC2086
orrery sweep $campaign --output all.db --emit slurm --shards 8 >job.sh ||
    complain "no script"
sh job.sh >submitted.out 2>&1 || complain "it is not submitted"

# A shard begins anew in its middle: whichever one is met while it runs.
requeue() {
    shard=$(squeue --array -h -t R -o %i | grep _ | tail -n 1)
    [ -s "all.${shard#*_}-of-8.db" ] && scontrol requeue "$shard"
}
await 200 requeue || complain "no shard can be requeued"
await 600 test -s all.db ||
    { complain "no merge"; squeue; scontrol show jobs | head -n 40; }
await 100 sh -c "! squeue -h | grep -q ."
grep -l "stopped with" slurm-*.out >/dev/null ||
    echo "the requeued shard had ended before"
orrery results serial.db --format csv >serial.csv
orrery results all.db --format csv >all.csv || complain "no results"
cmp serial.csv all.csv || complain "Slurm has other results"
exit $bad
