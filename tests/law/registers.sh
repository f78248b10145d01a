#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# registers.sh BUILD_DIR: workloads find their results (each compares with its host program) in any number of architectural registers,
# from the fewest that an instruction allows; fewer are refused with the line of the PTX. Occupancy follows what the allocator
# took. Without ptx.registers=allocated nothing changes, to the byte.
. tests/kit/shell.sh

run() { # run NAME WORKLOAD REGISTERS ARGUMENT...
  local name=$1 workload=$2 registers=$3
  shift 3
  simulate "$name" "$workload" -c small --set ptx.registers=allocated --set "ptx.max_registers=$registers" "$@"
}
least() { # least WORKLOAD: the fewest registers, as the refusals say
  local n=1 next
  while ! "$tandem" run "$1" -c small --functional --set ptx.registers=allocated --set "ptx.max_registers=$n" --out "$work/least" >"$work/log" 2>&1; do
    grep -q '[a-z_]*.ptx:[0-9]*: .* may use '"$n"' registers (ptx.max_registers '"$n"') and this instruction alone needs' "$work/log" || fail_showing "$work/log" "$1 in $n registers"
    next=$(sed -n 's/.*allow at least \([0-9]*\).*/\1/p' "$work/log" | head -1)
    [ "$next" -gt "$n" ] || fail_showing "$work/log" "$1 in $n registers: no way on"
    n=$next
  done
  echo "$n"
}

count=0 spilled=0
for workload in saxpy:n=4096 dct8x8:rows=32,columns=64 nqueens:n=6 matmul:m=32,k=32,n=32 reduction:n=8192 histogram:n=4096 bfs:nodes=300 scan:n=4000 black_scholes:n=1301,ctas=2 ray:width=16,height=16; do
  n=$(least "$workload")
  run whole "$workload" 0 --functional
  for registers in $n $((n + 1)) $((n + 2)) $((n + 4)) 16 24 40; do
    [ "$registers" -ge "$n" ] || continue
    run some "$workload" "$registers" --functional
    [ "$(statistic some functional.warp_instructions)" -ge "$(statistic whole functional.warp_instructions)" ] || fail "$workload: fewer instructions in $registers registers"
    [ "$(statistic some functional.warp_instructions)" = "$(statistic whole functional.warp_instructions)" ] || spilled=$((spilled + 1))
    count=$((count + 1))
  done
  echo "$workload: from $n registers on"
done
[ "$spilled" -ge 12 ] || fail "spill code ran only $spilled times"

# in detail, where spill code costs time and registers cost warps
run all dct8x8:rows=32,columns=64 0
run few dct8x8:rows=32,columns=64 8
differ all few "spill code and none"
[ "$(statistic few core_cycles)" -gt "$(statistic all core_cycles)" ] || fail "spill code costs nothing"
# a CTA of 64 threads and a register file of 1024: 16 each
run fits dct8x8:rows=32,columns=64 16 --set sm.registers=1024
# its launch bounds say so, too
run bounds dct8x8:rows=32,columns=64 0 --set sm.registers=1024
same fits bounds "a limit and launch bounds"
differ all bounds "a register file of 1024 and one of 32768"

# the default
simulate default nqueens:n=6 -c small
simulate live nqueens:n=6 -c small --set ptx.registers=live --set ptx.max_registers=9
same default live "ptx.registers=live"
echo "$count runs, $spilled with spill code"
