#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: caba
# caba_round_trip.sh BUILD_DIR [SIZES]: bdi_dec gives back every line that bdi_enc compresses. Seven cycles are enough: the first one resets
# bdi_enc, a line comes in the second, and it leaves the five stages in the seventh. SIZES: LINE,MOST,BASE_MODE, with spaces between them
# (caba_round_trip_whole.sh has more).
. tests/kit/shell.sh
sizes=${2:-32,32,0}

# round_trip SIZE FILE: it holds for bdi_enc of FILE; 1: it does not
round_trip() {
  local line most mode
  IFS=, read -r line most mode <<<"$1"
  must yosys -q -p "read_verilog -sv -defer -Irtl/include rtl/caba/bdi_dec.v $2 testbench/caba/bdi_round_trip.v
    hierarchy -check -top bdi_round_trip -chparam LINE $line -chparam MOST $most -chparam BASE_MODE $mode
    prep -top bdi_round_trip -flatten; async2sync; dffunmap; techmap; opt -full; dffunmap; simplemap; aigmap; opt_clean
    write_aiger -zinit $work/round_trip.aig"
  must yosys-abc -c "read_aiger $work/round_trip.aig; print_stats; bmc3 -F 7"
  grep -q "lat = *[1-9]" "$work/log" || fail_showing "$work/log" "$1: no registers"
  if grep -q 'No output asserted in 7 frames' "$work/log"; then return 0; fi
  grep -q 'was asserted in frame' "$work/log" || fail_showing "$work/log" "$1: no answer"
  return 1
}

for size in $sizes; do
  round_trip "$size" rtl/caba/bdi_enc.v || fail_showing "$work/log" "LINE, MOST, BASE_MODE = $size: a line does not come back"
  echo "LINE, MOST, BASE_MODE = $size: every line comes back"
done

# the proof can fail: with a bug of the manifest that takes large lanes for small ones
must python3 scripts/gen/plant.py bdi_enc --bug high_lane_counts_as_small -o "$work/bdi_enc.v"
! round_trip 32,32,0 "$work/bdi_enc.v" || fail "with a planted bug every line comes back"
