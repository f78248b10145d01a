#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# label: nightly
# timeout: 1800
# workload_defaults.sh BUILD_DIR: every version of every workload computes the right result at its default size, on every
# machine of configs/gpu. Prints the host's seconds on each.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
machines=$("$build/bin/tandem" list machines | sed -n 's/^\([^ ]*\).*/\1/p')
count=0
simulate() { # simulate WORKLOAD VERSION MACHINE
  local system=()
  "$build/bin/tandem" list systems | grep -q "^$2 " && system=(--system "$2")
  "$build/bin/tandem" run "$1:version=$2" -c "$3" "${system[@]}" --out "$work/run" >"$work/log" 2>&1 || {
    # a GPU may be too small for a proposal's tables, have another pipeline, or lack the L2 that a proposal works at
    [ $? = 2 ] && [ ${#system[@]} = 2 ] && [ "$3" != gtx480 ] && grep -q 'lower\|is for sm.pipeline\|^tandem: .*l2.bytes = 0: ' "$work/log" && return
    cat "$work/log"
    echo "failed: $1:version=$2 -c $3"
    exit 1
  }
  grep -q "^$1: .* version=$2 PASS" "$work/log" || { cat "$work/log"; echo "no verdict of $1:version=$2 -c $3"; exit 1; }
}
while read -r workload versions; do
  for version in $versions; do
    times=
    for machine in $machines; do
      simulate "$workload" "$version" "$machine"
      times+=", $machine $(sed -n 's/.*host: \([0-9.]* s\).*/\1/p; s/.*: \(.*\); lower.*/\1/p' "$work/log")"
    done
    echo "$workload:version=$version:${times#,}"
    count=$((count + 1))
  done
done < <(sed -n 's/^set(\([a-z0-9_]*\)_VERSIONS \(.*\))$/\1 \2/p' "$build/generated/workloads.cmake")
[ $count -gt 20 ] || { echo "only $count versions"; exit 1; }
