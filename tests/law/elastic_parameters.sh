#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: elastic
# elastic_parameters.sh BUILD_DIR: parameters that break a rule are refused at elaboration, by an error that names the
# block and the parameter, in Verilator and in Yosys; the parameters beside them are accepted.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

elaborate() { # elaborate TOOL BLOCK P=V...
  local tool=$1 block=$2 p options=()
  shift 2
  for p in "$@"; do
    if [ "$tool" = verilator ]; then options+=("-G$p"); else options+=(-chparam "${p%%=*}" "${p#*=}"); fi
  done
  case $tool in
    verilator) verilator --lint-only -Wno-lint -Wno-style --no-timing --top-module "$block" "${options[@]}" -Irtl/include -y rtl/prim "rtl/elastic/$block.v" ;;
    yosys) yosys -q -p "read_verilog -sv -Irtl/include rtl/elastic/$block.v; hierarchy -check -top $block ${options[*]}" ;;
  esac >"$work/out" 2>&1
}

refused() { # refused RULE BLOCK P=V...
  local rule=$1 block=$2 tool
  shift 2
  for tool in verilator yosys; do
    if elaborate $tool "$block" "$@"; then
      echo "$tool accepts $block $*, against ${block}_needs_$rule"; bad=1
    elif ! grep -q "${block}_needs_$rule" "$work/out"; then
      echo "$tool does not name ${block}_needs_$rule for $block $*:"; head -5 "$work/out"; bad=1
    fi
  done
}

accepted() { # accepted BLOCK P=V...
  local tool
  for tool in verilator yosys; do
    elaborate $tool "$@" || { echo "$tool refuses $*:"; head -5 "$work/out"; bad=1; }
  done
}

refused sets_power_of_two_at_least_2 bkconf_history_cache SETS=100
refused sets_power_of_two_at_least_2 bkconf_history_cache SETS=1
refused ways_1_2_or_4 bkconf_history_cache WAYS=3
refused pcw_above_log2_of_sets bkconf_history_cache PCW=8
refused dw_so_that_a_set_has_at_most_64_bits bkconf_history_cache DW=40
refused s_that_divides_w bkconf_accum S=12
refused s_that_divides_w bkconf_accum S=33
refused p_at_least_1 bkconf_accum P=0
refused w_at_least_2 bkconf_accum W=1 S=1
refused k_at_least_1 mem_warp_mask K=0
refused nw_at_least_1 mem_warp_mask NW=0
refused dw_at_least_1 mem_warp_mask DW=0
refused mode_1_to_3 mem_warp_mask MODE=4
accepted bkconf_history_cache SETS=128 WAYS=4 PCW=8
accepted bkconf_accum S=16 P=2
accepted mem_warp_mask K=1 NW=1
exit $bad
