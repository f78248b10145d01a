#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: yuan
# network_engines.sh BUILD_DIR [all]: a whole GPU gives the same statistics with its allocators in C, in Verilog and in lockstep: the
# crossbars, and routers of the 6x6 mesh; `all`: every policy, every router, with threads and without skipping.
set -eu
build=$(cd "$1" && pwd)
all=${2:-}
tandem=$build/bin/tandem
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { # run NAME ARGUMENTS...
  local name=$1
  shift
  "$tandem" run saxpy:version=plain,n=4096 -c yuan28 "$@" --out "$work/$name" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  jq -S .statistics "$work/$name/run.json" >"$work/$name.json"
}
# same TITLE PATTERN MACHINE...: the instances that match take part
same() {
  local title=$1 pattern=$2 engine
  shift 2
  run c "$@"
  for engine in rtl lockstep; do
    run "$engine" "$@" --engine "$pattern=$engine"
    cmp "$work/c.json" "$work/$engine.json" || { echo "$title: $engine gives other statistics than c"; exit 1; }
    jq -e --arg e "$engine" '[.engines[] | select(.engine == $e)] |
      length > 0 and (map(.rtl_evals) | add) > 100 and ($e == "lockstep" or (map(.c_evals) | add) == 0)' "$work/$engine/run.json" >/dev/null ||
      { echo "$title: no instance under $engine, or one that did nothing"; exit 1; }
  done
  echo "$title: $(jq .core_cycles "$work/c.json") core cycles, $(jq '[.engines[] | select(.engine == "lockstep")] | length' "$work/lockstep/run.json") allocators"
}
mesh=(--set noc.topology=mesh)
same "crossbars, hg" 'noc.*' --set noc.allocator=hg
same "crossbars, hmhg, packet switched" 'noc.*' --set noc.allocator=hmhg --set noc.switching=packet
# the set of parameters that is built anyway: routers of cores
same "mesh, cores 0 to 9" 'noc.req.r[02356789].alloc' "${mesh[@]}" --set noc.allocator=hmhg --set noc.seed=77
[ "$all" = all ] || exit 0
for policy in pim hg rmhg hmhg islip; do
  same "mesh, $policy" 'noc.*' "${mesh[@]}" --set noc.allocator=$policy --set noc.vcs=2
  same "mesh, $policy, threads" 'noc.*' "${mesh[@]}" --set noc.allocator=$policy --threads 2
  same "mesh, $policy, no skip" 'noc.*' "${mesh[@]}" --set noc.allocator=$policy --no-skip
done
same "mesh, bound and grace" 'noc.*' "${mesh[@]}" --set noc.allocator=hg --set noc.max_hold=4 --set noc.grace=2
same "crossbars, rmhg" 'noc.*' --set noc.allocator=rmhg --set noc.vcs=4 --set noc.vc_alloc=svca
same "crossbars, islip" 'noc.req.alloc' --set noc.allocator=islip --set noc.vcs=2 --set noc.offer=all
same "mesh, matrix" 'noc.req.*' "${mesh[@]}" --set noc.allocator=matrix
