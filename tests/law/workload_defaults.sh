#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# label: nightly
# workload_defaults.sh BUILD_DIR: every version of every workload computes the right result at its default size, on every GPU
# configuration of configs/gpu. Prints the host's seconds on each. ONLY=WORKLOAD: that one alone.
. tests/kit/shell.sh
configurations=$(gpu_configurations)
count=0
computes() { # computes WORKLOAD VERSION CONFIGURATION
  local system
  mapfile -t system < <(system_of "$2")
  "$tandem" run "$1:version=$2" -c "$3" "${system[@]}" --out "$work/run" >"$work/log" 2>&1 || {
    local status=$?
    # a GPU may be too small for a CTA of the program
    [ $status = 2 ] && [ "$3" != gtx480 ] && grep -q '^tandem: kernel .*: a CTA needs .* and the SM has' "$work/log" && return
    # or too small for a proposal's tables, have another pipeline, other lines or pages, an allocator of too few ports, or lack the L2 that a proposal works at
    [ $status = 2 ] && [ ${#system[@]} = 2 ] && [ "$3" != gtx480 ] && grep -q 'lower\|is for sm.pipeline\|^tandem: mmu.page_bytes = \|^tandem: .*l2.bytes = 0: \|^tandem: l2.slices = \|^tandem: line_bytes = \|^tandem: l1.ways = \|^tandem: l1.bytes = \|^tandem: sm.ctas = \|^tandem: sm.count = \|^tandem: noc.req.alloc: ' "$work/log" && return
    fail_showing "$work/log" "failed: $1:version=$2 -c $3"
  }
  grep -q "^$1: .* version=$2 PASS" "$work/log" || fail_showing "$work/log" "no verdict of $1:version=$2 -c $3"
}
while read -r workload versions; do
  [ -z "${ONLY:-}" ] || [ "$workload" = "$ONLY" ] || continue
  for version in $versions; do
    times=
    for configuration in $configurations; do
      computes "$workload" "$version" "$configuration"
      times+=", $configuration $(sed -n 's/.*host: \([0-9.]* s\).*/\1/p; s/.*: \(.*\); lower.*/\1/p' "$work/log")"
    done
    echo "$workload:version=$version:${times#,}"
    count=$((count + 1))
  done
done < <(each_workload VERSIONS)
[ $count -gt 20 ] || [ "${ONLY:-}" ] || fail "only $count versions"
