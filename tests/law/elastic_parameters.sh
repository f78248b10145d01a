#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: elastic
# elastic_parameters.sh BUILD_DIR: parameters that break a rule are refused at elaboration, by an error that names the
# block and the parameter, in Verilator and in Yosys; the parameters beside them are accepted.
. tests/kit/shell.sh
bad=0

elaborate() { # elaborate TOOL BLOCK P=V...
  local tool=$1 block=$2 p options=()
  shift 2
  for p in "$@"; do
    if [ "$tool" = verilator ]; then options+=("-G$p"); else options+=(-chparam "${p%%=*}" "${p#*=}"); fi
  done
  case $tool in
    verilator) verilator --lint-only -Wno-lint -Wno-style --no-timing --top-module "$block" "${options[@]}" -Irtl/include -y rtl/prim "rtl/elastic/$block.v" ;;
    yosys) yosys -q -p "read_verilog -sv -Irtl/include rtl/prim/*.v rtl/elastic/$block.v; hierarchy -check -top $block ${options[*]}" ;;
  esac >"$work/out" 2>&1
}

reject() { # reject RULE BLOCK P=V...
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

accept() { # accept BLOCK P=V...
  local tool
  for tool in verilator yosys; do
    elaborate $tool "$@" || { echo "$tool refuses $*:"; head -5 "$work/out"; bad=1; }
  done
}

reject sets_power_of_two_at_least_2 bkconf_history_cache SETS=100
reject sets_power_of_two_at_least_2 bkconf_history_cache SETS=48
reject sets_power_of_two_at_least_2 bkconf_history_cache SETS=1
reject ways_1_2_or_4 bkconf_history_cache WAYS=3
reject pcw_above_log2_of_sets bkconf_history_cache PCW=8
reject dw_so_that_a_set_has_at_most_64_bits bkconf_history_cache DW=33
reject dw_so_that_a_set_has_at_most_64_bits bkconf_history_cache DW=40
reject s_that_divides_w bkconf_accum S=12
reject s_that_divides_w bkconf_accum S=33
reject p_at_least_1 bkconf_accum P=0
reject w_at_least_2 bkconf_accum W=1 S=1
reject k_at_least_1 mem_warp_mask K=0
reject nw_at_least_1 mem_warp_mask NW=0
reject dw_at_least_1 mem_warp_mask DW=0
reject mode_1_to_3 mem_warp_mask MODE=4
reject p_at_least_1 elastic_mem_stage P=0
reject m_at_least_1 elastic_mem_stage M=0
reject s_1_to_32 elastic_mem_stage S=64
reject variant_0_to_2 elastic_mem_stage VARIANT=3
accept bkconf_history_cache SETS=128 WAYS=4 PCW=8
accept bkconf_accum S=16 P=2
accept mem_warp_mask K=1 NW=1
exit $bad
