#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: foundation
# label: nightly
# slurm.sh BUILD_DIR: what tandem sweep --emit slurm prints runs as it stands on a cluster, here of one node that this test starts and ends; a
# task that fails fails alone; the sweep then finds the runs, runs nothing again, and has the same table as without the cluster.
. tests/kit/shell.sh
missing=
for tool in munged slurmctld slurmd sbatch sinfo; do
  PATH=$PATH:/usr/sbin command -v $tool >/dev/null || missing="$missing $tool"
done
[ -z "$missing" ] || skip "Slurm is not whole, there is no$missing: apt-get install slurm-wlm munge"
PATH=$PATH:/usr/sbin
[ "$(id -u)" = 0 ] || skip "slurmd starts jobs of other users: run this test as root"
chmod 755 "$work"

# ---- the cluster ----
node=$(hostname -s)
port=$((20000 + $$ % 20000))
mkdir "$work/state" "$work/spool" "$work/run"
cat >"$work/slurm.conf" <<C
ClusterName=tandem
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$work/run/munge.socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/run/slurmctld.pid
SlurmdPidFile=$work/run/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes=$node Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:2
C
export SLURM_CONF=$work/slurm.conf
pids=()
at_exit() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
}
head -c 1024 /dev/urandom >"$work/run/munge.key"
chmod 400 "$work/run/munge.key"
munged --foreground --force --socket "$work/run/munge.socket" --key-file "$work/run/munge.key" --pid-file "$work/run/munged.pid" \
  --log-file "$work/munged.log" --seed-file "$work/run/munge.seed" >"$work/munged.out" 2>&1 &
pids+=($!)
until [ -S "$work/run/munge.socket" ]; do kill -0 $! 2>/dev/null || fail_showing "$work/munged.out" "munged does not start"; sleep 0.1; done
slurmctld -D >"$work/slurmctld.out" 2>&1 &
pids+=($!)
slurmd -D -N "$node" >"$work/slurmd.out" 2>&1 &
pids+=($!)
for ((i = 0; i < 300; i++)); do
  [ "$(sinfo -h -o %t 2>/dev/null)" != idle ] || break
  sleep 0.2
done
[ "$(sinfo -h -o %t 2>/dev/null)" = idle ] || { tail -5 "$work"/*.log; fail "the node is not idle: $(sinfo -h 2>&1)"; }

# ---- a sweep on it ----
sweep() { "$tandem" sweep saxpy:n=4096 -c small --system none,d2ma --set dram.queue=4,16,64 --runs "$work/runs" --out "$work/out" "$@"; }
sweep --emit slurm >"$work/array.sh" || fail "nothing is emitted"
(cd "$work" && sbatch --wait array.sh >"$work/log" 2>&1) || fail_showing "$work/log" "the array fails"
[ "$(find "$work/runs" -name run.json | wc -l)" = 6 ] || fail_showing "$work/array.sh" "not six runs"
find "$work/runs" -name run.json -printf '%p %i\n' | sort >"$work/kept"
sweep >"$work/table" || fail "the sweep does not take the runs"
find "$work/runs" -name run.json -printf '%p %i\n' | sort | cmp - "$work/kept" || fail "the sweep has run something again"
cp "$work/out/sweep.csv" "$work/cluster.csv"
"$tandem" sweep saxpy:n=4096 -c small --system none,d2ma --set dram.queue=4,16,64 --runs "$work/local" --out "$work/out" >/dev/null
cmp "$work/cluster.csv" "$work/out/sweep.csv" || fail "the cluster has another table"

# a run that cannot work fails alone, and is seen
"$tandem" sweep saxpy:n=512 -c small --set dram.tCL=9,999 --runs "$work/some" --out "$work/out" --emit slurm >"$work/some.sh"
status=0
(cd "$work" && sbatch --wait some.sh >"$work/log" 2>&1) || status=$?
[ $status != 0 ] || fail "a task that fails is not seen"
[ "$(find "$work/some" -name run.json | wc -l)" = 1 ] || fail "the other task has not run"
echo "6 runs on a cluster of $(sinfo -h -o %D) node, $(sbatch --version)"
