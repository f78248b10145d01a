#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# killed.sh BUILD_DIR: when `tandem run` is killed by SIGKILL, the workload that it has started ends as well.
. tests/kit/shell.sh
at_exit() { kill -9 ${workload:-} 2>/dev/null || true; }
"$tandem" run saxpy:n=33554432 --no-skip --out "$work/out" >"$work/log" 2>&1 & parent=$!
for _ in $(seq 200); do # until the child is the workload, not yet a copy of tandem
  workload=$(awk -v parent="$parent" '$4 == parent { print $1; exit }' /proc/[0-9]*/stat 2>/dev/null || true)
  [ -n "$workload" ] && [ "$(readlink "/proc/$workload/exe")" = "$build/lib/tandem/workloads/saxpy" ] && break
  sleep 0.05
done
[ "$(readlink "/proc/$workload/exe")" = "$build/lib/tandem/workloads/saxpy" ] || { cat "$work/log"; echo "no workload was started"; exit 1; }
sleep 0.3
kill -9 "$parent"
for _ in $(seq 100); do
  state=$(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$workload/status" 2>/dev/null || true)
  [ -n "$state" ] && [ "$state" != Z ] || exit 0
  sleep 0.05
done
echo "the workload lives on, five seconds after its parent was killed"
exit 1
