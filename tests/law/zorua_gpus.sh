#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: zorua
# label: nightly
# zorua_gpus.sh BUILD_DIR: zorua.mechanism=zorua on the GPU configurations with 65536 registers, 512 register sets an SM: statistics are the
# same whoever computes the manager, with and without skipping and with values in the sets; sets are spilled and filled. The same with 96
# logical warps, and the blocks alone with 128.
. tests/kit/shell.sh
export TANDEM_CACHE="$build"
for gpu in zorua_kepler zorua_maxwell; do
  on() { simulate "$@" -c $gpu --set sm.count=1 --system zorua --set zorua.mechanism=zorua --set ptx.registers=allocated; }
  spec=phases:pattern=5,n=4096,threads=512,rounds=1
  four_ways on $gpu 'sm*.zorua' $spec
  on values $spec --set zorua.values=1
  same $gpu values "$gpu: values in the sets"
  for name in zorua_spill_lines zorua_fill_lines zorua_register_swapped; do
    [ "$(counter $name $gpu)" -gt 0 ] || fail "$gpu: $name is 0"
  done
done

# more logical warps than slots: the manager has 128 rows
gpu=zorua_kepler
four_ways on logical 'sm*.zorua' mst:span=0,nodes=4096,threads=1024,registers=16 --set zorua.warps=96
[ "$(counter zorua_seats logical)" -gt 64 ] || fail "no slot goes from warp to warp"
for block in coordinator set_mover zorua_manager; do
  must "$tandem" check $block --param WARPS=128 --cycles 200000 --out "$work/check"
done
