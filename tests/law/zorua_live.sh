#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: zorua
# zorua_live.sh BUILD_DIR: with zorua.live=mask every program of the evaluation, in small sizes, gives right results, with values in the sets that
# the tables name, too, and statistics are the same with them, whoever computes the manager, and with and without skipping; also where sets lie
# in memory and where entries are mapped without a set. zorua.live=lowest is the default.
. tests/kit/shell.sh
export TANDEM_CACHE="$build"
zorua=(--system zorua --set zorua.mechanism=zorua --set ptx.registers=allocated)
on() { # on NAME ARGUMENT...
  simulate "$@" -c zorua_fermi --set sm.count=2 --set dram.channels=1 --set l2.bytes=131072 "${zorua[@]}"
}
masks=(--set zorua.live=mask)
others=0
for spec in barnes_hut:theta=60,bodies=256,threads=160,registers=36 dct8x8:version=sized,rows=64,columns=256,threads=192,registers=24 \
  mst:span=0,nodes=640,threads=512,registers=32 nqueens:version=sized,n=8,host_rows=5,threads=128,registers=30 \
  reduction:version=sized,n=16384,threads=256,registers=15 scan:version=sized,n=8192,threads=384,registers=25 \
  scalar_product:version=sized,vectors=8,elements=1024,ctas=8,threads=256,accumulators=2048,registers=31 \
  sssp:span=0,nodes=512,threads=512,registers=28; do
  on default $spec
  on lowest $spec --set zorua.live=lowest
  on mask $spec "${masks[@]}"
  on values $spec "${masks[@]}" --set zorua.values=1
  same default lowest "$spec: lowest is the default"
  same mask values "$spec: values in the sets that masks name"
  cmp -s "$work/default.statistics" "$work/mask.statistics" || others=$((others + 1))
  [ "$(counter ctas mask)" = "$(counter ctas default)" ] && [ "$(counter zorua_register_lookups mask)" -gt 0 ] || fail "$spec: other CTAs, or no lookups"
done
[ $others -ge 5 ] || fail "masks change only $others of eight programs"

# registers that double and halve, few of them: sets that masks name are spilled, filled and accessed in memory
few=(phases:pattern=2,n=1024,threads=256,rounds=2 --set sm.registers=4096 "${masks[@]}")
on few "${few[@]}"
on few_values "${few[@]}" --set zorua.values=1
same few few_values "values of sets in memory"
for name in zorua_spill_lines zorua_fill_lines zorua_operand_loads zorua_operand_stores; do
  [ "$(counter $name few)" -gt 0 ] || fail "few: $name is 0"
done
four_ways on scan 'sm*.zorua' scan:version=sized,n=8192,threads=384,registers=25 "${masks[@]}"
[ "$(counter zorua_register_swapped scan)" -gt 0 ] || fail "scan: no set lies in memory"
on unbounded "${few[@]}" --set zorua.registers=unbounded

refused_with 2 "zorua.live" "lowest" "mask" -- "$tandem" run vecadd "${zorua[@]}" --set zorua.live=some --out "$work/out"
refused_with 2 "zorua.live" "lowest" "mask" -- "$tandem" run vecadd "${zorua[@]}" --set zorua.live=1 --out "$work/out"
refused_with 2 "ptx.registers" allocated -- "$tandem" run vecadd --system zorua --set zorua.mechanism=zorua "${masks[@]}" --out "$work/out"
echo "masks change the statistics of $others of eight programs; with few registers $(counter zorua_spill_lines few) lines are spilled"
