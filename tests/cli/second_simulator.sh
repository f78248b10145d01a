#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# second_simulator.sh BUILD_DIR: what blocks were given in a GPU run, recorded in lockstep, gives the same outputs and registers in a
# second simulator (Icarus), in which what was never written is unknown (x).
. tests/kit/shell.sh
blocks="d2ma_ctrl_array:ctrl d2ma_footprint:foot d2ma_raw_check:raw d2ma_agen:agen d2ma_requests:req"
records=()
for block in $blocks; do records+=(--record "sm0.d2ma.${block#*:}"); done
must "$tandem" run saxpy:n=4096,ctas=4 -c small --system d2ma "${records[@]}" --out "$work/run"
for block in $blocks; do
  name=${block%:*} path=sm0.d2ma.${block#*:}
  stimulus=$work/run/stimulus.$path.csv
  must "$tandem" drive "$name" "$stimulus" --vectors "$work/vectors.hex"
  parameters=$(sed -n "s/^# param /-P${name}_replay./p" "$stimulus")
  iverilog -g2012 -Irtl/include $parameters -s "${name}_replay" -y rtl/d2ma -y rtl/prim -o "$work/replay.vvp" \
    "$build/generated/${name}_replay.v" "rtl/d2ma/$name.v"
  cycles=$(wc -l <"$work/vectors.hex")
  vvp -N "$work/replay.vvp" "+vectors=$work/vectors.hex" "+cycles=$cycles" >"$work/log" 2>&1 && grep "replayed $cycles cycles" "$work/log" ||
    fail_showing "$work/log" "$name: Icarus differs"
  [ "$cycles" -gt 50 ] || fail "$name: only $cycles cycles were recorded"
done
