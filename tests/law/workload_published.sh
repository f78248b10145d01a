#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# label: nightly
# timeout: 900
# workload_published.sh BUILD_DIR: every run that a paper published (configs/workloads.yaml) computes the right result; its thread
# instructions are printed beside the paper's. The ratio has no limit here: kernels and compilers differ, and none is tuned.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
while read -r workload lists; do
  for args in $lists; do
    [ "$args" = defaults ] && args=
    "$build/bin/tandem" run "$workload${args:+:$args}" --out "$work/run" >"$work/log" 2>&1 ||
      { cat "$work/log"; echo "failed: $workload:$args"; exit 1; }
    grep -q "^$workload: .* PASS" "$work/log" || { cat "$work/log"; echo "no verdict of $workload:$args"; exit 1; }
    grep '^  thread instructions: ' "$work/log" | sed "s/^ */$workload:$args /" >"$work/lines"
    [ -s "$work/lines" ] || { cat "$work/log"; echo "$workload:$args: no published figure was printed"; exit 1; }
    cat "$work/lines"
    count=$((count + 1))
  done
done < <(sed -n 's/^set(\([a-z0-9_]*\)_PUBLISHED \(.*\))$/\1 \2/p' "$build/generated/workloads.cmake")
[ $count -ge 10 ] || { echo "only $count published runs"; exit 1; }
