#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: elastic
# elastic_bad_input.sh BUILD_DIR: what no elastic pipeline can be is refused with the rule: in a machine file or by --set,
# exit code 2 with the key; as a parameter of the Verilog, at elaboration with the parameter's name.
set -eu
build=$1
tandem=$build/bin/tandem
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "elastic_bad_input: $*"; exit 1; }

refused() { # refused TEXT ARGUMENT...: tandem run ARGUMENT... ends with 2 and says TEXT
  local text=$1 status=0
  shift
  "$tandem" run saxpy:n=64 "$@" --out "$work/run" >"$work/log" 2>&1 || status=$?
  [ $status = 2 ] || fail "exit code $status of: $*"
  grep -qF -- "$text" "$work/log" || { cat "$work/log"; fail "$* does not say '$text'"; }
  [ ! -e "$work/run/run.json" ] || fail "$* leaves a result"
}
while IFS='|' read -r setting text; do
  refused "$text" -c elastic16 --set sm.pipeline=elastic --system elastic --set "$setting"
done <<'RULES'
sm.simd_width=12|must divide the warp of 32 lanes
sm.simd_width=32|needs 16 lanes or fewer
barrel.ports=0|barrel.ports: 0 is outside 1..8 ports
elastic.sets=48|elastic.sets = 48: must be a power of two
elastic.ways=3|elastic.ways = 3: must be 1, 2 or 4
elastic.degree_bits=4|elastic.degree_bits = 4: a warp of 4 subwarps
elastic.pc_bits=8|elastic.sets = 256: must be below 2^elastic.pc_bits = 256
sm.schedulers=2|a barrel (sm.pipeline) has 1
sm.pipeline=rubber|is not one of scoreboard|unified|split|elastic
RULES
refused "set sm.pipeline to unified, split or elastic" -c gtx480 --system elastic
refused "is for sm.pipeline=scoreboard" -c elastic16 --system d2ma
printf 'base: elastic16\nbarrel:\n  ports: 0\n' >"$work/mine.yaml"
refused "mine.yaml:3: barrel.ports: 0 is outside 1..8 ports" -c "$work/mine.yaml"

# neither Verilator nor Yosys elaborates it; the message names block and parameter
while read -r block parameter name; do
  ! verilator --lint-only -Wno-fatal -Irtl/include "-G$parameter" "rtl/elastic/$block.v" >"$work/log" 2>&1 ||
    fail "$block with $parameter elaborates"
  grep -q "${block}_needs_$name" "$work/log" || { cat "$work/log"; fail "$block with $parameter does not name it"; }
  ! yosys -q -p "read_verilog -sv -Irtl/include rtl/elastic/$block.v; hierarchy -check -top $block -chparam ${parameter%%=*} ${parameter#*=}" \
    >"$work/log" 2>&1 || fail "yosys elaborates $block with $parameter"
  grep -q "${block}_needs_$name" "$work/log" || { cat "$work/log"; fail "yosys: $block with $parameter does not name it"; }
done <<'RULES'
elastic_mem_stage P=0 p_at_least_1
elastic_mem_stage M=0 m_at_least_1
elastic_mem_stage S=64 s_1_to_32
elastic_mem_stage VARIANT=3 variant_0_to_2
bkconf_history_cache SETS=48 sets_power_of_two
bkconf_history_cache WAYS=3 ways_1_2_or_4
bkconf_history_cache DW=33 dw_so_that
bkconf_accum S=12 s_that_divides_w
bkconf_accum P=0 p_at_least_1
mem_warp_mask K=0 k_at_least_1
RULES
echo "bad machines and bad parameters are refused with the rule"
