#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: yuan
# network_engines.sh BUILD_DIR [all]: a whole GPU gives the same statistics with its allocators in C, in Verilog and in lockstep: the
# crossbars, and routers of the 6x6 mesh; `all`: every policy, every router, with threads and without skipping.
. tests/kit/shell.sh
all=${2:-}
engines() { # engines TITLE PATTERN OPTION...: the instances that match take part
  local title=$1 pattern=$2 engine gpu=(saxpy:version=plain,n=4096 -c yuan28)
  shift 2
  simulate c "${gpu[@]}" "$@"
  for engine in rtl lockstep; do
    simulate "$engine" "${gpu[@]}" "$@" --engine "$pattern=$engine"
    same c "$engine" "$title under $engine"
    jq -e --arg e "$engine" '[.engines[] | select(.engine == $e)] |
      length > 0 and (map(.rtl_evals) | add) > 100 and ($e == "lockstep" or (map(.c_evals) | add) == 0)' "$work/$engine/run.json" >/dev/null ||
      fail "$title: no instance under $engine, or one that did nothing"
  done
  echo "$title: $(statistic c core_cycles) core cycles, $(jq '[.engines[] | select(.engine == "lockstep")] | length' "$work/lockstep/run.json") allocators"
}
mesh=(--set noc.topology=mesh)
engines "crossbars, hg" 'noc.*' --set noc.allocator=hg
engines "crossbars, hmhg, packet switched" 'noc.*' --set noc.allocator=hmhg --set noc.switching=packet
# routers of cores: their parameter set is built anyway
engines "mesh, cores 0 to 9" 'noc.req.r[02356789].alloc' "${mesh[@]}" --set noc.allocator=hmhg --set noc.seed=77
[ "$all" = all ] || exit 0
for policy in pim hg rmhg hmhg islip; do
  engines "mesh, $policy" 'noc.*' "${mesh[@]}" --set noc.allocator=$policy --set noc.vcs=2
  engines "mesh, $policy, threads" 'noc.*' "${mesh[@]}" --set noc.allocator=$policy --threads 2
  engines "mesh, $policy, no skip" 'noc.*' "${mesh[@]}" --set noc.allocator=$policy --no-skip
done
engines "mesh, bound and grace" 'noc.*' "${mesh[@]}" --set noc.allocator=hg --set noc.max_hold=4 --set noc.grace=2
engines "crossbars, rmhg" 'noc.*' --set noc.allocator=rmhg --set noc.vcs=4 --set noc.vc_alloc=svca
engines "crossbars, islip" 'noc.req.alloc' --set noc.allocator=islip --set noc.vcs=2 --set noc.offer=all
engines "mesh, matrix" 'noc.req.*' "${mesh[@]}" --set noc.allocator=matrix
