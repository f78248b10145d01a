#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bad_input.sh BUILD_DIR: bad input gives one sentence that names what is wrong and what to do, exit code 2, and no result
# under its final name.
. tests/kit/shell.sh
cd "$work"
cases=0
# refused WORD... -- COMMAND...: exit 2; the sentence on stderr holds every word; stdout is empty; no run is left behind
refused() {
  refused_with 2 "$@"
  [ ! -e tandem-out ] || fail "something was left behind: $*"
  cases=$((cases + 1))
}

# commands and options
refused replay -- "$tandem" repaly
refused --system -- "$tandem" run saxpy --systen d2ma
refused --cycles -- "$tandem" check rr_arb --cycels 5
refused "needs a value" -- "$tandem" run saxpy --out
refused "argument is missing" -- "$tandem" run
refused "one argument too many" -- "$tandem" run saxpy sgemv
refused "12abc" -- "$tandem" run saxpy --seed 12abc
refused "threads" -- "$tandem" run saxpy --threads 0
refused "machines" -- "$tandem" list machine
refused "takes no value" -- "$tandem" run saxpy --no-skip=1

# workloads and their arguments
refused "saxpy" -- "$tandem" run saxpi
refused "'m'" -- "$tandem" run saxpy:m=5
refused "n=0" "1..134217728" -- "$tandem" run saxpy:n=0
refused "12abc" -- "$tandem" run saxpy:n=12abc
refused "08" -- "$tandem" run saxpy:n=08
refused "n" "key=value" -- "$tandem" run saxpy:n
refused "n=2" "n=1" "once" -- "$tandem" run saxpy:n=1,ctas=1,n=2
refused "version" "fast" -- "$tandem" run saxpy:version=fast
refused "terms=6" "multiple of 4" -- "$tandem" run similarity:terms=6
refused "columns=6" "multiple of 4" -- "$tandem" run matmul_mapreduce:columns=6
refused "clusters=9" "as many as points" -- "$tandem" run kmeans_mapreduce:points=8,clusters=9
refused "columns=200" "128" -- "$tandem" run convolution_separable:columns=200
refused "rows=12" "multiples of 8" -- "$tandem" run jpeg:rows=12
refused "no program" -- "$tandem" run ./no-such-program
refused "driver API" -- "$tandem" run /bin/true
mkdir empty
refused "build the project" -- env TANDEM_WORKLOAD_DIR="$work/empty" "$tandem" run saxpy

# GPU configurations: file, key, value, line
refused gtx999 -- "$tandem" run saxpy -c gtx999
printf 'sm:\n  count: 4\n  cuont: 5\n' >key.yaml
refused key.yaml:3 sm.count -- "$tandem" run saxpy -c ./key.yaml
printf 'dram:\n  tCL: 0\n' >range.yaml
refused range.yaml:2 1..100 -- "$tandem" run saxpy -c ./range.yaml
printf 'dram:\n  tCL: 12abc\n' >number.yaml
refused number.yaml:2 12abc -- "$tandem" run saxpy -c ./number.yaml
printf 'dram:\n  tCL: [9\n' >truncated.yaml
refused truncated.yaml -- "$tandem" run saxpy -c ./truncated.yaml
refused dram.tCL -- "$tandem" run saxpy --set dram.tCLL=9
refused sm.count 1..256 -- "$tandem" run saxpy --set sm.count=0
refused "key=value" -- "$tandem" run saxpy --set sm.count
refused "rr|gto" -- "$tandem" run saxpy --set sm.scheduler=fifo
refused gtx999 -- env TANDEM_CONFIG_DIR="$work/empty" "$tandem" run saxpy -c gtx999

# proposals, engines, waves
refused d2ma -- "$tandem" run saxpy --system d2mb
refused d2ma.segment shared.banks -- "$tandem" run saxpy --system d2ma --set shared.banks=16
refused "c, rtl, lockstep" -- "$tandem" run saxpy --system d2ma --engine 'sm*.d2ma.*=verilog'
refused PATTERN -- "$tandem" run saxpy --system d2ma --engine rtl
refused "no instance" -- "$tandem" run saxpy --system d2ma --engine 'sm*.dma.*=c'
refused "--system" -- "$tandem" run saxpy --engine 'sm*.d2ma.*=c'
refused TANDEM_SYSTEM -- env TANDEM_SYTEM=d2ma "$tandem" run saxpy
refused TANDEM_NO_SKIP -- env LD_LIBRARY_PATH="$build/lib/tandem" TANDEM_NO_SKIP=yes "$build/lib/tandem/workloads/saxpy"
refused FROM -- "$tandem" run saxpy --wave=7
refused FROM -- "$tandem" run saxpy --wave=9:9

# blocks, parameters, CSV
refused rr_arb -- "$tandem" check rr_arbb
refused rr_arb -- "$tandem" list blocks rr_ar
refused "no parameter" -- "$tandem" check rr_arb --param M=3
refused 1..32 -- "$tandem" check rr_arb --param N=33
refused wraps -- "$tandem" check rr_arb --bug wraps
refused nowhere.csv -- "$tandem" drive rr_arb nowhere.csv
printf 'req,acept\n1,1\n' >column.csv
refused column.csv:1 acept -- "$tandem" drive rr_arb column.csv
printf 'req,accept\n1,1\n1,x\n' >value.csv
refused value.csv:3 -- "$tandem" drive rr_arb value.csv
printf 'req,accept\n1,1\n1,1,1\n' >wide.csv
refused wide.csv:3 -- "$tandem" drive rr_arb wide.csv
printf 'req,accept\n0x1ff,1\n' >range.csv
refused range.csv:2 -- "$tandem" drive rr_arb range.csv
: >empty.csv
refused empty.csv -- "$tandem" drive rr_arb empty.csv
refused "c, rtl, lockstep" -- "$tandem" drive rr_arb range.csv --engine verilog
refused nowhere -- "$tandem" replay nowhere
refused stimulus.csv -- "$tandem" replay empty
refused "--wave" -- "$tandem" wave empty
refused nowhere -- "$tandem" wave nowhere

# output folders that cannot be written, before anything is simulated
: >file
refused file -- "$tandem" run saxpy --out file
refused file -- "$tandem" run saxpy --out file/below
refused /proc -- "$tandem" run saxpy --out /proc/tandem
refused /proc -- "$tandem" check rr_arb --out /proc/tandem

# missing tools: an empty cache has to be filled, and there is nothing to fill it with
mkdir cache
path_of tools bash sh env cat mkdir rm
refused verilator package -- env PATH="$work/tools" TANDEM_CACHE="$work/cache" "$tandem" check rr_arb
refused verilator package -- env PATH="$work/tools" TANDEM_CACHE="$work/cache" "$tandem" run saxpy:n=512 --system d2ma --engine 'sm*.d2ma.*=rtl'
mkdir wave && touch wave/wave.fst wave/wave.gtkw
refused gtkwave package -- env PATH="$work/tools" "$tandem" wave wave

# a failed run leaves an earlier result alone until it has begun, and its own refused result never takes the name
"$tandem" run saxpy:n=512 -c small --out kept >/dev/null 2>&1
cp kept/run.json before.json
refused m -- "$tandem" run saxpy:m=5 --out kept
refused sm.count -- "$tandem" run saxpy --set sm.cuont=3 --out kept
cmp before.json kept/run.json
refused dma_set_datatype -- "$tandem" run saxpy:version=d2ma --out kept
[ ! -e kept/run.json ] || fail "a refused run left a run.json"
echo "$cases refusals, each with its sentence"
