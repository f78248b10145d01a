#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: zorua
# zorua_mechanism.sh BUILD_DIR: with zorua.mechanism=zorua results are right, whatever lies in memory: a CTA whose registers do not fit the SM ends,
# too. Statistics are the same whoever computes the manager, with and without skipping, in one host thread and in two. The ablations leave
# out what they say. With values in the sets that the tables name (zorua.values; tests/law/zorua_values.sh shows that wrong tables are seen)
# results are right and statistics the same. What the tables cannot hold is refused.
. tests/kit/shell.sh
export TANDEM_CACHE="$build"
zorua=(--system zorua --set zorua.mechanism=zorua --set ptx.registers=allocated)
on() { # on NAME ARGUMENT...
  simulate "$@" --set sm.count=2 "${zorua[@]}"
}
some() { # some RUN COUNTER...: none of them is 0
  local run=$1 name
  shift
  for name in "$@"; do [ "$(counter "$name" "$run")" -gt 0 ] || fail "$run: $name is 0"; done
}
none() { # none RUN COUNTER...: all of them are 0
  local run=$1 name
  shift
  for name in "$@"; do [ "$(counter "$name" "$run")" = 0 ] || fail "$run: $name is not 0"; done
}
traffic=(zorua_spill_lines zorua_fill_lines zorua_operand_loads zorua_operand_stores)

# 16 sets a warp: with barriers, slots and registers go to memory and come back
four_ways on crowd 'sm*.zorua' phases:pattern=5,n=2048,threads=512,rounds=1
some crowd zorua_register_lookups zorua_register_swapped zorua_spill_lines zorua_operand_loads zorua_operand_stores zorua_line_hits zorua_events stall_need
four_ways on scratchpad 'sm*.zorua' phases:pattern=1,n=512,threads=128,rounds=2
some scratchpad zorua_scratch_lookups
none scratchpad "${traffic[@]}"
on crowd_values phases:pattern=5,n=2048,threads=512,rounds=1 --set zorua.values=1
same crowd crowd_values "values of registers"
on scratchpad_values phases:pattern=1,n=512,threads=128,rounds=2 --set zorua.values=1
same scratchpad scratchpad_values "values of scratchpad"

# a CTA of 32 warps with 16 sets each, on 256: the floor lets it end, also where nothing may lie in memory otherwise
crowd=phases:pattern=5,n=1024,threads=1024,rounds=2
ends_with 2 "$tandem" run $crowd --set ptx.registers=allocated --out "$work/baseline"
for more in o_thresh=10 o_thresh=0 o_thresh=100 epoch=64 scratch_release=end floor_of=held; do
  on "deadlock_$more" $crowd --set zorua.$more
  some "deadlock_$more" "${traffic[@]:0:2}" zorua_operand_loads
done
on deadlock_values $crowd --set zorua.values=1
same deadlock_o_thresh=10 deadlock_values "values that are spilled and filled"
none deadlock_o_thresh=0 zorua_thresholds

# the largest register files that the tables can name: 512 sets (zorua_gpus.sh has them in Verilog, at night)
for gpu in zorua_kepler zorua_maxwell; do
  simulate $gpu phases:pattern=5,n=4096,threads=512,rounds=1 -c $gpu --set sm.count=1 "${zorua[@]}" --set zorua.values=1
  some $gpu "${traffic[@]}"
done

# ablations
on oracle $crowd --set zorua.spill=oracle
some oracle zorua_register_swapped
none oracle zorua_operand_loads zorua_operand_stores zorua_line_hits
on unbounded $crowd --set zorua.registers=unbounded
none unbounded zorua_register_lookups zorua_operand_loads
# lines meet a full queue of the load/store unit: none of its operations may be lost
simulate lines mst:span=0,nodes=4096,threads=512,registers=32 -c zorua_fermi --set sm.count=2 --set dram.channels=1 --set l2.bytes=131072 \
  "${zorua[@]}" --set zorua.registers=unbounded
some lines zorua_spill_lines
[ "$(statistic oracle core_cycles)" -lt "$(statistic deadlock_o_thresh=10 core_cycles)" ] || fail "spilling takes no time"

# the same instructions as without the proposal, but for the specifiers
for spec in reduction:n=4096 phases:pattern=2,n=512,threads=128,rounds=2 phases:pattern=3,n=1024,threads=256,rounds=3; do
  on z $spec
  simulate w $spec --set sm.count=2 --set ptx.registers=allocated --system zorua --set zorua.mechanism=wlm
  [ "$(counter ctas z)" = "$(counter ctas w)" ] && [ "$(counter global_stores z)" = "$(counter global_stores w)" ] ||
    fail "$spec: other CTAs or stores than under wlm"
done

run=("$tandem" run vecadd "${zorua[@]}" --out "$work/out")
refused_with 2 "ptx.registers" allocated -- "$tandem" run vecadd --system zorua --set zorua.mechanism=zorua --out "$work/out"
refused_with 2 "zorua.mechanism = zorua" -- "$tandem" run transpose -c elastic16 "${zorua[@]}" --out "$work/out"
refused_with 2 "zorua.epoch" -- "${run[@]}" --set zorua.epoch=0
refused_with 2 "fewer logical warps" -- "${run[@]}" --set zorua.warps=32
refused_with 2 "power of two" -- "${run[@]}" --set zorua.blocks=12
refused_with 2 "zorua.warps: 97 is outside 4..96 warps" -- "${run[@]}" --set zorua.warps=97
refused_with 2 "'registers_64'" "32 warps and the SM has 16 (sm.warps)" -- "$tandem" run $crowd "${zorua[@]}" --set sm.warps=16 --set sm.threads=512 --out "$work/out"
refused_with 2 "'registers_64'" "1024 threads and the SM has 512 (sm.threads)" -- "$tandem" run $crowd "${zorua[@]}" --set sm.threads=512 --out "$work/out"
refused_with 2 "'shared_phases'" "5 KB of scratchpad" "the 2 of sm.shared_bytes" -- "$tandem" run phases:pattern=1,n=512,threads=128,rounds=1 "${zorua[@]}" --set sm.shared_bytes=2048 --out "$work/out"
refused_with 2 "sm.shared_bytes = 131072" -- "${run[@]}" --set sm.shared_bytes=131072
refused_with 2 "sm.registers = 131072" -- "${run[@]}" --set sm.registers=131072
refused_with 2 "line_bytes" -- "${run[@]}" --set line_bytes=64
refused_with 2 "zorua.values" "unbounded" -- "${run[@]}" --set zorua.values=1 --set zorua.registers=unbounded
refused_with 2 "memory.mib" "raise it" -- "$tandem" run vecadd:n=1024 "${zorua[@]}" --set memory.mib=16 --out "$work/out"
echo "spilled lines: $(counter zorua_spill_lines deadlock_o_thresh=10), operands in memory: $(counter zorua_operand_loads deadlock_o_thresh=10)"
