#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: zorua
# label: nightly
# zorua_gpus.sh BUILD_DIR: zorua.mechanism=zorua on the GPU configurations with 65536 registers, 512 register sets an SM: statistics are the
# same whoever computes the manager, with and without skipping and with values in the sets; sets are spilled and filled.
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
