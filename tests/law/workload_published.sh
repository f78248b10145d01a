#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# label: nightly
# workload_published.sh BUILD_DIR: every run that a paper published (configs/workloads.yaml) computes the right result; its thread
# instructions are printed beside the paper's. The ratio has no limit here: kernels and compilers differ, and none is tuned.
. tests/kit/shell.sh
count=0
while read -r workload lists; do
  for args in $lists; do
    [ "$args" = defaults ] && args=
    must "$tandem" run "$workload${args:+:$args}" --out "$work/run"
    grep -q "^$workload: .* PASS" "$work/log" || fail_showing "$work/log" "no verdict of $workload:$args"
    grep '^  thread instructions: ' "$work/log" | sed "s/^ */$workload:$args /" >"$work/lines"
    [ -s "$work/lines" ] || fail_showing "$work/log" "$workload:$args: no published figure was printed"
    cat "$work/lines"
    count=$((count + 1))
  done
done < <(each_workload PUBLISHED)
[ $count -ge 10 ] || fail "only $count published runs"
