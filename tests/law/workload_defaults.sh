#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# label: nightly
# timeout: 600
# workload_defaults.sh BUILD_DIR: every version of every workload computes the right result at its default size.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
while read -r workload versions; do
  for version in $versions; do
    system=()
    "$build/bin/tandem" list systems | grep -q "^$version " && system=(--system "$version")
    "$build/bin/tandem" run "$workload:version=$version" "${system[@]}" --out "$work/run" >"$work/log" 2>&1 ||
      { cat "$work/log"; echo "failed: $workload:version=$version"; exit 1; }
    grep -q "^$workload: .* version=$version PASS" "$work/log" || { cat "$work/log"; echo "no verdict of $workload:version=$version"; exit 1; }
    echo "$workload:version=$version: $(grep -o 'host: [0-9.]* s' "$work/log")"
    count=$((count + 1))
  done
done < <(sed -n 's/^set(\([a-z0-9_]*\)_VERSIONS \(.*\))$/\1 \2/p' "$build/generated/workloads.cmake")
[ $count -gt 20 ] || { echo "only $count versions"; exit 1; }
