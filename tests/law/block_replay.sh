#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# block_replay.sh BUILD_DIR BLOCK: a second simulator (Icarus) computes the same outputs in every cycle of a recorded
# random stimulus, for every swept parameter set.
set -eu
build=$1 block=$2
generated=$build/generated
family=$(sed -n "s/^set(${block}_FAMILY \(.*\))$/\1/p" "$generated/blocks.cmake")
sets=$(sed -n "s/^set(${block}_SETS \(.*\))$/\1/p" "$generated/blocks.cmake")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cycles=4000
for set in $sets; do
  params=$(echo "$set" | tr ',' '\n' | sed 's/^/--param /')
  "$build/bin/tandem" check "$block" $params --cycles $cycles --seed 7 --record "$work/stimulus.csv" >/dev/null
  "$build/bin/tandem" drive "$block" "$work/stimulus.csv" --vectors "$work/vectors.hex" >/dev/null
  iverilog -g2012 -Irtl/include $(echo "$set" | tr ',' '\n' | sed "s/^/-P${block}_replay./") -s "${block}_replay" \
    -y "rtl/$family" -y rtl/prim -o "$work/replay.vvp" "$generated/${block}_replay.v" "rtl/$family/$block.v"
  vvp -N "$work/replay.vvp" "+vectors=$work/vectors.hex" "+cycles=$cycles" | tee "$work/log"
  grep -q "replayed $cycles cycles" "$work/log"
done
# The check can fail: one flipped output bit in the middle is found.
awk -v middle=$((cycles / 2)) 'NR == middle { last = substr($0, length($0)); $0 = substr($0, 1, length($0) - 1) (last == "1" ? "0" : "1") } { print }' \
  "$work/vectors.hex" >"$work/flipped.hex"
if vvp -N "$work/replay.vvp" "+vectors=$work/flipped.hex" "+cycles=$cycles" >"$work/log" 2>&1 &&
  grep -q "replayed $cycles cycles" "$work/log"; then
  # the lowest bits may be padding; flip every digit of the outputs instead
  awk -v middle=$((cycles / 2)) 'NR == middle { gsub(/0/, "f") } { print }' "$work/vectors.hex" >"$work/flipped.hex"
  if vvp -N "$work/replay.vvp" "+vectors=$work/flipped.hex" "+cycles=$cycles" | grep -q "replayed $cycles cycles"; then
    echo "a wrong expected output was not noticed"
    exit 1
  fi
fi
