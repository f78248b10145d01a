#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# block_replay.sh BUILD_DIR BLOCK CYCLES: a second simulator (Icarus), in which what was never written is unknown (x), computes the same
# outputs and the same digest of the registers in every cycle of a recorded random stimulus, for every swept parameter set.
. tests/kit/shell.sh
block=$2 cycles=$3
family=$(of_block "$block" FAMILY)
replay() { # replay VECTORS: the bench agrees with them
  vvp -N "$work/replay.vvp" "+vectors=$1" "+cycles=$cycles" >"$work/log" 2>&1 && grep "replayed $cycles cycles" "$work/log"
}
for set in $(of_block "$block" SETS); do
  params=$(echo "$set" | tr ',' '\n' | sed 's/^/--param /')
  must "$tandem" check "$block" $params --cycles "$cycles" --seed 7 --record "$work/stimulus.csv"
  must "$tandem" drive "$block" "$work/stimulus.csv" --vectors "$work/vectors.hex"
  iverilog -g2012 -Irtl/include $(echo "$set" | tr ',' '\n' | sed "s/^/-P${block}_replay./") -s "${block}_replay" \
    -y "rtl/$family" -y rtl/prim -o "$work/replay.vvp" "$build/generated/${block}_replay.v" "rtl/$family/$block.v"
  replay "$work/vectors.hex" || fail_showing "$work/log" "$block $set: Icarus differs"
done
# The check can fail: a wrong digest and a wrong output are found. They are early, since Icarus runs up to them.
flip() { awk -v row=50 "$1" "$work/vectors.hex" >"$work/flipped.hex"; }
flip 'NR == row { $0 = (substr($0, 1, 1) == "1" ? "0" : "1") substr($0, 2) } { print }'
! replay "$work/flipped.hex" || fail "a wrong digest was not noticed"
# every bit of the last word, which holds an output beside its padding
flip 'NR == row {
    digits = "0123456789abcdef"; n = length($0) - 8; word = substr($0, 1, n)
    while (n++ < length($0)) word = word substr(digits, 17 - index(digits, substr($0, n, 1)), 1)
    $0 = word
  } { print }'
! replay "$work/flipped.hex" || fail "a wrong expected output was not noticed"
grep -q ' port ' "$work/log" || fail_showing "$work/log" "the wrong digest was found, not the wrong output"
