#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: own-blocks
# block_needs.sh BUILD_DIR: the parameter sets that the manifest refuses (min, max, needs) are those that the Verilog refuses, for sets
# that differ in one parameter from the smallest that is swept (the default ones of composites take seconds each); a refusal gives the
# sentence of the manifest; a sweep leaves such values out.
. tests/kit/shell.sh
. tests/kit/elaborate.sh
cp "$build"/generated/blocks.cmake "$work"
"$tandem" list blocks --json | jq -r '.[] | "\(.name) \(.family) \(.needs | length)"' >"$work/blocks"
elaborates() { # elaborates BLOCK FAMILY P=V...: the Verilog accepts the set
  local g=() p
  for p in "${@:3}"; do g+=("-G$p"); done
  "$verilator" --lint-only -Wno-fatal -Wno-lint -Wno-style -y "rtl/$2" -y rtl/prim -Irtl/include --top-module "$1" "${g[@]}" "rtl/$2/$1.v" >/dev/null 2>&1
}
accepts() { # accepts BLOCK P=V...: the manifest does; else its sentence is in $work/stderr
  local g=() p
  for p in "${@:2}"; do g+=(--param "$p"); done
  "$tandem" drive "$1" "$work/none.csv" "${g[@]}" >/dev/null 2>"$work/stderr" || ! grep -qE 'cannot be|is outside' "$work/stderr"
}
refused_sets=0 checked=0
while read -r block family needs; do
  [ "$needs" -gt 0 ] || continue
  said=0
  # shellcheck disable=SC2046
  base=$(smallest_sets 1 $(of_block "$block" SETS))
  for parameter in ${base//,/ }; do
    name=${parameter%=*} value=${parameter#*=}
    for other in $((value + 1)) $((value - 1)) $((value * 2)) $((value * 2 + 1)); do
      read -ra set < <(sed "s/\(^\|,\)$name=[0-9]*/\1$name=$other/; s/,/ /g" <<<"$base")
      accepts "$block" "${set[@]}" && ours=0 || ours=1
      ! grep -q 'is outside' "$work/stderr" || continue # what is laid out ends there
      elaborates "$block" "$family" "${set[@]}" && theirs=0 || theirs=1
      [ $ours = $theirs ] || fail_showing "$work/stderr" "$block $name=$other: the manifest says $ours, the Verilog $theirs (1: refused)"
      checked=$((checked + 1)) said=$((said + ours))
    done
  done
  [ $said -gt 0 ] || fail "$block: no set that its needs refuse was tried"
  refused_sets=$((refused_sets + said))
done <"$work/blocks"

ask() { refused_with 2 "$1" -- "$tandem" "${@:2}"; }
ask "SEG=24 NB=32 cannot be: SEG must be a power of two" check d2ma_agen --param SEG=24
ask "S must divide W" synth bkconf_accum --param S=3
must "$tandem" synth tree_pick --sweep W=8,12,16 --param LEVELS=2 --seeds 2 --no-band --json
grep -q 'W=12 is left out: W must be a power of two' "$work/log" || fail_showing "$work/log" "the value that cannot be is not named"
[ "$(grep -c '"block": "tree_pick"' "$work/log")" = 2 ] || fail_showing "$work/log" "not two rows of a sweep"
ask "none of these values can be" synth tree_pick --sweep W=9,12
cd "$work"
ask "SEG must be a power of two" sweep --block d2ma_agen --param SEG=24,16
cd "$root"

# the generator holds defaults and sweeps to them, and a user's own manifest has them, too
own=$work/own/blocks.yaml
cp -r tests/examples/plain "$work/own"
sed -i 's/^  sweep: /  needs:\n    - [W < 8, W must be below 8]\n&/' "$own"
ask "W must be below 8" check token_bucket --manifest "$own" --param W=8
sed -i 's/W: 5}\]/W: 8}]/' "$own"
ask "N=40 W=8 cannot be: W must be below 8" check token_bucket --manifest "$own"
sed -i 's/\[W < 8, /[W, /' "$own"
ask "'W' is no condition" check token_bucket --manifest "$own"
sed -i 's/\[W, W must be below 8\]/[X < 8, "W must be below 8"]/' "$own"
ask "'X' in 'X < 8' is no parameter" check token_bucket --manifest "$own"
echo "$checked sets, $refused_sets of them refused"
