#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# label: nightly
# workload_defaults.sh BUILD_DIR: every version of every workload computes the right result at its default size, on gtx480 and on another
# GPU configuration of configs/gpu, the next one for each version, so that every configuration has several programs; with small sizes
# the nightly rows of workloads (workload_engines.sh) run on all. Prints the host's seconds on each.
# ONLY=WORKLOAD: that one alone; ALL=1: on all configurations, which is over an hour.
. tests/kit/shell.sh
others=$(gpu_configurations | grep -vx gtx480)
number=$(wc -l <<<"$others")
count=0
declare -A used=()
configurations_of() { # configurations_of NUMBER: of the version of this number
  echo gtx480
  if [ "${ALL:-}" ]; then echo "$others"; else sed -n $(($1 % number + 1))p <<<"$others"; fi
}
computes() { # computes WORKLOAD VERSION CONFIGURATION
  local system
  mapfile -t system < <(system_of "$2")
  "$tandem" run "$1:version=$2" -c "$3" "${system[@]}" --out "$work/run" >"$work/log" 2>&1 || {
    local status=$?
    # a GPU may be too small for a CTA of the program
    [ $status = 2 ] && [ "$3" != gtx480 ] && grep -q '^tandem: kernel .*: a CTA needs .* and the SM has' "$work/log" && return
    # or too small for a proposal's tables, have another pipeline, other lines or pages, an allocator of too few ports,
    # several modules, or lack the L2 that a proposal works at
    [ $status = 2 ] && [ ${#system[@]} = 2 ] && [ "$3" != gtx480 ] && grep -q 'lower\|is for sm.pipeline\|^tandem: mmu.page_bytes = \|^tandem: .*l2.bytes = 0: \|^tandem: l2.slices = \|^tandem: line_bytes = \|^tandem: l1.ways = \|^tandem: l1.bytes = \|^tandem: sm.ctas = \|^tandem: sm.count = \|^tandem: numa.modules = \|^tandem: noc.req.alloc: ' "$work/log" && return
    fail_showing "$work/log" "failed: $1:version=$2 -c $3"
  }
  grep -q "^$1: .* version=$2 PASS" "$work/log" || fail_showing "$work/log" "no verdict of $1:version=$2 -c $3"
}
while read -r workload versions; do
  [ -z "${ONLY:-}" ] || [ "$workload" = "$ONLY" ] || continue
  for version in $versions; do
    times=
    for configuration in $(configurations_of $count); do
      computes "$workload" "$version" "$configuration"
      used[$configuration]=1
      times+=", $configuration $(sed -n 's/.*host: \([0-9.]* s\).*/\1/p; s/.*: \(.*\); lower.*/\1/p' "$work/log")"
    done
    echo "$workload:version=$version:${times#,}"
    count=$((count + 1))
  done
done < <(each_workload VERSIONS)
[ "${ONLY:-}" ] && exit 0
[ $count -gt 20 ] || fail "only $count versions"
for configuration in $others; do [ "${used[$configuration]:-}" ] || fail "no program ran on $configuration"; done
