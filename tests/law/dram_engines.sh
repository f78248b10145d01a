#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: yuan
# dram_engines.sh BUILD_DIR: a whole GPU gives the same statistics with the schedulers of its DRAM channels in C, in Verilog and
# in lockstep, without skipping, and with threads; configurations that these blocks cannot serve are refused.
. tests/kit/shell.sh
for policy in bfifo fr_fcfs_plain; do
  gpu=(fwt:log2n=12 -c yuan28 --set dram.scheduler=$policy --set noc.allocator=hg)
  simulate c "${gpu[@]}"
  simulate noskip "${gpu[@]}" --no-skip --threads 2
  same c noskip "$policy without skipping"
  for engine in rtl lockstep; do
    simulate "$engine" "${gpu[@]}" --engine "dram.*=$engine"
    same c "$engine" "$policy under $engine"
    jq -e --arg e "$engine" '[.engines[] | select(.engine == $e)] |
      length == 8 and (map(.rtl_evals) | add) > 1000 and ($e == "lockstep" or (map(.c_evals) | add) == 0)' "$work/$engine/run.json" >/dev/null ||
      fail "$policy: not all eight channels under $engine, or they did nothing"
  done
  echo "$policy: $(statistic c core_cycles) core cycles, five ways"
done
refused_with 2 "know no refresh" -- "$tandem" run fwt:log2n=12 -c gtx480 --set dram.scheduler=bfifo
refused_with 2 "open rows themselves" -- "$tandem" run fwt:log2n=12 -c yuan28 --set ideal.dram=row_hits
refused_with 2 "dram.queue = 65" -- "$tandem" run fwt:log2n=12 -c yuan28 --set dram.queue=65
